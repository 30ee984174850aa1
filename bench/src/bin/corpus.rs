//! Makes the bench corpus: `corpus DATA OUT` turns the pages under DATA/html into OUT/corpus.warc.gz (a gzip member a
//! record, level 6), the same as OUT/corpus.warc, and OUT/corpus.json with what is in them.
//!
//! The records are those of a Common Crawl file: a warcinfo, then request, response and metadata for each page. Once
//! through all pages is not 300 MB, so further rounds visit them again: in another order, at another moment, with other
//! ids and HTTP heads, as a recrawl of pages that did not change. Members are unpacked one by one, so a
//! page that returns costs a reader what a new one would. The same pages give the same bytes.

#[path = "corpus/pages.rs"]
mod pages;
#[path = "corpus/records.rs"]
mod records;
#[path = "corpus/sink.rs"]
mod sink;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::pages::Page;
use crate::records::{Capture, warcinfo};
use crate::sink::Sink;

/// Packed bytes at which the corpus is large enough; the aim is 300 MB.
const ENOUGH_BYTES: u64 = 310_000_000;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data, out] = &args[..] else {
        bail!("usage: corpus DATA OUT");
    };
    let out = Path::new(out);
    fs::create_dir_all(out)?;
    let mut pages = pages::find(&Path::new(data).join("html"))?;
    if pages.is_empty() {
        bail!("no pages under {data}/html; unpack the test data there first");
    }
    let mut sink = Sink::create(out, "corpus")?;
    sink.record(&warcinfo())?;
    let captures = crawl(&mut pages, &mut sink)?;
    let rounds = captures.div_ceil(pages.len() as u64);
    let made = sink.finish()?;
    let facts = json!({
        "pages": pages.len(), "captures": captures, "rounds": rounds, "records": made.records,
        "gzip_bytes": made.packed_bytes, "plain_bytes": made.plain_bytes, "plain_sha1": made.plain_sha1,
    });
    fs::write(out.join("corpus.json"), format!("{facts}\n")).context("corpus.json")?;
    println!("{facts}");
    Ok(())
}

/// Captures pages round after round until there is enough.
fn crawl(pages: &mut [Page], sink: &mut Sink) -> Result<u64> {
    let mut captures = 0;
    for round in 0.. {
        pages::shuffle(pages, round);
        for page in pages.iter() {
            if sink.packed_bytes() >= ENOUGH_BYTES {
                return Ok(captures);
            }
            let capture = Capture { number: captures, url: &page.url, body: &page.body()?, mime: page.mime };
            for record in capture.records() {
                sink.record(&record)?;
            }
            captures += 1;
        }
    }
    Ok(captures)
}
