//! `tamis warc wacz ls`: what is in packages.

use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use serde_json::json;
use tamis_archive::wacz::{DataPackage, Wacz, WaczEntry};

use crate::commands::warc::check::Format;
use crate::commands::warc::printable::printable;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::inputs::{Input, InputArgs};
use crate::outcome::Outcome;
use crate::packages;
use crate::printer::is_closed_pipe;
use crate::session::Session;

/// The arguments of `tamis warc wacz ls`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Prints one line per file: size, whether it is stored or compressed in the zip file, and name. Only stored files allow random access. \
    The package's metadata is printed on stderr."
)]
pub(super) struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    /// Output format: text, or jsonl with one object per file
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// Lists packages.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let inputs = args.inputs.expand(&session.printer)?;
    let is_one = inputs.list.len() == 1;
    let mut skipped = inputs.skipped;
    for input in &inputs.list {
        let listed = package(input).and_then(|path| list(args, path, is_one, session));
        if let Err(error) = listed {
            if is_closed_pipe(&error) {
                return Err(error);
            }
            session.printer.error(&error);
            skipped += 1;
        }
    }
    Ok(Outcome::of_skipped(skipped))
}

/// Lists a package.
fn list(args: &Args, path: &Path, is_one: bool, session: &Session) -> anyhow::Result<()> {
    let mut wacz = Wacz::open(path).map_err(|error| packages::explain(path, error))?;
    let about = wacz.entry("datapackage.json").is_some().then(|| wacz.data_package());
    match &about {
        None => session.printer.warn(format_args!("{}: no datapackage.json", path.display())),
        Some(Err(error)) => session.printer.warn(error),
        Some(Ok(about)) => tell(about, path, wacz.entries().len(), session),
    }
    let about = about.and_then(Result::ok);
    for entry in wacz.entries() {
        match args.format {
            Format::Text => print_line(entry, (!is_one).then_some(path), session)?,
            Format::Jsonl => print_json(entry, path, about.as_ref(), session)?,
        }
    }
    Ok(())
}

/// The path of a package: it is read from its end, which a stream does not have at hand.
pub(super) fn package(input: &Input) -> anyhow::Result<&Path> {
    match input {
        Input::File(path) => Ok(path),
        Input::Stdin => Err(anyhow!("a WACZ package cannot be read from stdin")).hint("save it to a file"),
    }
}

/// Says what a package says of itself.
fn tell(about: &DataPackage, path: &Path, files: usize, session: &Session) {
    let properties = ["title", "description", "created", "software", "mainPageUrl", "mainPageDate"];
    let version = about.version.as_deref().unwrap_or("of an unknown version");
    let files = HumanCount::of(files as u64, "file");
    session.printer.say(format_args!("{}: WACZ {version}, {files}", path.display()));
    for property in properties {
        if let Some(text) = about.text(property) {
            session.printer.say(format_args!("  {property}: {}", printable(text)));
        }
    }
}

fn print_line(entry: &WaczEntry, package: Option<&Path>, session: &Session) -> anyhow::Result<()> {
    let how = if entry.is_stored { "stored" } else { "compressed" };
    let package = package.map(|path| format!("{}#", path.display())).unwrap_or_default();
    writeln!(session.printer.out(), "{:>12} {how:<10} {package}{}", entry.len_bytes, printable(&entry.name))?;
    Ok(())
}

fn print_json(
    entry: &WaczEntry,
    package: &Path,
    about: Option<&DataPackage>,
    session: &Session,
) -> anyhow::Result<()> {
    let hash =
        about.and_then(|about| about.resource(&entry.name)).and_then(|resource| resource.hash.as_deref());
    let line = json!({
        "package": package.to_string_lossy(),
        "path": entry.name,
        "bytes": entry.len_bytes,
        "stored_bytes": entry.stored_bytes,
        "is_stored": entry.is_stored,
        "hash": hash,
    });
    writeln!(session.printer.out(), "{line}")?;
    Ok(())
}
