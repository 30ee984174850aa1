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
    fn check(&self) {
        let path = self.scene.folder().join("eclipse").join(self.file);
        self.damage.apply(&path);
        self.query(KEPT, &self.expected.kept);
        self.query(MIXED, &self.expected.mixed);
        if matches!(self.damage, Damage::FlipMiddle | Damage::Remove) {
            let status = self.scene.run("status eclipse");
            let is_right = status.stdout == self.expected.status.stdout;
            assert!(is_right || self.is_named(&text(&status)), "{self}: {status}");
        }
        self.repair();
        self.query_is_right(KEPT, &self.expected.kept);
        self.query_is_right(MIXED, &self.expected.mixed);
    }

    /// The rows are right, or it says which file is damaged.
    fn query(&self, line: &str, expected: &Ran) {
        let ran = self.scene.run(line);
        if ran.code == Some(0) {
            assert!(ran.stdout == expected.stdout, "{self}: other rows: {ran}");
        } else {
            assert_eq!(ran.code, Some(2), "{self}: {ran}");
            assert!(self.is_named(&text(&ran)), "{self}: not named: {ran}");
        }
    }

    fn query_is_right(&self, line: &str, expected: &Ran) {
        let ran = self.scene.run(line);
        assert!(ran.code == Some(0) && ran.stdout == expected.stdout, "{self}: after repair: {ran}");
    }

    fn is_named(&self, said: &str) -> bool {
        said.contains(Path::new(self.file).file_name().expect("a name").to_str().expect("text"))
    }

    /// Runs the commands that are named until nothing is wrong.
    fn repair(&self) {
        let first = self.scene.run("archives verify eclipse");
        assert_eq!(first.code, Some(2), "{self}: {first}");
        assert!(self.is_named(&text(&first)), "{self}: not named: {first}");
        let mut ran = first;
        for _ in 0..3 {
            let found = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert!(found.lines().all(|line| !commands(line).is_empty()), "{self}: no command: {ran}");
            for line in found.lines() {
                let repaired = self.scene.run(&commands(line)[0]);
                // What a repair cannot bring back it names.
                for more in commands(&String::from_utf8_lossy(&repaired.stderr)) {
                    self.scene.run(&more);
                }
            }
            ran = self.scene.run("archives verify eclipse");
            if ran.code == Some(0) {
                return;
            }
        }
        panic!("{self}: not repaired: {ran}");
    }
}

impl std::fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.file, self.damage)
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
        let cases = names.iter().flat_map(|name| ALL.map(|damage| (name, damage)));
        for (file, damage) in cases.skip(thread).step_by(THREADS) {
            restore(&scene);
            Case { scene: &scene, expected: &expected, file: file.to_str().expect("text"), damage }.check();
        }
        names.len()
    };
    let names = thread::scope(|threads| {
        let running: Vec<_> = (0..THREADS).map(|thread| threads.spawn(move || run(thread))).collect();
        running.into_iter().map(|thread| thread.join().expect("no file is silently wrong")).max()
    });
    assert!(names.is_some_and(|names| names >= 12), "{names:?}");
}

#[test]
fn a_folder_without_a_collection_is_not_repaired() {
    let scene = scene().file("notes/x.txt", "");
    assert_eq!(scene.run("archives repair notes").code, Some(2));
    assert_eq!(scene.files(), ["notes/x.txt"]);
}
