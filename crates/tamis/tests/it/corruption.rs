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
const MIXED: &str = "query eclipse 'select id, title, html, tweet_ids, duplicate_of, relevance from pages order by id' --format jsonl";
const THREADS: usize = 2;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Damage {
    /// A bit of the byte after so many thousandths of the file.
    FlipAt(usize),
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
            Self::FlipAt(thousandths) => bytes[last * thousandths / 1000] ^= 1,
            Self::FlipFirst => bytes[0] ^= 1,
            Self::FlipMiddle => bytes[last / 2] ^= 1,
            Self::FlipLast => bytes[last] ^= 1,
            Self::Truncate => bytes.truncate(bytes.len() / 2),
            Self::Remove => return fs::remove_file(path).expect("there"),
        }
        fs::write(path, bytes).expect("writable");
    }
}

/// A model of an event, which people edit: a change is no damage, and what was judged by another model is reported.
const MODEL: &str = "version = 1\nthreshold = 0.1\nsimilarity = 0.5\n[terms]\nsieve = 1.0\npage = 0.5\n";

/// A collection with all that is cheap to make, and a copy of it that stays as it is.
pub(crate) fn sound() -> Scene {
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
    let scene = eclipse()
        .file("eclipse/focus.toml", MODEL)
        .file("own.warc.gz", own.build())
        .file("referenced.warc.gz", referenced.build());
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

pub(crate) fn copy(from: &Path, to: &Path) {
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

pub(crate) fn restore(scene: &Scene) {
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

/// Damages the chosen files of a collection in turn. Gives how many they are, and what was silently wrong.
pub(crate) fn in_turn(
    make: impl Fn() -> Scene + Sync,
    damages: &[Damage],
    is_chosen: impl Fn(&Path) -> bool + Sync,
) -> (usize, Vec<String>) {
    let run = |thread: usize| {
        let scene = make();
        let expected =
            Expected { kept: scene.run(KEPT), mixed: scene.run(MIXED), status: scene.run("status eclipse") };
        for ran in [&expected.kept, &expected.mixed, &expected.status] {
            assert_eq!(ran.code, Some(0), "{ran}");
        }
        let mut names = Vec::new();
        files(&scene.folder().join("pristine"), Path::new(""), &mut names);
        names.retain(|name| is_chosen(name));
        names.sort();
        let mut wrong = Vec::new();
        let cases = names.iter().flat_map(|name| damages.iter().map(move |damage| (name, *damage)));
        for (file, damage) in cases.skip(thread).step_by(THREADS) {
            restore(&scene);
            let case =
                Case { scene: &scene, expected: &expected, file: file.to_str().expect("text"), damage };
            wrong.extend(case.check().err());
        }
        (names.len(), wrong)
    };
    let found: Vec<(usize, Vec<String>)> = thread::scope(|threads| {
        let run = &run;
        let running: Vec<_> = (0..THREADS).map(|thread| threads.spawn(move || run(thread))).collect();
        running.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    (found[0].0, found.into_iter().flat_map(|(_, wrong)| wrong).collect())
}

#[test]
fn nothing_is_silently_wrong_whichever_file_is_damaged() {
    // People edit the model.
    let (files, wrong) = in_turn(sound, &ALL, |name| name != Path::new("focus.toml"));
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(files >= 12, "{files} files");
}

/// Pages that nobody had judged, or another model had, looked like irrelevant ones.
#[test]
fn captures_that_the_model_of_the_event_has_not_judged_are_counted() {
    let scene = sound();
    let model = scene.folder().join("eclipse/focus.toml");
    let asked = "query eclipse 'select url from pages where relevant' --format csv";
    let check = |count: u64, what: &str| {
        let ran = scene.run(asked);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        let expected = format!("{count} captures of ");
        assert!(
            ran.code == Some(2) && said.contains(&expected) && said.contains("not judged"),
            "{what}: {ran}"
        );
        assert_eq!(scene.run("query eclipse 'select url from pages' --format csv").code, Some(0), "{what}");
        assert_eq!(scene.run("focus judge eclipse").code, Some(0), "{what}");
        let ran = scene.run(asked);
        assert_eq!(ran.code, Some(0), "{what}: {ran}");
        ran.stdout
    };
    assert_eq!(scene.run(asked).code, Some(0));
    // As if `import` was killed before it judged.
    fs::rename(&model, scene.folder().join("aside")).expect("movable");
    assert_eq!(scene.run("import eclipse a.warc.gz").code, Some(0));
    fs::rename(scene.folder().join("aside"), &model).expect("movable");
    let sound = check(2, "imported later");
    let edited = MODEL.replace("sieve = 1.0\npage = 0.5", "sun = 1.0");
    fs::write(&model, edited).expect("writable");
    assert!(check(6, "edited") != sound, "fewer are relevant");
    fs::write(&model, MODEL).expect("writable");
    assert!(check(6, "edited back") == sound);
    fs::remove_file(scene.folder().join("eclipse/relevance.jsonl")).expect("there");
    assert!(check(6, "removed") == sound);
}

#[test]
fn a_folder_without_a_collection_is_not_repaired() {
    let scene = scene().file("notes/x.txt", "");
    assert_eq!(scene.run("archives repair notes").code, Some(2));
    assert_eq!(scene.files(), ["notes/x.txt"]);
}

fn parquet_parts(scene: &Scene) -> Vec<PathBuf> {
    let folder = scene.folder().join("eclipse/pages");
    let entries = fs::read_dir(folder).expect("there").map(|entry| entry.expect("readable").path());
    let mut parts: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "parquet")).collect();
    parts.sort();
    parts
}

/// The end of a Parquet file, damaged in many ways: the magic, the length of the metadata, the metadata.
fn damaged_footers(sound: &[u8]) -> Vec<Vec<u8>> {
    let end = sound.len();
    let mut all: Vec<Vec<u8>> = [8, 12, end / 2, end - 9, end - 4].map(|len| sound[..len].to_vec()).into();
    for at in (end - 8..end).chain((end.saturating_sub(900)..end - 8).step_by(67)) {
        for value in [0x7f, 0xff] {
            let mut bytes = sound.to_vec();
            bytes[at] = value;
            all.push(bytes);
        }
    }
    all
}

#[test]
fn a_table_with_a_damaged_footer_is_an_error_and_no_panic() {
    let scene = sound();
    let ran = scene.run("query own.warc.gz 'select url, title from pages' -o rows.parquet");
    assert_eq!(ran.code, Some(0), "{ran}");
    let sound = fs::read(scene.folder().join("rows.parquet")).expect("written");
    let mut refused = 0;
    for bytes in damaged_footers(&sound) {
        fs::write(scene.folder().join("bad.parquet"), bytes).expect("writable");
        let ran = scene.run("query own.warc.gz --table t=bad.parquet 'select count(*), max(title) from t'");
        assert!(matches!(ran.code, Some(0 | 2)), "{ran}");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!said.contains("panicked"), "{ran}");
        refused += usize::from(said.starts_with("error: table t: bad.parquet: "));
    }
    assert!(refused > 20, "{refused} were refused");
}

#[test]
fn a_part_whose_footer_is_damaged_but_has_its_checksums_is_read_from_the_archive() {
    let scene = sound();
    let expected = scene.run(KEPT).stdout;
    let manifest = scene.folder().join("eclipse/pages/_manifest.json");
    let parts = parquet_parts(&scene);
    let part = parts.first().expect("a part");
    let name = part.file_name().expect("named").to_string_lossy().into_owned();
    let sound = fs::read(part).expect("there");
    let text = fs::read_to_string(&manifest).expect("there");
    let mut reported = 0;
    for bytes in damaged_footers(&sound).into_iter().step_by(3) {
        // What somebody writes who wants to deceive: a list whose checksums are those of the damaged file.
        let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        json["version"] = 1.into();
        json.as_object_mut().expect("an object").remove("crc");
        for entry in json["parts"].as_array_mut().expect("a list") {
            if entry["file"] == *name {
                entry["bytes"] = bytes.len().into();
                entry["blocks"] = format!("{:08x}", crc32fast::hash(&bytes)).into();
            }
        }
        fs::write(&manifest, json.to_string()).expect("writable");
        fs::write(part, &bytes).expect("writable");
        for line in [KEPT, "report eclipse -o - --compute"] {
            let ran = scene.run(line);
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(matches!(ran.code, Some(0 | 2)) && !said.contains("panicked"), "{line}: {ran}");
            if line == KEPT {
                assert!(ran.code == Some(2) || ran.stdout == expected, "{ran}");
                reported += usize::from(said.contains(&name) && ran.stdout == expected);
            }
        }
    }
    assert!(reported > 5, "{reported} were reported and read from the archive");
}
