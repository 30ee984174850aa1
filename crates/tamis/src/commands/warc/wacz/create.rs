//! `tamis warc wacz create`: archives, their index and their pages packed into one file.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use tamis_archive::cdx::{CdxEntry, IdxStyle, IndexOptions, Indexer, SortOptions, Sorter, ZipNumWriter};
use tamis_archive::wacz::{self, IndexFile, Overwrite, PageList, WaczContents};
use tamis_archive::{Part, Source, Timestamp, surt};

use super::pages::Pages;
use crate::archives::{ArchiveArgs, Archives, Tally};
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::{folder_of, place};
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;
use crate::work_folder::WorkFolder;

/// So many lines of the index are in a block, as in the packages of Webrecorder's tools: a reader fetches one for a URL.
const LINES_PER_BLOCK: u64 = 1024;

const DATA: &str = "index.cdx.gz";
const IDX: &str = "index.idx";

/// The arguments of `tamis warc wacz create`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Archives are stored unchanged, plain or compressed, so digests and offsets stay valid; \
    use `tamis warc convert` first to compress plain ones. Archives in other packages are copied.\n\n\
    The page list has the HTML responses with status 200, ordered by time, unless --pages is given.\n\n\
    Examples:\n  \
    tamis warc wacz create crawl/*.warc.gz -o crawl.wacz --title 'A crawl'\n  \
    tamis warc wacz create a.wacz b.wacz -o both.wacz"
)]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Package to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the package if it exists
    #[arg(long)]
    force: bool,
    /// Title of the package
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Description of the package
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Start page
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Capture time of the start page [default: its first capture]
    #[arg(long, value_name = "TIME", requires = "url")]
    date: Option<Timestamp>,
    /// Page list: JSON Lines with `url`, `ts` and optionally `title`
    #[arg(long, value_name = "FILE")]
    pages: Option<PathBuf>,
    /// Creation time; makes packages of the same inputs identical [default: now]
    #[arg(long, value_name = "TIME")]
    created: Option<Timestamp>,
}

/// What the records tell: lines of the index, pages, and the page to begin with.
struct Gathered<'a> {
    index: Sorter,
    pages: Pages,
    main_key: Option<String>,
    /// The first capture of the page to begin with.
    main_date: Option<Timestamp>,
    entries: u64,
    /// Entries that no range of the file holds alone.
    unreachable: u64,
    args: &'a Args,
}

/// Makes a package.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let target = place(&args.output, args.force)?;
    let archives = args.archives.open(session)?;
    check_sources(&archives.sources)?;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let folder = WorkFolder::open(folder_of(&target).join(format!(".{name}.parts")))?;
    let mut gathered = Gathered::new(args, folder.path())?;
    let tally = gathered.read(&archives, session)?;
    gathered.tell_unreachable(session);
    let main_page = gathered.main_page()?;
    let entries = gathered.entries;
    let pages = gathered.write_index(folder.path())?;
    let mut page_count = 0;
    let pages = pages.into_iter()?.inspect(|_| page_count += 1);
    let contents = WaczContents {
        warcs: &archives.sources,
        indexes: &[
            IndexFile { name: DATA, path: &folder.path().join(DATA) },
            IndexFile { name: IDX, path: &folder.path().join(IDX) },
        ],
        page_lists: vec![PageList { id: "pages", title: "All Pages", pages: Box::new(pages) }],
        created: args.created.map_or_else(now, Ok)?,
        title: args.title.as_deref(),
        description: args.description.as_deref(),
        software: Some(concat!("tamis ", env!("CARGO_PKG_VERSION"))),
        main_page,
    };
    pack(args, &target, contents, archives.total_bytes(), session)?;
    summarise(&tally, entries, page_count, args, session);
    Ok(tally.outcome())
}

/// Refuses what a package cannot hold before any work is done.
fn check_sources(sources: &[Source]) -> anyhow::Result<()> {
    if sources.is_empty() {
        return Err(anyhow!("no archives to put into the package"));
    }
    let mut names = HashSet::new();
    for source in sources {
        let (name, shown) = (source.file_name(), source.name());
        if !is_warc_name(&name) {
            return Err(anyhow!("{}: a package can only contain .warc and .warc.gz files", shown.display()))
                .hint("`tamis warc convert` converts ARC, zstd or stdin to one");
        }
        if !names.insert(name) {
            return Err(anyhow!("{}: another archive has the same name", shown.display()))
                .hint("rename one of them: names in a package must be unique");
        }
    }
    Ok(())
}

fn is_warc_name(name: &str) -> bool {
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    Path::new(plain).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("warc"))
}

impl<'a> Gathered<'a> {
    fn new(args: &'a Args, folder: &Path) -> anyhow::Result<Self> {
        let options = SortOptions::new(folder);
        let pages = match &args.pages {
            Some(path) => Pages::given(path)?,
            None => Pages::find(SortOptions { memory_bytes: 16 << 20, ..options.clone() }),
        };
        Ok(Self {
            index: Sorter::new(options),
            pages,
            main_key: args.url.as_deref().map(surt),
            main_date: None,
            entries: 0,
            unreachable: 0,
            args,
        })
    }

    /// Indexes all archives. One thread does, since a request and its response are joined wherever they stand.
    fn read(&mut self, archives: &Archives, session: &Session) -> anyhow::Result<Tally> {
        let work = Work {
            verb: "indexing",
            item: "record",
            total_bytes: archives.total_bytes(),
            data_on_stdout: false,
        };
        let state = Mutex::new((None, Indexer::default()));
        let read = |mut part: Part<'_>, entries: &mut Vec<_>| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (file, indexer) = &mut *state;
            if file.replace(part.index) != Some(part.index) {
                *indexer = Indexer::new(IndexOptions { post_append: true, ..IndexOptions::default() });
            }
            index_part(indexer, &mut part, entries)
        };
        archives.one_thread().read(session, work, read, |_, entries| {
            entries.iter().try_for_each(|entry| Ok(self.take(entry)?))
        })
    }

    fn take(&mut self, entry: &CdxEntry) -> tamis_archive::Result<()> {
        self.entries += 1;
        self.unreachable += u64::from(entry.length.is_none());
        if self.main_key.as_deref() == Some(&entry.urlkey)
            && let Some(moment) = Timestamp::parse(entry.timestamp.as_bytes())
        {
            self.main_date = Some(self.main_date.map_or(moment, |first| first.min(moment)));
        }
        self.pages.note(entry)?;
        Ok(self.index.push(entry.to_cdxj().as_bytes())?)
    }

    fn tell_unreachable(&self, session: &Session) {
        if self.unreachable > 0 {
            session.printer.warn(format_args!(
                "{} share a compressed member with others, so a replay tool may not find them; \
                 `tamis warc convert` writes one member per record",
                HumanCount::of(self.unreachable, "record"),
            ));
        }
    }

    /// The page to begin with, which must be there.
    fn main_page(&self) -> anyhow::Result<Option<(&'a str, Option<Timestamp>)>> {
        let Some(url) = self.args.url.as_deref() else { return Ok(None) };
        let Some(first) = self.main_date else {
            return Err(anyhow!("no archive has a capture of {url}"))
                .hint("`tamis warc ls` lists all captures");
        };
        Ok(Some((url, Some(self.args.date.unwrap_or(first)))))
    }

    /// Writes the index, and gives the pages back.
    fn write_index(self, folder: &Path) -> anyhow::Result<Pages> {
        let create = |name: &str| {
            let path = folder.join(name);
            File::create(&path)
                .map(BufWriter::new)
                .with_context(|| format!("cannot write {}", path.display()))
        };
        let writer = ZipNumWriter::new(create(DATA)?, create(IDX)?, DATA, IdxStyle::JsonWithDigest);
        let mut writer = writer.lines_per_block(LINES_PER_BLOCK);
        let mut lines = self.index.into_lines()?;
        while let Some(line) = lines.next_line()? {
            writer.push(line)?;
        }
        writer.finish()?;
        Ok(self.pages)
    }
}

fn index_part(
    indexer: &mut Indexer,
    part: &mut Part<'_>,
    entries: &mut Vec<CdxEntry>,
) -> tamis_archive::Result<()> {
    let name = part.source.file_name();
    while let Some(record) = part.reader.next()? {
        indexer.index(record, &name, entries)?;
    }
    if part.reader.is_at_end() {
        indexer.flush(entries);
    }
    Ok(())
}

/// Writes the package, with a bar and an ear for Ctrl-C.
fn pack(
    args: &Args,
    target: &Path,
    contents: WaczContents<'_>,
    total_bytes: Option<u64>,
    session: &Session,
) -> anyhow::Result<()> {
    let work = Work { verb: "packing", item: "file", total_bytes, data_on_stdout: false };
    let progress = Progress::start(&session.printer, work);
    let mut watch = |bytes| {
        progress.add(bytes, 0);
        interrupt::check().map_err(io::Error::other)
    };
    let overwrite = if args.force { Overwrite::Replace } else { Overwrite::Refuse };
    let made = wacz::create(target, contents, overwrite, &mut watch);
    if made.is_err() {
        // It failed because it was asked to stop.
        interrupt::check()?;
    }
    made?;
    Ok(())
}

fn summarise(tally: &Tally, entries: u64, pages: u64, args: &Args, session: &Session) {
    let output = args.output.display();
    let mut summary = Summary::default();
    summary
        .read(format_args!("{}, {}", HumanCount::of(tally.files, "file"), HumanSize(tally.bytes)))
        .wrote(format_args!("{}, {}", HumanCount::of(entries, "capture"), HumanCount::of(pages, "page")))
        .went_to(&output)
        .next(format_args!("tamis warc wacz validate {output}"));
    session.printer.summary(&summary);
}

fn now() -> anyhow::Result<Timestamp> {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let seconds = i64::try_from(elapsed.as_secs())?;
    Timestamp::from_unix(seconds, 0).context("the system clock is wrong")
}
