//! What a revisit record refers to: the record that holds the payload it did not store again.

use crate::cdx::CdxEntry;
use crate::head::without_brackets;
use crate::{Digest, Head, RecordType, Timestamp};

/// The record that a revisit refers to, as far as its head tells (ISO 28500, `revisit`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Its URL: `WARC-Refers-To-Target-URI`, or the revisit's own.
    pub url: String,
    /// When it was captured: `WARC-Refers-To-Date`.
    pub date: Option<Timestamp>,
    /// The digest of its payload.
    pub digest: Option<Digest>,
    /// Its `WARC-Record-ID`: `WARC-Refers-To`.
    pub record_id: Option<String>,
    /// When the revisit was captured. What it refers to is not younger.
    pub revisited: Option<Timestamp>,
}

impl Reference {
    /// The reference of a revisit's head. None for other records.
    pub fn of(head: &Head) -> Option<Self> {
        if head.record_type() != RecordType::Revisit {
            return None;
        }
        let fields = head.fields();
        let referred = fields.get("WARC-Refers-To-Target-URI").map(without_brackets);
        let url = match referred {
            Some(url) if !url.is_empty() => crate::fields::bytes_to_text(url).into_owned(),
            _ => head.target_uri()?.into_owned(),
        };
        Some(Self {
            url,
            date: fields.get("WARC-Refers-To-Date").and_then(Timestamp::parse),
            digest: fields.get("WARC-Payload-Digest").and_then(|digest| Digest::parse(digest).ok()),
            record_id: fields.text("WARC-Refers-To").map(std::borrow::Cow::into_owned),
            revisited: head.date(),
        })
    }

    /// Whether an entry may be meant, by its digest, or by its date if there are no digests to compare. An entry of another
    /// digest is not, whatever its date: it is not what was seen.
    pub(crate) fn fits(&self, entry: &CdxEntry) -> bool {
        let stated = Digest::parse(entry.digest.as_bytes()).ok();
        let is_same = match (self.digest, stated) {
            (Some(ours), Some(theirs)) => ours == theirs,
            // Without digests to compare, the date must be the one that is stated.
            _ => self.date.is_some_and(|date| entry.timestamp == date.digits()),
        };
        is_same && !entry.is_revisit()
    }

    /// Whether an entry is that of another payload for sure.
    pub(crate) fn contradicts(&self, entry: &CdxEntry) -> bool {
        let stated = Digest::parse(entry.digest.as_bytes()).ok();
        let is_other = self
            .digest
            .zip(stated)
            .is_some_and(|(ours, theirs)| ours.algorithm() == theirs.algorithm() && ours != theirs);
        is_other || entry.is_revisit()
    }

    /// What entries that fit are ordered by, the least first: whether it is younger than the revisit, and how far it is from the
    /// stated moment, or from the revisit.
    pub(crate) fn distance(&self, entry: &CdxEntry) -> (bool, u64) {
        let target = self.date.or(self.revisited).map(|date| date.unix_seconds());
        let captured = Timestamp::parse(entry.timestamp.as_bytes()).map(|date| date.unix_seconds());
        let seconds = target.zip(captured).map_or(u64::MAX, |(a, b)| a.abs_diff(b));
        let is_younger = self.revisited.is_some_and(|date| entry.timestamp > date.digits());
        (is_younger, seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(timestamp: &str, digest: &str, mime: &str) -> CdxEntry {
        CdxEntry {
            timestamp: timestamp.into(),
            digest: digest.into(),
            mime: mime.into(),
            offset: timestamp.parse().unwrap_or_default(),
            ..CdxEntry::default()
        }
    }

    fn reference(fields: &str) -> Reference {
        let raw = format!(
            "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://a.org/\r\n\
             WARC-Date: 2015-01-01T00:00:00Z\r\n{fields}\r\n"
        );
        let mut head = Head { raw: raw.into_bytes(), ..Head::default() };
        head.parse_warc(&mut |_| ());
        Reference::of(&head).expect("a revisit")
    }

    const SAME: &str = "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A";
    const OTHER: &str = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

    #[test]
    fn the_stated_capture_goes_before_the_nearest() {
        let entries = [
            entry("20140101000000", SAME, "text/html"),
            entry("20140601000000", SAME, "text/html"),
            entry("20141201000000", SAME, "warc/revisit"),
            entry("20141231000000", OTHER, "text/html"),
            entry("20150102000000", SAME, "text/html"),
        ];
        for (fields, expected) in [
            (format!("WARC-Payload-Digest: {SAME}\r\n"), Some("20140601000000")),
            (
                format!("WARC-Payload-Digest: {SAME}\r\nWARC-Refers-To-Date: 2014-01-01T00:00:00Z\r\n"),
                Some("20140101000000"),
            ),
            ("WARC-Refers-To-Date: 2014-12-31T00:00:00Z\r\n".into(), Some("20141231000000")),
            ("WARC-Payload-Digest: sha1:7AWVEIPQMCA4KTCNDXWSZ465FITB7LSK\r\n".into(), None),
            (String::new(), None),
        ] {
            let reference = reference(&fields);
            let fitting = entries.iter().filter(|entry| reference.fits(entry));
            let found = fitting.min_by_key(|entry| reference.distance(entry));
            let found = found.map(|entry| entry.timestamp.as_str());
            assert_eq!(found, expected, "{fields}");
        }
    }

    #[test]
    fn a_reference_may_name_another_url() {
        let reference =
            reference("WARC-Refers-To-Target-URI: <http://b.org/>\r\nWARC-Refers-To: <urn:uuid:1>\r\n");
        assert_eq!(
            (reference.url.as_str(), reference.record_id.as_deref()),
            ("http://b.org/", Some("<urn:uuid:1>"))
        );
        assert_eq!(Reference::of(&Head::default()), None);
    }
}
