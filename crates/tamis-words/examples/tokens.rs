//! Tokens of texts, for the comparison with others and to measure.
//!
//!     tokens < texts.jsonl          a JSON string a line in; `[[token, start, end], …]` out, in UTF-16 code units
//!     tokens --speed FILE [LANGUAGE]   how fast a text file is split

use std::error::Error;
use std::io::{self, BufRead as _, BufWriter, Write as _};
use std::time::Instant;
use std::{env, fs};

use tamis_words::tokens::split;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [mode, path, rest @ ..] = &arguments[..]
        && mode == "--speed"
    {
        return speed(path, rest.first().map(String::as_str));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut out, &tokens(&text))?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

fn tokens(text: &str) -> Vec<(String, u32, u32)> {
    let mut units = vec![0];
    units.extend(text.chars().scan(0, |sum, character| {
        *sum += character.len_utf16() as u32;
        Some(*sum)
    }));
    let place = |at: u32| units[at as usize];
    let written = split(text, Some("en"));
    written
        .iter()
        .map(|token| (token.text(text).into_owned(), place(token.start), place(token.end)))
        .collect()
}

fn speed(path: &str, language: Option<&str>) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    for _ in 0..5 {
        let start = Instant::now();
        let count = split(&text, language).len();
        let seconds = start.elapsed().as_secs_f64();
        let (millions, megabytes) = (count as f64 / 1e6, text.len() as f64 / 1e6);
        println!("{count} tokens, {:.2} M tokens/s, {:.1} MB/s", millions / seconds, megabytes / seconds);
    }
    Ok(())
}
