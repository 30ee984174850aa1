//! Where records begin in the decoded content of an archive, found by the reader of archives on a thread of its own.

use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tamis_archive::{Fault, FaultKind, Mode, Reader, Record, RecordType, surt};

use super::Result;
use super::records::Texts;

/// So many pieces of content wait for the finder.
const WAITING: usize = 64;

/// Keys are cut to this, so that a page of them has a bound.
pub(super) const KEY_LIMIT: usize = 4 << 10;

/// The end that content is given to.
pub(super) struct Feed(pub(super) SyncSender<Vec<u8>>);

/// The end that content is read from.
pub(super) struct Content {
    pieces: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
}

/// What was found: all lists have one entry a record.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) starts: Vec<u64>,
    pub(super) types: Vec<RecordType>,
    pub(super) keys: Texts,
    /// Whether the block is shorter than its head says.
    pub(super) is_short: Vec<bool>,
}

impl Feed {
    pub(super) fn new() -> (Self, Content) {
        let (sender, pieces) = sync_channel(WAITING);
        (Self(sender), Content { pieces, piece: Vec::new(), at: 0 })
    }
}

impl Read for Content {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            let Ok(piece) = self.pieces.recv() else { return Ok(0) };
            (self.piece, self.at) = (piece, 0);
        }
        let len = room.len().min(self.piece.len() - self.at);
        room[..len].copy_from_slice(&self.piece[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

/// Finds all records, and shows each with its number.
pub(super) fn find_records(
    path: &Path,
    content: Content,
    mut on_record: impl FnMut(usize, &mut Record<'_>),
) -> Result<Found> {
    let mut found = Found::default();
    let mut reader = Reader::from_stream(path, content, Mode::Lenient);
    while let Some(mut record) = reader.next()? {
        let start = record.offset();
        // Archives inside an archive share an offset; they are one.
        if found.starts.last().is_some_and(|&last| last >= start) {
            continue;
        }
        found.starts.push(start);
        found.types.push(record.head.record_type());
        let key = record.head.target_uri().map(|uri| surt(uri.as_bytes())).unwrap_or_default();
        found.keys.push(&key.as_bytes()[..key.len().min(KEY_LIMIT)]);
        on_record(found.starts.len() - 1, &mut record);
        record.finish()?;
        let is_short = |fault: &Fault| matches!(fault.kind, FaultKind::BlockTruncated { .. });
        found.is_short.push(reader.take_faults().list.iter().any(is_short));
    }
    Ok(found)
}
