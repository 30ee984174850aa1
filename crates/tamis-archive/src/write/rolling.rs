//! A folder filled with archives of a bounded size.

use std::io::Read;
use std::path::PathBuf;

use super::open_file::OpenFile;
use super::{Block, NewRecord, RecordId, Writer, WriterOptions, Written};
use crate::{Error, Result, Timestamp};

/// Where a [`RollingWriter`] writes, and under which names: `PREFIX-YYYYMMDDhhmmss-NNNNN.warc.gz`.
#[derive(Debug, Clone)]
pub struct RollingOptions {
    /// The folder, which must be there.
    pub folder: PathBuf,
    /// What each name begins with.
    pub prefix: String,
    /// The moment in each name; when the run began, for instance.
    pub timestamp: Timestamp,
    /// The serial number of the first file.
    pub first_serial: u32,
    /// A file that has reached this many bytes gets no further capture.
    pub max_bytes: u64,
    /// Whether the id of each warcinfo record is made of the file's name alone: see [`RollingOptions::warcinfo_id`].
    pub names_warcinfo: bool,
    /// The block of the warcinfo record of each file, made by [`warc_fields`](super::warc_fields).
    pub warcinfo: Vec<u8>,
    /// How records are written.
    pub writer: WriterOptions,
}

impl RollingOptions {
    /// Files of 1 GB, numbered from 0.
    pub fn new(folder: impl Into<PathBuf>, prefix: impl Into<String>, timestamp: Timestamp) -> Self {
        Self {
            folder: folder.into(),
            prefix: prefix.into(),
            timestamp,
            first_serial: 0,
            max_bytes: 1_000_000_000,
            names_warcinfo: false,
            warcinfo: Vec::new(),
            writer: WriterOptions::default(),
        }
    }

    /// The name of the file with this serial number.
    pub fn file_name(&self, serial: u32) -> String {
        let Self { prefix, timestamp, writer, .. } = self;
        format!("{prefix}-{}-{serial:05}{}", timestamp.digits(), writer.compression.suffix())
    }

    /// The id of the warcinfo record of a file, with [`RollingOptions::names_warcinfo`]: who makes records elsewhere can name it before
    /// there is a file.
    pub fn warcinfo_id(file_name: &str) -> RecordId {
        RecordId::from_facts([&b"warcinfo"[..], file_name.as_bytes()])
    }

    fn check(&self) -> Result<()> {
        let is_plain = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | ':');
        if self.prefix.is_empty() || self.prefix.starts_with('.') || !self.prefix.chars().all(is_plain) {
            return Err(Error::Value {
                what: "file name prefix",
                value: self.prefix.clone(),
                why: "it is empty, starts with a dot, or contains a slash, a colon or a control character"
                    .into(),
            });
        }
        Ok(())
    }
}

/// Writes records into one file after the other.
///
/// A file is called `….open` until it is closed. Each begins with a warcinfo record. A record that is concurrent to
/// another stays in the file of the record before it, so that a request lies beside its response. A record that fails
/// to be written is taken back; the next one can be tried.
///
/// [`RollingWriter::finish`] closes the last file and tells what went wrong; dropping closes it too, in silence.
#[derive(Debug)]
pub struct RollingWriter {
    options: RollingOptions,
    writer: Option<Writer<OpenFile>>,
    next_serial: u32,
    closed: Vec<PathBuf>,
}

impl RollingWriter {
    /// Nothing is created before the first record.
    pub fn new(mut options: RollingOptions) -> Result<Self> {
        options.check()?;
        options.writer.compression.check()?;
        let folder = &options.folder;
        options.writer.spool_folder.get_or_insert_with(|| folder.clone());
        Ok(Self { next_serial: options.first_serial, options, writer: None, closed: Vec::new() })
    }

