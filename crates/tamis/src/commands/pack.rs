//! `tamis pack`: an archive whose similar records lie side by side, far smaller than gzip.

mod order;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use tamis_archive::Mode;
use tamis_pack::{Error, Pack, PackOptions, Profile, Survey, pack, write_permuted};

use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::inputs::{Input, InputArgs};
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::packages;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;
use order::Sketches;
pub(super) use order::{OrderName, SketchName};

/// The ending of packs.
const ENDING: &str = ".pack";

/// What a pack is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProfileName {
    /// Fast to pack: zstd 5 in blocks of 1 MiB
    Fast,
    /// Small, with any page readable in milliseconds: zstd 21 in blocks of up to 6 MiB, with a dictionary
    Default,
    /// Smallest: LZMA2 in blocks of up to 128 MiB, with streams in PDF, PNG, JPEG … unpacked first; reading a page takes a second or more, packing 1.5 GB of memory per thread
    Archive,
    /// Each record on its own, with the dictionary
    Record,
}

/// The arguments of `tamis pack`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A pack contains everything in an archive file: `tamis unpack` restores it byte for byte, gzip members included, and each pack is compared \
with its archive before it is saved. All commands that read archives also read packs, as a plain archive of the records \
in the order of the pack.

Orders: path puts each page after the pages that it shares most with, if that compresses better than the order of \
URLs; url sorts by URL; crawl keeps the order of the archive; reference groups similar pages by the sketch \
of --sketch, as in the paper `Compressing large collections of web pages`. With --warc, the records are written to an ordinary .warc.gz in that order instead.

