//! Records with streams inside: found, opened, closed; packed whole; damaged and made to deceive.

use std::fs;
use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use proptest::prelude::*;
use tamis_testkit::Record;

use super::super::deflate::{Deflaters, Encoder};
use super::super::tests::{Trial, check_all_flips, check_old, jobs, small_options, zlib_member};
use super::super::varint;
use super::super::{Pack, PackOptions, Profile, pack};
use super::*;

/// Words, of which the second half is the first again, farther back than deflate sees.
fn words(seed: u32) -> Vec<u8> {
    let words = ["sieve ", "page ", "of ", "the ", "crawl ", "<p>", "</p>\n", "href=", "42 ", "archive "];
    let (mut state, mut out) = (seed.wrapping_mul(77_777) + 1, Vec::new());
    while out.len() < 36_000 {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        out.extend_from_slice(words[(state >> 20) as usize % words.len()].as_bytes());
        out.push(b'0' + (state >> 28) as u8);
    }
    out.repeat(2)
}

fn deflated(plain: &[u8], encoder: Encoder) -> Vec<u8> {
    let mut out = Vec::new();
    let mut keep = |bytes: &[u8]| {
        out.extend_from_slice(bytes);
        true
    };
    Deflaters::default().ready(encoder).expect("memory").feed(plain, &mut keep).expect("it compresses");
    out
}

/// A zlib stream with the header that its level has. The checksum is not looked at.
fn zlib(plain: &[u8], level: u8) -> Vec<u8> {
    let flags = match level {
        1 => 0x01,
        2..=5 => 0x5e,
        6 => 0x9c,
        _ => 0xda,
    };
    [&[0x78, flags][..], &deflated(plain, Encoder::Zlib { level, memory: 8 }), b"adle"].concat()
}

/// A stream of another encoder.
fn zlib_by_another(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(7));
    encoder.write_all(plain).expect("memory");
    encoder.finish().expect("memory")
}

fn pdf() -> Vec<u8> {
    let mut out = b"%PDF-1.4\n".to_vec();
    for level in 1..=9 {
        out.extend_from_slice(b"<< /Filter /FlateDecode >>\nstream\r\n");
        out.extend_from_slice(&zlib(&words(u32::from(level)), level));
        out.extend_from_slice(b"\nendstream\n");
    }
    out.extend_from_slice(b"stream\n");
    out.extend_from_slice(&zlib_by_another(&words(99)));
    out.extend_from_slice(b"\nendstream\nstream\n");
    out.extend_from_slice(&jpeg(60));
    out.extend_from_slice(b"\nendstream\nstream\nx\x9cnothing of the kind\nendstream\n%%EOF");
    out
}

fn png(pieces: usize) -> Vec<u8> {
    let data = zlib(&words(5), 9);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8], data: &[u8]| {
        out.extend_from_slice(&(data.len() as u32).to_be_bytes());
        out.extend_from_slice(name);
        out.extend_from_slice(data);
        out.extend_from_slice(&crc32fast::hash(data).to_be_bytes());
    };
    chunk(b"IHDR", &[0; 13]);
    data.chunks(data.len().div_ceil(pieces)).for_each(|piece| chunk(b"IDAT", piece));
    chunk(b"IEND", b"");
    out
}

fn woff() -> Vec<u8> {
    let tables = [zlib(&words(7), 6), b"stored as it is".to_vec(), zlib(&words(8), 9)];
    let mut out = b"wOFF".to_vec();
    out.resize(12, 0);
    out.extend_from_slice(&(tables.len() as u16).to_be_bytes());
    out.resize(44, 0);
    let mut offset = 44 + 20 * tables.len();
    for table in &tables {
        let plain_len = if table[0] == 0x78 { 72_000 } else { table.len() };
        out.extend_from_slice(b"name");
        for number in [offset, table.len(), plain_len, 0] {
            out.extend_from_slice(&(number as u32).to_be_bytes());
        }
        offset += table.len();
    }
    [out, tables.concat()].concat()
}

fn zip() -> Vec<u8> {
    let mut out = Vec::new();
    for (name, method, data) in [
        ("a.xml", 8, deflated(&words(9), Encoder::Zlib { level: 6, memory: 8 })),
        ("b.txt", 0, b"as it is".to_vec()),
        ("c.xml", 8, deflated(&words(10), Encoder::Libdeflate { level: 6 })),
    ] {
        out.extend_from_slice(b"PK\x03\x04\x14\0\0\0");
        out.extend_from_slice(&[method, 0]);
        out.resize(out.len() + 16, 0);
        out.extend_from_slice(&[name.len() as u8, 0, 3, 0]);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"ext");
        out.extend_from_slice(&data);
    }
    out
}

