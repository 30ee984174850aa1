//! `tamis demo`: what tamis does, shown on two small webs that it serves to itself and on a few pages that it carries with it.

mod archive;
mod event;
mod web;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Parser;
use tamis_collection::Collection;

use super::run as run_command;
use crate::cli::Cli;
use crate::command_line;
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::palette::paint;
use crate::session::Session;

/// The arguments of `tamis demo`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder to write to; what an earlier demo left there is replaced
    #[arg(default_value = "tamis-demo", value_name = "DIR")]
    folder: PathBuf,
}

/// Crawls a small web, looks for an event in another, writes an archive of a few pages, then reads, checks, indexes and mends it with the commands that it prints.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let folder = &args.folder;
    prepare(folder)?;
    web::show(session, folder)?;
    event::show(session, folder)?;
    let archive = folder.join("demo.warc.gz");
    let torn = folder.join("torn.warc.gz");
    let records = archive::write(&archive)?;
    tell(session, format_args!("{records} records of a small site, written to {}", archive.display()))?;
    show(session, &["warc", "ls", &text(&archive)])?;
    tell(session, "Is it sound? Every record, every digest:")?;
    show(session, &["warc", "check", &text(&archive)])?;
    tell(session, "An index says where each page is:")?;
    let index = text(&folder.join("demo.cdxj"));
    show(session, &["warc", "index", &text(&archive), "-o", &index, "--force"])?;
    tell(session, "With it one page is read without the others. This one was stored compressed, in chunks:")?;
    show(session, &["warc", "get", "tamis.example/fr/", &text(&archive), "--index", &index])?;
    tell(session, "And this is what it says, without its markup:")?;
    show(session, &["clean", "http://tamis.example/fr/", &text(&archive)])?;
    tell(session, "Each page as a row, with its links and where they stand in the text:")?;
    show(session, &["clean", "http://tamis.example/it/", &text(&archive), "--format", "jsonl", "--links"])?;
    archive::tear(&archive, &torn)?;
    tell(session, "A crash, a full disk: the last 700 bytes of a copy are gone. Nothing is silently fine:")?;
    show(session, &["warc", "check", &text(&torn)])?;
    tell(session, "What is whole can be saved:")?;
    let mended = text(&folder.join("mended.warc.gz"));
    show(session, &["warc", "repair", &text(&torn), "-o", &mended, "--force"])?;
    show(session, &["warc", "check", &mended])?;
    show_collection(session, folder, &archive)?;
    tell(session, format_args!("All of it is in {}. `tamis --help` has the rest.", folder.display()))?;
    Ok(Outcome::Done)
}

/// Shows an archive as a table, and a collection that keeps what was computed.
fn show_collection(session: &Session, folder: &Path, archive: &Path) -> anyhow::Result<()> {
    tell(session, "An archive is a table. Columns are computed when a query asks for them:")?;
    show(
        session,
        &["query", &text(archive), "select status, mime, count(*) from pages group by status, mime"],
    )?;
    let place = text(&place_for(folder, "eclipse")?);
    tell(session, "A collection is a folder: archives, and columns that are computed once and kept:")?;
    show(session, &["new", &place, "--event", "the eclipse of 8 April 2024"])?;
    show(session, &["import", &place, &text(archive)])?;
    show(session, &["clean", &place])?;
    tell(session, "Which page has how much to say?")?;
    let chart = "select language, title, length(text) as characters, \
                 repeat('█', length(text) / 25) as chart from pages where text <> '' order by characters desc";
    show(session, &["query", &place, chart])?;
    tell(session, "In which languages are they written, and what does the page itself say?")?;
    show(
        session,
        &["query", &place, "select url, languages, language from pages where text <> '' order by url"],
    )?;
    let wet = text(&folder.join("demo.warc.wet.gz"));
    tell(session, "The same as Common Crawl gives it away, and the report of another detector on it:")?;
    show(session, &["warc", "wet", &text(archive), "-o", &wet, "--force"])?;
    let run = text(&folder.join("languages"));
    show(session, &["lang", &wet, "--detector", "words", "-o", &run, "--force"])?;
    tell(session, "DuckDB, pandas and Spark read the columns as they are, and every other program these:")?;
    let rows = text(&folder.join("pages.tsv"));
    show(session, &["clean", &place, "--format", "tsv", "-o", &rows, "--force"])
}

/// Where a collection goes; what an earlier demo left there is removed.
fn place_for(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let place = folder.join(name);
    if Collection::is_one(&place) {
        fs::remove_dir_all(&place).with_context(|| format!("cannot replace {}", place.display()))?;
    }
    Ok(place)
}

/// Makes the folder. One that holds other things is not ours to write to.
fn prepare(folder: &Path) -> anyhow::Result<()> {
    let is_ours = || ["demo.warc.gz", "hosts"].iter().any(|file| folder.join(file).is_file());
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if folder.exists() && !is_ours() && !is_empty() {
        return Err(anyhow!("{} is there and is no demo", folder.display()))
            .hint("name another folder: `tamis demo DIR`");
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Runs a command of ours as if it had been typed, under the line that it is.
///
/// Damage is what the demo is about, so that a command refuses something is no failure of it.
fn show(session: &Session, words: &[&str]) -> anyhow::Result<()> {
    let line: Vec<_> = std::iter::once("tamis").chain(words.iter().copied()).collect();
    let typed = command_line::join(&line);
    let style = session.printer.out_palette().name;
    writeln!(session.printer.out(), "\n$ {}", paint(style, typed))?;
    session.printer.flush()?;
    run_command(&Cli::parse_from(line), session)?;
    Ok(session.printer.flush()?)
}

fn tell(session: &Session, what: impl std::fmt::Display) -> anyhow::Result<()> {
    let style = session.printer.out_palette().heading;
    writeln!(session.printer.out(), "\n{}", paint(style, what))?;
    Ok(session.printer.flush()?)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
