//! What is known of a page that is compared.

use crate::simhash::simhash;
use crate::sketch::MinHash;

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// Names the page, for ever: it stands in the index.
    pub id: u64,
    /// Pages with the same digest are the same.
    pub digest: u128,
    /// Its length, for [`super::Keep::Longest`].
    pub len_bytes: u64,
    /// When it was captured, in seconds, for [`super::Keep::Oldest`].
    pub date: i64,
    /// Its text; none if it has too little of it to be judged.
    pub text: Option<Text>,
}

/// Sketches of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// [`crate::simhash::simhash`] of the text.
    pub simhash: u64,
    /// [`MinHash::of_text`] of the text.
    pub minhash: MinHash,
}

impl Text {
    /// Both sketches of a text in its normal form.
    pub fn of(text: &[u8]) -> Self {
        Self { simhash: simhash(text), minhash: MinHash::of_text(text) }
    }
}

impl Document {
    /// Its length in the index.
    pub(super) const BYTES: usize = 8 + 16 + 8 + 8 + 8 + 8 + MinHash::BYTES;

    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        let empty = Text { simhash: 0, minhash: MinHash::empty() };
        let text = self.text.unwrap_or(empty);
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.id.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.digest.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.len_bytes.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.date.to_le_bytes());
        bytes[40..48].copy_from_slice(&u64::from(self.text.is_some()).to_le_bytes());
        bytes[48..56].copy_from_slice(&text.simhash.to_le_bytes());
        bytes[56..].copy_from_slice(&text.minhash.to_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (id, rest) = bytes.split_first_chunk()?;
        let (digest, rest) = rest.split_first_chunk()?;
        let (len_bytes, rest) = rest.split_first_chunk()?;
        let (date, rest) = rest.split_first_chunk()?;
        let (has_text, rest) = rest.split_first_chunk()?;
        let (simhash, rest) = rest.split_first_chunk()?;
        let minhash = MinHash::from_bytes(rest.try_into().ok()?);
        let text = Text { simhash: u64::from_le_bytes(*simhash), minhash };
        Some(Self {
            id: u64::from_le_bytes(*id),
            digest: u128::from_le_bytes(*digest),
            len_bytes: u64::from_le_bytes(*len_bytes),
            date: i64::from_le_bytes(*date),
            text: (u64::from_le_bytes(*has_text) != 0).then_some(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_bring_a_document_back() {
        let document = Document { id: 1, digest: u128::MAX - 2, len_bytes: 3, date: -4, text: None };
        assert_eq!(Document::from_bytes(&document.to_bytes()), Some(document));
        let document = Document { text: Some(Text::of(b"it was the best of times")), ..document };
        assert_eq!(Document::from_bytes(&document.to_bytes()), Some(document));
        assert_eq!(Document::from_bytes(b"short"), None);
    }
}
