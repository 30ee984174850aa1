//! The body of a message with its codings undone, within limits.

use std::io::{self, BufReader, Read};

use super::coding::{Coding, Plan};
use super::dechunk::Dechunk;
use super::head::HttpHead;
use super::layer::{Layer, Source};
use super::quirk::{HttpQuirk, HttpQuirks};
use crate::fields::trim;

/// How much a body may give, so that a small record cannot cost much time or memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeLimits {
    /// The most bytes that a body gives, and the most that each of its codings may decode to.
    pub max_output_bytes: u64,
    /// The most bytes that a coding gives for each byte stored. The first MiB is free.
    pub max_ratio: u32,
}

/// Reads the body of a message with its codings undone.
///
/// Reading fails where the source does and nowhere else: a body that does not decode ends there, and
/// [`BodyReader::outcome`] says why. Memory: 24 KiB, and for each coding 16 KiB and its window (gzip and deflate
/// 32 KiB, brotli up to 16 MiB, zstd up to 128 MiB where the frame asks for it and fills it).
pub struct BodyReader<R> {
    raw: Raw<R>,
    layers: Vec<Layer>,
    limits: DecodeLimits,
    quirks: HttpQuirks,
    stated_len: Option<u64>,
    output_bytes: u64,
    end: BodyEnd,
}

/// How far a body was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodyEnd {
    /// Its end is not reached yet.
    Open,
    /// To its end.
    Complete,
    /// To the end of what is stored, which is not the end of its coding.
    Truncated,
    /// Up to bytes that do not decode.
    Corrupt,
    /// Up to a limit.
    Limit,
}

/// What came of reading a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyOutcome {
    /// How far it was read.
    pub end: BodyEnd,
    /// What is odd about it.
    pub quirks: HttpQuirks,
    /// Bytes of the body that were read, behind the chunked coding and before the others.
    pub raw_bytes: u64,
    /// Bytes that it gave.
    pub output_bytes: u64,
    undone: [Option<Coding>; super::coding::MAX_CODINGS + 1],
}

struct Raw<R> {
    dechunk: Dechunk<BufReader<R>>,
    bytes: u64,
}

/// The layers below one layer.
struct Below<'a> {
    layers: &'a mut [Layer],
    raw: &'a mut dyn Source,
}

impl<R: Read> BodyReader<R> {
    /// A reader of the body behind this head, as it is stored.
    pub fn new(head: &HttpHead, body: R, limits: DecodeLimits) -> Self {
        let plan = Plan::of(head);
        let body = BufReader::new(body);
        let dechunk = if plan.chunked { Dechunk::new(body) } else { Dechunk::transparent(body) };
        Self {
            raw: Raw { dechunk, bytes: 0 },
            layers: plan.layers.into_iter().map(|coding| Layer::new(coding, limits)).collect(),
            limits,
            quirks: plan.quirks,
            stated_len: if plan.chunked { None } else { content_length(head) },
            output_bytes: 0,
            end: BodyEnd::Open,
        }
    }

    /// What came of reading so far.
    pub fn outcome(&self) -> BodyOutcome {
        let mut undone = [None; super::coding::MAX_CODINGS + 1];
        let chunked = self.raw.dechunk.is_dechunked().then_some(Coding::Chunked);
        let layers = self.layers.iter().map(Layer::undone);
        for (place, coding) in undone.iter_mut().zip(std::iter::once(chunked).chain(layers)) {
            *place = coding;
        }
        BodyOutcome {
            end: self.end,
            quirks: self.all_quirks(),
            raw_bytes: self.raw.bytes,
            output_bytes: self.output_bytes,
            undone,
        }
    }

    fn all_quirks(&self) -> HttpQuirks {
        let below = self.quirks.union(self.raw.dechunk.quirks());
        self.layers.iter().fold(below, |quirks, layer| quirks.union(layer.quirks()))
    }

    /// Reads one byte more than the limit allows, to tell a body that ends there from one that goes on.
    fn read_at_limit(&mut self) -> io::Result<usize> {
        if self.pull(&mut [0])? > 0 {
            self.end = BodyEnd::Limit;
        } else {
            self.finish();
        }
        Ok(0)
    }

    fn pull(&mut self, out: &mut [u8]) -> io::Result<usize> {
        Below { layers: &mut self.layers, raw: &mut self.raw }.read(out)
    }

