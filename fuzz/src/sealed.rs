//! Packs that were changed after they were made, with all checksums right: what a checksum would stop gets to what is after it.
//!
//! The bytes of a fuzzer, or of a generator of random numbers, say what is changed: bytes and numbers of the payloads of chunks, unpacked and
//! packed again; the numbers of frames; the order of chunks; bytes of the file. Then frames are summed up again, the root is told where
//! its pages went, and both roots and the footer are written anew.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::OnceLock;

use tamis_pack::{Pack, PackOptions, Profile, RestoreOptions, Survey, open_bytes, pack};
use xxhash_rust::xxh3::xxh3_64;

const SYNC: [u8; 4] = [0x9f, 0x54, 0xd7, 0x53];
const HEADER_LEN: usize = 16;
const FOOTER_LEN: usize = 32;
const ROOT: u8 = 8;

/// Numbers at which something may go wrong.
const NUMBERS: [u64; 14] = [
    0,
    1,
    2,
    127,
    1 << 10,
    1 << 16,
    (1 << 27) - 1,
    1 << 27,
    1 << 32,
    1 << 48,
    i64::MAX as u64,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
];

/// A chunk, taken apart.
#[derive(Clone)]
struct Chunk {
    tag: u8,
    /// Number, length as it is stored, length unpacked, and what the kind has besides.
    numbers: [u64; 4],
    payload: Vec<u8>,
    /// Where it was.
    start: u64,
}

