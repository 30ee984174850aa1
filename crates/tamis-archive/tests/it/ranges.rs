//! The ranges of an archive give together what one reader gives, whatever its form and wherever they are cut.

use std::io::{Read, Write};

use tamis_archive::{Mode, Reader, Source, Standing};
use tamis_testkit::{Record, arc, member};

/// A record as a reader gives it: offset, URL, length and checksum of the block.
type Seen = (u64, String, u64, u32);

/// Bytes that do not compress.
fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend(state.to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}

/// Bytes that compress by a quarter: the first block of a zstd frame is compressed, and still long.
fn letters(len: usize, seed: u64) -> Vec<u8> {
    noise(len, seed).iter().map(|byte| b'0' + byte % 64).collect()
}

fn text(len: usize) -> Vec<u8> {
    b"<p>A sieve lets the fine through and keeps the coarse.</p>\n"
        .iter()
        .copied()
        .cycle()
        .take(len)
        .collect()
}

/// Blocks of every kind that can mislead a search for records.
fn misleading_blocks() -> Vec<Vec<u8>> {
    let inner: Vec<Vec<u8>> = (0..40)
        .map(|n| Record::resource(&format!("http://inner.org/{n}"), "text/plain", noise(700, n + 9)).bytes())
        .collect();
    let plain = inner.concat();
    let gzip: Vec<u8> = inner.iter().flat_map(|record| member::gzip(record)).collect();
    let zstd: Vec<u8> = inner.iter().flat_map(|record| member::zstd(record)).collect();
    let large = Record::resource("http://inner.org/large", "text/plain", noise(300_000, 5)).bytes();
    vec![
        plain,
        gzip.clone(),
        zstd.clone(),
        [gzip.as_slice(), &noise(100_000, 6), &gzip].concat(),
        [member::zstd(&large), zstd.clone(), member::gzip(&large), gzip].concat(),
        [&[0x28, 0xb5, 0x2f, 0xfd][..], &[0x1f, 0x8b, 8, 0]].concat().repeat(5000),
        [zstd, noise(90_000, 8)].concat(),
        [b"\n".as_slice(), &arc::record("http://inner.org/arc", "text/html", b"page")].concat().repeat(100),
    ]
}

/// Blocks of ordinary pages, of none and many bytes.
fn page_blocks() -> Vec<Vec<u8>> {
    let sizes = [0, 1, 30, 500, 4000, 20_000, 0, 60_000, 150_000, 300, 9];
    let pages =
        sizes.iter().zip(1..).flat_map(|(&len, seed)| [text(len), noise(len, seed), letters(len, seed)]);
    pages.chain([noise(1_300_000, 77), text(2_000_000)]).collect()
}

/// The same records in every form that archives have.
fn forms(blocks: &[Vec<u8>]) -> Vec<(&'static str, Vec<u8>)> {
    let url = |n: usize| format!("http://a.org/{n}");
    let records: Vec<Vec<u8>> = blocks
        .iter()
        .enumerate()
        .map(|(n, block)| Record::resource(&url(n), "application/octet-stream", block.as_slice()).bytes())
        .collect();
    let dictionary = text(3000);
    let framed = |records: &[Vec<u8>]| -> Vec<u8> {
        records.iter().flat_map(|record| member::zstd_with_dictionary(record, &dictionary)).collect()
    };
    let mut arcs = vec![arc::record("filedesc://a.arc", "text/plain", b"1 0 tamis\nURL IP-address\n")];
    arcs.extend(
        blocks.iter().enumerate().map(|(n, block)| arc::record(&url(n), "application/octet-stream", block)),
    );
    vec![
        ("plain", records.concat()),
        ("gzip", records.iter().flat_map(|record| member::gzip(record)).collect()),
        ("zstd", records.iter().flat_map(|record| member::zstd(record)).collect()),
        (
            "zstd with a dictionary",
            [member::dictionary_frame(&dictionary, member::Dictionary::Raw), framed(&records)].concat(),
        ),
        ("one gzip member", member::gzip(&records.concat())),
        ("one zstd frame", member::zstd(&records.concat())),
        ("ARC", arcs.concat()),
        ("ARC, gzip", arcs.iter().flat_map(|record| member::gzip(record)).collect()),
        ("ARC, zstd", arcs.iter().flat_map(|record| member::zstd(record)).collect()),
    ]
}

