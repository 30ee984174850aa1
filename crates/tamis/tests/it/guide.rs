//! Every command that README.md and the guide print, run as printed, with the output that they show.
//!
//! A page is a session in an empty folder that holds only `tamis-demo`, what `tamis demo` leaves. Its fenced blocks:
//!
//! - `console`: a line that begins with `$ ` is a command for `sh`; lines that begin with `> ` continue it, and so does a line after one that
//!   ends in `\`. A command that ends in `&` runs until the page is over. The lines up to the next command are what it prints on stdout and
//!   stderr; where there are none, the output is not compared. `…` in a line stands for any text, `…` alone for any lines. A command
//!   must end with exit code 0; one that shows another has `; echo "exit $?"` after it.
//! - `toml NAME`, `text NAME`, `sql NAME`: a file of that name, written where it stands.
//!
//! After a change that is meant, `TAMIS_SNAPSHOTS=update` writes the output into the pages; put `…` where it differs from run to run.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

const ANY: char = '…';

macro_rules! pages {
    ($($name:ident: $page:literal),* $(,)?) => {
        const PAGES: &[&str] = &[$($page),*];
        $(#[test]
        fn $name() {
            run_page($page);
        })*
    };
}

pages! {
    readme: "README.md",
    getting_started: "docs/guide/getting-started.md",
    crawl: "docs/guide/crawl.md",
    archives: "docs/guide/archives.md",
    clean: "docs/guide/clean.md",
    words: "docs/guide/words.md",
    sql: "docs/guide/sql.md",
    dedup: "docs/guide/dedup-and-packs.md",
    focus: "docs/guide/focus.md",
    plans: "docs/guide/build-plans.md",
    collections: "docs/guide/collections.md",
    troubleshooting: "docs/guide/troubleshooting.md",
    exit_codes: "docs/guide/exit-codes.md",
}

#[test]
fn every_page_with_commands_is_run() {
    for entry in fs::read_dir(root().join("docs/guide")).expect("the guide") {
        let path = entry.expect("an entry").path();
        let page = format!("docs/guide/{}", path.file_name().expect("a name").to_string_lossy());
        let has_commands = fs::read_to_string(&path).expect("a page").contains("```console");
        let is_run = PAGES.contains(&page.as_str());
        assert!(!has_commands || is_run, "{page} is not in `pages!`");
    }
}

#[test]
fn the_book_lists_every_page_and_every_link_leads_somewhere() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("SUMMARY.md");
    let mut pages = Vec::new();
    markdown_files(&docs, &mut pages);
    for page in &pages {
        let name = page.strip_prefix(&docs).expect("below docs").display().to_string();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "SUMMARY.md has no {name}");
    }
    pages.extend(
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "RELEASING.md"]
            .map(|name| root().join(name)),
    );
    let mut links = 0;
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page");
        for link in links_of(&text) {
            let path = link.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
                continue;
            }
            links += 1;
            let target = page.parent().expect("a folder").join(path);
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
        }
    }
    assert!(links > 60, "{links} links were seen");
}

#[test]
fn the_files_and_functions_that_architecture_names_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let (mut files, mut functions) = (0, 0);
    for line in text.lines() {
        let code: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        for path in code.iter().filter(|code| code.starts_with("crates/") || code.starts_with("docs/")) {
            files += 1;
            assert!(root().join(path).exists(), "ARCHITECTURE.md: {path} does not exist");
        }
        // A row of the walk: number, function, file, what it does.
        let is_walk =
            line.strip_prefix("| ").is_some_and(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        if let (true, [function, file, ..]) = (is_walk, code.as_slice()) {
            functions += 1;
            let (_, name) = function.split_once("::").expect("a function of a type");
            let source = fs::read_to_string(root().join(file)).expect("its file");
            assert!(source.contains(&format!("fn {name}(")), "ARCHITECTURE.md: {file} has no {function}");
        }
    }
    assert!(files > 60 && functions == 10, "{files} files, {functions} functions");
}

#[test]
fn readme_fits_on_three_screens() {
    let lines = fs::read_to_string(root().join("README.md")).expect("README.md").lines().count();
    assert!(lines <= 150, "README.md has {lines} lines");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn markdown_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            markdown_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

/// The targets of `[text](target)` outside of code.
fn links_of(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if is_code || line.starts_with("    ") {
            continue;
        }
        for (at, part) in line.split('`').enumerate() {
            // Every second part is code, but a link may have code for its text: `](` then begins the next part.
            let ends = part.match_indices("](").filter(|(start, _)| at % 2 == 0 || *start == 0);
            links.extend(
                ends.filter_map(|(start, _)| {
                    part[start + 2..].split_once(')').map(|(link, _)| link.to_owned())
                }),
            );
        }
    }
    links
}