    fn finish(&mut self) {
        let stored = self.raw.bytes;
        let all_was_read = !self.layers.iter().any(Layer::limit_hit);
        // A response to HEAD states the length of a body that it does not have.
        let is_wrong = self.stated_len.is_some_and(|len| len != stored && stored > 0) && all_was_read;
        self.quirks.insert_if(is_wrong, HttpQuirk::WrongContentLength);
        let quirks = self.all_quirks();
        let is_cut =
            quirks.contains(HttpQuirk::ChunksUnended) || quirks.contains(HttpQuirk::ContentTruncated);
        self.end = if !all_was_read {
            BodyEnd::Limit
        } else if quirks.contains(HttpQuirk::ContentCorrupt) {
            BodyEnd::Corrupt
        } else if is_cut {
            BodyEnd::Truncated
        } else {
            BodyEnd::Complete
        };
    }
}

impl HttpHead {
    /// Whether the body behind this head is stored in a coding that [`BodyReader`] would undo.
    pub fn is_coded(&self) -> bool {
        let plan = Plan::of(self);
        plan.chunked || !plan.layers.is_empty()
    }

    /// The codings that [`BodyReader`] would undo.
    pub fn codings(&self) -> impl Iterator<Item = Coding> {
        let plan = Plan::of(self);
        plan.chunked.then_some(Coding::Chunked).into_iter().chain(plan.layers)
    }
}

impl BodyOutcome {
    /// The codings that were undone, in the order in which they were.
    pub fn undone(&self) -> impl Iterator<Item = Coding> {
        self.undone.into_iter().flatten()
    }
}

impl Default for DecodeLimits {
    /// 1 GiB, and 1000 bytes for each byte stored. A page of 430 MB from 1.9 MB, met in a real archive, is within.
    fn default() -> Self {
        Self { max_output_bytes: 1 << 30, max_ratio: 1000 }
    }
}

impl<R: Read> Read for BodyReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.end != BodyEnd::Open || out.is_empty() {
            return Ok(0);
        }
        let allowed = self.limits.max_output_bytes - self.output_bytes;
        let room = usize::try_from(allowed).unwrap_or(usize::MAX).min(out.len());
        if room == 0 {
            return self.read_at_limit();
        }
        let len = self.pull(&mut out[..room])?;
        self.output_bytes += len as u64;
        if len == 0 {
            self.finish();
        }
        Ok(len)
    }
}

impl<R: Read> Source for Raw<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.dechunk.read(out)?;
        self.bytes += len as u64;
        Ok(len)
    }

    fn raw_bytes(&self) -> u64 {
        self.bytes
    }
}

impl Source for Below<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.layers.split_last_mut() {
            None => self.raw.read(out),
            Some((top, layers)) => top.read(&mut Below { layers, raw: self.raw }, out),
        }
    }

    fn raw_bytes(&self) -> u64 {
        self.raw.raw_bytes()
    }
}