Examples:
  tamis pack crawl.warc.gz
  tamis pack crawl/*.warc.gz -o packed/ --profile archive
  tamis pack crawl.warc.gz --warc -o ordered.warc.gz
  tamis query crawl.warc.gz.pack \"select domain, count(*) from pages group by domain\"
  tamis unpack crawl.warc.gz.pack")]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    /// Output file, or a folder for several packs [default: the archive's path with .pack appended]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// What to optimize for
    #[arg(long, value_enum, default_value_t = ProfileName::Default)]
    profile: ProfileName,
    /// Order of the records
    #[arg(long, value_enum, default_value_t = OrderName::Path)]
    order: OrderName,
    /// What the order `reference` compares
    #[arg(long, value_enum, default_value_t = SketchName::Words)]
    sketch: SketchName,
    /// How far the order `path` looks back
    #[arg(long, value_name = "SIZE", default_value = "4 MiB")]
    window: HumanSize,
    /// How much content is packed at a time; each such part has its own dictionary
    #[arg(long, value_name = "SIZE", default_value = "256 MiB")]
    segment: HumanSize,
    /// Write an ordinary archive with one gzip member per record, instead of a pack
    #[arg(long)]
    warc: bool,
    /// Do not restore the whole archive to compare it; members and blocks are still compared
    #[arg(long, conflicts_with = "warc")]
    no_verify: bool,
    #[command(flatten)]
    jobs: JobsArgs,
}

/// Packs archives.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let inputs = args.inputs.expand(&session.printer)?;
    let is_folder = args.make_folder()?;
    if inputs.list.len() > 1 && args.output.is_some() && !is_folder {
        return Err(anyhow!("several archives cannot be packed into one file"))
            .hint("give a folder with -o FOLDER/");
    }
    if args.output.as_deref() == Some(Path::new("-")) {
        return Err(anyhow!("a pack cannot be written to stdout, because it is not written in order"))
            .hint("give a file with -o");
    }
    let mut outcome = inputs.outcome();
    let mut written = BTreeSet::new();
    for input in &inputs.list {
        let Input::File(path) = input else {
            session
                .printer
                .error(&anyhow!("stdin cannot be packed, because the archive is read more than once"));
            outcome = outcome.and(Outcome::of_skipped(1));
            continue;
        };
        let packed = args.target(path).and_then(|to| {
            if !written.insert(to.clone()) {
                return Err(anyhow!(
                    "{}: another archive with this name was packed to {}",
                    path.display(),
                    to.display()
                ))
                .hint("pack it into another folder");
            }
            args.pack(path, &to, session)
        });
        if let Err(error) = packed {
            interrupt::check()?;
            session.printer.error(&error);
            outcome = outcome.and(Outcome::of_skipped(1));
        }
    }
    Ok(outcome)
}

impl Args {
    /// Whether packs go into a folder, which is made if its name ends so.
    fn make_folder(&self) -> anyhow::Result<bool> {
        let Some(path) = &self.output else { return Ok(false) };
        if path.as_os_str().to_string_lossy().ends_with('/') {
            std::fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))?;
        }
        Ok(path.is_dir())
    }

    /// Where a pack goes.
    fn target(&self, from: &Path) -> anyhow::Result<PathBuf> {
        let name = from.file_name().unwrap_or_default().to_string_lossy();
        let name = if self.warc { format!("ordered-{name}") } else { format!("{name}{ENDING}") };
        let to = match &self.output {
            Some(folder) if folder.is_dir() => folder.join(name),
            Some(path) => path.clone(),
            None => from.with_file_name(name),
        };
        if std::fs::canonicalize(&to).is_ok_and(|to| std::fs::canonicalize(from).is_ok_and(|from| from == to))
        {
            return Err(anyhow!("{} is both input and output", from.display()))
                .hint("give another output with -o");
        }
        if to.exists() && !self.force {
            return Err(anyhow!("{} already exists", to.display()))
                .hint("give another output with -o, or replace it with --force");
        }
        Ok(to)
    }

    fn pack(&self, from: &Path, to: &Path, session: &Session) -> anyhow::Result<()> {
        let jobs = self.jobs.count(&session.config);
        let cannot_read = || format!("cannot read {}", from.display());
        let mut file = File::open(from).with_context(cannot_read)?;
        let mut start = Vec::new();
        (&mut file).take(64).read_to_end(&mut start).with_context(cannot_read)?;
        if Pack::is_pack(&start) {
            return Err(anyhow!("{}: already a pack", from.display()));
        }
        let len = file.metadata().with_context(cannot_read)?.len();
        let work = Work { verb: "scanning", item: "record", total_bytes: Some(len), data_on_stdout: false };
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut sketches = Sketches::new(self.order, self.sketch, folder);
        let survey = {
            let progress = Progress::start(&session.printer, work);
            let sketches = &mut sketches;
            Survey::new(from, jobs, |number, record| {
                progress.add(0, 1);
                sketches.add(number, record);
            })
        };
        let survey = survey.map_err(explain)?;
        survey.check_records().map_err(explain)?;
        refuse_lost_records(from, survey.record_count())?;
        interrupt::check()?;
        let order = sketches.order(&survey, self.window.0)?;
        let mut summary = Summary::default();
        summary.read(format!(
            "{}, {}",
            HumanCount::of(survey.record_count() as u64, "record"),
            HumanSize(len)
        ));
        let work = Work { verb: "packing", item: "record", total_bytes: None, data_on_stdout: false };
        let progress = Progress::start(&session.printer, work);
        let size = if self.warc {
            write_permuted(&survey, &order, to, jobs, self.segment.0).map_err(explain)?.len
        } else {
            let options = PackOptions {
                jobs,
                segment_bytes: self.segment.0,
                verify: !self.no_verify,
                replace: self.force,
                ..PackOptions::new(self.profile.into())
            };
            match pack(&survey, &order, to, &options) {
                Err(Error::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {
                    return Err(anyhow!("{} was written by another run in the meantime", to.display()))
                        .hint("give another output with -o, or replace it with --force");
                }
                packed => packed.map_err(explain)?.pack_len,
            }
        };
        drop(progress);
        let (of_file, of_content) = (share(size, len), share(size, survey.content_len()));
        summary.wrote(format!("{}: {of_file} of the archive, {of_content} of its content", HumanSize(size)));
        summary.went_to(to.display());
        if !self.warc {
            summary.next(command_line::join([Path::new("tamis"), Path::new("unpack"), to]));
        }
        session.printer.summary(&summary);
        Ok(())
    }
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Fast => Self::Fast,
            ProfileName::Default => Self::Default,
            ProfileName::Archive => Self::Archive,
            ProfileName::Record => Self::Record,
        }
    }
}

fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// An error with what can be done about it.
pub(super) fn explain(error: tamis_pack::Error) -> anyhow::Error {
    match error.hint() {
        Some(hint) => anyhow!(error).hint(hint),
        None => anyhow!(error),
    }
}

/// Refuses a package of which a pack would not give every record: in some, archives are stored so that their records are not found
/// among the other bytes of the package.
fn refuse_lost_records(path: &Path, found: usize) -> anyhow::Result<()> {
    if !packages::is_package(path) {
        return Ok(());
    }
    let mut expected = 0;
    for source in packages::contents(path).sources {
        let mut reader = source.open(Mode::Lenient)?;
        while reader.next()?.is_some() {
            expected += 1;
            interrupt::check()?;
        }
    }
    if found == expected {
        return Ok(());
    }
    let shown = path.display();
    Err(anyhow!("{shown}: the package has {}, but a pack of it would give {found}", HumanCount::of(expected as u64, "record")))
        .hint(format!("pack its archives: `tamis warc convert {shown} -o archive.warc.gz`, then `tamis pack archive.warc.gz`"))
}
