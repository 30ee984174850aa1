//! Every file of a collection, damaged in turn: no answer is silently wrong, and each fault has a command that repairs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use tamis_testkit::{ArchiveBuilder, Ran, Record, Scene, http_response};

use crate::collection::eclipse;
use crate::scene;

/// Only kept columns.
const KEPT: &str = "query eclipse 'select url, title, tweet_ids, \"collection_name\" from pages order by url' --format jsonl";
/// Kept, computed and judged ones.
const MIXED: &str =
    "query eclipse 'select id, title, html, tweet_ids, duplicate_of from pages order by id' --format jsonl";
const THREADS: usize = 2;

#[derive(Debug, Clone, Copy)]
enum Damage {
    FlipFirst,
    FlipMiddle,
    FlipLast,
    Truncate,
    Remove,
}

const ALL: [Damage; 5] =
    [Damage::FlipFirst, Damage::FlipMiddle, Damage::FlipLast, Damage::Truncate, Damage::Remove];

impl Damage {
    fn apply(self, path: &Path) {
        let mut bytes = fs::read(path).expect("there");
        let last = bytes.len() - 1;
        match self {
            Self::FlipFirst => bytes[0] ^= 1,
            Self::FlipMiddle => bytes[last / 2] ^= 1,
            Self::FlipLast => bytes[last] ^= 1,
            Self::Truncate => bytes.truncate(bytes.len() / 2),
            Self::Remove => return fs::remove_file(path).expect("there"),
        }
        fs::write(path, bytes).expect("writable");
    }
}

/// A collection with all that is cheap to make, and a copy of it that stays as it is.
fn sound() -> Scene {
    let page = |url: &str, text: &str| {
        let html =
            format!("<title>{url}</title><p>{}</p>", format!("{text} is a page about sieves. ").repeat(20));
        Record::response(url, http_response("text/html", html))
    };
    let own = ArchiveBuilder::new()
        .gzip(&Record::warcinfo("own.warc.gz"))
        .gzip(&page("http://a.example/1", "one"))
        .gzip(&page("http://b.example/", "two"));
    let referenced = ArchiveBuilder::new()
        .gzip(&page("http://d.example/", "one"))
        .gzip(&page("http://e.example/", "four"));
    let scene = eclipse().file("own.warc.gz", own.build()).file("referenced.warc.gz", referenced.build());
    for line in [
        "import eclipse own.warc.gz seeds.txt tweets.jsonl",
        "import eclipse referenced.warc.gz --reference",
        "clean eclipse",
        "dedup eclipse",
    ] {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(0), "{line}: {ran}");
    }
    copy(&scene.folder().join("eclipse"), &scene.folder().join("pristine"));
    scene
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("writable");
    for entry in fs::read_dir(from).expect("there") {
        let path = entry.expect("there").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("writable");
        }
    }
}

fn restore(scene: &Scene) {
    let folder = scene.folder().join("eclipse");
    fs::remove_dir_all(&folder).expect("there");
    copy(&scene.folder().join("pristine"), &folder);
}

fn text(ran: &Ran) -> String {
    format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
}

/// The commands that a text names between backticks.
fn commands(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|words| words.strip_prefix("tamis ")).map(str::to_owned).collect()
}

struct Expected {
    kept: Ran,
    mixed: Ran,
    status: Ran,
}

struct Case<'s> {
    scene: &'s Scene,
    expected: &'s Expected,
    file: &'s str,
    damage: Damage,
}

