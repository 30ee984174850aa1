//! Near-duplicates among texts: `cargo run --release -p tamis-near --example near -- TEXTS simhash|JACCARD [exact]`
//!
//! TEXTS has one text a line; with `exact` the similarity of candidates is computed from their texts. Prints for each that is not kept its line, the line that is kept instead, and their similarity.

use std::io::{self, Write};
use std::time::Instant;

use tamis_files::Space;
use tamis_near::cluster::{Clusterer, Document, Exact, Keep, Near, Relation, Settings, Text};
use tamis_near::sketch::jaccard;
use xxhash_rust::xxh3::xxh3_128;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, near, ..] = &args[..] else {
        return Err(io::Error::other("usage: near TEXTS simhash|JACCARD [exact]"));
    };
    let near = match near.parse() {
        Ok(jaccard) => Near::MinHash { jaccard },
        Err(_) => Near::SimHash { most_bits: 3 },
    };
    let began = Instant::now();
    let index = tempfile::tempdir()?;
    let space = Space { folder: std::env::temp_dir(), memory_bytes: 256 << 20 };
    let mut clusterer = Clusterer::open(index.path(), Settings { near, keep: Keep::First }, &space)?;
    let texts = std::fs::read_to_string(path)?;
    let texts: Vec<&[u8]> = texts.lines().map(str::as_bytes).collect();
    for (id, text) in (0..).zip(&texts) {
        let (digest, len_bytes) = (xxh3_128(text), text.len() as u64);
        clusterer.add(&Document { id, digest, len_bytes, date: 0, text: Some(Text::of(text)) })?;
    }
    let mut exact = |one: u64, other: u64| Ok(jaccard(texts[one as usize], texts[other as usize]));
    let exact: Option<&mut Exact<'_>> = if args.len() > 2 { Some(&mut exact) } else { None };
    let mut out = io::stdout().lock();
    clusterer.finish(exact, &mut |member| match member.relation {
        Relation::Kept => Ok(()),
        _ => writeln!(out, "{} {} {:.3}", member.id, member.kept, member.similarity),
    })?;
    eprintln!("{:.3} seconds", began.elapsed().as_secs_f64());
    Ok(())
}
