//! The peer FastWARC 2 (Rust), as its documentation reads an archive: WARC and HTTP heads parsed, payloads read.
//!
//! `inplace` reuses one record object, the faster of its two ways. Payloads are taken from its buffer without a copy.

use anyhow::{Context, Result};
use fastwarc::warc::iter::{ArchiveIterator, ArchiveIteratorOptions};
use fastwarc::warc::record::SharedWarcRecord;
use tamis_bench::measure::{Compare, Stopwatch};
use tamis_bench::touch::Touched;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(task), Some(path)) = (args.next(), args.next()) else {
        anyhow::bail!("usage: fastwarc2 TASK FILE");
    };
    let watch = Stopwatch::new();
    let mut touched = Touched::default();
    let options = ArchiveIteratorOptions { inplace: true, ..ArchiveIteratorOptions::default() };
    for record in ArchiveIterator::from_path_with_options(&path, options)? {
        record?.with_mut(|record| -> Result<()> {
            Ok(touched.stream(record.reader_mut().context("record without a reader")?)?)
        })?;
    }
    watch.report("fastwarc-2-rust", &task, &path, touched, Compare::Payloads)
}
