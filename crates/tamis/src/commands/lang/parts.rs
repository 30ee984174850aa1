//! The files of lines, one a partition.

use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use tamis_table::language::{Line, Table};
use tamis_table::sink::{JsonlSink, ParquetOptions, ParquetSink, Sink, SinkError};
use tamis_words::language::AnswerLine;
use tempfile::TempDir;

use crate::hint::WithHint;
use crate::interrupt;
use crate::output::folder_of;

/// Lines are handed to a sink of columns so many at a time.
const BATCH: usize = 4096;

/// How lines are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// One line of text per page
    #[default]
    Text,
    /// One JSON object per page
    Jsonl,
    /// Parquet
    Parquet,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Jsonl => "jsonl",
            Self::Parquet => "parquet",
        }
    }

    /// A sink, one of so many.
    fn lines<'w>(self, to: impl Write + 'w, of: usize) -> Result<Box<dyn LineSink + 'w>, SinkError> {
        Ok(match self {
            Self::Text => Box::new(Text(to)),
            Self::Jsonl => Box::new(Columns {
                sink: Box::new(JsonlSink::new(to, &Table::schema())),
                table: Table::default(),
            }),
            Self::Parquet => {
                let usual = ParquetOptions::default();
                let group_bytes = (usual.group_bytes / of).max(1 << 20);
                let options = ParquetOptions { sorted_by: vec!["url".to_owned()], group_bytes, ..usual };
                let sink = Box::new(ParquetSink::new(to, &Table::schema(), &options)?);
                Box::new(Columns { sink, table: Table::default() })
            }
        })
    }
}

/// Where lines go.
trait LineSink {
    fn write(&mut self, line: &Line) -> Result<(), SinkError>;
    fn finish(self: Box<Self>) -> Result<(), SinkError>;
}

struct Text<W>(W);

impl<W: Write> LineSink for Text<W> {
    fn write(&mut self, line: &Line) -> Result<(), SinkError> {
        Ok(writeln!(self.0, "{}", AnswerLine::new(&line.url, &line.answer, &line.expected))?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.0.flush()?)
    }
}

struct Columns<'w> {
    sink: Box<dyn Sink + 'w>,
    table: Table,
}

impl LineSink for Columns<'_> {
    fn write(&mut self, line: &Line) -> Result<(), SinkError> {
        self.table.push(line);
        if self.table.len() == BATCH { self.sink.write(&self.table.take()) } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        self.sink.write(&self.table.take())?;
        self.sink.finish()
    }
}

/// The output of a job.
pub(super) struct Parts<'w> {
    sinks: Vec<Box<dyn LineSink + 'w>>,
    folder: Option<Folder>,
}

/// A folder that gets its name when all is in it.
struct Folder {
    /// The folder as it is asked for.
    path: PathBuf,
    /// The folder as it is written. Goes away when dropped.
    now: TempDir,
    force: bool,
    files: Vec<Arc<File>>,
}

impl<'w> Parts<'w> {
    /// Lines on stdout.
    pub(super) fn stdout(out: impl Write + 'w, format: Format) -> anyhow::Result<Self> {
        Ok(Self { sinks: vec![format.lines(out, 1)?], folder: None })
    }

    /// A folder with a file a partition.
    pub(super) fn create(path: &Path, force: bool, format: Format, partitions: u16) -> anyhow::Result<Self> {
        let mut folder = Folder::create(path, force)?;
        let mut sinks = Vec::new();
        for at in 0..partitions {
            let path = folder.now.path().join(format!("part-{at:05}.{}", format.ending()));
            let file = File::create_new(&path).with_context(|| format!("cannot write {}", path.display()))?;
            let file = Arc::new(file);
            folder.files.push(file.clone());
            sinks.push(
                format.lines(BufWriter::with_capacity(1 << 16, SharedFile(file)), usize::from(partitions))?,
            );
        }
        Ok(Self { sinks, folder: Some(folder) })
    }

    /// Writes a line into its partition.
    pub(super) fn write(&mut self, line: &Line) -> Result<(), SinkError> {
        let at = if self.sinks.len() == 1 { 0 } else { hash(&line.url) % self.sinks.len() as u64 };
        self.sinks[at as usize].write(line)
    }

    /// Ends all files. `also` are written beside them; then the folder gets its name.
    pub(super) fn finish(self, also: &[(&str, Vec<u8>)]) -> anyhow::Result<()> {
        let Self { sinks, folder } = self;
        for sink in sinks {
            sink.finish().map_err(anyhow::Error::from).context("cannot write the lines")?;
        }
        let Some(mut folder) = folder else { return Ok(()) };
        for (name, bytes) in also {
            let path = folder.now.path().join(name);
            let cannot = || format!("cannot write {}", path.display());
            let mut file = File::create_new(&path).with_context(cannot)?;
            file.write_all(bytes).with_context(cannot)?;
            folder.files.push(Arc::new(file));
        }
        folder.keep()
    }
}

/// The same for every run and every machine: which file a line is in must not change.
fn hash(url: &str) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.write(url.as_bytes());
    hash.finish()
}

/// FNV-1a, 64 bits.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        // The low bits of what ends alike are alike.
        self.0 ^ (self.0 >> 32)
    }
}

struct SharedFile(Arc<File>);

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Folder {
    fn create(path: &Path, force: bool) -> anyhow::Result<Self> {
        interrupt::watch();
        if path.exists() && !force {
            return Err(anyhow!("{} already exists", path.display())).hint("`--force` replaces it");
        }
        if path.exists() {
            replaceable(path)?;
        }
        let name = path.file_name().ok_or_else(|| anyhow!("{} is not a folder name", path.display()))?;
        let parent = folder_of(path);
        let now = tempfile::Builder::new()
            .prefix(&format!(".{}.", name.to_string_lossy()))
            .suffix(".part")
            .tempdir_in(parent)
            .with_context(|| format!("cannot write into {}", parent.display()))?;
        Ok(Self { path: path.to_owned(), now, force, files: Vec::new() })
    }

    fn keep(self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        for file in &self.files {
            file.sync_all().with_context(cannot)?;
        }
        let parent = folder_of(&self.path);
        let old = (self.force && self.path.exists()).then(|| tempfile::tempdir_in(parent)).transpose()?;
        if let Some(old) = &old {
            replaceable(&self.path)?;
            fs::rename(&self.path, old.path().join("old")).with_context(cannot)?;
        }
        fs::rename(self.now.path(), &self.path).with_context(cannot)?;
        // A folder is read by others, a temporary one is not.
        fs::set_permissions(&self.path, fs::Permissions::from_mode(0o755)).with_context(cannot)?;
        File::open(parent).and_then(|parent| parent.sync_all()).with_context(cannot)
    }
}

/// Refuses to replace a folder that is none of ours.
fn replaceable(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() && path.join(super::report::FILE).is_file() {
        return Ok(());
    }
    Err(anyhow!("{} was not written by `tamis lang`", path.display())).hint("give another folder")
}
