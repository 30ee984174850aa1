//! Info files of a URL index. Ended at any moment, the same command goes on.
//!
//! `cargo run --release --example info_files -- MEMORY_MIB OUTPUT INDEX…`

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use tamis_archive::cdx::info::{InfoOptions, Progress, write_info_files};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let memory_mib: usize = std::env::args().nth(1).ok_or("no size of memory")?.parse()?;
    let options = InfoOptions { memory_bytes: memory_mib << 20 };
    let paths: Vec<PathBuf> = std::env::args_os().skip(2).map(PathBuf::from).collect();
    let Some((output, inputs)) = paths.split_first() else { return Err("no output folder".into()) };
    let (start, mut last) = (Instant::now(), None);
    let report = write_info_files(inputs, output, &options, |progress| {
        let stage = std::mem::discriminant::<Progress>(&progress);
        if last.replace(stage) != Some(stage) {
            eprintln!("{:8.2} s {progress:?}", start.elapsed().as_secs_f64());
        }
        ControlFlow::Continue(())
    });
    let report = report.inspect_err(|error| eprintln!("hint: {}", error.hint().unwrap_or("none")))?;
    report.kept_bad_lines.iter().take(10).for_each(|line| eprintln!("{line}"));
    let (lines, rows, files) = (report.lines, report.rows_written, report.files);
    println!("{lines} lines, {rows} rows, {files} files, {} bad lines", report.bad_lines);
    eprintln!("{:8.2} s", start.elapsed().as_secs_f64());
    Ok(())
}
