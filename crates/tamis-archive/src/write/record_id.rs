//! Record ids: given by the caller, or made from a seed and the record without chance or clock.

use std::fmt;
use std::str::FromStr;

use sha1::{Digest, Sha1};

use crate::Error;

/// The value of a `WARC-Record-ID` field: a URI, shown in its angle brackets.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(Box<str>);

/// Makes one id after another.
///
/// An id is a name-based UUID (version 5 of RFC 9562). Its namespace is the seed; its name is the count of ids so far
/// and what the record says: type, date, fields and block digest. So the same run gives the same ids, a record that is
/// stored twice gets two, and a seed used again for other records collides with nothing.
#[derive(Debug, Clone)]
pub(super) struct RecordIds {
    namespace: Sha1,
    count: u64,
}

impl RecordId {
    /// The id `urn:uuid:…` of these 16 bytes.
    pub fn from_uuid(bytes: [u8; 16]) -> Self {
        let hex = data_encoding::HEXLOWER.encode(&bytes);
        let groups = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
        Self(format!("urn:uuid:{}", groups.join("-")).into())
    }

    /// The id that is always the same for the same facts: a name-based UUID.
    pub fn from_facts<'a>(facts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        RecordIds::from_seed(b"tamis").next(facts)
    }

    /// The URI, without angle brackets.
    pub fn uri(&self) -> &str {
        &self.0
    }
}

impl RecordIds {
    pub(super) fn from_seed(seed: &[u8]) -> Self {
        Self { namespace: Sha1::new_with_prefix(Sha1::digest(seed)), count: 0 }
    }

    /// The next id, for a record of which `facts` are known.
    pub(super) fn next<'a>(&mut self, facts: impl IntoIterator<Item = &'a [u8]>) -> RecordId {
        let mut name = self.namespace.clone();
        name.update(self.count.to_le_bytes());
        for fact in facts {
            name.update((fact.len() as u64).to_le_bytes());
            name.update(fact);
        }
        self.count += 1;
        RecordId::from_uuid(version_5(name.finalize().as_ref()))
    }
}

/// The first 16 bytes of a SHA-1, with the bits that mark version and variant (RFC 9562, section 5.5).
fn version_5(digest: &[u8]) -> [u8; 16] {
    let mut uuid = [0; 16];
    uuid.copy_from_slice(&digest[..16]);
    uuid[6] = uuid[6] & 0x0f | 0x50;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    uuid
}

impl FromStr for RecordId {
    type Err = Error;

    /// Takes a URI with or without angle brackets.
    fn from_str(text: &str) -> Result<Self, Error> {
        let inner = text.trim();
        let uri = inner.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(inner);
        let has_scheme =
            uri.split_once(':').is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty());
        let is_clean = uri.bytes().all(|b| b > b' ' && b != 0x7f && b != b'<' && b != b'>');
        if has_scheme && is_clean {
            return Ok(Self(uri.into()));
        }
        Err(Error::Value {
            what: "record id",
            value: text.into(),
            why: "not a URI such as <urn:uuid:4a1a1d39-8a5c-5e0b-a0f6-6f2d4ee2a6f7>".into(),
        })
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_depend_on_seed_count_and_facts_alone() {
        let id = |seed: &str, skip: u64, facts: &[&[u8]]| {
            let mut ids = RecordIds { count: skip, ..RecordIds::from_seed(seed.as_bytes()) };
            ids.next(facts.iter().copied())
        };
        let first = id("a", 0, &[b"x", b"y"]);
        assert_eq!(first, id("a", 0, &[b"x", b"y"]));
        for other in [id("b", 0, &[b"x", b"y"]), id("a", 1, &[b"x", b"y"]), id("a", 0, &[b"xy", b""])] {
            assert_ne!(first, other);
        }
        assert_eq!(&first.uri()[23..24], "5", "{first}");
    }

    /// Crawls name earlier records by ids that they compute again, so these never change.
    #[test]
    fn the_same_facts_have_the_same_id_forever() {
        let id = RecordId::from_facts([&b"x"[..]]);
        assert_eq!(id.uri(), "urn:uuid:05e1c71f-8392-5347-b663-da085470ea4a");
    }

    #[test]
    fn ids_are_uris_with_or_without_brackets() {
        for good in ["<urn:uuid:1>", "urn:uuid:1", " <http://host/1> "] {
            assert!(good.parse::<RecordId>().is_ok(), "{good}");
        }
        for bad in ["", "<>", "no scheme", "urn:a b", "urn:", ":x", "urn:a\r\nX: y", "<urn:<a>>"] {
            assert!(bad.parse::<RecordId>().is_err(), "{bad}");
        }
        let id: RecordId = "<urn:uuid:1>".parse().expect("is a URI");
        assert_eq!((id.uri(), id.to_string().as_str()), ("urn:uuid:1", "<urn:uuid:1>"));
    }
}
