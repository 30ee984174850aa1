//! `tamis demo`: an event found in a small web, from a crawl to a report, with the commands that do it.
//!
//! The web is made of pages that the binary carries and serves on loopback; nothing else is connected to.

mod server;
mod web;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Parser;
use tamis_collection::Collection;

use super::run as run_command;
use crate::cli::Cli;
use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::palette::paint;
use crate::session::Session;
use server::Server;
use web::Web;

/// The arguments of `tamis demo`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Serves some 280 short pages in six languages on 127.0.0.1, and runs the commands that it prints: crawl, clean, dedup, query, pack, report. \
It connects to nothing else and leaves its files in DIR, to be tried with other commands.

With --serve only the pages are served, until Ctrl-C: to crawl them yourself with --hosts DIR/hosts --allow-private.

Examples:
  tamis demo
  tamis demo --serve")]
pub struct Args {
    /// The folder to write to; the files of an earlier demo are replaced
    #[arg(default_value = "tamis-demo", value_name = "DIR")]
    folder: PathBuf,
    /// Serve the pages until Ctrl-C, and run no commands
    #[arg(long)]
    serve: bool,
}

/// The collection.
const NAME: &str = "eclipse";
/// Where the crawl begins.
const SEED: &str = "http://harbour-post.example/";
/// Sites, one in each language, with two pages each that say what the event is.
const MODELS: [&str; 6] = ["skywatch", "sternfreunde", "courrier", "diario", "gazzetta", "tabi"];
/// The page whose text is shown.
const SHOWN: &str = "http://skywatch.example/eclipse/12";
/// Bytes that a crash took from the end of an archive.
const TORN_BYTES: usize = 700;
/// Requests that are counted to say how well the crawl was led.
const FIRST: usize = 100;
/// Columns of a terminal that command lines are wrapped for.
const MAX_WIDTH: usize = 104;

/// Serves the web, and tells the story in five steps.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let folder = &args.folder;
    prepare(folder)?;
    let server = Server::start(Web::build()?).context("cannot listen on 127.0.0.1")?;
    write(folder, "hosts", &server.hosts_file())?;
    if args.serve {
        return serve(&server, folder, session);
    }
    let of_host = |host: &&str| server.web().event_articles(&format!("{host}.example"), 2);
    let models: Vec<String> = MODELS.iter().flat_map(of_host).collect();
    write(folder, "about.txt", &(models.join("\n") + "\n"))?;
    let story = Story { session, folder, server: &server };
    story.crawl()?;
    story.clean()?;
    story.dedup()?;
    story.query()?;
    story.keep()?;
    story.end()?;
    Ok(Outcome::Done)
}

/// Serves the web until Ctrl-C.
fn serve(server: &Server, folder: &Path, session: &Session) -> anyhow::Result<Outcome> {
    interrupt::watch();
    let (sites, address) = (server.web().hosts().len(), server.address());
    writeln!(session.printer.out(), "Serving {sites} sites on {address}, until Ctrl-C. To crawl them:")?;
    let hosts = text(&folder.join("hosts"));
    let line = [
        "tamis",
        "crawl",
        "my-eclipse",
        SEED,
        "--contact",
        "me@example.org",
        "--scope",
        "any",
        "--hosts",
        &hosts,
    ];
    let options = ["--allow-private", "--delay", "0.02", "--server-delay", "0"];
    writeln!(session.printer.out(), "  {}", command_line::join(line.into_iter().chain(options)))?;
    session.printer.flush()?;
    while !interrupt::requested() {
        thread::sleep(Duration::from_millis(50));
    }
    Ok(Outcome::Done)
}

struct Story<'a> {
    session: &'a Session,
    folder: &'a Path,
    server: &'a Server,
}

