//! `tamis warc get`: the capture of a URL, by an index or by reading the archives.

mod catalog;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::ValueEnum;
use tamis_archive::cdx::{CdxEntry, Index, MatchType, Query};
use tamis_archive::http::HttpHead;
use tamis_archive::{Error, Mode, Reader, Reference, Severity, Source, Timestamp};

use self::catalog::{Catalog, Listing};
use super::part::{Part, PartWriter};
use crate::archives::{ArchiveArgs, Archives};
use crate::hint::WithHint;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::OutputArgs;
use crate::session::Session;
use tamis_archive::Content;

/// The arguments of `tamis warc get`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --index the archives are read from end to end; with it only the record itself is. \
    URLs are compared by their keys, so http and https, www and letter case make no difference. A revisit gives the \
    payload of the record it refers to.\n\n--list gives CDXJ lines in the order of an index, or with --at the nearest \
    first; they are sorted in 64 MiB of memory, however many they are.\n\nExit code 1 if there is no such capture.\n\nExamples:\n  \
    tamis warc get http://example.com/ crawl.warc.gz --at 2014\n  \
    tamis warc get 'example.com/a*' --index crawl.cdxj crawl/ --list"
)]
pub(super) struct Args {
    /// The URL; `*.example.com` is a domain, `example.com/a*` a prefix
    #[arg(value_name = "URL")]
    url: String,
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Look in this CDX, CDXJ or ZipNum index (.idx) first
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
    /// The capture nearest to this moment [default: the newest]
    #[arg(long, value_name = "TIME")]
    at: Option<Timestamp>,
    /// No captures before this moment
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// No captures after this moment
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// Which URLs beside the one given
    #[arg(long = "match", value_enum, value_name = "HOW")]
    match_type: Option<Match>,
    /// List the captures as CDXJ instead
    #[arg(long)]
    list: bool,
    /// List at most N captures
    #[arg(long, value_name = "N", requires = "list")]
    limit: Option<usize>,
    /// What to write of the record
    #[arg(long, value_enum, default_value_t = Part::Decoded)]
    part: Part,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Match {
    Exact,
    Prefix,
    Host,
    Domain,
}

/// Gets a capture.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let catalog = match &args.index[..] {
        [] => Catalog::Archives(&archives, session),
        paths => Catalog::Index(Box::new(open_index(paths)?)),
    };
    if args.list {
        let (listing, outcome) = catalog.list(&args.query())?;
        return Ok(list(listing, args, session)?.and(outcome).and(archives.skipped()));
    }
    let (pick, outcome) = catalog.pick(&args.query())?;
    let outcome = outcome.and(archives.skipped());
    let Some(entry) = pick.entry else { return Ok(none(args, session).and(outcome)) };
    let others = pick.count - 1;
    session.printer.note(format_args!("captured {} ({others} more; --list shows them)", entry.timestamp));
    let place = Place::of(&entry, args, &archives, session)?;
    let (place, entry) = match place.reference()? {
        None => (place, entry),
        Some(reference) => resolve(&reference, &entry, &catalog, args, &archives, session)?,
    };
    Ok(place.write(&entry, args, session)?.and(outcome))
}

fn open_index(paths: &[PathBuf]) -> anyhow::Result<Index> {
    let opened = Index::open(paths);
    if matches!(opened, Err(Error::Format { .. })) {
        return opened.hint("`--index` takes what `tamis warc index` writes; archives are named without it");
    }
    Ok(opened?)
}

fn none(args: &Args, session: &Session) -> Outcome {
    session.printer.warn(format_args!("no capture of {}", args.url));
    Outcome::Negative
}

impl Args {
    fn query(&self) -> Query {
        let pattern = Query::pattern(&self.url);
        let match_type = match self.match_type {
            None => pattern.match_type,
            Some(Match::Exact) => MatchType::Exact,
            Some(Match::Prefix) => MatchType::Prefix,
            Some(Match::Host) => MatchType::Host,
            Some(Match::Domain) => MatchType::Domain,
        };
        Query { match_type, from: self.since, to: self.until, limit: self.limit, closest: self.at, ..pattern }
    }
}

fn list(mut listing: Listing, args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let mut next = listing.next_line()?;
    if next.is_none() {
        return Ok(none(args, session));
    }
    let mut output = args.output.open(&session.printer, crate::output::Content::Text)?;
    while let Some(mut line) = next {
        line.push(b'\n');
        output.write_all(&line)?;
        interrupt::check()?;
        next = listing.next_line()?;
    }
    output.finish()?;
    Ok(Outcome::Done)
}