/// A grey image of so many blocks on a side, with coefficients by chance.
fn jpeg(side: u16) -> Vec<u8> {
    let mut out = b"\xff\xd8\xff\xdb\0\x43\0".to_vec();
    out.extend_from_slice(&[3; 64]);
    out.extend_from_slice(b"\xff\xc0\0\x0b\x08");
    out.extend_from_slice(&(side * 8).to_be_bytes());
    out.extend_from_slice(&(side * 8).to_be_bytes());
    out.extend_from_slice(b"\x01\x01\x11\0");
    // Seven codes of three bits each, for lengths of differences, and for coefficients.
    for (class, values) in [(0, [0, 1, 2, 3, 4, 5, 6]), (0x10, [0, 1, 2, 3, 0x11, 0x12, 0x21])] {
        out.extend_from_slice(&[0xff, 0xc4, 0, 26, class, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        out.extend_from_slice(&values);
    }
    out.extend_from_slice(b"\xff\xda\0\x08\x01\x01\0\0\x3f\0");
    let mut bits = Bits { out, value: 0, count: 0 };
    let mut state = 3_u32;
    let mut chance = |of: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % of
    };
    for _ in 0..u32::from(side) * u32::from(side) {
        let len = chance(3);
        bits.put(len, 3);
        bits.put(chance(1 << len), len);
        for _ in 0..chance(6) {
            let code = 1 + chance(3);
            bits.put(code, 3);
            bits.put(chance(1 << code), code);
        }
        bits.put(0, 3);
    }
    bits.put(0x7f, 7 & (8 - bits.count % 8));
    [&bits.out[..], b"\xff\xd9"].concat()
}

struct Bits {
    out: Vec<u8>,
    value: u32,
    count: u32,
}

impl Bits {
    fn put(&mut self, bits: u32, len: u32) {
        for at in (0..len).rev() {
            self.value = self.value << 1 | bits >> at & 1;
            self.count += 1;
            if self.count.is_multiple_of(8) {
                self.out.push(self.value as u8);
                if self.value as u8 == 0xff {
                    self.out.push(0);
                }
            }
        }
    }
}

fn page_with_data() -> Vec<u8> {
    let mut out = b"<html><img src=\"data:image/svg+xml;base64,".to_vec();
    out.extend_from_slice(&base64::encode(&words(20)[..5000]));
    out.extend_from_slice(b"\"><style>url(data:image/png;base64,");
    out.extend_from_slice(&base64::encode(&png(2)));
    out.extend_from_slice(b")</style>;base64,short;base64,");
    out
}

/// Bodies with the number of streams in each.
fn bodies() -> Vec<(&'static str, Vec<u8>, usize)> {
    let swf = [&b"CWS\x09\0\0\0\0"[..], &zlib(&words(11), 9)].concat();
    vec![
        ("pdf", pdf(), 11),
        ("png", png(1), 1),
        ("png in pieces", png(5), 1),
        ("woff", woff(), 2),
        ("swf", swf, 1),
        ("gzip", zlib_member(&words(12), 6, 8), 1),
        ("gzip of gzip", zlib_member(&words(13), 9, 9), 1),
        ("zip", zip(), 2),
        ("jpeg", jpeg(100), 1),
        ("data", page_with_data(), 2),
        ("text", words(14), 0),
        ("cut", pdf()[..3000].to_vec(), 0),
    ]
}

fn record(name: &str, body: Vec<u8>) -> Vec<u8> {
    Record::resource(&format!("http://host.org/{name}"), "x/y", body).bytes()
}

const ALWAYS: Worth = Worth { percent: 0, plain_for_one: usize::MAX, plain_limit: 1 << 20 };

fn opened(part: &[u8]) -> Option<Vec<u8>> {
    let mut guess = super::super::codec::Guess::new(None).expect("memory");
    Opener::default().open(part, &find(part), ALWAYS, &mut |bytes| guess.len_of(bytes))
}

#[test]
fn streams_of_every_kind_are_found_and_opened() {
    for (name, body, count) in bodies() {
        let part = record(name, body);
        let found = find(&part);
        assert_eq!(found.len(), count, "{name}");
        assert!(found.is_sorted_by(|a, b| a.range().end <= b.range().start), "{name}");
        let opened = opened(&part);
        assert_eq!(opened.is_some(), count > 0, "{name}");
        if let Some(opened) = opened {
            assert_eq!(varint::take(&mut &opened[..]), Some(count as u64), "{name}");
            assert_eq!(close(&opened, part.len()).as_ref(), Some(&part), "{name}");
            assert_eq!(close(&opened, part.len() + 1), None, "{name}");
            assert_eq!(close(&opened, part.len() - 1), None, "{name}");
        }
    }
}

#[test]
fn streams_that_save_nothing_or_are_too_large_stay() {
    let mut state = 1_u32;
    let mut chance = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let noise: Vec<u8> = (0..20_000).map(|_| chance()).collect();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&noise).expect("memory");
    let member = [&b"\x1f\x8b\x08\0\0\0\0\0\0\x03"[..], &encoder.finish().expect("memory")].concat();
    assert_eq!(opened(&record("noise", member)), None);
    let part = record("png", png(1));
    let limits = [
        Worth { plain_limit: 71_999, ..ALWAYS },
        Worth { plain_for_one: 1, ..ALWAYS },
        Worth { percent: 90, ..ALWAYS },
    ];
    for worth in limits {
        let mut guess = super::super::codec::Guess::new(None).expect("memory");
        assert_eq!(
            Opener::default().open(&part, &find(&part), worth, &mut |bytes| guess.len_of(bytes)),
            None
        );
    }
}

