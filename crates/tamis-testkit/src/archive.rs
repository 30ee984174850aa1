//! An archive out of records, and of what has no place in one.

use crate::Record;
use crate::member;

/// Puts an archive together, and keeps the offset at which each record's member begins.
#[derive(Debug, Clone, Default)]
pub struct ArchiveBuilder {
    bytes: Vec<u8>,
    offsets: Vec<u64>,
    dictionary: Vec<u8>,
}

impl ArchiveBuilder {
    /// An archive without a byte.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a record as it is.
    #[must_use]
    pub fn plain(self, record: &Record) -> Self {
        self.part(&record.bytes())
    }

    /// Adds a record in a gzip member of its own.
    #[must_use]
    pub fn gzip(self, record: &Record) -> Self {
        self.part(&member::gzip(&record.bytes()))
    }

    /// Adds a record in a zstd frame of its own, with the dictionary if there is one.
    #[must_use]
    pub fn zstd(self, record: &Record) -> Self {
        let frame = member::zstd_with_dictionary(&record.bytes(), &self.dictionary);
        self.part(&frame)
    }

    /// Adds several records in one gzip member.
    #[must_use]
    pub fn gzip_shared(self, records: &[Record]) -> Self {
        let together: Vec<u8> = records.iter().flat_map(Record::bytes).collect();
        self.part(&member::gzip(&together))
    }

    /// Adds a record in two gzip members, the second of which begins at byte `at` of the record.
    #[must_use]
    pub fn gzip_split(self, record: &Record, at: usize) -> Self {
        let bytes = record.bytes();
        let (first, second) = bytes.split_at(at.min(bytes.len()));
        self.part(&member::gzip(first)).bytes(&member::gzip(second))
    }

    /// Adds the skippable frame of a dictionary; all zstd frames behind it need it.
    #[must_use]
    pub fn dictionary(mut self, dictionary: &[u8], packing: member::Dictionary) -> Self {
        self.dictionary = dictionary.into();
        self.bytes(&member::dictionary_frame(dictionary, packing))
    }

    /// Adds bytes that hold one more record: a line of ARC, a member that is spoiled.
    #[must_use]
    pub fn part(mut self, bytes: &[u8]) -> Self {
        self.offsets.push(self.bytes.len() as u64);
        self.bytes(bytes)
    }

    /// Adds bytes that belong to no record.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend(bytes);
        self
    }

    /// Cuts bytes off the end.
    #[must_use]
    pub fn clipped_by(mut self, bytes: usize) -> Self {
        self.bytes.truncate(self.bytes.len().saturating_sub(bytes));
        self
    }

    /// Where each record, or the member that holds it, begins.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The archive.
    pub fn build(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::http_response;
    use crate::member::Dictionary;

    fn record(n: usize) -> Record {
        Record::response(&format!("http://a/{n}"), http_response("text/html", format!("<p>page {n}</p>")))
    }

    fn gunzip(bytes: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut plain).expect("sound");
        plain
    }

    #[test]
    fn members_begin_where_the_offsets_say() {
        let archive = ArchiveBuilder::new()
            .gzip(&record(1))
            .gzip_shared(&[record(2), record(3)])
            .gzip_split(&record(4), 20);
        for &offset in archive.offsets() {
            assert_eq!(archive.bytes[offset as usize..][..2], [0x1f, 0x8b]);
        }
        let plain: Vec<u8> = (1..=4).flat_map(|n| record(n).bytes()).collect();
        assert_eq!(gunzip(&archive.build()), plain);
    }

    #[test]
    fn zstd_frames_need_the_dictionary_in_front_of_them() {
        let samples: Vec<Vec<u8>> = (0..500).map(|n| record(n).bytes()).collect();
        let dictionary = member::train_dictionary(&samples);
        for packing in [Dictionary::Raw, Dictionary::Compressed] {
            let archive = ArchiveBuilder::new().dictionary(&dictionary, packing).zstd(&record(7));
            let frame = archive.bytes[archive.offsets()[0] as usize..].to_vec();
            assert!(zstd::stream::decode_all(&frame[..]).is_err());
            let mut decoder = zstd::stream::Decoder::with_dictionary(&frame[..], &dictionary).expect("sound");
            let mut plain = Vec::new();
            decoder.read_to_end(&mut plain).expect("sound");
            assert_eq!(plain, record(7).bytes());
        }
        let without = ArchiveBuilder::new().zstd(&record(7)).build();
        assert_eq!(zstd::stream::decode_all(&without[..]).expect("sound"), record(7).bytes());
    }

    #[test]
    fn an_archive_can_be_cut() {
        let whole = ArchiveBuilder::new().plain(&record(1)).bytes(b"garbage").build();
        let cut = ArchiveBuilder::new().plain(&record(1)).bytes(b"garbage").clipped_by(9).build();
        assert_eq!(cut, whole[..whole.len() - 9]);
    }
}
