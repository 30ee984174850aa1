//! Language detectors on the texts of a WET file, reading and inflating included.
//!
//! `languages floor|words|tamis|cld2 TASK FILE`. The floor splits each text into words and looks each up once: what no
//! detector that looks at words can be faster than.

use std::hint::black_box;

use anyhow::{Result, bail};
use tamis_archive::{Mode, Reader, RecordType};
use tamis_bench::measure::{Compare, Stopwatch};
use tamis_bench::touch::Touched;
use tamis_words::language::{Answer, Cld2, Detect, Tamis, Words};

/// As many places as a dictionary of some 23,000 words has.
const PLACES: usize = 1 << 16;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(name), Some(task), Some(path)) = (args.next(), args.next(), args.next()) else {
        bail!("usage: languages floor|words|tamis|cld2 TASK FILE");
    };
    let watch = Stopwatch::new();
    let detect: Box<dyn Fn(&str) -> Answer> = match name.as_str() {
        "floor" => {
            let table: Vec<u32> = (0..PLACES as u32).map(|at| at.wrapping_mul(0x9e37_79b9)).collect();
            Box::new(move |text| Answer { total: probes(text, &table), ..Answer::default() })
        }
        "words" => Box::new(|text| Words::built_in().detect(text)),
        "tamis" => {
            let tamis = Tamis::new();
            Box::new(move |text| tamis.detect(text))
        }
        "cld2" => Box::new(|text| Cld2::default().detect(text)),
        other => bail!("no detector {other}"),
    };
    let mut touched = Touched::default();
    let mut text = Vec::new();
    let mut reader = Reader::open(&path, Mode::Lenient)?;
    while let Some(mut record) = reader.next()? {
        if record.head.record_type() != RecordType::Conversion {
            continue;
        }
        text.clear();
        record.body.append_to(&mut text, u64::MAX)?;
        black_box(detect(&String::from_utf8_lossy(&text)));
        touched.whole(&text);
    }
    watch.report(&name, &task, &path, touched, Compare::Payloads)
}

/// How many words are in the table. Byte by byte: what is no letter of ASCII and no part of a longer character ends a word.
fn probes(text: &str, table: &[u32]) -> u32 {
    let mut found = 0;
    let mut hash = 0_u64;
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphabetic() || byte >= 0x80 {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        } else if hash != 0 {
            found += u32::from(table[(hash >> 48) as usize] == hash as u32);
            hash = 0;
        }
    }
    found
}
