//! A file as an archive of one `resource` record, so that whatever reads archives reads files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use flate2::read::MultiGzDecoder;

use crate::{Bytes, Timestamp};

/// A gzipped file is inflated into memory, up to this length.
const MOST_INFLATED: u64 = 256 << 20;
/// A time before this is not that of a file from the web: 1995-01-01.
const FIRST_SECOND: i64 = 788_918_400;
const END: &[u8] = b"\r\n\r\n";

/// What the record says of the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileRecordHead<'a> {
    /// The URL it was saved from, if that is known.
    pub url: Option<&'a str>,
    /// The media type.
    pub content_type: &'a str,
}

/// A file as an archive of one `resource` record. Its date is the time the file was last changed.
///
/// A gzipped file is inflated. If it ends early, the record has the bytes before that, says that it is truncated, and a reader
/// reports the fault. Memory: the head, and an inflated file of at most 256 MiB.
pub struct FileRecord {
    head: Vec<u8>,
    content: Content,
    content_len: u64,
    damage: Option<String>,
}

enum Content {
    File(PathBuf),
    Memory(Vec<u8>),
}

impl FileRecord {
    /// Opens a file.
    pub fn open(path: &Path, about: FileRecordHead<'_>) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut magic = Vec::new();
        (&mut file).take(2).read_to_end(&mut magic)?;
        let mut damage = None;
        let (content, content_len) = if magic == [0x1F, 0x8B] {
            file.seek(SeekFrom::Start(0))?;
            let mut inflated = Vec::new();
            let read =
                MultiGzDecoder::new(io::BufReader::new(file)).take(MOST_INFLATED).read_to_end(&mut inflated);
            damage = match read {
                Err(error) => Some(format!("gzip: {error}; only the bytes before that are used")),
                Ok(_) if inflated.len() as u64 == MOST_INFLATED => {
                    Some(format!("gzip: more than {MOST_INFLATED} bytes"))
                }
                Ok(_) => None,
            };
            let len = inflated.len() as u64;
            (Content::Memory(inflated), len)
        } else {
            (Content::File(path.to_owned()), meta.len())
        };
        let changed = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let changed = changed.and_then(|since| i64::try_from(since.as_secs()).ok());
        let changed = changed.filter(|&seconds| seconds >= FIRST_SECOND);
        let date = changed.and_then(|seconds| Timestamp::from_unix(seconds, 0));
        let mut head = String::from("WARC/1.1\r\nWARC-Type: resource\r\n");
        let url = about.url.filter(|url| !url.contains(char::is_control));
        head.extend(url.map(|url| format!("WARC-Target-URI: {url}\r\n")));
        head.extend(date.map(|date| format!("WARC-Date: {date}\r\n")));
        if damage.is_some() {
            head.push_str("WARC-Truncated: unspecified\r\n");
        }
        head.extend([format!(
            "Content-Type: {}\r\nContent-Length: {content_len}\r\n\r\n",
            about.content_type
        )]);
        Ok(Self { head: head.into_bytes(), content, content_len, damage })
    }

    fn read_content(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        match &self.content {
            Content::Memory(bytes) => bytes.get(offset as usize..).unwrap_or_default().read(room),
            Content::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(offset))?;
                let left = usize::try_from(self.content_len - offset).unwrap_or(usize::MAX);
                let room_len = room.len().min(left);
                let read = file.read(&mut room[..room_len])?;
                if read == 0 && room_len > 0 {
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file has become shorter"));
                }
                Ok(read)
            }
        }
    }
}

impl Bytes for FileRecord {
    fn len(&self) -> u64 {
        (self.head.len() + END.len()) as u64 + self.content_len
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        let content = self.head.len() as u64;
        let end = content + self.content_len;
        if offset < content {
            (&self.head[offset as usize..]).read(room)
        } else if offset < end {
            self.read_content(offset - content, room)
        } else {
            END.get((offset - end) as usize..).unwrap_or_default().read(room)
        }
    }

    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
        self
    }

    fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mode, Source};

    fn record_of(path: &Path, url: Option<&str>) -> (Vec<u8>, Option<String>, u64) {
        let record =
            FileRecord::open(path, FileRecordHead { url, content_type: "text/html" }).expect("it opens");
        let mut reader = Source::stored(path, Arc::new(record)).open(Mode::Lenient).expect("it opens");
        let mut record = reader.next().expect("sound").expect("one record");
        let mut body = Vec::new();
        record.body.read_to_end(&mut body).expect("it reads");
        let url = record.head.target_uri().map(std::borrow::Cow::into_owned);
        record.finish().expect("it ends");
        assert!(reader.next().expect("sound").is_none());
        let damage = reader.take_faults().counts().of_severity(crate::Severity::Damage);
        (body, url, damage)
    }

    #[test]
    fn a_file_is_one_record() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.html");
        for content in [&b""[..], b"<p>One", b"WARC/1.0\r\n\r\n", &vec![b'x'; 3_000_000]] {
            std::fs::write(&path, content).expect("it writes");
            assert_eq!(record_of(&path, None), (content.to_vec(), None, 0));
            let url = "http://a.example/";
            assert_eq!(record_of(&path, Some(url)), (content.to_vec(), Some(url.to_owned()), 0));
        }
    }

    #[test]
    fn a_gzipped_file_is_inflated_as_far_as_it_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.html.gz");
        let page = b"<p>It was a dark and stormy night.".repeat(100);
        let packed = tamis_testkit::member::gzip(&page);
        std::fs::write(&path, &packed).expect("it writes");
        assert_eq!(record_of(&path, None), (page.clone(), None, 0));
        std::fs::write(&path, &packed[..packed.len() - 12]).expect("it writes");
        let (body, _, damage) = record_of(&path, None);
        assert!(page.starts_with(&body) && !body.is_empty());
        assert!(damage > 0, "the cut is reported");
    }
}
