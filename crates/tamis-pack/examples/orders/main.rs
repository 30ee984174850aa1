//! How large an archive is when it is compressed as one, in several orders:
//! `cargo run --release -p tamis-pack --example orders -- FILE.warc.gz LEVEL [ORDER…]`
//!
//! Orders: `crawl` (as it stands), `url`, `words` and `chars` (the reference's order over these sketches), `path` (not measured
//! against `url`), `chosen` (by segment the smaller of `url` and `path`). The compressor is zstd with a window of 4 MiB and
//! long-distance matching. All records are held in memory; prints a table in Markdown.

mod archive;

use std::io::{self, Write};
use std::sync::Mutex;
use std::time::Instant;

use tamis_near::sketch::{Chars, MinHash, Words};
use tamis_pack::order::{Page, PathSettings, ReferenceOrder, SortedPages, Space, SurtOrder, path};
use zstd::stream::raw::CParameter;

use crate::archive::Archive;

const WINDOW_LOG: u32 = 22;
const ORDERS: [&str; 6] = ["url", "words", "chosen", "path", "chars", "crawl"];

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((file, level)) = args.first().zip(args.get(1).and_then(|level| level.parse().ok())) else {
        return Err(io::Error::other("usage: orders FILE LEVEL [ORDER...]"));
    };
    let archive = Archive::read(file).map_err(io::Error::other)?;
    println!("{} records, {} bytes, zstd {level}\n", archive.records.len(), archive.bytes.len());
    println!(
        "| order | bytes | of the original | seconds to order | seconds to compress |\n|---|--:|--:|--:|--:|"
    );
    let names: Vec<&str> =
        if args.len() > 2 { args[2..].iter().map(String::as_str).collect() } else { ORDERS.to_vec() };
    let left = Mutex::new(names.iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = left.lock().ok().and_then(|mut left| left.next().copied()) {
                    match row(&archive, name, level) {
                        Ok(row) => println!("{row}"),
                        Err(error) => println!("{name}: {error}"),
                    }
                }
            });
        }
    });
    Ok(())
}

fn row(archive: &Archive, name: &str, level: i32) -> io::Result<String> {
    let began = Instant::now();
    let order = order(archive, name)?;
    let ordered = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let bytes = compressed_bytes(archive, &order, level)?;
    let share = bytes as f64 * 100.0 / archive.bytes.len() as f64;
    Ok(format!("| {name} | {bytes} | {share:.3} % | {ordered:.1} | {:.0} |", began.elapsed().as_secs_f64()))
}

fn order(archive: &Archive, name: &str) -> io::Result<Vec<u64>> {
    let space = Space { folder: std::env::temp_dir(), memory_bytes: 512 << 20 };
    let settings = PathSettings::default();
    match name {
        "crawl" => Ok((0..archive.records.len() as u64).collect()),
        "url" => sorted(archive, &space)?.records(),
        "words" => {
            by_reference(archive, &space, |page| Words::of_page(page).map(|sketch| sketch.bands().to_vec()))
        }
        "chars" => {
            by_reference(archive, &space, |page| Chars::of_page(page).map(|sketch| sketch.bands().to_vec()))
        }
        "path" => Ok(path(sorted(archive, &space)?, &settings, &space, None)?.records),
        "chosen" => {
            let read = |record: u64, to: &mut Vec<u8>| {
                to.extend_from_slice(archive.record(record));
                Ok(())
            };
            let ordered = path(sorted(archive, &space)?, &settings, &space, Some(&read))?;
            eprintln!("{:?}", ordered.segments);
            Ok(ordered.records)
        }
        _ => Err(io::Error::other(format!("no such order; there are {ORDERS:?}"))),
    }
}

fn sorted(archive: &Archive, space: &Space) -> io::Result<SortedPages> {
    let mut order = SurtOrder::new(space);
    for (number, record) in (0..).zip(&archive.records) {
        let sketch = MinHash::of_bytes(archive.body(number));
        let len_bytes = record.all.len() as u64;
        order.add(Page { record: number, surt: record.surt.as_bytes(), len_bytes, sketch: &sketch })?;
    }
    order.finish()
}

fn by_reference(
    archive: &Archive,
    space: &Space,
    bands: impl Fn(&[u8]) -> Option<Vec<u64>>,
) -> io::Result<Vec<u64>> {
    let mut order = ReferenceOrder::new(space);
    for (number, record) in (0..).zip(&archive.records) {
        let keys = if record.is_html { bands(archive.body(number)) } else { None };
        order.add(number, record.surt.as_bytes(), &keys.unwrap_or_default())?;
    }
    order.finish()
}

fn compressed_bytes(archive: &Archive, order: &[u64], level: i32) -> io::Result<u64> {
    let mut encoder = zstd::Encoder::new(Count(0), level)?;
    encoder.set_parameter(CParameter::WindowLog(WINDOW_LOG))?;
    encoder.set_parameter(CParameter::EnableLongDistanceMatching(true))?;
    for &record in order {
        encoder.write_all(archive.record(record))?;
    }
    Ok(encoder.finish()?.0)
}

struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
