//! `tamis demo`: what tamis does, shown on a few pages that it carries with it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Parser;
use flate2::Compression as Level;
use flate2::write::GzEncoder;
use tamis_archive::Timestamp;
use tamis_archive::write::{NewRecord, RevisitProfile, Writer, WriterOptions, warc_fields};
use tamis_table::Collection;

use super::run as run_command;
use crate::cli::Cli;
use crate::command_line;
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::palette::paint;
use crate::session::Session;

const SITE: &str = "http://tamis.example";

/// The pages, each with its path and media type.
const PAGES: [(&str, &str, &str); 6] = [
    ("/", "text/html; charset=utf-8", include_str!("../../demo/index.html")),
    ("/fr/", "text/html; charset=utf-8", include_str!("../../demo/fr.html")),
    ("/it/", "text/html; charset=utf-8", include_str!("../../demo/it.html")),
    ("/de/", "text/html; charset=utf-8", include_str!("../../demo/de.html")),
    ("/ja/", "text/html; charset=utf-8", include_str!("../../demo/ja.html")),
    ("/style.css", "text/css", include_str!("../../demo/style.css")),
];

/// When the demo's pages were captured, in seconds since 1970: 2024-04-08T18:18:29Z, in the middle of an eclipse.
const CAPTURED: i64 = 1_712_600_309;

/// The arguments of `tamis demo`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder to write to; what an earlier demo left there is replaced
    #[arg(default_value = "tamis-demo", value_name = "DIR")]
    folder: PathBuf,
}

/// Writes an archive of a few pages, then reads, checks, indexes and mends it with the commands that it prints.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let folder = &args.folder;
    prepare(folder)?;
    let archive = folder.join("demo.warc.gz");
    let torn = folder.join("torn.warc.gz");
    let records = write_archive(&archive)?;
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
    tear(&archive, &torn)?;
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
    let place = folder.join("eclipse");
    if Collection::is_one(&place) {
        fs::remove_dir_all(&place).with_context(|| format!("cannot replace {}", place.display()))?;
    }
    let place = text(&place);
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

/// Makes the folder. One that holds other things is not ours to write to.
fn prepare(folder: &Path) -> anyhow::Result<()> {
    let is_ours = || folder.join("demo.warc.gz").is_file();
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

/// Writes the captures, as a crawler would: request and response, metadata, a page seen again, one that is not there.
fn write_archive(path: &Path) -> anyhow::Result<u64> {
    let mut writer = Writer::new(Output::create(path, true)?, WriterOptions::default())?.named(path);
    let mut records = 1;
    let about =
        warc_fields([("software", "tamis"), ("format", "WARC File Format 1.1"), ("isPartOf", "demo")])?;
    writer.write(&NewRecord::warcinfo(moment(0)?).filename("demo.warc.gz"), &about)?;
    let mut first = None;
    for (number, (page, content_type, body)) in PAGES.into_iter().enumerate() {
        let (url, date) = (format!("{SITE}{page}"), moment(number)?);
        let response = NewRecord::response(&url, date).ip_address([192, 0, 2, 1].into());
        let written = writer.write(&response, &response_to(page, content_type, body)?)?;
        let request = NewRecord::request(&url, date).concurrent_to(&written.record_id);
        writer.write(&request, format!("GET {page} HTTP/1.1\r\nHost: tamis.example\r\n\r\n").as_str())?;
        records += 2;
        first.get_or_insert(written);
    }
    let missing = "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nnot here";
    writer.write(&NewRecord::response(&format!("{SITE}/sv/"), moment(7)?), missing)?;
    if let Some(original) = first {
        let url = format!("{SITE}/");
        let again = NewRecord::revisit(&url, moment(60)?, RevisitProfile::IdenticalPayloadDigest)
            .payload_digest(original.payload_digest.as_deref().unwrap_or_default())
            .refers_to(&original.record_id)
            .refers_to_target(&url, moment(0)?);
        writer.write(&again, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n")?;
    }
    writer.finish()?.finish()?;
    Ok(records + 2)
}

/// The response as a server would send it: the French page compressed and in chunks, the others plainly.
fn response_to(page: &str, content_type: &str, body: &str) -> anyhow::Result<Vec<u8>> {
    if page != "/fr/" {
        let len = body.len();
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len}\r\n\r\n");
        return Ok([head.as_bytes(), body.as_bytes()].concat());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(body.as_bytes())?;
    let packed = encoder.finish()?;
    let mut response = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    .into_bytes();
    for chunk in packed.chunks(200) {
        write!(response, "{:x}\r\n", chunk.len())?;
        response.extend_from_slice(chunk);
        response.extend_from_slice(b"\r\n");
    }
    response.extend_from_slice(b"0\r\n\r\n");
    Ok(response)
}

/// A copy without its last bytes.
fn tear(archive: &Path, torn: &Path) -> anyhow::Result<()> {
    let mut bytes = fs::read(archive).with_context(|| format!("cannot read {}", archive.display()))?;
    bytes.truncate(bytes.len().saturating_sub(700));
    let mut copy = Output::create(torn, true)?;
    copy.write_all(&bytes)?;
    copy.finish()
}

fn moment(seconds: usize) -> anyhow::Result<Timestamp> {
    let moment = Timestamp::from_unix(CAPTURED + i64::try_from(seconds)?, 0);
    moment.ok_or_else(|| anyhow!("the demo's clock is wrong"))
}
