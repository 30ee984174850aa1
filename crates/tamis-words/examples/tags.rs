//! Parts of speech and names of English texts, to compare two builds and to measure.
//!
//!     tags < texts.jsonl           a JSON string a line in; `[[tag, …], [[start, end, kind, confidence], …]]` out
//!     tags --speed texts.jsonl     how fast each step goes over the texts, by processor time

use std::error::Error;
use std::io::{self, BufRead as _, BufWriter, Write as _};
use std::{env, fs};

use serde_json::json;
use tamis_words::entity::{Entity, entities};
use tamis_words::tag::{Tag, pos};
use tamis_words::tokens::{Sentence, Token, sentences, split};

const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [mode, path] = &arguments[..]
        && mode == "--speed"
    {
        return speed(path);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let (tokens, sentences) = parts(&text);
        let tags = tags(&text, &tokens, &sentences);
        let names = entities(&text, &tokens, &sentences, &tags);
        let tags: Vec<_> = tags.into_iter().map(Tag::as_str).collect();
        let names: Vec<_> = names.iter().map(name).collect();
        serde_json::to_writer(&mut out, &json!([tags, names]))?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

fn parts(text: &str) -> (Vec<Token>, Vec<Sentence>) {
    let tokens = split(text, Some("en"));
    let sentences = sentences(text, &tokens, Some("en"));
    (tokens, sentences)
}

fn tags(text: &str, tokens: &[Token], sentences: &[Sentence]) -> Vec<Tag> {
    sentences.iter().flat_map(|sentence| pos(text, tokens, sentence)).collect()
}

fn name(name: &Entity) -> (u32, u32, &'static str, u32) {
    (name.start, name.end, name.kind.as_str(), name.confidence.to_bits())
}

fn speed(path: &str) -> Result<(), Box<dyn Error>> {
    let read: Result<Vec<String>, _> = fs::read_to_string(path)?.lines().map(serde_json::from_str).collect();
    let texts = read?;
    for _ in 0..ROUNDS {
        let mut ends = vec![seconds()?];
        let parts: Vec<_> = texts.iter().map(|text| parts(text)).collect();
        ends.push(seconds()?);
        let tags: Vec<_> =
            texts.iter().zip(&parts).map(|(text, parts)| tags(text, &parts.0, &parts.1)).collect();
        ends.push(seconds()?);
        let all = texts.iter().zip(&parts).zip(&tags);
        let names: usize =
            all.map(|((text, parts), tags)| entities(text, &parts.0, &parts.1, tags).len()).sum();
        ends.push(seconds()?);
        let count: usize = tags.iter().map(Vec::len).sum();
        let speeds: Vec<_> =
            ends.array_windows().map(|[start, end]| count as f64 / (end - start) / 1000.0).collect();
        println!(
            "{} texts, {count} tokens, {names} names; thousand tokens/s: split {:.0}, tagged {:.0}, named {:.0}",
            texts.len(),
            speeds[0],
            speeds[1],
            speeds[2],
        );
    }
    Ok(())
}

/// The processor time of this thread so far, as Linux tells it.
fn seconds() -> Result<f64, Box<dyn Error>> {
    let times = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = times.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}