/// The record that holds the payload of a revisit, and its entry.
fn resolve(
    reference: &Reference,
    revisit: &CdxEntry,
    catalog: &Catalog<'_>,
    args: &Args,
    archives: &Archives,
    session: &Session,
) -> anyhow::Result<(Place, CdxEntry)> {
    let Some(entry) = catalog.referred(reference)? else {
        return Err(anyhow!(
            "the capture of {} is a revisit of {}, which is not here",
            revisit.timestamp,
            reference.url
        ))
        .hint("name the archive that holds the first capture, too; `--part record` has no need of it");
    };
    session.printer.note(format_args!("a revisit: the payload is that of {}", entry.timestamp));
    Ok((Place::of(&entry, args, archives, session)?, entry))
}

/// A record in an archive.
struct Place {
    source: Source,
    offset: u64,
    mode: Mode,
    /// Whether the record itself is asked for, not what it stands for.
    as_it_stands: bool,
}

impl Place {
    fn of(entry: &CdxEntry, args: &Args, archives: &Archives, session: &Session) -> anyhow::Result<Self> {
        let source = if args.index.is_empty() {
            catalog::source_of(entry, archives).cloned()
        } else {
            locate(&entry.filename, args, archives, session)
        };
        let source = source.ok_or_else(|| {
            anyhow!("the index names {}, which is not among the inputs", entry.filename)
                .hint("name the archive, or the folder it is in")
        })?;
        let as_it_stands = !matches!(args.part, Part::Body | Part::Decoded);
        Ok(Self { source, offset: entry.offset, mode: archives.mode(), as_it_stands })
    }

    fn open(&self) -> anyhow::Result<Reader> {
        let mut reader = self.source.open(self.mode)?;
        reader.seek(self.offset)?;
        Ok(reader)
    }

    /// What the record refers to, if its payload is elsewhere.
    fn reference(&self) -> anyhow::Result<Option<Reference>> {
        let mut reader = self.open()?;
        let record = reader.next()?.ok_or_else(|| self.missing())?;
        Ok(Reference::of(record.head).filter(|_| !self.as_it_stands))
    }

    fn write(&self, entry: &CdxEntry, args: &Args, session: &Session) -> anyhow::Result<Outcome> {
        let mut reader = self.open()?;
        let mut record = reader.next()?.ok_or_else(|| self.missing())?;
        let is_right =
            record.head.target_uri().is_some_and(|url| tamis_archive::surt(url.as_bytes()) == entry.urlkey);
        if record.offset() != self.offset || !(is_right || entry.extra("method").is_some()) {
            return Err(self.missing());
        }
        let mut http = HttpHead::default();
        let content = Content::of(record.head, &mut record.body, &mut http)?;
        let mut writer = PartWriter::open(args.part, &args.output, session)?;
        let cut = writer.write(record, &content, &mut http)?;
        writer.finish()?;
        let name = self.source.name().display().to_string();
        if let Some(why) = cut {
            session.printer.warn(format_args!("{name}: offset {}: {why}", self.offset));
        }
        let faults = reader.take_faults().list;
        let damage: Vec<_> = faults.iter().filter(|f| f.kind.severity() == Severity::Damage).collect();
        for fault in &damage {
            session.printer.warn(format_args!("{name}: {fault}"));
        }
        Ok(Outcome::of_skipped(damage.len() as u64 + u64::from(cut.is_some())))
    }

    fn missing(&self) -> anyhow::Error {
        anyhow!("{}: the record is not at offset {}", self.source.name().display(), self.offset)
            .hint("the index is not that of this file; `tamis warc index` makes a new one")
    }
}

/// The archive that an index calls by this name: an input of that name, or a file beside the index.
fn locate(name: &str, args: &Args, archives: &Archives, session: &Session) -> Option<Source> {
    let wanted = Path::new(name);
    let own_path = |source: &'_ Source| {
        let entry = source.entry().map(PathBuf::from);
        entry.or_else(|| source.path().map(Path::to_path_buf)).unwrap_or_default()
    };
    // Two folders may hold files of one name: the path goes before the name.
    let by_path = archives.sources.iter().find(|source| own_path(source).ends_with(wanted));
    let by_name =
        || archives.sources.iter().find(|source| own_path(source).file_name() == wanted.file_name());
    let given = by_path.or_else(by_name);
    let folders = args.index.iter().filter_map(|index| index.parent());
    let beside = || {
        folders
            .map(|folder| folder.join(wanted))
            .find(|path| path.is_file())
            .map(|path| session.door.source(path))
    };
    given.cloned().or_else(beside)
}