    /// Writes a record with its block, into the next file if this one is full.
    pub fn write<'b>(&mut self, record: &NewRecord, block: impl Into<Block<'b>>) -> Result<Written> {
        record.check()?;
        let stays = record.fields.get("WARC-Concurrent-To").is_some();
        let writer = self.ready(record.date, stays)?;
        let written = writer.write(record, block);
        mend(writer, written)
    }

    /// Copies a WARC record as [`Writer::write_raw`] does, into the next file if this one is full.
    pub fn write_raw<'b>(&mut self, head: &[u8], block: impl Into<Block<'b>>) -> Result<(u64, u64)> {
        let writer = self.ready(self.options.timestamp, false)?;
        let written = writer.write_raw(head, block);
        mend(writer, written)
    }

    /// Appends whole records that a [`Writer`] of the same options, [continuing](Writer::continuing), stored in memory
    /// ([`Writer::take_stored`]); into the next file if this one is full. Gives the offset of the first.
    pub fn append(&mut self, stored: &[u8], date: Timestamp) -> Result<u64> {
        let writer = self.ready(date, false)?;
        let written = writer.write_stored(stored);
        mend(writer, written)
    }

    /// The same for records that are in a file or elsewhere: the next `len` bytes of `stored`.
    pub fn append_from(&mut self, stored: &mut dyn Read, len: u64, date: Timestamp) -> Result<u64> {
        let writer = self.ready(date, false)?;
        let written = writer.copy_stored(stored, len);
        mend(writer, written)
    }

    /// Brings what was written to the disk.
    pub fn sync(&self) -> Result<()> {
        match &self.writer {
            Some(writer) => writer.get_ref().sync().map_err(Error::io(writer.path())),
            None => Ok(()),
        }
    }

    /// Where the next record will begin in the file of the last one; 0 before the first record.
    pub fn offset(&self) -> u64 {
        self.writer.as_ref().map_or(0, Writer::offset)
    }

    /// The serial number of the file of the last record. None before the first record.
    pub fn serial(&self) -> Option<u32> {
        self.writer.as_ref().map(|_| self.next_serial - 1)
    }

    /// The name that the file of the last record has or will have. None before the first record.
    pub fn file_name(&self) -> Option<&str> {
        self.writer.as_ref()?.get_ref().final_path().file_name()?.to_str()
    }

    /// The files closed so far.
    pub fn closed(&self) -> &[PathBuf] {
        &self.closed
    }

    /// Closes the last file. Gives all files of this writer.
    pub fn finish(mut self) -> Result<Vec<PathBuf>> {
        self.close()?;
        Ok(std::mem::take(&mut self.closed))
    }

    /// The writer of the file that takes the next record. A new file gets its warcinfo record, of the given date.
    fn ready(&mut self, date: Timestamp, stays: bool) -> Result<&mut Writer<OpenFile>> {
        let is_full = |writer: &Writer<OpenFile>| writer.offset() >= self.options.max_bytes && !stays;
        let writer = match self.writer.take() {
            Some(writer) if !is_full(&writer) => writer,
            before => self.turn_page(before, date)?,
        };
        Ok(self.writer.insert(writer))
    }

    /// Opens the next file and closes the one before, whose memory and count of ids live on.
    fn turn_page(&mut self, before: Option<Writer<OpenFile>>, date: Timestamp) -> Result<Writer<OpenFile>> {
        let RollingOptions { folder, writer: options, .. } = &self.options;
        let serial = self.next_serial;
        let name = self.options.file_name(serial);
        let path = folder.join(&name);
        let file = match OpenFile::create(path.clone()) {
            Ok(file) => file,
            Err(error) => {
                self.writer = before;
                return Err(error);
            }
        };
        self.next_serial = serial.saturating_add(1);
        let mut writer = match before {
            Some(mut writer) => {
                let full = writer.restart(file, path);
                self.closed.push(full.close()?);
                writer
            }
            None => Writer::new(file, options.clone())?.named(path),
        };
        let mut warcinfo = NewRecord::warcinfo(date).filename(&name);
        if self.options.names_warcinfo {
            warcinfo = warcinfo.id(RollingOptions::warcinfo_id(&name));
        }
        let written = writer.write(&warcinfo, &self.options.warcinfo);
        mend(&mut writer, written)?;
        Ok(writer)
    }

    fn close(&mut self) -> Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        if writer.is_torn() {
            let source = std::io::Error::other(
                "a record was written only in part; the file is left open for recovery",
            );
            return Err(Error::Io { path: writer.path().into(), source });
        }
        self.closed.push(writer.finish()?.close()?);
        Ok(())
    }
}

impl Drop for RollingWriter {
    fn drop(&mut self) {
        // Whoever wants to know calls `finish`. A file that stays open here is one for `recover_open`.
        let _ = self.close();
    }
}

/// After a record that went wrong half way, cuts the file back to the record before.
fn mend<T>(writer: &mut Writer<OpenFile>, written: Result<T>) -> Result<T> {
    if written.is_err() && writer.is_torn() && writer.cut_back().is_ok() {
        writer.mended();
    }
    written
}

impl Writer<OpenFile> {
    fn cut_back(&mut self) -> std::io::Result<()> {
        let offset = self.offset();
        self.get_mut().cut(offset)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::{Recovery, recover_open};
    use super::*;

    fn options(folder: &std::path::Path, max_bytes: u64) -> RollingOptions {
        let timestamp = "2024-04-08T18:18:29Z".parse().expect("a moment");
        RollingOptions { max_bytes, ..RollingOptions::new(folder, "run", timestamp) }
    }

    fn names(folder: &std::path::Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("reads");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("reads").file_name().into_string().expect("is text")).collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_open_then_closed_and_numbered() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = RollingWriter::new(options(folder.path(), 1)).expect("good options");
        assert_eq!((writer.file_name(), names(folder.path()).len()), (None, 0));
        let date = "2024-04-08T18:18:30Z".parse().expect("a moment");
        let response = writer.write(&NewRecord::response("http://a/", date), b"x").expect("writes");
        assert_eq!(names(folder.path()), ["run-20240408181829-00000.warc.gz.open"]);
        let request = NewRecord::request("http://a/", date).concurrent_to(&response.record_id);
        writer.write(&request, b"y").expect("writes");
        assert_eq!(
            writer.file_name(),
            Some("run-20240408181829-00000.warc.gz"),
            "a request stays by its response"
        );
        writer.write(&NewRecord::response("http://b/", date), b"x").expect("writes");
        let last = "run-20240408181829-00001.warc.gz";
        assert_eq!(
            names(folder.path()),
            ["run-20240408181829-00000.warc.gz".to_owned(), format!("{last}.open")]
        );
        drop(writer);
        assert_eq!(names(folder.path())[1], last, "dropping closes");
    }

