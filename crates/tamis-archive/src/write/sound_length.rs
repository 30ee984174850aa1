//! How far a file that was never closed is sound.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use flate2::bufread::GzDecoder;
use zstd::stream::raw::{Decoder, Operation};

use super::dictionary::DICTIONARY_FRAME_MAGIC;
use crate::Fields;

/// The sound beginning of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sound {
    /// Its length in bytes.
    pub(super) len: u64,
    /// The records in it; the members that hold any, where it is compressed.
    pub(super) records: u64,
}

const ZSTD_MAGIC: u32 = 0xFD2F_B528;
const MAX_DICTIONARY_LEN: u64 = 8 << 20;
const MAX_HEAD_LEN: u64 = 1 << 20;

/// Walks a file member by member, checking their checksums, or record by record if it is plain. Memory: a window.
pub(super) fn sound_length(file: &File) -> io::Result<Sound> {
    let mut file = file;
    file.rewind()?;
    let mut input = Counted { inner: BufReader::with_capacity(256 * 1024, file), count: 0, failure: None };
    let sound = match input.fill_buf()? {
        [0x1f, ..] => gzip_members(&mut input),
        [0x28, 0xb5, ..] | [0x5d, 0x2a, ..] => zstd_frames(&mut input),
        _ => plain_records(&mut input),
    };
    match input.failure {
        // What cannot be read is not torn: nothing may be cut off for that.
        Some(failure) => Err(failure),
        None => Ok(sound),
    }
}

/// How many bytes of a file hold whole records: all, unless it is being written or its writer was killed.
pub fn whole_len(path: &Path) -> crate::Result<u64> {
    let file = File::open(path).map_err(crate::Error::io(path))?;
    Ok(sound_length(&file).map_err(crate::Error::io(path))?.len)
}

/// Counts what is taken, and tells a file that cannot be read from data that cannot be decoded.
struct Counted<R> {
    inner: R,
    count: u64,
    failure: Option<io::Error>,
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.inner.fill_buf() {
            Ok(bytes) => Ok(bytes),
            Err(error) => {
                let kind = error.kind();
                self.failure.get_or_insert(error);
                Err(kind.into())
            }
        }
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.inner.consume(amount);
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

fn gzip_members(input: &mut Counted<impl BufRead>) -> Sound {
    let mut sound = Sound::default();
    while input.fill_buf().is_ok_and(|rest| !rest.is_empty()) {
        match io::copy(&mut GzDecoder::new(&mut *input), &mut io::sink()) {
            Ok(decoded) => sound.records += u64::from(decoded > 0),
            Err(_) => break,
        }
        sound.len = input.count;
    }
    sound
}

fn zstd_frames(input: &mut Counted<impl BufRead>) -> Sound {
    let mut sound = Sound::default();
    let Ok(mut decoder) = Decoder::new() else { return sound };
    while let Some(magic) = read_u32(input) {
        let frame = match magic {
            ZSTD_MAGIC => zstd_frame(&mut decoder, input),
            DICTIONARY_FRAME_MAGIC if sound.len == 0 => match read_dictionary(input) {
                Some(dictionary) => {
                    decoder = dictionary;
                    Some(0)
                }
                None => None,
            },
            _ if magic & 0xFFFF_FFF0 == 0x184D_2A50 => skip_frame(input),
            _ => None,
        };
        let Some(content_len) = frame else { break };
        sound.records += u64::from(content_len > 0);
        sound.len = input.count;
    }
    sound
}

/// Decodes one frame whose magic number has been read. Gives the length of its content.
fn zstd_frame(decoder: &mut Decoder<'_>, input: &mut Counted<impl BufRead>) -> Option<u64> {
    decoder.reinit().ok()?;
    let mut out = [0; 16 * 1024];
    let mut content_len = 0;
    decoder.run_on_buffers(&ZSTD_MAGIC.to_le_bytes(), &mut out).ok()?;
    loop {
        let bytes = input.fill_buf().ok()?;
        let is_end = bytes.is_empty();
        let status = decoder.run_on_buffers(bytes, &mut out).ok()?;
        input.consume(status.bytes_read);
        content_len += status.bytes_written as u64;
        if status.remaining == 0 {
            return Some(content_len);
        }
        if is_end && status.bytes_written == 0 {
            return None;
        }
    }
}

fn read_dictionary(input: &mut Counted<impl BufRead>) -> Option<Decoder<'static>> {
    let len = u64::from(read_u32(input)?);
    let mut bytes = Vec::new();
    let read = input.take(len.min(MAX_DICTIONARY_LEN)).read_to_end(&mut bytes).ok()?;
    if read as u64 != len {
        return None;
    }
    if bytes.starts_with(&ZSTD_MAGIC.to_le_bytes()) {
        bytes = zstd::bulk::decompress(&bytes, MAX_DICTIONARY_LEN as usize).ok()?;
    }
    Decoder::with_dictionary(&bytes).ok()
}

fn skip_frame(input: &mut Counted<impl BufRead>) -> Option<u64> {
    let len = u64::from(read_u32(input)?);
    skip(input, len).then_some(0)
}

fn plain_records(input: &mut Counted<impl BufRead>) -> Sound {
    let mut sound = Sound::default();
    while plain_record(input).is_some() {
        sound = Sound { len: input.count, records: sound.records + 1 };
    }
    sound
}

/// Steps over a whole record, through the two line ends that close it.
fn plain_record(input: &mut Counted<impl BufRead>) -> Option<()> {
    let head = read_head(input)?;
    let version_end = memchr::memchr(b'\n', &head)? + 1;
    let mut fields = Fields::default();
    fields.parse(&head[version_end..]);
    let len = std::str::from_utf8(fields.get("Content-Length")?).ok()?.parse().ok()?;
    let mut end = [0; 4];
    let is_whole = head.starts_with(b"WARC/") && skip(input, len);
    (is_whole && input.read_exact(&mut end).is_ok() && end == *b"\r\n\r\n").then_some(())
}

/// Lines through the first empty one.
fn read_head(input: &mut Counted<impl BufRead>) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let mut limited = input.take(MAX_HEAD_LEN);
    loop {
        let line = limited.read_until(b'\n', &mut head).ok()?;
        match &head[head.len() - line..] {
            b"\r\n" | b"\n" => return Some(head),
            [.., b'\n'] => {}
            _ => return None,
        }
    }
}

fn skip(input: &mut Counted<impl BufRead>, len: u64) -> bool {
    io::copy(&mut input.take(len), &mut io::sink()).is_ok_and(|skipped| skipped == len)
}

fn read_u32(input: &mut impl Read) -> Option<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}