#[test]
fn many_starts_without_an_end_cost_linear_time() {
    let bomb = zlib(&vec![0; 1 << 20], 9);
    let mut body = b"%PDF-1.4\n".to_vec();
    while body.len() < 2 << 20 {
        body.extend_from_slice(b"stream\n");
        body.extend_from_slice(&bomb[..bomb.len() / 2]);
    }
    // Without the budget this is some gigabytes.
    let record = record("bombs", body);
    let seconds = tamis_testkit::cpu_seconds(|| drop(find(&record)));
    assert!(seconds < 30.0, "{seconds} s");
}

pub(in super::super) fn archive_of_streams() -> Vec<u8> {
    bodies().into_iter().flat_map(|(name, body, _)| zlib_member(&record(name, body), 6, 8)).collect()
}

#[test]
fn packs_with_opened_blocks_come_back() {
    let trial = Trial::new(archive_of_streams());
    let survey = trial.survey(2);
    let mut lens = Vec::new();
    for profile in [Profile::Fast, Profile::Default, Profile::Record, Profile::Archive] {
        let order = survey.url_order();
        let made = [1, 3].map(|count| {
            let options =
                PackOptions { jobs: jobs(count), block_bytes: Some(64 << 10), ..small_options(profile) };
            let packed = pack(&survey, &order, trial.path(), &options).expect("it packs");
            lens.push(packed.pack_len);
            assert_eq!(packed.opened_blocks > 0, profile == Profile::Archive);
            fs::read(trial.path()).expect("there")
        });
        assert!(made[0] == made[1], "{profile:?}");
        let pack = Pack::open(trial.path()).expect("it opens");
        assert_eq!(pack.check().expect("it reads"), []);
        assert!(trial.restored(&pack, 100_000) == trial.bytes, "{profile:?}");
        for (name, body, _) in bodies() {
            let key = format!("org,host)/{}", name.replace(' ', "%20"));
            let (_, found) = pack.by_url(&key).next().expect(name).expect("it reads");
            let mut bytes = Vec::new();
            pack.read(&found, &mut bytes).expect("it reads");
            assert!(bytes == record(name, body), "{profile:?} {name}");
        }
    }
    assert!(lens[2] < lens[0] && lens[6] < lens[0], "{lens:?}");
}

#[test]
fn every_flipped_byte_of_an_opened_block_is_told() {
    let bodies = [png(2), jpeg(40)];
    let records = bodies.into_iter().enumerate().map(|(at, body)| record(&at.to_string(), body));
    let trial = Trial::new(records.flat_map(|record| zlib_member(&record, 6, 8)).collect());
    let options = PackOptions { block_bytes: Some(12 << 10), ..small_options(Profile::Archive) };
    check_all_flips(&trial, &options, 53);
}

#[test]
fn packs_of_version_2_still_open() {
    check_old(include_bytes!("../old/version-2.pack"), &old_archive());
}

/// What the committed pack was made of.
fn old_archive() -> Vec<u8> {
    let bodies = [("png", png(3)), ("jpeg", jpeg(40)), ("zip", zip()), ("data", page_with_data())];
    bodies.into_iter().flat_map(|(name, body)| zlib_member(&record(name, body), 6, 8)).collect()
}

/// Parts and their opened forms.
static FORMS: LazyLock<Vec<(Vec<u8>, Vec<u8>)>> = LazyLock::new(|| {
    let parts = bodies().into_iter().map(|(name, body, _)| record(name, body));
    parts.filter_map(|part| opened(&part).map(|form| (part, form))).collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn opened_forms_made_to_deceive_give_none_or_a_block(
        which in 0_usize..10, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), is_list: bool, cut: Option<prop::sample::Index>,
    ) {
        let (part, mut form) = FORMS[which].clone();
        // The list is in front; most changes of the body only change what comes out.
        let reach = if is_list { form.len().min(100) } else { form.len() };
        for (at, value) in changes {
            form[at.index(reach)] = value;
        }
        if let Some(cut) = cut {
            form.truncate(cut.index(form.len()));
        }
        if let Some(block) = close(&form, part.len()) {
            prop_assert_eq!(block.len(), part.len());
        }
    }

    #[test]
    fn any_bytes_are_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), start in 0_usize..9, len in 0_usize..5000) {
        drop(close(&bytes, len));
        let starts: [&[u8]; 9] = [
            b"", b"%PDF stream\n", b"\x89PNG\r\n\x1a\n", b"wOFF", b"CWS", b"\x1f\x8b\x08", b"PK\x03\x04", b"\xff\xd8\xff", b";base64,AAAA",
        ];
        let part = [b"\n\n", starts[start], &bytes].concat();
        drop(opened(&part));
        // A claim of much more than there is.
        let claim = [&[1, 0, 0, 8, 6, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f][..], &bytes].concat();
        prop_assert_eq!(close(&claim, len), None);
    }
}