    #[test]
    fn records_stored_elsewhere_are_appended_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let date = "2024-04-08T18:18:30Z".parse().expect("a moment");
        let mut rolling = RollingWriter::new(options(folder.path(), 900)).expect("good options");
        let mut memory =
            Writer::new(Vec::new(), WriterOptions::default()).expect("good options").continuing();
        for number in 0..8 {
            let uri = format!("http://a/{number}");
            memory.write(&NewRecord::response(&uri, date), b"x").expect("writes");
            memory.write(&NewRecord::request(&uri, date), b"y").expect("writes");
            let stored = memory.take_stored();
            let offset = rolling.append(&stored, date).expect("appends");
            assert_eq!(rolling.offset(), offset + stored.len() as u64);
        }
        let files = rolling.finish().expect("closes");
        assert!(files.len() > 1);
        let decode = |path| super::super::test_reader::decode(&fs::read(path).expect("is there"), b"");
        let seen: Vec<_> =
            files.iter().flat_map(|path| super::super::test_reader::parse_all(&decode(path))).collect();
        let uris: Vec<_> = seen.iter().filter_map(|record| record.text("WARC-Target-URI")).collect();
        let expected: Vec<String> = (0..16).map(|number| format!("http://a/{}", number / 2)).collect();
        assert_eq!(uris, expected);
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let date = "2024-04-08T18:18:30Z".parse().expect("a moment");
        for taken in ["run-20240408181829-00000.warc.gz", "run-20240408181829-00000.warc.gz.open"] {
            fs::write(folder.path().join(taken), "other").expect("writes");
            let mut writer = RollingWriter::new(options(folder.path(), 1)).expect("good options");
            assert!(writer.write(&NewRecord::response("http://a/", date), b"x").is_err(), "{taken}");
            assert_eq!(fs::read(folder.path().join(taken)).expect("is there"), b"other");
            fs::remove_file(folder.path().join(taken)).expect("removes");
        }
    }

    #[test]
    fn a_refused_record_leaves_the_file_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let date = "2024-04-08T18:18:30Z".parse().expect("a moment");
        let mut writer = RollingWriter::new(options(folder.path(), 1 << 20)).expect("good options");
        assert!(writer.write(&NewRecord::response("http://a/\r\n", date).field("a b", "c"), b"x").is_err());
        assert_eq!(names(folder.path()).len(), 0, "no file for nothing");
        writer.write(&NewRecord::response("http://a/", date), b"x").expect("writes");
        let mut broken = BrokenStream;
        assert!(writer.write(&NewRecord::response("http://b/", date), &mut broken).is_err());
        writer.write(&NewRecord::response("http://c/", date), b"x").expect("goes on");
        let files = writer.finish().expect("closes");
        let bytes = fs::read(&files[0]).expect("is there");
        let seen = super::super::test_reader::parse_all(&super::super::test_reader::decode(&bytes, b""));
        let uris: Vec<_> = seen.iter().filter_map(|record| record.text("WARC-Target-URI")).collect();
        assert_eq!(uris, ["http://a/", "http://c/"]);
    }

    struct BrokenStream;

    impl std::io::Read for BrokenStream {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::ConnectionReset.into())
        }
    }

    #[test]
    fn a_file_that_is_being_written_is_not_recovered() {
        let folder = tempfile::tempdir().expect("a folder");
        let date = "2024-04-08T18:18:30Z".parse().expect("a moment");
        let mut writer = RollingWriter::new(options(folder.path(), 1 << 20)).expect("good options");
        writer.write(&NewRecord::response("http://a/", date), b"x").expect("writes");
        let recovered = recover_open(folder.path()).expect("reads");
        assert_eq!(recovered[0].recovery, Recovery::InUse);
        writer.finish().expect("closes");
    }

    #[test]
    fn prefixes_that_lead_elsewhere_are_refused() {
        for prefix in ["", ".hidden", "../up", "a/b", "a\\b", "c:", "a\nb"] {
            let timestamp = "2024-04-08T18:18:29Z".parse().expect("a moment");
            assert!(RollingWriter::new(RollingOptions::new("x", prefix, timestamp)).is_err(), "{prefix:?}");
        }
    }
}
