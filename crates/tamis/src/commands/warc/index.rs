//! `tamis warc index`: CDXJ, CDX or ZipNum indexes of archives.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use tamis_archive::cdx::{
    CdxEntry, IdxStyle, IndexOptions, Indexer, Legend, SortOptions, Sorter, ZipNumWriter,
};
use tamis_archive::{Reader, RecordType, Source};

use crate::archives::{ArchiveArgs, Archives, Tally};
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::outcome::Outcome;
use crate::output::{Content, Output, OutputArgs};
use crate::progress::Work;
use crate::session::Session;
use crate::summary::Summary;

/// The arguments of `tamis warc index`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The index is sorted. Beyond --memory, sorted runs are written to files next to the output \
    (or in the folder for temporary files) and are merged.\n\nExamples:\n  \
    tamis warc index crawl/*.warc.gz -o crawl.cdxj\n  \
    tamis warc index crawl/ --format zipnum -o crawl    (writes crawl.cdxj.gz and crawl.idx)"
)]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Index format: cdxj, cdx (eleven columns) or zipnum (compressed, with a secondary index)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, value_name = "FORMAT")]
    format: Format,
    /// Record types to index
    #[arg(long = "type", value_delimiter = ',', value_name = "TYPES", default_value = "response,revisit,resource,metadata", value_parser = record_type)]
    types: Vec<RecordType>,
    /// Include the body of POST and PUT requests in the key (single-threaded)
    #[arg(long)]
    post: bool,
    /// Write paths of archives relative to DIR instead of file names
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Keep the order of the records
    #[arg(long, conflicts_with = "format")]
    unsorted: bool,
    /// Memory limit for sorting
    #[arg(long, value_name = "SIZE", default_value = "64 MB")]
    memory: HumanSize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    #[default]
    Cdxj,
    Cdx,
    Zipnum,
}

/// Lines, each with its line end.
#[derive(Default)]
struct Lines {
    text: Vec<u8>,
    count: u64,
}

/// Indexes archives.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let mut target = Target::open(args, session)?;
    let mut count = 0;
    let work = Work {
        verb: "indexing",
        item: "record",
        total_bytes: archives.total_bytes(),
        data_on_stdout: args.output.path().is_none(),
    };
    let take = |_: &Source, lines: Lines| {
        count += lines.count;
        target.push(&lines.text)
    };
    let tally = if args.post {
        index_in_order(args, &archives, session, take)?
    } else {
        archives.read(session, work, |part, lines| args.index(part.reader, part.source, lines), take)?
    };
    let place = target.finish(args)?;
    if let Some(place) = place {
        let mut summary = Summary::default();
        summary
            .read(format_args!("{}, {}", HumanCount::of(tally.files, "file"), HumanSize(tally.bytes)))
            .wrote(HumanCount::of(count, "line"))
            .went_to(&place)
            .next(format_args!("tamis warc get URL ARCHIVE --index {place}"));
        session.printer.summary(&summary);
    }
    Ok(tally.outcome())
}

/// Requests and responses are joined across the whole file, so one thread reads it.
fn index_in_order(
    args: &Args,
    archives: &Archives,
    session: &Session,
    mut take: impl FnMut(&Source, Lines) -> anyhow::Result<()>,
) -> anyhow::Result<Tally> {
    let work =
        Work { verb: "indexing", item: "record", total_bytes: archives.total_bytes(), data_on_stdout: true };
    let indexers = std::sync::Mutex::new((None, Indexer::default()));
    archives.one_thread().read(
        session,
        work,
        |part, lines| {
            let mut state = indexers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (file, indexer) = &mut *state;
            if file.replace(part.index) != Some(part.index) {
                *indexer = Indexer::new(args.options());
            }
            args.index_with(indexer, part.reader, part.source, lines)
        },
        |source, lines| take(source, lines),
    )
}

impl Args {
    fn options(&self) -> IndexOptions {
        IndexOptions { types: self.types.clone(), post_append: self.post }
    }

    fn index(&self, reader: &mut Reader, source: &Source, lines: &mut Lines) -> tamis_archive::Result<()> {
        self.index_with(&mut Indexer::new(self.options()), reader, source, lines)
    }

    fn index_with(
        &self,
        indexer: &mut Indexer,
        reader: &mut Reader,
        source: &Source,
        lines: &mut Lines,
    ) -> tamis_archive::Result<()> {
        let name = self.name(source);
        let mut entries = Vec::new();
        let read = loop {
            let taken = match reader.next() {
                Ok(Some(record)) => indexer.index(record, &name, &mut entries),
                Ok(None) => break Ok(()),
                Err(error) => Err(error),
            };
            entries.drain(..).for_each(|entry| lines.push(&entry, self.format));
            if taken.is_err() {
                break taken;
            }
        };
        // Nothing follows that could still belong to what waits.
        if reader.is_at_end() || read.is_err() {
            indexer.flush(&mut entries);
            entries.drain(..).for_each(|entry| lines.push(&entry, self.format));
        }
        read
    }

    /// How the index calls an archive.
    fn name(&self, source: &Source) -> String {
        let relative = match (&self.root, source.own_path()) {
            (Some(root), Some(path)) => {
                let (root, path) = (root.canonicalize().ok(), path.canonicalize().ok());
                root.zip(path).and_then(|(root, path)| path.strip_prefix(root).ok().map(Path::to_path_buf))
            }
            _ => None,
        };
        relative.map_or_else(|| source.file_name(), |path| path.to_string_lossy().replace('\\', "/"))
    }
}

impl Lines {
    fn push(&mut self, entry: &CdxEntry, format: Format) {
        let line = match format {
            Format::Cdxj | Format::Zipnum => entry.to_cdxj(),
            Format::Cdx => {
                // CDX has the digest without its algorithm, and a word for a media type that is none.
                let digest = entry.digest.rsplit(':').next().unwrap_or_default().to_owned();
                let mime = if is_media_type(&entry.mime) { entry.mime.clone() } else { "unk".into() };
                CdxEntry { digest, mime, ..entry.clone() }.to_cdx11()
            }
        };
        self.text.extend_from_slice(line.as_bytes());
        self.text.push(b'\n');
        self.count += 1;
    }
}

/// Where the lines go.
enum Target<'p> {
    Unsorted(Output<'p>),
    Sorted(Box<Sorter>, Output<'p>),
    ZipNum(Box<Sorter>, Box<(Output<'static>, Output<'static>)>, String),
}

impl<'p> Target<'p> {
    fn open(args: &Args, session: &'p Session) -> anyhow::Result<Self> {
        if args.unsorted {
            return Ok(Self::Unsorted(args.output.open(&session.printer, Content::Text)?));
        }
        let beside = args.output.path().and_then(Path::parent).filter(|folder| folder.is_dir());
        let folder = beside.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let memory_bytes = usize::try_from(args.memory.0).unwrap_or(usize::MAX);
        let sorter = Box::new(Sorter::new(SortOptions { memory_bytes, ..SortOptions::new(folder) }));
        if args.format != Format::Zipnum {
            return Ok(Self::Sorted(sorter, args.output.open(&session.printer, Content::Text)?));
        }
        let Some(prefix) = args.output.path() else {
            return Err(anyhow!("a ZipNum index consists of two files"))
                .hint("give their prefix with `-o PREFIX`");
        };
        let with = |suffix: &str| PathBuf::from(format!("{}{suffix}", prefix.display()));
        let data = Output::create(&with(".cdxj.gz"), args.output.force())?;
        let index = Output::create(&with(".idx"), args.output.force())?;
        let shard = with(".cdxj.gz").file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::ZipNum(sorter, Box::new((data, index)), shard))
    }

    fn push(&mut self, text: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Unsorted(output) => output.write_all(text)?,
            Self::Sorted(sorter, _) | Self::ZipNum(sorter, ..) => {
                for line in text.split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
                    sorter.push(line)?;
                }
            }
        }
        Ok(())
    }

    /// Writes all out. The file that a look-up begins with, if it is one.
    fn finish(self, args: &Args) -> anyhow::Result<Option<String>> {
        let path = args.output.path().map(|path| path.display().to_string());
        match self {
            Self::Unsorted(output) => output.finish()?,
            Self::Sorted(sorter, mut output) => {
                if args.format == Format::Cdx {
                    writeln!(output, "{}", Legend::cdx11().header())?;
                }
                sorter.finish(&mut output).context("cannot write the index")?;
                output.finish()?;
            }
            Self::ZipNum(sorter, files, shard) => {
                let (data, index) = *files;
                let mut writer = ZipNumWriter::new(data, index, shard, IdxStyle::Tabs);
                let mut lines = sorter.into_lines()?;
                while let Some(line) = lines.next_line()? {
                    writer.push(line)?;
                }
                let (data, index) = writer.finish()?;
                data.finish()?;
                index.finish()?;
                return Ok(path.map(|path| format!("{path}.idx")));
            }
        }
        Ok(path)
    }
}

fn is_media_type(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_'))
    };
    text.split_once('/').is_some_and(|(kind, subtype)| is_word(kind) && is_word(subtype))
}

fn record_type(name: &str) -> Result<RecordType, String> {
    match RecordType::from_name(name.as_bytes()) {
        RecordType::Other => {
            let known: Vec<_> = RecordType::KNOWN.iter().map(|known| known.name()).collect();
            Err(format!("unknown type; known types: {}", known.join(", ")))
        }
        known => Ok(known),
    }
}
