//! Digests of a block and of the payload inside it, taken in one pass while the block goes by.

use data_encoding::BASE32;
use sha1::{Digest, Sha1};
use sha2::Sha256;

use super::NewRecord;
use crate::RecordType;

/// The algorithm of the digests that the writer computes. Both are spelt in base32, as archives have done since
/// Heritrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DigestAlgorithm {
    /// What nearly every archive has, and what revisits are found by.
    #[default]
    Sha1,
    /// For archives that must withstand someone who crafts collisions.
    Sha256,
}

/// Digests while they are computed. What the caller states is not computed.
#[derive(Debug)]
pub(super) struct BlockDigests {
    block: Option<Hasher>,
    payload: Payload,
}

#[derive(Debug)]
enum Payload {
    /// No payload of its own, or a digest that was given.
    None,
    /// The block is the payload.
    Whole(Hasher),
    /// The payload begins behind the head of an HTTP message.
    Http(HttpHeadEnd, Hasher),
}

#[derive(Debug)]
enum Hasher {
    Sha1(Sha1),
    Sha256(Sha256),
}

/// Finds the first empty line, in pieces of any size. Lines end in CRLF or LF, as servers send both.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum HttpHeadEnd {
    #[default]
    InLine,
    LineStart,
    LineStartCr,
    Found,
}

impl BlockDigests {
    pub(super) fn new(algorithm: DigestAlgorithm, record: &NewRecord) -> Self {
        let block = record.block_digest.is_none().then(|| Hasher::new(algorithm));
        Self { block, payload: Payload::of(algorithm, record) }
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        if let Some(block) = &mut self.block {
            block.update(bytes);
        }
        match &mut self.payload {
            Payload::None => {}
            Payload::Whole(hasher) => hasher.update(bytes),
            Payload::Http(end, hasher) => {
                let start = end.advance(bytes);
                hasher.update(&bytes[start..]);
            }
        }
    }

    /// The digests of the block and of the payload. An HTTP message whose head has no end has no payload.
    pub(super) fn finish(self) -> (Option<String>, Option<String>) {
        let payload = match self.payload {
            Payload::Whole(hasher) | Payload::Http(HttpHeadEnd::Found, hasher) => Some(hasher.finish()),
            Payload::None | Payload::Http(..) => None,
        };
        (self.block.map(Hasher::finish), payload)
    }
}

impl Payload {
    fn of(algorithm: DigestAlgorithm, record: &NewRecord) -> Self {
        let content_type = record.content_type.as_deref().unwrap_or_default();
        let is_http = ["application/http", "message/http"].iter().any(|name| starts_like(content_type, name));
        let is_segment = record.fields.get("WARC-Segment-Number").is_some();
        let has_payload = matches!(
            record.record_type,
            RecordType::Response | RecordType::Resource | RecordType::Conversion
        );
        match () {
            () if record.payload_digest.is_some() || is_segment || !has_payload => Self::None,
            () if is_http => Self::Http(HttpHeadEnd::default(), Hasher::new(algorithm)),
            () => Self::Whole(Hasher::new(algorithm)),
        }
    }
}

impl HttpHeadEnd {
    /// Goes on through `bytes` and gives the place in them where the payload begins or goes on.
    fn advance(&mut self, bytes: &[u8]) -> usize {
        for (at, byte) in bytes.iter().enumerate() {
            *self = match (*self, byte) {
                (Self::Found, _) => return at,
                (Self::LineStart | Self::LineStartCr, b'\n') => Self::Found,
                (_, b'\n') => Self::LineStart,
                (Self::LineStart, b'\r') => Self::LineStartCr,
                _ => Self::InLine,
            };
        }
        bytes.len()
    }
}

impl Hasher {
    fn new(algorithm: DigestAlgorithm) -> Self {
        match algorithm {
            DigestAlgorithm::Sha1 => Self::Sha1(Sha1::new()),
            DigestAlgorithm::Sha256 => Self::Sha256(Sha256::new()),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha1(hasher) => hasher.update(bytes),
            Self::Sha256(hasher) => hasher.update(bytes),
        }
    }

    fn finish(self) -> String {
        match self {
            Self::Sha1(hasher) => format!("sha1:{}", BASE32.encode(&hasher.finalize())),
            Self::Sha256(hasher) => format!("sha256:{}", BASE32.encode(&hasher.finalize())),
        }
    }
}

fn starts_like(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digests(record: &NewRecord, pieces: &[&[u8]]) -> (Option<String>, Option<String>) {
        let mut digests = BlockDigests::new(DigestAlgorithm::Sha1, record);
        for piece in pieces {
            digests.update(piece);
        }
        digests.finish()
    }

    fn sha1(bytes: &[u8]) -> String {
        let mut hasher = Hasher::new(DigestAlgorithm::Sha1);
        hasher.update(bytes);
        hasher.finish()
    }

    #[test]
    fn known_digests_come_out() {
        assert_eq!(sha1(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        let mut hasher = Hasher::new(DigestAlgorithm::Sha256);
        hasher.update(b"");
        assert_eq!(hasher.finish(), "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====");
    }

    #[test]
    fn the_payload_begins_behind_the_http_head_however_the_block_is_cut() {
        let date = "2024-04-08T18:18:29Z".parse().expect("a moment");
        let response = NewRecord::response("http://a/", date);
        for (head, body) in [
            ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "body\r\n\r\nmore"),
            ("HTTP/1.1 200 OK\nA: b\n\n", "body"),
            ("HTTP/1.1 200 OK\r\nA: b\n\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\n\r\n", ""),
        ] {
            let block = [head, body].concat();
            for cut in 0..=block.len() {
                let (first, second) = block.as_bytes().split_at(cut);
                let expected = (Some(sha1(block.as_bytes())), Some(sha1(body.as_bytes())));
                assert_eq!(digests(&response, &[first, b"", second]), expected, "{block:?} cut at {cut}");
            }
        }
        assert_eq!(digests(&response, &[b"HTTP/1.1 200 OK\r\nA: b\r\n"]).1, None);
    }

    #[test]
    fn what_is_no_payload_or_is_stated_is_not_computed() {
        let date = "2024-04-08T18:18:29Z".parse().expect("a moment");
        let (uri, block) = ("http://a/", &b"HTTP/1.1 200 OK\r\n\r\nx"[..]);
        for (record, payload) in [
            (NewRecord::response(uri, date), Some(sha1(b"x"))),
            (NewRecord::response(uri, date).content_type("text/dns"), Some(sha1(block))),
            (
                NewRecord::response(uri, date).content_type("Application/HTTP; msgtype=response"),
                Some(sha1(b"x")),
            ),
            (NewRecord::response(uri, date).segment_number(1), None),
            (NewRecord::response(uri, date).payload_digest("md5:1"), None),
            (NewRecord::resource(uri, date, "text/html"), Some(sha1(block))),
            (NewRecord::request(uri, date), None),
            (NewRecord::metadata(date), None),
        ] {
            assert_eq!(digests(&record, &[block]).1, payload, "{record:?}");
        }
        assert_eq!(digests(&NewRecord::request(uri, date).block_digest("md5:1"), &[block]), (None, None));
    }
}
