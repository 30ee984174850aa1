//! `tamis unpack`: the archive of a pack, every byte of it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use tamis_pack::{Pack, RestoreOptions};
use tempfile::NamedTempFile;

use super::pack::explain;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::output::{Content, OutputArgs};
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;

/// The arguments of `tamis unpack`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The archive is restored byte for byte, compressed members included, and its hash is compared with that of the original. Without -o, it is written \
to the path of the pack without .pack. With --check nothing is written: the whole pack is read, and each damage is listed with the records it affects \
(exit code 1); other records can still be read.

Examples:
  tamis unpack crawl.warc.gz.pack
  tamis unpack crawl.warc.gz.pack -o - | sha1sum
  tamis unpack crawl.warc.gz.pack --check
  curl -s https://example.org/crawl.warc.gz.pack | tamis unpack - -o crawl.warc.gz")]
pub struct Args {
    /// The pack; `-` saves stdin to a temporary file first
    #[arg(value_name = "PACK")]
    pack: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
    /// Only check the pack for damage
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    jobs: JobsArgs,
}

/// Unpacks an archive.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let spooled = if args.is_stdin() { Some(spool_stdin()?) } else { None };
    let path = spooled.as_ref().map_or(args.pack.as_path(), NamedTempFile::path);
    let pack = Pack::open(path).map_err(explain)?;
    if args.check {
        return check(&pack, session);
    }
    let facts = pack.facts();
    let to = args.target()?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let options = RestoreOptions { jobs: args.jobs.count(&session.config), ..RestoreOptions::new(folder) };
    let work = Work { verb: "unpacking", item: "record", total_bytes: None, data_on_stdout: false };
    {
        let _progress = Progress::start(&session.printer, work);
        if args.is_stdout() {
            let mut out = args.output.open(&session.printer, Content::Binary)?;
            pack.restore(&mut out, &options).map_err(explain)?;
            out.flush()?;
            out.finish()?;
        } else {
            pack.unpack(&to, &options).map_err(explain)?;
        }
    }
    let mut summary = Summary::default();
    summary.read(HumanSize(facts.pack_len));
    summary.wrote(format!("{}, {}", HumanCount::of(facts.records, "record"), HumanSize(facts.file_len)));
    if !args.is_stdout() {
        summary.went_to(to.display());
    }
    session.printer.summary(&summary);
    Ok(Outcome::Done)
}

impl Args {
    fn is_stdin(&self) -> bool {
        self.pack.as_os_str() == "-"
    }

    fn is_stdout(&self) -> bool {
        self.output.names_stdout()
    }

    /// The file to write.
    fn target(&self) -> anyhow::Result<PathBuf> {
        if let Some(path) = self.output.path() {
            return self.free(path.to_owned());
        }
        if self.is_stdin() {
            return Err(anyhow!("a pack from stdin has no file name for the archive"))
                .hint("give the archive's path with -o");
        }
        let name = self.pack.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.strip_suffix(".pack").filter(|stem| !stem.is_empty());
        let stem = stem
            .ok_or_else(|| anyhow!("{} does not end in .pack", self.pack.display()))
            .hint("give the archive's path with -o")?;
        self.free(self.pack.with_file_name(stem))
    }

    fn free(&self, path: PathBuf) -> anyhow::Result<PathBuf> {
        if std::fs::canonicalize(&path)
            .is_ok_and(|to| std::fs::canonicalize(&self.pack).is_ok_and(|from| from == to))
        {
            return Err(anyhow!("{} is both input and output", path.display()))
                .hint("give another output with -o");
        }
        if path.exists() && !self.output.force() && !self.is_stdout() {
            return Err(anyhow!("{} already exists", path.display()))
                .hint("give another output with -o, or replace it with --force");
        }
        Ok(path)
    }
}

/// Standard input in a temporary file: a pack is read at many places.
fn spool_stdin() -> anyhow::Result<NamedTempFile> {
    let folder = std::env::temp_dir();
    let failed = || format!("cannot save stdin to {}", folder.display());
    let mut file = NamedTempFile::new_in(&folder).with_context(failed)?;
    std::io::copy(&mut std::io::stdin().lock(), &mut file)
        .with_context(failed)
        .hint("save the pack to a file and unpack that, or set TMPDIR to another folder")?;
    Ok(file)
}

/// Names what is damaged.
fn check(pack: &Pack, session: &Session) -> anyhow::Result<Outcome> {
    let damage = pack.check().map_err(explain)?;
    for one in &damage {
        session.printer.error(&anyhow!("{}: {one}", pack.path().display()));
    }
    if damage.is_empty() {
        let facts = pack.facts();
        session.printer.say(format_args!(
            "intact: {}, {}",
            HumanCount::of(facts.records, "record"),
            HumanSize(facts.file_len)
        ));
    }
    Ok(if damage.is_empty() { Outcome::Done } else { Outcome::Negative })
}