/// A piece of a page, which is all of them in order.
enum Piece {
    Text(String),
    File {
        name: String,
        text: String,
    },
    /// The lines that are printed for it, and what it is for the shell.
    Command {
        printed: String,
        line: String,
        shown: String,
    },
}

fn pieces(page: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text(String::new())];
    let mut block: Option<String> = None;
    let mut continues = false;
    for line in page.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        if text.starts_with("```") {
            block = if block.is_some() { None } else { Some(text.trim_start_matches('`').to_owned()) };
            add_text(&mut pieces, line);
            if let Some((_, name)) = block.as_deref().and_then(|info| info.split_once(' ')) {
                pieces.push(Piece::File { name: name.to_owned(), text: String::new() });
            }
            continues = false;
            continue;
        }
        match (block.as_deref(), pieces.last_mut()) {
            (Some("console"), Some(Piece::Command { printed, line: whole, .. }))
                if continues || text.starts_with("> ") =>
            {
                printed.push_str(line);
                whole.push('\n');
                whole.push_str(text.strip_prefix("> ").unwrap_or(text));
                continues = text.ends_with('\\');
            }
            (Some("console"), _) if text.starts_with("$ ") => {
                continues = text.ends_with('\\');
                let (printed, line) = (line.to_owned(), text[2..].to_owned());
                pieces.push(Piece::Command { printed, line, shown: String::new() });
            }
            (Some("console"), Some(Piece::Command { shown, .. })) => shown.push_str(line),
            (Some(_), Some(Piece::File { text, .. })) => text.push_str(line),
            _ => add_text(&mut pieces, line),
        }
    }
    pieces
}

fn add_text(pieces: &mut Vec<Piece>, line: &str) {
    match pieces.last_mut() {
        Some(Piece::Text(text)) => text.push_str(line),
        _ => pieces.push(Piece::Text(line.to_owned())),
    }
}

/// What `tamis demo` leaves, made once.
fn demo() -> &'static Path {
    static DEMO: OnceLock<TempDir> = OnceLock::new();
    let folder = DEMO.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let (said, code) = Shell::new(folder.path()).run("tamis demo --quiet");
        assert_eq!(code, Some(0), "{said}");
        folder
    });
    folder.path()
}

fn run_page(page: &str) {
    let path = root().join(page);
    let before = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
    let scratch = tempfile::tempdir().expect("a folder");
    copy(&demo().join("tamis-demo"), &scratch.path().join("tamis-demo"));
    let mut shell = Shell::new(scratch.path());
    let (mut after, mut commands) = (String::new(), 0);
    let (mut faults, mut failures) = (String::new(), String::new());
    for piece in pieces(&before) {
        match piece {
            Piece::Text(text) => after.push_str(&text),
            Piece::File { name, text } => {
                fs::write(scratch.path().join(name), &text).expect("a file of the page");
                after.push_str(&text);
            }
            Piece::Command { printed, line, shown } => {
                commands += 1;
                let (said, code) = shell.run(&line);
                let agrees = shown.is_empty() || matches(&shown, &said);
                let list = if code == Some(0) { &mut faults } else { &mut failures };
                if code != Some(0) || !agrees {
                    // Writing to a string does not fail.
                    let _ =
                        write!(list, "\n$ {line}\nexit code {code:?}\n--- shown\n{shown}--- said\n{said}");
                }
                after.push_str(&printed);
                after.push_str(if agrees { &shown } else { &said });
            }
        }
    }
    if std::env::var("TAMIS_SNAPSHOTS").is_ok_and(|value| value == "update") && after != before {
        fs::write(&path, after).expect("the page can be written");
        faults.clear();
    }
    assert!(failures.is_empty(), "{page}: a command fails{failures}");
    assert!(faults.is_empty(), "{page}: what is printed is not what happens{faults}");
    println!("{page}: {commands} commands");
}

/// Runs commands as a user would in a terminal, without settings of the machine.
struct Shell {
    folder: PathBuf,
    /// Those that run until the page is over.
    others: Vec<Child>,
}

