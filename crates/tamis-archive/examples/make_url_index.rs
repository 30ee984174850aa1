//! Makes up a URL index as large as one wants, in the manner of Common Crawl's: `cdx-NNNNN.gz`, gzip members of 3000 lines,
//! sorted keys, captures spread over many archives.
//!
//! `cargo run --release --example make_url_index -- FOLDER LINES FILES ARCHIVES`

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use libdeflater::{CompressionLvl, Compressor};

const LANGUAGES: [&str; 8] = ["eng", "deu", "rus", "zho,eng", "fra", "jpn", "spa,eng", "por,spa,eng"];
const LINES_PER_MEMBER: u64 = 3000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, lines, files, archives] = &arguments[..] else {
        return Err("four arguments: FOLDER LINES FILES ARCHIVES".into());
    };
    let (lines, files, archives): (u64, u64, u64) = (lines.parse()?, files.parse()?, archives.parse()?);
    fs::create_dir_all(folder)?;
    let mut random = Random(1);
    for file in 0..files {
        let (first, end) = (lines * file / files, lines * (file + 1) / files);
        write_file(Path::new(folder), file, first..end, archives, &mut random)?;
    }
    Ok(())
}

fn write_file(
    folder: &Path,
    file: u64,
    lines: std::ops::Range<u64>,
    archives: u64,
    random: &mut Random,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(File::create(folder.join(format!("cdx-{file:05}.gz")))?);
    let mut compressor = Compressor::new(CompressionLvl::new(2).map_err(|_| "no such level")?);
    let (mut text, mut member, mut first) = (String::new(), Vec::new(), lines.start);
    while first < lines.end {
        let end = lines.end.min(first + LINES_PER_MEMBER);
        text.clear();
        (first..end).try_for_each(|line| put_line(&mut text, line, archives, random))?;
        member.resize(compressor.gzip_compress_bound(text.len()), 0);
        let len = compressor.gzip_compress(text.as_bytes(), &mut member)?;
        out.write_all(&member[..len])?;
        first = end;
    }
    Ok(out.flush()?)
}

/// A line of about 400 bytes. Each host has some forty pages; each page is in any of the archives.
fn put_line(text: &mut String, line: u64, archives: u64, random: &mut Random) -> std::fmt::Result {
    let (host, page, noise) = (line / 40, line % 40, random.next());
    let archive = noise % archives;
    let scheme = if host % 3 == 0 { "http" } else { "https" };
    let (status, folder) = if noise % 50 == 0 { ("404", "crawldiagnostics") } else { ("200", "warc") };
    write!(text, "com,host{host:010})/articles/{page:02}/{noise:x} 20190218011538 ")?;
    write!(text, r#"{{"url": "{scheme}://www.host{host:010}.com/articles/{page:02}/{noise:x}", "#)?;
    write!(text, r#""mime": "text/html", "mime-detected": "text/html", "status": "{status}", "digest": "#)?;
    write!(text, r#""{:016X}{:016X}", "length": "{}", "#, random.next(), random.next(), noise % 50_000)?;
    write!(
        text,
        r#""offset": "{}", "filename": "crawl-data/CC-MAIN-2019-09/segments/"#,
        random.next() % (1 << 30)
    )?;
    let segment = archive / 640;
    write!(text, r"15502474{segment:05}.30/{folder}/CC-MAIN-201902151{segment:05}-201902152{segment:05}-")?;
    write!(text, r#"{:05}.warc.gz", "charset": "UTF-8""#, archive % 640)?;
    if status == "200" {
        write!(text, r#", "languages": "{}""#, LANGUAGES[(noise >> 20) as usize % LANGUAGES.len()])?;
    }
    text.push_str("}\n");
    Ok(())
}

/// A linear congruential generator: the same lines each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }
}
