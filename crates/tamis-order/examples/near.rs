//! Near-duplicates among texts: `cargo run --release -p tamis-order --example near -- TEXTS simhash|JACCARD`
//!
//! TEXTS has one text a line. Prints for each that is not kept its line, the line that is kept instead, and their similarity.

use std::io::{self, BufRead, BufReader, Write};
use std::time::Instant;

use tamis_order::cluster::{Clusterer, Document, Keep, Near, Relation, Settings, Text};
use tamis_order::order::Space;
use xxhash_rust::xxh3::xxh3_128;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [texts, near] = &args[..] else {
        return Err(io::Error::other("usage: near TEXTS simhash|JACCARD"));
    };
    let near = match near.parse() {
        Ok(jaccard) => Near::MinHash { jaccard },
        Err(_) => Near::SimHash { most_bits: 3 },
    };
    let began = Instant::now();
    let index = tempfile::tempdir()?;
    let space = Space { folder: std::env::temp_dir(), memory_bytes: 256 << 20 };
    let mut clusterer = Clusterer::open(index.path(), Settings { near, keep: Keep::First }, &space)?;
    for (id, line) in (0..).zip(BufReader::new(std::fs::File::open(texts)?).lines()) {
        let line = line?;
        let text = Some(Text::of(line.as_bytes()));
        let digest = xxh3_128(line.as_bytes());
        clusterer.add(&Document { id, digest, len_bytes: line.len() as u64, date: 0, text })?;
    }
    let mut out = io::stdout().lock();
    clusterer.finish(None, &mut |member| match member.relation {
        Relation::Kept => Ok(()),
        _ => writeln!(out, "{} {} {:.3}", member.id, member.kept, member.similarity),
    })?;
    eprintln!("{:.3} seconds", began.elapsed().as_secs_f64());
    Ok(())
}
