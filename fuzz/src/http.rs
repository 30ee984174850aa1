//! Messages of any bytes: never a panic or an error, always within the limits, the same whatever pieces they come in.
//!
//! The first byte says how a body is coded: two bits for each of two codings, two for how many of them, one for chunks.
//! The second says in what steps it is read.

use std::io::{self, BufReader, Read, Write};

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use tamis_archive::http::{
    BodyEnd, BodyOutcome, BodyReader, Dechunk, DecodeLimits, Extent, HttpHead, HttpQuirks, Parse,
};
use tamis_testkit::member;

use super::trickle::Trickle;

const SMALL: DecodeLimits = DecodeLimits { max_output_bytes: 5000, max_ratio: 20 };
const LARGE: DecodeLimits = DecodeLimits { max_output_bytes: 16 << 20, max_ratio: 100_000 };

/// Reads the bytes as a message, as a body in chunks, and as a body that is coded rightly.
pub fn check(data: &[u8]) {
    let [control, steps, message @ ..] = data else { return };
    let step = 1 + usize::from(*steps);
    let mut head = HttpHead::default();
    let len = assert_head(&mut head, message, step);
    let body = coded(*control, &message[len..]);
    let whole = decode(&head, &body, SMALL, usize::MAX, 4096);
    assert!(whole.0.len() as u64 <= SMALL.max_output_bytes, "the limit is kept");
    assert_eq!(whole.0.len() as u64, whole.1.output_bytes, "what was given is counted");
    assert_ne!(whole.1.end, BodyEnd::Open);
    assert!(whole.1.raw_bytes <= body.len() as u64);
    let pieces = decode(&head, &body, SMALL, step, step);
    assert_eq!((pieces.0, pieces.1.end), (whole.0, whole.1.end), "in steps of {step}");
    assert_dechunk(message, step);
    assert_round_trip(*control, message);
}

/// The length of the head, by every way of asking for it.
fn assert_head(head: &mut HttpHead, message: &[u8], step: usize) -> usize {
    let mut early = HttpHead::default();
    let mut given = step;
    let by_pieces = loop {
        if given >= message.len() {
            break None;
        }
        match early.parse(&message[..given], Extent::Prefix) {
            Parse::Partial => given *= 2,
            parse => break Some(parse),
        }
    };
    let whole = head.parse(message, Extent::Whole);
    assert_ne!(whole, Parse::Partial, "there is no more to ask for");
    if let Some(early) = by_pieces {
        assert_eq!(early, whole, "{given} bytes are enough");
    }
    touch(head);
    match whole {
        Parse::Done(len) => {
            assert!(len <= message.len() && len == head.len_bytes());
            len
        }
        _ => 0,
    }
}

fn touch(head: &HttpHead) {
    let words = [head.reason(), head.method(), head.target(), head.version(), head.start_line()];
    let fields: usize = head.fields().iter().map(|(name, value)| name.len() + value.len()).sum();
    assert!(head.status().is_none_or(|status| status < 1000));
    drop((words.concat(), fields, head.media_type(), head.quirks().iter().count(), head.kind()));
}

fn decode(
    head: &HttpHead,
    body: &[u8],
    limits: DecodeLimits,
    step: usize,
    room: usize,
) -> (Vec<u8>, BodyOutcome) {
    let mut reader = BodyReader::new(head, Trickle::new(body, step), limits);
    let (mut out, mut buf) = (Vec::new(), vec![0; room]);
    loop {
        match reader.read(&mut buf).expect("bytes in memory give no error") {
            0 => return (out, reader.outcome()),
            n => out.extend_from_slice(&buf[..n]),
        }
    }
}

fn assert_dechunk(bytes: &[u8], step: usize) {
    let dechunk = |step| -> (Vec<u8>, HttpQuirks) {
        let mut reader = Dechunk::new(BufReader::with_capacity(step, bytes));
        let mut out = Vec::new();
        reader.read_to_end(&mut out).expect("bytes in memory give no error");
        (out, reader.quirks())
    };
    let whole = dechunk(4096);
    assert!(whole.0.len() <= bytes.len(), "nothing is made up");
    assert_eq!(dechunk(step), whole, "in steps of {step}");
}

/// A body that is coded as its head says comes out as it went in.
fn assert_round_trip(control: u8, body: &[u8]) {
    let names: Vec<&str> = codings(control).map(|coding| NAMES[usize::from(coding)]).collect();
    let chunked = if control & CHUNKED == 0 { "" } else { "Transfer-Encoding: chunked\r\n" };
    let text = format!("HTTP/1.1 200 OK\r\n{chunked}Content-Encoding: {}\r\n\r\n", names.join(", "));
    let mut head = HttpHead::default();
    assert_eq!(head.parse(text.as_bytes(), Extent::Whole), Parse::Done(text.len()));
    let (out, outcome) = decode(&head, &coded(control, body), LARGE, usize::MAX, 4096);
    assert!(out == body && outcome.end == BodyEnd::Complete, "{text}: {} bytes, {outcome:?}", out.len());
}

const NAMES: [&str; 4] = ["gzip", "deflate", "br", "zstd"];
const CHUNKED: u8 = 0x40;

/// At most two codings: bits 4 and 5 say how many.
fn codings(control: u8) -> impl Iterator<Item = u8> {
    let all = [control & 3, control >> 2 & 3];
    let count = usize::from(control >> 4 & 3).min(2);
    all.into_iter().take(count)
}

fn coded(control: u8, body: &[u8]) -> Vec<u8> {
    let mut body = body.to_vec();
    for coding in codings(control) {
        body = encode(coding, &body).expect("memory takes all");
    }
    if control & CHUNKED != 0 {
        body = chunked(&body, 300);
    }
    body
}

fn encode(coding: u8, body: &[u8]) -> io::Result<Vec<u8>> {
    match coding {
        0 => Ok(member::gzip(body)),
        1 if body.len().is_multiple_of(2) => {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(body)?;
            encoder.finish()
        }
        1 => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(body)?;
            encoder.finish()
        }
        2 => {
            let mut out = Vec::new();
            let params = brotli::enc::BrotliEncoderParams { quality: 1, lgwin: 16, ..Default::default() };
            brotli::BrotliCompress(&mut &body[..], &mut out, &params)?;
            Ok(out)
        }
        _ => Ok(member::zstd(body)),
    }
}

fn chunked(body: &[u8], chunk_bytes: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in body.chunks(chunk_bytes) {
        out.extend(format!("{:x}\r\n", chunk.len()).bytes());
        out.extend(chunk);
        out.extend(b"\r\n");
    }
    out.extend(b"0\r\n\r\n");
    out
}