impl Story<'_> {
    fn crawl(&self) -> anyhow::Result<()> {
        let web = self.server.web();
        let sites = web.hosts().len();
        self.tell(format_args!("1. Crawl. {sites} small sites run on this machine. Find what they say about the eclipse of August 2026:"))?;
        let (about, hosts) = (self.path("about.txt"), self.path("hosts"));
        let options =
            ["--focus", &about, "--contact", "you@example.org", "--scope", "any", "--least-hope", "0"];
        let local = ["--hosts", &hosts, "--allow-private", "--delay", "0.02", "--server-delay", "0", "-q"];
        let collection = self.collection();
        self.show(&[&["crawl", &collection, SEED], &options[..], &local[..]].concat())?;
        // When a page is fetched depends on the machine, so this is no data.
        let requests = self.server.requests();
        let pages: Vec<_> = requests.iter().filter(|(_, path)| path != "/robots.txt").collect();
        // The pages that it learnt from were given.
        let event = pages
            .iter()
            .skip(2 * MODELS.len())
            .take(FIRST)
            .filter(|(_, path)| web::is_about_event(path))
            .count();
        self.session
            .printer
            .say(format_args!("Of the first {FIRST} pages that it found, {event} are about the eclipse."));
        let forbidden = requests.iter().filter(|(_, path)| path.starts_with("/drafts/")).count();
        let found = pages.iter().filter(|(_, path)| web::is_about_event(path)).count();
        writeln!(
            self.session.printer.out(),
            "The sites counted {} requests: {found} of {} pages about the eclipse, {forbidden} for pages that robots.txt forbids.",
            HumanCount(pages.len() as u64),
            web.about_event(),
        )?;
        self.copy_archive()
    }

    fn clean(&self) -> anyhow::Result<()> {
        self.tell("\n2. Clean. Keep text, languages and names of all pages. Here is one, without menu, cookie banner and footer:")?;
        self.show(&["clean", &self.collection(), "--columns", "light,words", "--quiet"])?;
        self.show(&["clean", SHOWN, &self.path("demo.warc.gz"), "--quiet"])
    }

    fn dedup(&self) -> anyhow::Result<()> {
        self.tell("3. Find duplicates. A news agency printed what others wrote:")?;
        let table = self.path("duplicates.csv");
        self.show(&["dedup", &self.collection(), "-o", &table, "--force", "--quiet"])?;
        let sql = "select kind, count(*) as pages from duplicates group by kind order by kind";
        self.show(&["query", &self.collection(), sql])
    }

    fn query(&self) -> anyhow::Result<()> {
        self.tell(
            "\n4. Query. In which languages is the eclipse reported, and which towns do English pages name?",
        )?;
        let sql = "select text_language as language, count(*) as pages\n    \
                   from pages where relevant and duplicate_of is null group by 1 order by pages desc, 1";
        self.show(&["query", &self.collection(), sql])?;
        let sql = "select place.place as town, place.country as country, count(distinct id) as pages\n    \
                   from (select id, unnest(locations) as place from pages where relevant)\n    \
                   where place.place is not null group by 1, 2 order by 3 desc, 1 limit 3";
        self.show(&["query", &self.collection(), sql])
    }

    /// The report, and a pack.
    fn keep(&self) -> anyhow::Result<()> {
        self.tell("\n5. Show and keep. A report for colleagues, and the archive in a smaller file:")?;
        self.show(&["report", &self.collection(), "--quiet"])?;
        let (archive, packed) = (self.path("demo.warc.gz"), self.path("demo.warc.gz.pack"));
        self.show(&["pack", &archive, "-o", &packed, "--force", "--quiet"])?;
        let (before, after) = (fs::metadata(&archive)?.len(), fs::metadata(&packed)?.len());
        let (before, after) = (HumanSize(before), HumanSize(after));
        self.session
            .printer
            .say(format_args!("{before} became {after}; `tamis unpack` gives back every byte."));
        Ok(())
    }

    fn end(&self) -> anyhow::Result<()> {
        self.tell(format_args!("\nAll of it is in {}. Next, try:", self.folder.display()))?;
        let archive = self.path("demo.warc.gz");
        let report = self.path("eclipse/report.html");
        let sql = "select url, title, author, date from pages where relevant limit 5";
        for line in [
            vec!["xdg-open", &report],
            vec!["tamis", "warc", "stats", &archive],
            vec!["tamis", "query", &self.collection(), sql],
            vec!["tamis", "warc", "check", &self.path("torn.warc.gz")],
        ] {
            writeln!(self.session.printer.out(), "  {}", command_line::join(line))?;
        }
        Ok(self.session.printer.flush()?)
    }

    /// What was crawled as one archive whose name does not change, and a copy of it that lost its end.
    fn copy_archive(&self) -> anyhow::Result<()> {
        let archives = fs::read_dir(self.folder.join(NAME).join("archive"))?;
        let mut archives =
            archives.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
        archives.sort();
        let archives = archives.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
        // gzip members one after another are an archive, too.
        let bytes = archives.concat();
        for (name, len) in
            [("demo.warc.gz", bytes.len()), ("torn.warc.gz", bytes.len().saturating_sub(TORN_BYTES))]
        {
            let mut copy = Output::create(&self.folder.join(name), true)?;
            copy.write_all(&bytes[..len])?;
            copy.finish()?;
        }
        Ok(())
    }

    /// Runs a command of ours as if it had been typed, under its command line.
    fn show(&self, words: &[&str]) -> anyhow::Result<()> {
        let printer = &self.session.printer;
        let line: Vec<_> = std::iter::once("tamis").chain(words.iter().copied()).collect();
        writeln!(printer.out(), "$ {}", paint(printer.out_palette().name, wrapped(&line)))?;
        printer.flush()?;
        let cli = Cli::parse_from(line);
        let session = self.session.for_command(&cli);
        run_command(&cli, &session)?;
        Ok(session.printer.flush()?)
    }

    fn tell(&self, what: impl std::fmt::Display) -> anyhow::Result<()> {
        let printer = &self.session.printer;
        writeln!(printer.out(), "{}", paint(printer.out_palette().heading, what))?;
        Ok(printer.flush()?)
    }

    fn path(&self, name: &str) -> String {
        text(&self.folder.join(name))
    }

    fn collection(&self) -> String {
        self.path(NAME)
    }
}