fn read_all(reader: &mut Reader) -> Vec<Seen> {
    let mut seen = Vec::new();
    while let Some(mut record) = reader.next().expect("it reads") {
        let (offset, url) = (record.offset(), record.head.target_uri().unwrap_or_default().into_owned());
        let (mut hash, mut len, mut room) = (flate2::Crc::new(), 0, [0; 16 << 10]);
        loop {
            let n = record.body.read(&mut room).expect("it reads");
            if n == 0 {
                break;
            }
            hash.update(&room[..n]);
            len += n as u64;
        }
        seen.push((offset, url, len, hash.sum()));
    }
    seen
}

/// Reads all ranges of a size, and checks that each begins where the one before ended.
fn read_ranges(source: &Source, size: u64, what: &str) -> Vec<Seen> {
    let len = source.len().expect("a file has a length");
    let mut seen = Vec::new();
    let mut due = Standing::default();
    let mut start = 0;
    while start < len {
        let end = if start + size < len { start + size } else { u64::MAX };
        let (mut reader, first) = source.open_range(start..end, Mode::Lenient).expect("it opens");
        let found = read_all(&mut reader);
        assert!(found.iter().all(|(offset, ..)| (start..end).contains(offset)), "{what} {start}..{end}");
        if first.offset() == u64::MAX {
            let is_plain = what.starts_with("plain") || what.starts_with("ARC in");
            assert!(!is_plain || reader.standing() == due, "{what} {start}..{end}");
            assert!(found.is_empty() && due.offset() >= end.min(len), "{what} {start}..{end}: {due:?}");
        } else {
            assert!(start == 0 || due.not_before(start).offset() == first.offset(), "{what} {start}..{end}");
            due = reader.standing();
        }
        seen.extend(found);
        start = start.saturating_add(size);
    }
    seen
}

fn check(blocks: &[Vec<u8>], sizes: &[u64]) {
    check_forms(&forms(blocks), blocks.len(), sizes);
}

fn check_forms(forms: &[(&str, Vec<u8>)], records: usize, sizes: &[u64]) {
    for (form, bytes) in forms {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(bytes).expect("it takes bytes");
        let source = Source::file(file.path());
        let whole = read_all(&mut source.open(Mode::Lenient).expect("it opens"));
        let expected = records + usize::from(form.starts_with("ARC"));
        assert_eq!(whole.len(), expected, "{form}");
        for &size in sizes {
            let what = format!("{form} in ranges of {size}");
            let seen = read_ranges(&source, size, &what);
            assert!(seen == whole, "{what}: {} of {} records", seen.len(), whole.len());
        }
    }
}

#[test]
fn ranges_of_pages_give_what_one_reader_gives() {
    check(&page_blocks(), &[20_011, 64 << 10, 256 << 10, 1 << 20, 100 << 20]);
}

#[test]
fn ranges_of_small_pages_give_what_one_reader_gives() {
    let blocks: Vec<Vec<u8>> =
        (0..60).map(|n| if n % 3 == 0 { text(n * 90) } else { noise(n * 40, n as u64) }).collect();
    check(&blocks, &[1000, 1 << 10, 4096, 9999, 1 << 20]);
}

#[test]
fn archives_and_magics_inside_records_mislead_no_range() {
    let mut blocks = Vec::new();
    for block in misleading_blocks() {
        blocks.extend([text(900), block, noise(2000, 3), Vec::new()]);
    }
    check(&blocks, &[8 << 10, 50_021, 400_000, 100 << 20]);
}

#[test]
fn a_range_that_begins_inside_a_large_frame_finds_the_next() {
    let blocks = [
        text(100),
        noise(50 << 20, 1),
        letters(2 << 20, 3),
        noise(3 << 20, 2),
        letters(5 << 20, 4),
        text(10),
    ];
    let records =
        blocks.iter().map(|block| Record::resource("http://a.org/", "text/plain", block.as_slice()).bytes());
    let frames: Vec<u8> = records.flat_map(|record| member::zstd(&record)).collect();
    check_forms(&[("zstd", frames)], blocks.len(), &[2 << 20, 16 << 20]);
}