impl Case<'_> {
    fn check(&self) -> Result<(), String> {
        self.damage.apply(&self.scene.folder().join("eclipse").join(self.file));
        self.query(KEPT, &self.expected.kept)?;
        self.query(MIXED, &self.expected.mixed)?;
        if matches!(self.damage, Damage::FlipMiddle | Damage::Remove) {
            let status = self.scene.run("status eclipse");
            let is_right = status.stdout == self.expected.status.stdout;
            self.ensure(is_right || self.is_named(&status), "status does not say it", &status)?;
        }
        if matches!(self.damage, Damage::FlipMiddle) {
            let report = self.scene.run("report eclipse");
            self.ensure(
                report.code == Some(0) || self.is_named(&report),
                "the report does not say it",
                &report,
            )?;
        }
        self.repair()?;
        for (line, expected) in [(KEPT, &self.expected.kept), (MIXED, &self.expected.mixed)] {
            let ran = self.scene.run(line);
            self.ensure(
                ran.code == Some(0) && ran.stdout == expected.stdout,
                "wrong after the repair",
                &ran,
            )?;
        }
        Ok(())
    }

    /// The rows are right, or it says which file is damaged.
    fn query(&self, line: &str, expected: &Ran) -> Result<(), String> {
        let ran = self.scene.run(line);
        if ran.code == Some(0) {
            self.ensure(ran.stdout == expected.stdout, "other rows, and exit code 0", &ran)
        } else {
            self.ensure(ran.code == Some(2) && self.is_named(&ran), "the file is not named", &ran)
        }
    }

    fn is_named(&self, ran: &Ran) -> bool {
        text(ran).contains(Path::new(self.file).file_name().expect("a name").to_str().expect("text"))
    }

    /// Runs the commands that are named until nothing is wrong.
    fn repair(&self) -> Result<(), String> {
        let mut ran = self.scene.run("archives verify eclipse");
        self.ensure(ran.code == Some(2) && self.is_named(&ran), "verify does not say it", &ran)?;
        for _ in 0..3 {
            let found = String::from_utf8_lossy(&ran.stdout).into_owned();
            for line in found.lines() {
                let commands = commands(line);
                self.ensure(!commands.is_empty(), "no command repairs it", &ran)?;
                let repaired = self.scene.run(&commands[0]);
                // What a repair cannot bring back it names.
                for more in self::commands(&String::from_utf8_lossy(&repaired.stderr)) {
                    self.scene.run(&more);
                }
            }
            ran = self.scene.run("archives verify eclipse");
            if ran.code == Some(0) {
                return Ok(());
            }
        }
        self.ensure(false, "not repaired", &ran)
    }

    fn ensure(&self, holds: bool, what: &str, ran: &Ran) -> Result<(), String> {
        if holds { Ok(()) } else { Err(format!("{} {:?}: {what}: {ran}", self.file, self.damage)) }
    }
}

fn files(folder: &Path, inside: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("there") {
        let path = entry.expect("there").path();
        let name = inside.join(path.file_name().expect("a name"));
        if path.is_dir() {
            files(&path, &name, found);
        } else if fs::metadata(&path).expect("there").len() > 0 {
            found.push(name);
        }
    }
}

#[test]
fn nothing_is_silently_wrong_whichever_file_is_damaged() {
    let run = |thread: usize| {
        let scene = sound();
        let expected =
            Expected { kept: scene.run(KEPT), mixed: scene.run(MIXED), status: scene.run("status eclipse") };
        for ran in [&expected.kept, &expected.mixed, &expected.status] {
            assert_eq!(ran.code, Some(0), "{ran}");
        }
        let mut names = Vec::new();
        files(&scene.folder().join("pristine"), Path::new(""), &mut names);
        names.sort();
        let mut wrong = Vec::new();
        let cases = names.iter().flat_map(|name| ALL.map(|damage| (name, damage)));
        for (file, damage) in cases.skip(thread).step_by(THREADS) {
            restore(&scene);
            let case =
                Case { scene: &scene, expected: &expected, file: file.to_str().expect("text"), damage };
            wrong.extend(case.check().err());
        }
        (names.len(), wrong)
    };
    let found: Vec<(usize, Vec<String>)> = thread::scope(|threads| {
        let running: Vec<_> = (0..THREADS).map(|thread| threads.spawn(move || run(thread))).collect();
        running.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    let wrong: Vec<&String> = found.iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(
        wrong.is_empty(),
        "{} cases:\n{}",
        wrong.len(),
        wrong.iter().map(|text| text.as_str()).collect::<Vec<_>>().join("\n")
    );
    assert!(found.iter().all(|(names, _)| *names >= 12), "too few files");
}

#[test]
fn a_folder_without_a_collection_is_not_repaired() {
    let scene = scene().file("notes/x.txt", "");
    assert_eq!(scene.run("archives repair notes").code, Some(2));
    assert_eq!(scene.files(), ["notes/x.txt"]);
}