/// The choices that the bytes make; zeros behind their end.
struct Choices<'d>(&'d [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> usize {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(byte)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.byte() << 16 | self.byte() << 8 | self.byte()) % most.max(1)
    }

    fn number(&mut self, near: u64) -> u64 {
        match self.byte() % 4 {
            0 => near.wrapping_add(1),
            1 => near.wrapping_sub(1),
            2 => self.byte() as u64,
            _ => NUMBERS[self.byte() % NUMBERS.len()],
        }
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for at in 0..10 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(7 * at)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn chunks(pack: &[u8]) -> Vec<Chunk> {
    let mut found = Vec::new();
    let mut rest = &pack[HEADER_LEN..pack.len() - FOOTER_LEN];
    while !rest.is_empty() {
        let start = (pack.len() - FOOTER_LEN - rest.len()) as u64;
        let mut frame = rest.strip_prefix(&SYNC).expect("a sound pack");
        let tag = frame[0];
        frame = &frame[1..];
        let numbers = [(); 4].map(|()| take(&mut frame).expect("a sound pack"));
        let payload = frame[8..].split_at(numbers[1] as usize);
        found.push(Chunk { tag, numbers, payload: payload.0.to_vec(), start });
        rest = payload.1;
    }
    found
}

impl Chunk {
    fn put(&self, out: &mut Vec<u8>) -> (u64, u64) {
        let start = out.len();
        out.extend_from_slice(&SYNC);
        out.push(self.tag);
        self.numbers.iter().for_each(|&number| put(out, number));
        let sum = xxh3_64(&[&out[start..], &self.payload].concat());
        out.extend_from_slice(&sum.to_le_bytes());
        out.extend_from_slice(&self.payload);
        (start as u64, (out.len() - start) as u64)
    }

    /// What the payload unpacks to, if it is stored or a plain zstd frame.
    fn unpacked(&self) -> Option<Vec<u8>> {
        match self.tag & 0xf0 {
            0 => Some(self.payload.clone()),
            0x10 => zstd::bulk::decompress(&self.payload, 16 << 20).ok(),
            _ => None,
        }
    }

    fn store(&mut self, raw: Vec<u8>, is_packed: bool) {
        self.numbers[2] = raw.len() as u64;
        let packed = is_packed.then(|| zstd::bulk::compress(&raw, 1).expect("memory"));
        self.tag = self.tag & 0x0f | if packed.is_some() { 0x10 } else { 0 };
        self.payload = packed.unwrap_or(raw);
        self.numbers[1] = self.payload.len() as u64;
    }
}

/// Changes a byte, a number, or the length of some bytes.
fn change_bytes(bytes: &mut Vec<u8>, choices: &mut Choices<'_>) {
    let at = choices.below(bytes.len() + 1);
    match choices.byte() % 6 {
        0 if at < bytes.len() => bytes[at] = choices.byte() as u8,
        1 if at < bytes.len() => bytes[at] ^= 1 << (choices.byte() % 8),
        2 => {
            let mut rest = &bytes[at..];
            let near = take(&mut rest).unwrap_or(0);
            let end = bytes.len() - rest.len();
            let mut number = Vec::new();
            put(&mut number, choices.number(near));
            bytes.splice(at..end, number);
        }
        3 => bytes.truncate(at),
        4 => {
            let end = (at + choices.byte() % 16).min(bytes.len());
            let again = bytes[at..end].repeat(1 + choices.byte() % 40);
            bytes.splice(at..at, again);
        }
        _ => {
            let end = (at + choices.byte() % 16).min(bytes.len());
            bytes.drain(at..end);
        }
    }
}

fn change_chunks(all: &mut Vec<Chunk>, choices: &mut Choices<'_>) {
    // Most chunks are tables and stand at the end.
    let from_end = choices.byte().is_multiple_of(2);
    let at = choices.below(if from_end { all.len().min(12) } else { all.len() });
    let at = if from_end { all.len() - 1 - at } else { at };
    match choices.byte() % 8 {
        0..=3 => {
            let chunk = &mut all[at];
            let is_opened = chunk.tag & 0x80 != 0;
            if let Some(mut raw) = chunk.unpacked().filter(|_| !is_opened) {
                change_bytes(&mut raw, choices);
                let is_packed = choices.byte().is_multiple_of(2);
                chunk.store(raw, is_packed);
            } else {
                change_bytes(&mut chunk.payload, choices);
                chunk.numbers[1] = chunk.payload.len() as u64;
            }
        }
        4 => {
            let which = choices.byte() % 4;
            let near = all[at].numbers[which];
            all[at].numbers[which] = choices.number(near);
        }
        5 => all[at].tag = choices.byte() as u8,
        6 => {
            let to = choices.below(all.len());
            let chunk = all[at].clone();
            all.insert(to, chunk);
        }
        _ => {
            let other = choices.below(all.len());
            all.swap(at, other);
        }
    }
}

/// The root with the places of its pages moved to where their chunks went.
fn moved(root: &[u8], places: &[(u64, (u64, u64))]) -> Option<Vec<u8>> {
    let mut rest = root;
    let mut out = Vec::new();
    let copy = |rest: &mut &[u8], out: &mut Vec<u8>| -> Option<u64> {
        let number = take(rest)?;
        put(out, number);
        Some(number)
    };
    let bytes = |rest: &mut &[u8], out: &mut Vec<u8>, len: usize| -> Option<u8> {
        let (taken, later) = rest.split_at_checked(len)?;
        out.extend_from_slice(taken);
        *rest = later;
        taken.first().copied()
    };
    let place = |rest: &mut &[u8], out: &mut Vec<u8>| -> Option<()> {
        let (offset, len) = (take(rest)?, take(rest)?);
        let found =
            places.iter().find(|(was, _)| *was == offset && len > 0).map_or((offset, len), |(_, is)| *is);
        put(out, found.0);
        put(out, found.1);
        Some(())
    };
    for _ in 0..6 {
        copy(&mut rest, &mut out)?;
    }
    bytes(&mut rest, &mut out, 16)?;
    for _ in 0..copy(&mut rest, &mut out)? {
        let coding = bytes(&mut rest, &mut out, 1)?;
        if matches!(coding, 1 | 3 | 5) {
            bytes(&mut rest, &mut out, 2)?;
        }
        if matches!(coding, 1 | 2 | 5) {
            let len = copy(&mut rest, &mut out)?;
            if len > 0 {
                bytes(&mut rest, &mut out, len as usize)?;
            }
        }
    }
    for _ in 0..copy(&mut rest, &mut out)? {
        for _ in 0..copy(&mut rest, &mut out)? {
            place(&mut rest, &mut out)?;
        }
        copy(&mut rest, &mut out)?;
        copy(&mut rest, &mut out)?;
        bytes(&mut rest, &mut out, 1)?;
    }
    for _ in 0..5 {
        for _ in 0..copy(&mut rest, &mut out)? {
            place(&mut rest, &mut out)?;
            for _ in 0..3 {
                copy(&mut rest, &mut out)?;
            }
            place(&mut rest, &mut out)?;
        }
    }
    out.extend_from_slice(rest);
    Some(out)
}

/// A pack changed as the bytes say, with right checksums.
fn changed(pack: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut all = chunks(pack);
    let mut root = all.pop().and_then(|root| root.unpacked()).expect("a root");
    all.pop();
    let plan = choices.byte();
    for _ in 0..=plan % 4 {
        change_chunks(&mut all, choices);
    }
    let mut out = pack[..HEADER_LEN].to_vec();
    let places: Vec<_> = all.iter().map(|chunk| (chunk.start, chunk.put(&mut out))).collect();
    if plan & 0x10 == 0 {
        root = moved(&root, &places).expect("a sound root");
    }
    if plan & 0x20 != 0 {
        for _ in 0..=choices.byte() % 3 {
            change_bytes(&mut root, choices);
        }
    }
    let mut place = (0, 0);
    for number in 0..2 {
        let mut chunk = Chunk { tag: ROOT, numbers: [number, 0, 0, 0], payload: Vec::new(), start: 0 };
        chunk.store(root.clone(), true);
        place = chunk.put(&mut out);
    }
    let footer = [place.0.to_le_bytes(), place.1.to_le_bytes(), *b"tamisend"].concat();
    let sum = xxh3_64(&footer).to_le_bytes();
    out.extend_from_slice(&footer);
    out.extend_from_slice(&sum);
    // What no checksum hides: bytes that are lost, too many, or at one end not there.
    if plan & 0x40 != 0 {
        change_bytes(&mut out, choices);
    }
    if plan & 0x80 != 0 {
        let len = choices.below(out.len());
        if choices.byte().is_multiple_of(2) { out.truncate(len) } else { drop(out.drain(..len)) }
    }
    out
}

/// Small packs of every profile, with everything in them that a pack may have.
fn packs() -> &'static [Vec<u8>] {
    static PACKS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    PACKS.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = folder.path().join("a.warc.gz");
        let record = |n: usize| {
            let words = format!("<p>words of page {n} of the sieve</p>\n").repeat(5 + n * 7 % 40);
            let body = match n % 5 {
                0 => {
                    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
                    std::io::Write::write_all(&mut encoder, words.as_bytes()).expect("memory");
                    [b"CWS\x09\0\0\0\0", &encoder.finish().expect("memory")[..]].concat()
                }
                _ => words.into_bytes(),
            };
            let head = format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://host{}.org/{n}\r\nContent-Length: {}\r\n\r\n",
                n % 3,
                body.len() + if n == 7 { 500 } else { 0 }
            );
            [head.as_bytes(), &body, b"\r\n\r\n"].concat()
        };
        let member = |n: usize| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
            std::io::Write::write_all(&mut encoder, &record(n)).expect("memory");
            let mut member = encoder.finish().expect("memory");
            if n == 9 {
                member[20] ^= 1;
            }
            member
        };
        let bytes: Vec<u8> = (0..24).flat_map(member).collect();
        fs::write(&archive, &bytes).expect("writable");
        let survey = Survey::new(&archive, NonZero::<usize>::MIN, |_, _| {}).expect("it surveys");
        let path = folder.path().join("a.pack");
        let profiles = [Profile::Fast, Profile::Default, Profile::Archive, Profile::Record];
        profiles
            .map(|profile| {
                let options = PackOptions {
                    block_bytes: Some(2 << 10),
                    dictionary_bytes: Some(4 << 10),
                    ..PackOptions::new(profile)
                };
                pack(&survey, &survey.url_order(), &path, &options).expect("it packs");
                fs::read(&path).expect("there")
            })
            .into()
    })
}