/// A command line, with a line break before an option where it would be wider than a terminal.
fn wrapped(words: &[&str]) -> String {
    let (mut lines, mut width) = (String::new(), 2);
    for (at, word) in words.iter().enumerate() {
        let quoted = command_line::join([word]);
        let breaks = width + quoted.chars().count() > MAX_WIDTH && word.starts_with('-');
        let space = if at == 0 {
            ""
        } else if breaks {
            " \\\n    "
        } else {
            " "
        };
        width = if breaks { 4 } else { width + space.len() } + quoted.chars().count();
        lines.push_str(space);
        lines.push_str(&quoted);
    }
    lines
}

/// Writes a file of the demo.
fn write(folder: &Path, name: &str, content: &str) -> anyhow::Result<()> {
    let path = folder.join(name);
    fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// Makes the folder, without the collection of an earlier demo. A folder that holds other things is refused.
fn prepare(folder: &Path) -> anyhow::Result<()> {
    let is_ours = || folder.join("hosts").is_file();
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if folder.exists() && !is_ours() && !is_empty() {
        return Err(anyhow!("{} exists and is not a demo", folder.display()))
            .hint("name another folder: `tamis demo DIR`");
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let collection = folder.join(NAME);
    if Collection::is_one(&collection) {
        fs::remove_dir_all(&collection)
            .with_context(|| format!("cannot replace {}", collection.display()))?;
    }
    Ok(())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_command_lines_are_broken_before_options() {
        let words = ["tamis", "crawl", &"x".repeat(90), "--delay", "0.02", "--quiet"];
        let expected = format!("tamis crawl {} \\\n    --delay 0.02 --quiet", "x".repeat(90));
        assert_eq!(wrapped(&words), expected);
        assert_eq!(wrapped(&["tamis", "query", "select 1"]), "tamis query 'select 1'");
    }
}
