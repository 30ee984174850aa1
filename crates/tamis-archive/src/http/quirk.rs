//! What is odd about an HTTP message.

use std::fmt;

/// One way in which a message departs from RFC 9112, or its body from what its head says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HttpQuirk {
    /// Empty lines before the start line.
    LeadingBlankLines,
    /// No start line: the block begins with fields.
    MissingStartLine,
    /// A start line without a protocol version.
    MissingVersion,
    /// A protocol version that no standard defines: `ICY`, `HTTP`, `http/1.1`.
    OddVersion,
    /// The version stands there twice: `HTTP/1.1 HTTP/1.1 200 OK`.
    RepeatedVersion,
    /// A status that is missing or not a number of three digits from 100.
    BadStatus,
    /// Status and reason without a blank between them: `200OK`.
    JoinedStatus,
    /// Neither a reason nor the blank that must stand before an empty one.
    MissingReason,
    /// A request target that is empty or has blanks inside.
    OddTarget,
    /// Lines that end in LF alone.
    BareLf,
    /// Lines that are no field.
    BadHeaderLine,
    /// Values continued on the next line, which RFC 9112 has given up.
    FoldedLine,
    /// No empty line ends the head.
    HeadUnended,
    /// The head goes on behind the largest length that is read.
    HeadTooLong,
    /// The head says `chunked`, the body is not.
    NotChunked,
    /// A chunk is longer or shorter than its size says.
    WrongChunkSize,
    /// The body ends before its last chunk.
    ChunksUnended,
    /// Bytes behind the last chunk.
    BytesAfterChunks,
    /// A coding that we do not know; the body is given with it.
    UnknownCoding,
    /// More codings than we undo; the body is given with the others.
    TooManyCodings,
    /// The head names a coding that the body does not have.
    NotEncoded,
    /// The coded body ends early.
    ContentTruncated,
    /// The coded body does not decode to its end, or its checksum differs.
    ContentCorrupt,
    /// Bytes behind the end of the coded body.
    BytesAfterContent,
    /// The body does not have the length that `Content-Length` says.
    WrongContentLength,
}

/// A set of [`HttpQuirk`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HttpQuirks(u32);

impl HttpQuirk {
    /// All quirks, those of heads first.
    pub const ALL: [Self; 25] = [
        Self::LeadingBlankLines,
        Self::MissingStartLine,
        Self::MissingVersion,
        Self::OddVersion,
        Self::RepeatedVersion,
        Self::BadStatus,
        Self::JoinedStatus,
        Self::MissingReason,
        Self::OddTarget,
        Self::BareLf,
        Self::BadHeaderLine,
        Self::FoldedLine,
        Self::HeadUnended,
        Self::HeadTooLong,
        Self::NotChunked,
        Self::WrongChunkSize,
        Self::ChunksUnended,
        Self::BytesAfterChunks,
        Self::UnknownCoding,
        Self::TooManyCodings,
        Self::NotEncoded,
        Self::ContentTruncated,
        Self::ContentCorrupt,
        Self::BytesAfterContent,
        Self::WrongContentLength,
    ];

    /// A short stable name, for display and counting.
    pub fn name(self) -> &'static str {
        match self {
            Self::LeadingBlankLines => "leading-blank-lines",
            Self::MissingStartLine => "missing-start-line",
            Self::MissingVersion => "missing-version",
            Self::OddVersion => "odd-version",
            Self::RepeatedVersion => "repeated-version",
            Self::BadStatus => "bad-status",
            Self::JoinedStatus => "joined-status",
            Self::MissingReason => "missing-reason",
            Self::OddTarget => "odd-target",
            Self::BareLf => "bare-lf",
            Self::BadHeaderLine => "bad-header-line",
            Self::FoldedLine => "folded-line",
            Self::HeadUnended => "head-unended",
            Self::HeadTooLong => "head-too-long",
            Self::NotChunked => "not-chunked",
            Self::WrongChunkSize => "wrong-chunk-size",
            Self::ChunksUnended => "chunks-unended",
            Self::BytesAfterChunks => "bytes-after-chunks",
            Self::UnknownCoding => "unknown-coding",
            Self::TooManyCodings => "too-many-codings",
            Self::NotEncoded => "not-encoded",
            Self::ContentTruncated => "content-truncated",
            Self::ContentCorrupt => "content-corrupt",
            Self::BytesAfterContent => "bytes-after-content",
            Self::WrongContentLength => "wrong-content-length",
        }
    }
}

impl HttpQuirks {
    /// The set of these quirks.
    pub fn of(quirks: &[HttpQuirk]) -> Self {
        quirks.iter().copied().collect()
    }

    /// Adds a quirk.
    pub fn insert(&mut self, quirk: HttpQuirk) {
        self.0 |= 1 << quirk as u32;
    }

    /// Adds a quirk where a condition holds.
    pub(super) fn insert_if(&mut self, condition: bool, quirk: HttpQuirk) {
        self.0 |= u32::from(condition) << quirk as u32;
    }

    /// Whether the quirk is in the set.
    pub fn contains(self, quirk: HttpQuirk) -> bool {
        self.0 & 1 << quirk as u32 != 0
    }

    /// Whether nothing is odd.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The quirks of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The quirks in the set, in the order of [`HttpQuirk::ALL`].
    pub fn iter(self) -> impl Iterator<Item = HttpQuirk> {
        HttpQuirk::ALL.into_iter().filter(move |&quirk| self.contains(quirk))
    }
}

impl FromIterator<HttpQuirk> for HttpQuirks {
    fn from_iter<I: IntoIterator<Item = HttpQuirk>>(quirks: I) -> Self {
        let mut set = Self::default();
        quirks.into_iter().for_each(|quirk| set.insert(quirk));
        set
    }
}

impl fmt::Display for HttpQuirk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The names with commas between them.
impl fmt::Display for HttpQuirks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, quirk) in self.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{quirk}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_each_quirk_by_itself() {
        for (i, quirk) in HttpQuirk::ALL.into_iter().enumerate() {
            assert_eq!(quirk as usize, i, "ALL is in the order of the variants");
            let set = HttpQuirks::of(&[quirk]);
            assert_eq!(set.iter().collect::<Vec<_>>(), [quirk]);
            assert_eq!(set.to_string(), quirk.name());
        }
        assert_eq!(
            HttpQuirks::of(&[HttpQuirk::NotEncoded, HttpQuirk::BareLf]).to_string(),
            "bare-lf, not-encoded"
        );
    }
}
