//! Reads archives to their end and tells what is in them: `cargo run --example records -- FILE…`

use std::io::{self, Read};

use tamis_archive::{Mode, Reader, Result};

fn main() {
    for path in std::env::args().skip(1) {
        if let Err(error) = count(&path) {
            println!("{path}: {error}");
        }
    }
}

fn count(path: &str) -> Result<()> {
    let mut reader = Reader::open(path, Mode::Lenient)?;
    let (mut blocks, mut damaged) = (0, 0);
    while let Some(mut record) = reader.next()? {
        // Reading is optional: what is not read is passed over.
        blocks +=
            io::copy(&mut record.body.by_ref(), &mut io::sink()).map_err(tamis_archive::Error::io(path))?;
        damaged += u64::from(record.finish()?.is_damaged);
    }
    println!("{path}: {} records, {blocks} bytes of blocks, {damaged} damaged", reader.records());
    for fault in reader.take_faults().list.iter().take(20) {
        println!("  {fault}");
    }
    Ok(())
}
