//! `tamis new`: makes a collection.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::anyhow;
use tamis_archive::Timestamp;
use tamis_collection::Collection;
use tamis_collection::New;

use super::open_collection::explain;
use crate::command_line;
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::output::folder_of;
use crate::session::Session;
use crate::summary::Summary;

/// The arguments of `tamis new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A collection is a folder of plain files that other tools can read: collection.toml describes it (and may be edited), archive/ \
holds the archives, index/ their indexes, pages/ the stored columns, and seeds.tsv the URLs and tweets it started from.

Examples:
  tamis new eclipse --event 'Solar eclipse of 12 August 2026'
  tamis import eclipse crawl/*.warc.gz")]
pub struct Args {
    /// The folder to create; its last component is the collection's name
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Collection id, stored in every row [default: the name]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Event or subject of the collection
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
}

/// Makes a collection.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let Some(name) = args.name.file_name() else {
        return Err(anyhow!("{} is not a folder name", args.name.display()))
            .hint("give the path of a new folder");
    };
    let name = name.to_string_lossy().into_owned();
    check_folder_of(&args.name)?;
    let id = args.id.clone().unwrap_or_else(|| name.clone());
    let new = New { id, name, event: args.event.clone(), created: now() };
    Collection::create(&args.name, &new).map_err(explain)?;
    let words = [Path::new("tamis"), Path::new("import"), &args.name];
    let mut summary = Summary::default();
    summary
        .wrote(format_args!("a collection: {} (id {})", new.name, new.id))
        .went_to(args.name.display())
        .next(format_args!("{} crawl.warc.gz", command_line::join(words)));
    session.printer.summary(&summary);
    Ok(Outcome::Done)
}

/// A collection is made in a folder that is there.
pub(super) fn check_folder_of(collection: &Path) -> anyhow::Result<()> {
    let folder = folder_of(collection);
    if folder.is_dir() {
        return Ok(());
    }
    Err(anyhow!("cannot create {}", collection.display()))
        .hint(format!("create the folder {} first", folder.display()))
}

/// The moment, to the second.
pub(super) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    Timestamp::from_unix(seconds, 0).expect("the clock shows a year that can be written")
}