fn content_length(head: &HttpHead) -> Option<u64> {
    let digits = trim(head.fields().get("Content-Length")?);
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;

    use super::HttpQuirk::*;
    use super::*;
    use crate::http::Extent;

    const LIMITS: DecodeLimits = DecodeLimits { max_output_bytes: 64 << 20, max_ratio: 1000 };

    fn read_with(fields: &str, body: &[u8], limits: DecodeLimits) -> (Vec<u8>, BodyOutcome) {
        let mut head = HttpHead::default();
        head.parse(format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").as_bytes(), Extent::Whole);
        let mut reader = BodyReader::new(&head, body, limits);
        let mut out = Vec::new();
        reader.read_to_end(&mut out).expect("a slice reads without errors");
        (out, reader.outcome())
    }

    fn read(fields: &str, body: &[u8]) -> (Vec<u8>, BodyOutcome) {
        read_with(fields, body, LIMITS)
    }

    fn encode(name: &str, body: &[u8]) -> Vec<u8> {
        let written = "a vector takes all bytes";
        match name {
            "gzip" | "x-gzip" => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(body).expect(written);
                encoder.finish().expect(written)
            }
            "deflate" => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(body).expect(written);
                encoder.finish().expect(written)
            }
            "raw" => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(body).expect(written);
                encoder.finish().expect(written)
            }
            "zstd" => zstd::encode_all(body, 1).expect(written),
            "br" => {
                let mut out = Vec::new();
                let params = brotli::enc::BrotliEncoderParams { quality: 3, ..Default::default() };
                brotli::BrotliCompress(&mut &body[..], &mut out, &params).expect(written);
                out
            }
            _ => body.to_vec(),
        }
    }

    fn text(len: usize) -> Vec<u8> {
        (0..)
            .flat_map(|i: u32| format!("<p>line {}</p>\n", i.wrapping_mul(2_654_435_761)).into_bytes())
            .take(len)
            .collect()
    }

    #[test]
    fn each_coding_is_undone() {
        for (header, name) in [
            ("gzip", "gzip"),
            ("X-Gzip", "gzip"),
            ("deflate", "deflate"),
            ("deflate", "raw"),
            ("br", "br"),
            ("zstd", "zstd"),
        ] {
            for len in [1, 100, 100_000] {
                let (out, outcome) = read(&format!("Content-Encoding: {header}"), &encode(name, &text(len)));
                assert!(out == text(len), "{name}, {len} bytes");
                assert_eq!(
                    (outcome.end, outcome.quirks),
                    (BodyEnd::Complete, HttpQuirks::default()),
                    "{name} {len}"
                );
                assert_eq!(
                    outcome.undone().map(Coding::name).collect::<Vec<_>>(),
                    [header.trim_start_matches("X-").to_lowercase()]
                );
            }
        }
    }

    #[test]
    fn codings_are_undone_one_after_the_other() {
        let coded = encode("br", &encode("gzip", &text(10_000)));
        let body = [format!("{:x}\r\n", coded.len()).as_bytes(), &coded, b"\r\n0\r\n\r\n"].concat();
        let (out, outcome) = read("Transfer-Encoding: chunked\r\nContent-Encoding: gzip, br", &body);
        assert!(out == text(10_000));
        assert_eq!(outcome.undone().collect::<Vec<_>>(), [Coding::Chunked, Coding::Br, Coding::Gzip]);
        assert_eq!((outcome.raw_bytes, outcome.output_bytes), (coded.len() as u64, 10_000));
    }

    #[test]
    fn a_body_that_is_not_coded_is_given_as_it_stands() {
        let page = text(50_000);
        for name in ["gzip", "deflate", "br", "zstd"] {
            for len in [1, 2, 3, 10, 1000, 50_000] {
                let (out, outcome) = read(&format!("Content-Encoding: {name}"), &page[..len]);
                assert!(out == page[..len], "{name}, {len} bytes");
                assert_eq!(
                    (outcome.end, outcome.quirks),
                    (BodyEnd::Complete, HttpQuirks::of(&[NotEncoded])),
                    "{name} {len}"
                );
                assert_eq!(outcome.undone().count(), 0);
            }
        }
    }

    #[test]
    fn an_empty_body_is_no_fault() {
        for name in ["gzip", "deflate", "br", "zstd", "identity"] {
            let fields =
                format!("Content-Length: 10\r\nTransfer-Encoding: chunked\r\nContent-Encoding: {name}");
            let (out, outcome) = read(&fields, b"");
            assert_eq!(
                (out.len(), outcome.end, outcome.quirks),
                (0, BodyEnd::Complete, HttpQuirks::default())
            );
        }
    }

    #[test]
    fn a_coded_body_that_ends_early_gives_what_it_has() {
        for name in ["gzip", "deflate", "br", "zstd"] {
            let coded = encode(name, &text(400_000));
            let (out, outcome) = read(&format!("Content-Encoding: {name}"), &coded[..coded.len() / 2]);
            assert!(out.len() > 100_000 && out == text(400_000)[..out.len()], "{name}: {}", out.len());
            assert_eq!(
                (outcome.end, outcome.quirks),
                (BodyEnd::Truncated, HttpQuirks::of(&[ContentTruncated])),
                "{name}"
            );
        }
    }

    #[test]
    fn a_coded_body_that_is_damaged_gives_what_is_before() {
        for name in ["gzip", "deflate", "br"] {
            let mut coded = encode(name, &text(150_000));
            let middle = coded.len() / 2;
            coded[middle..middle + 200].fill(0xff);
            let (out, outcome) = read(&format!("Content-Encoding: {name}"), &coded);
            assert!(out.len() > 25_000, "{name}: {}", out.len());
            assert_eq!(outcome.end, BodyEnd::Corrupt, "{name}: {}", outcome.quirks);
        }
    }

    #[test]
    fn members_follow_each_other_and_other_bytes_do_not() {
        for name in ["gzip", "zstd"] {
            let two = [encode(name, b"one, "), encode(name, b"two")].concat();
            let fields = format!("Content-Encoding: {name}");
            assert_eq!(read(&fields, &two).0, b"one, two", "{name}");
            let (out, outcome) = read(&fields, &[two, b"\0\0\0\0\0\0".to_vec()].concat());
            assert_eq!(
                (out, outcome.quirks),
                (b"one, two".to_vec(), HttpQuirks::of(&[BytesAfterContent])),
                "{name}"
            );
        }
    }

    #[test]
    fn a_bomb_stops_at_the_ratio() {
        let zeros = vec![0; 4 << 20];
        for name in ["gzip", "br", "zstd"] {
            let limits = DecodeLimits { max_output_bytes: 1 << 40, max_ratio: 100 };
            let coded = encode(name, &zeros);
            let (out, outcome) = read_with(&format!("Content-Encoding: {name}"), &coded, limits);
            assert_eq!(outcome.end, BodyEnd::Limit, "{name}");
            assert!(
                out.len() <= (coded.len() * 100).max(1 << 20) && out.len() < zeros.len(),
                "{name}: {}",
                out.len()
            );
        }
    }

    #[test]
    fn a_bomb_inside_a_bomb_stops_at_the_first() {
        let inner = encode("gzip", &vec![0; 4 << 20]);
        let limits = DecodeLimits { max_output_bytes: 20_000, max_ratio: 1000 };
        let (out, outcome) = read_with("Content-Encoding: gzip, gzip", &encode("gzip", &inner), limits);
        assert_eq!((out.len(), outcome.end), (20_000, BodyEnd::Limit));
    }

    #[test]
    fn a_body_of_just_the_limit_is_complete() {
        let page = text(10_000);
        for name in ["identity", "gzip", "deflate", "br", "zstd"] {
            for (max_output_bytes, end) in
                [(9_999, BodyEnd::Limit), (10_000, BodyEnd::Complete), (0, BodyEnd::Limit)]
            {
                let limits = DecodeLimits { max_output_bytes, ..LIMITS };
                let (out, outcome) =
                    read_with(&format!("Content-Encoding: {name}"), &encode(name, &page), limits);
                assert_eq!((out.len() as u64, outcome.end), (max_output_bytes, end), "{name}");
            }
        }
    }

    #[test]
    fn a_length_that_differs_is_told() {
        for (fields, quirks) in [
            ("Content-Length: 4", &[][..]),
            ("Content-Length: 5", &[WrongContentLength][..]),
            ("Content-Length: 3", &[WrongContentLength][..]),
            ("Content-Length: many", &[][..]),
            ("Content-Length: 5\r\nTransfer-Encoding: chunked", &[NotChunked][..]),
        ] {
            let (out, outcome) = read(fields, b"page");
            assert_eq!((&out[..], outcome.quirks), (&b"page"[..], HttpQuirks::of(quirks)), "{fields}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_bytes_come_back_through_any_codings(body: Vec<u8>, names in prop::collection::vec(
            prop::sample::select(vec!["gzip", "deflate", "br", "zstd", "identity"]), 0..5)) {
            // An empty body needs no coding, and a stored one may be mistaken for none.
            prop_assume!(!body.is_empty());
            let coded = names.iter().fold(body.clone(), |body, name| encode(name, &body));
            let (out, outcome) = read(&format!("Content-Encoding: {}", names.join(", ")), &coded);
            prop_assert_eq!(out, body);
            prop_assert_eq!(outcome.quirks, HttpQuirks::default());
        }

        #[test]
        fn any_bytes_stay_within_the_limit(magic in prop::sample::select(vec![&[][..], &[0x1f, 0x8b, 8, 0], &[0x28, 0xb5, 0x2f, 0xfd], &[0x78, 0x9c]]),
                                           body: Vec<u8>, max_output_bytes in 0..2000_u64,
                                           names in prop::collection::vec(prop::sample::select(vec!["gzip", "deflate", "br", "zstd"]), 0..4)) {
            let fields = format!("Transfer-Encoding: chunked\r\nContent-Encoding: {}", names.join(", "));
            let limits = DecodeLimits { max_output_bytes, max_ratio: 10 };
            let (out, outcome) = read_with(&fields, &[magic, &body].concat(), limits);
            prop_assert!(out.len() as u64 <= max_output_bytes);
            prop_assert!(outcome.end != BodyEnd::Open);
        }
    }
}