impl Shell {
    fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), others: Vec::new() }
    }

    /// What a command says on stdout and stderr, and its exit code.
    fn run(&mut self, line: &str) -> (String, Option<i32>) {
        let said = self.folder.join("home/said");
        fs::create_dir_all(self.folder.join("home")).expect("a folder");
        let out = File::create(&said).expect("a file for what it says");
        let mut command = Command::new("sh");
        let bin = Path::new(env!("CARGO_BIN_EXE_tamis")).parent().expect("a folder").to_owned();
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let path =
            std::env::join_paths(std::iter::once(bin).chain(std::env::split_paths(&rest))).expect("a path");
        command.env_clear().env("PATH", path).env("HOME", self.folder.join("home"));
        command
            .stdin(Stdio::null())
            .stdout(out.try_clone().expect("a copy"))
            .stderr(out)
            .current_dir(&self.folder);
        if let Some(line) = line.strip_suffix('&') {
            let child = command.args(["-c", &format!("exec {line}")]).spawn().expect("sh starts");
            self.others.push(child);
            return (first_words(&said), Some(0));
        }
        let status = command.args(["-c", line]).status().expect("sh starts");
        (fs::read_to_string(&said).expect("text"), status.code())
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        for child in &mut self.others {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What a command that goes on says first.
fn first_words(said: &Path) -> String {
    // A minute at most: on a busy machine a program takes seconds to start.
    for _ in 0..600 {
        let text = fs::read_to_string(said).expect("text");
        if text.ends_with('\n') {
            return text;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("a command in the background says nothing");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let from = entry.expect("an entry").path();
        let to = to.join(from.file_name().expect("a name"));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("a copy");
        }
    }
}

/// Whether a text is what a page shows: line by line, where `…` alone stands for any lines.
fn matches(shown: &str, said: &str) -> bool {
    let (shown, said): (Vec<_>, Vec<_>) =
        (shown.trim_end().lines().collect(), said.trim_end().lines().collect());
    lines_match(&shown, &said)
}

fn lines_match(shown: &[&str], said: &[&str]) -> bool {
    match shown {
        [] => said.is_empty(),
        [line, rest @ ..] if line.trim() == "…" => {
            (0..=said.len()).any(|at| lines_match(rest, &said[at..]))
        }
        [line, rest @ ..] => said.split_first().is_some_and(|(first, left)| {
            line_matches(line.trim_end(), first.trim_end()) && lines_match(rest, left)
        }),
    }
}

/// Whether the parts between `…` stand in the line in this order, the first at its start and the last at its end.
fn line_matches(shown: &str, said: &str) -> bool {
    let Some((start, rest)) = shown.split_once(ANY) else { return shown == said };
    let Some(mut left) = said.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split(ANY).collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(end)
}

#[test]
fn a_page_is_taken_apart_and_put_together_again() {
    let page = "# A\n```console\n$ echo a \\\n  b\na b\n\n$ cat <<E\n> x\n> E\n```\nb\n```toml plan.toml\nx = 1\n```\n";
    let (mut again, mut seen) = (String::new(), Vec::new());
    for piece in pieces(page) {
        match piece {
            Piece::Text(text) => again.push_str(&text),
            Piece::File { name, text } => {
                again.push_str(&text);
                seen.push(format!("{name}: {text}"));
            }
            Piece::Command { printed, line, shown } => {
                again = again + &printed + &shown;
                seen.push(format!("{line} | {shown}"));
            }
        }
    }
    assert_eq!(again, page);
    assert_eq!(seen, ["echo a \\\n  b | a b\n\n", "cat <<E\nx\nE | ", "plan.toml: x = 1\n"]);
}

#[test]
fn dots_stand_for_any_text_and_any_lines() {
    for (shown, said, expected) in [
        ("a\n", "a\n", true),
        ("a\n", "b\n", false),
        ("took … s\n", "took 1.5 s\n", true),
        ("took … s\n", "took 1.5 ms\n", false),
        ("took … s of …\n", "took 1 s\n", false),
        ("a\n…\nd\n", "a\nb\nc\nd\n", true),
        ("a\n…\nd\n", "a\nb\n", false),
        ("…\n", "", true),
        ("a\n\n", "a\n", true),
    ] {
        assert_eq!(matches(shown, said), expected, "{shown:?} {said:?}");
    }
}
