//! Whether a record is whole.

use std::io::{self, Read};

use crate::verify::Digests;
use crate::write::Spool;
use crate::{Digest, FaultKind, Hasher, Head, MemberState, RecordEnd, Version};

/// What closes a record.
const RECORD_END: &[u8] = b"\r\n\r\n";

/// What is known of a record that was read to its end.
pub(super) struct Judgement {
    /// Why bytes are missing or in doubt, if they are.
    pub(super) damage: Option<&'static str>,
    /// What was wrong beside the head.
    pub(super) kinds: Vec<&'static str>,
    /// Digests that the head states wrongly, with those of the bytes.
    pub(super) digests: Vec<(&'static str, String)>,
}

/// Judges a record, and cuts its block to its true length where that is known.
///
/// - A record in a member whose checksum differs is damaged: a digest may prove its block, but nothing its head.
/// - Elsewhere a stated digest that is that of the bytes proves them, whatever else is wrong.
/// - Without one, a block is whole if it is as long as its head says and its member is not corrupt.
/// - A block that is shorter or longer is whole if line ends close it where it ends: then the length is wrong. In a plain
///   file's last record these may be line ends of the block itself, so there they prove nothing.
/// - A digest that differs is itself wrong if the member's checksum vouches for the bytes; in a plain file nothing does.
pub(super) fn judge(head: &Head, digests: Digests, block: &mut Spool) -> io::Result<Judgement> {
    let Digests { end, matching, mismatches } = digests;
    let claimed = head.content_length();
    let is_right_length = claimed == Some(end.block_len);
    let mut is_proven = matching > 0 && !is_block_mismatch(&mismatches);
    let mut is_closed = end.is_closed;
    let mut mismatches = mismatches;
    let mut kinds = Vec::new();
    if !is_proven && let Some(len) = other_length(head, &end, claimed, block)? {
        block.truncate(len)?;
        is_closed = true;
        if claimed == Some(len) {
            kinds.push("garbage");
        }
        is_proven = head.fields().get("WARC-Block-Digest").is_some() && !mismatches.is_empty();
        mismatches.clear();
    }
    let damage = match () {
        () if end.member == MemberState::Corrupt => Some("in a corrupt member"),
        () if is_proven => None,
        () if end.is_torn => Some("continues after its end"),
        () if !is_right_length && !is_closed => Some("truncated"),
        () if !mismatches.is_empty() && (end.member != MemberState::Sound || !is_right_length) => {
            Some("digest differs")
        }
        () => None,
    };
    if !is_closed {
        kinds.push("record-end");
    }
    let digests = mismatches.into_iter().filter_map(actual).collect();
    Ok(Judgement { damage, kinds, digests })
}

fn is_block_mismatch(mismatches: &[FaultKind]) -> bool {
    mismatches.iter().any(|kind| matches!(kind, FaultKind::DigestMismatch { field: "WARC-Block-Digest", .. }))
}

fn actual(kind: FaultKind) -> Option<(&'static str, String)> {
    match kind {
        FaultKind::DigestMismatch { field, actual, .. } => Some((field, actual)),
        _ => None,
    }
}

/// A length other than that which the reader found, if the bytes speak for it: that which the head states, where garbage
/// follows, or without line ends that close the record and were counted as the block's.
///
/// The stated digest decides; without one only a sound member, which ends where its record does.
fn other_length(
    head: &Head,
    end: &RecordEnd,
    claimed: Option<u64>,
    block: &mut Spool,
) -> io::Result<Option<u64>> {
    let stated = head.fields().get("WARC-Block-Digest").and_then(|text| Digest::parse(text).ok());
    let is_short = claimed.is_none_or(|claimed| claimed > end.block_len);
    let is_warc = !matches!(head.version(), Version::Arc1 | Version::Arc2);
    let ran_out = is_short && is_warc && !end.is_closed && end.member == MemberState::Sound;
    if stated.is_none() && !ran_out {
        return Ok(None);
    }
    let tail = last_bytes(block)?;
    let closing = (1..=tail.len()).filter(|&n| tail[tail.len() - n..] == RECORD_END[..n]);
    let shorter = closing.map(|n| end.block_len - n as u64);
    if let Some(stated) = stated {
        for len in claimed.filter(|&claimed| claimed < end.block_len).into_iter().chain(shorter) {
            if has_digest(block, len, stated)? {
                return Ok(Some(len));
            }
        }
        return Ok(None);
    }
    Ok((tail == RECORD_END).then(|| end.block_len - RECORD_END.len() as u64))
}

fn has_digest(block: &mut Spool, len: u64, stated: Digest) -> io::Result<bool> {
    let mut hasher = Hasher::new(stated.algorithm());
    let mut chunk = vec![0; 64 << 10];
    let mut reader = block.reader()?.take(len);
    loop {
        match reader.read(&mut chunk)? {
            0 => return Ok(hasher.finish() == stated),
            n => hasher.update(&chunk[..n]),
        }
    }
}

/// As many bytes from the block's end as a record's end has.
fn last_bytes(block: &mut Spool) -> io::Result<Vec<u8>> {
    let skip = block.len().saturating_sub(RECORD_END.len() as u64);
    if let Some(bytes) = block.bytes() {
        return Ok(bytes[skip as usize..].to_vec());
    }
    let mut reader = block.reader()?;
    io::copy(&mut (&mut reader).take(skip), &mut io::sink())?;
    let mut last = Vec::new();
    reader.read_to_end(&mut last)?;
    Ok(last)
}