/// Changes a pack and reads all of it in every way. Nothing panics, records are as long as they say, and the length that readers see
/// is one that the file can hold.
pub fn check(data: &[u8]) {
    let mut choices = Choices(data);
    if choices.is_over() {
        return;
    }
    let packs = packs();
    let pack = changed(&packs[choices.byte() % packs.len()], &mut choices);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pack");
    fs::write(&path, &pack).expect("writable");
    read_as_pack(&path, folder.path());
    read_as_archive(&path, pack.len() as u64);
}

fn read_as_pack(path: &Path, folder: &Path) {
    let Ok(opened) = Pack::open(path) else { return };
    drop(opened.check());
    for record in opened.in_original_order().take(100).flatten() {
        let mut bytes = Vec::new();
        if record.len < 1 << 20 && opened.read(&record, &mut bytes).is_ok() {
            assert_eq!(bytes.len() as u64, record.len, "a record is as long as it says");
        }
        drop(opened.by_offset(record.offset));
    }
    let _ = opened.in_pack_order().map(|records| records.take(100).count());
    let _ = (opened.by_url("").take(200).count(), opened.by_url("org,host1").take(200).count());
    let options = RestoreOptions { memory_bytes: 4 << 10, ..RestoreOptions::new(folder) };
    drop(opened.restore(&mut std::io::sink(), &options));
}

fn read_as_archive(path: &Path, len: u64) {
    let Ok(Some(bytes)) = open_bytes(path) else { return };
    assert!(bytes.len() <= len << 16, "{} bytes of content in {len}", bytes.len());
    // A length that is claimed may be long all the same.
    if bytes.len() > 1 << 20 {
        return;
    }
    let source = tamis_archive::Source::stored("a.pack", bytes);
    let Ok(mut reader) = source.open(tamis_archive::Mode::Lenient) else { return };
    let mut offset = 0;
    while let Ok(Some(mut record)) = reader.next() {
        assert!(record.offset() >= offset, "records come in the order of their offsets");
        offset = record.offset();
        let _ = std::io::copy(&mut record.body, &mut std::io::sink());
    }
}
