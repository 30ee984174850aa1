//! Random SQL, and collections with any file changed: no panic, no abort, nothing written where it must not be.
//!
//! Each test is a loop over a seeded generator, a few hundred rounds by default. `TAMIS_FUZZ_SECONDS=1200 TAMIS_FUZZ_SEED=7` makes it a
//! longer one with other rounds; a failure says the seed of its round.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tamis_collection::Collection;
use tamis_table::query::{Engine, Settings};
use tamis_table::{Context, Cut, Member, Members, Pages, members};
use tamis_testkit::Scene;

use crate::corruption::sound;

/// Rounds, unless seconds are asked for.
const ROUNDS: u64 = 150;
/// A statement that takes longer is broken off.
const LONGEST: Duration = Duration::from_secs(2);

/// Numbers that depend on a seed only (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// Calls a round again and again, each with its own seed. Gives how many there were.
fn rounds(mut round: impl FnMut(u64)) -> u64 {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (seed, seconds) = (number("TAMIS_FUZZ_SEED").unwrap_or(1), number("TAMIS_FUZZ_SECONDS"));
    let begun = Instant::now();
    for count in 0.. {
        let is_over = match seconds {
            Some(seconds) => begun.elapsed() >= Duration::from_secs(seconds),
            None => count == ROUNDS,
        };
        if is_over {
            return count;
        }
        round(seed.wrapping_mul(1_000_000_007).wrapping_add(count));
    }
    0
}

/// Statements of a grammar that knows what is refused as well as what is not.
struct Grammar<'r> {
    random: &'r mut Random,
    /// A folder that nothing may be written to.
    folder: String,
}

const COLUMNS: [&str; 9] = ["url", "title", "status", "time", "links", "\"offset\"", "text", "a.url", "x"];
const LITERALS: [&str; 14] = [
    "1",
    "-1",
    "0",
    "1.5",
    "'a'",
    "'é\u{1b}'",
    "null",
    "true",
    "9223372036854775807",
    "1e308",
    "'2024-01-01'",
    "interval '1 month'",
    "timestamp '2024-01-01'",
    "2000000000",
];
const FUNCTIONS: [&str; 40] = [
    "repeat",
    "lpad",
    "rpad",
    "replace",
    "concat",
    "concat_ws",
    "regexp_replace",
    "array_repeat",
    "range",
    "generate_series",
    "make_array",
    "array_concat",
    "array_resize",
    "array_to_string",
    "length",
    "upper",
    "substr",
    "coalesce",
    "nullif",
    "abs",
    "power",
    "round",
    "date_trunc",
    "to_char",
    "host",
    "domain",
    "surt",
    "hamming",
    "tokens",
    "unnest",
    "count",
    "max",
    "sum",
    "array_agg",
    "string_agg",
    "row_number",
    "split_part",
    "arrow_cast",
    "struct",
    "named_struct",
];
const OPERATORS: [&str; 14] =
    ["+", "-", "*", "/", "%", "||", "=", "<", ">=", "and", "or", "like", "is distinct from", "~"];
const TABLES: [&str; 6] =
    ["pages", "captures", "links", "information_schema.tables", "generate_series(1, 100)", "none"];

impl Grammar<'_> {
    /// A statement, and whether it must be refused.
    fn statement(&mut self, depth: usize) -> (String, bool) {
        if depth > 0 && self.random.one_in(4) {
            let how = self.random.pick(&["", "analyze ", "verbose ", "analyze verbose ", "format tree "]);
            let (inner, is_refused) = self.statement(depth - 1);
            return (format!("explain {how}{inner}"), is_refused);
        }
        if !self.random.one_in(4) {
            return (self.query(3), false);
        }
        let path = format!(
            "{}/{}",
            self.folder,
            self.random.pick(&["kept.csv", "new.csv", "new.parquet", "a/b.json"])
        );
        let form = self.random.pick(&["stored as csv", "stored as parquet", "stored as json", ""]);
        let query = self.query(2);
        let text = match self.random.below(18) {
            0..=4 => format!("copy ({query}) to '{path}' {form}"),
            5 => format!("copy pages to '{path}' {form}"),
            6 => format!("create external table t (a varchar) {form} location '{path}'"),
            7 => format!("create table t as {query}"),
            8 => format!("create or replace view captures as {query}"),
            9 => format!("insert into pages {query}"),
            10 => "set datafusion.execution.batch_size = 1".to_owned(),
            11 => "reset datafusion.execution.batch_size".to_owned(),
            12 => "drop table pages".to_owned(),
            13 => "delete from pages".to_owned(),
            14 => format!("select * into t from ({query}) q"),
            15 => format!("prepare p as {query}"),
            16 => format!("select * from (copy ({query}) to '{path}')"),
            _ => "create function f(int) returns int return $1".to_owned(),
        };
        (text, true)
    }

    fn query(&mut self, depth: usize) -> String {
        let with = if self.random.one_in(5) {
            let recursive = self.random.pick(&["", "recursive "]);
            let inner = self.query(depth.saturating_sub(1));
            format!("with {recursive}x as ({inner}) ")
        } else {
            String::new()
        };
        let distinct = self.random.pick(&["", "", "distinct "]);
        let count = 1 + self.random.below(3);
        let items: Vec<String> =
            (0..count).map(|at| format!("{} as c{depth}{at}", self.value(depth))).collect();
        let mut parts =
            vec![format!("{with}select {distinct}{} from {}", items.join(", "), self.relation(depth))];
        if self.random.one_in(3) {
            parts.push(format!("where {}", self.truth(depth)));
        }
        if self.random.one_in(8) {
            parts.push(format!("group by {}", self.random.pick(&["1", "url", "status, title", "all"])));
        }
        if self.random.one_in(4) {
            parts.push(format!("order by {}", self.random.pick(&["1", "1 desc", "99"])));
        }
        if self.random.one_in(3) {
            parts.push(format!("limit {}", self.random.below(20)));
        }
        if depth > 0 && self.random.one_in(8) {
            let operator = self.random.pick(&["union", "union all", "except", "intersect"]);
            parts.push(format!("{operator} {}", self.query(depth - 1)));
        }
        parts.join(" ")
    }

    /// A value that most likely has a type that fits, or anything.
    fn value(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0 if self.random.one_in(2) => self.expression(depth),
            0..=3 => self.number(depth),
            _ => self.text(depth),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.random.pick(&["a.url", "a.url", "'a'", "'=é'", "''", "null"]).to_owned();
        }
        let (one, other, number) = (self.text(depth - 1), self.text(depth - 1), self.number(depth - 1));
        match self.random.below(10) {
            0 => format!("repeat({one}, cast({number} as int))"),
            1 => format!("lpad({one}, cast({number} as int), {other})"),
            2 => format!("replace({one}, {other}, {one})"),
            3 => format!("({one} || {other})"),
            4 => format!("regexp_replace({one}, '[a-z]', {other}, 'g')"),
            5 => format!("concat_ws({one}, {other}, {one})"),
            6 => format!("array_to_string(array_repeat({one}, cast({number} as int)), {other})"),
            7 => format!("upper(substr({one}, 1, cast({number} as int)))"),
            8 => format!("case when {} then {one} else {other} end", self.truth(depth - 1)),
            _ => format!("host({one})"),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.random.pick(&["1", "7", "100", "-3", "2000000000", "null"]).to_owned();
        }
        let (one, other) = (self.number(depth - 1), self.number(depth - 1));
        match self.random.below(6) {
            0 => format!("({one} {} {other})", self.random.pick(&["+", "-", "*", "/", "%"])),
            1 => format!("length({})", self.text(depth - 1)),
            2 => format!("cardinality(range({one}, {other}))"),
            3 => format!("abs({one})"),
            4 => format!("coalesce({one}, {other})"),
            _ => one + &"+1".repeat(self.random.below(400)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.random.below(5) {
            0 => format!("{} like {}", self.text(depth.saturating_sub(1)), self.text(0)),
            1 => format!("{} < {}", self.number(depth.saturating_sub(1)), self.number(0)),
            2 => format!("{} is not null", self.value(depth.saturating_sub(1))),
            3 => format!("a.url in ({})", self.text(0)),
            _ => "true".to_owned(),
        }
    }

    fn relation(&mut self, depth: usize) -> String {
        let first = if depth > 0 && self.random.one_in(6) {
            format!("(select c{}0 as url from ({}) q)", depth - 1, self.query(depth - 1))
        } else if !self.random.one_in(5) {
            self.random.pick(&["pages", "captures"]).to_owned()
        } else {
            self.random.pick(&TABLES).to_owned()
        };
        match self.random.below(6) {
            0 => format!("{first} a cross join {} b", self.random.pick(&TABLES)),
            1 => format!("{first} a join pages b on {}", self.expression(1)),
            _ => format!("{first} a"),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(4) {
            return match self.random.below(3) {
                0 => self.random.pick(&LITERALS).to_owned(),
                _ => self.random.pick(&COLUMNS).to_owned(),
            };
        }
        match self.random.below(9) {
            0..=2 => {
                let count = self.random.below(4);
                let arguments: Vec<String> = (0..count).map(|_| self.expression(depth - 1)).collect();
                format!("{}({})", self.random.pick(&FUNCTIONS), arguments.join(", "))
            }
            3 | 4 => {
                let operator = self.random.pick(&OPERATORS);
                format!("({} {operator} {})", self.expression(depth - 1), self.expression(depth - 1))
            }
            5 => format!("case when {} then {} end", self.expression(depth - 1), self.expression(depth - 1)),
            6 => {
                let kind =
                    self.random.pick(&["int", "varchar", "date", "decimal(38,10)", "timestamp", "int[]"]);
                format!("cast({} as {kind})", self.expression(depth - 1))
            }
            7 => format!("({})", self.query(depth - 1)),
            _ => {
                let operator = self.random.pick(&["+1", "::varchar", " is null", "[1]", " || 'x'"]);
                let count = self.random.pick(&[&3_usize, &40, &3_000]);
                self.random.pick(&COLUMNS).to_owned() + &operator.repeat(*count)
            }
        }
    }
}

/// All files of a folder, with their bytes.
fn all_files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("there") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.clone(), fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

/// An engine with little memory.
fn engine(spill: &Path) -> Engine {
    let settings =
        Settings { jobs: NonZero::new(2).expect("two"), memory_bytes: 64 << 20, spill: spill.to_owned() };
    Engine::new(settings).expect("an engine")
}

/// Runs a query for a while. Gives what went wrong.
fn run(engine: &Engine, sql: &str, pages: &Arc<Pages>) -> Result<(), String> {
    let prepared = engine.prepare(sql, pages).map_err(|error| error.to_string())?;
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let begun = Instant::now();
            while !is_over.load(Ordering::Relaxed) {
                if begun.elapsed() > LONGEST {
                    pages.ledger().stop();
                    engine.stop().notify_one();
                }
                thread::park_timeout(Duration::from_millis(20));
            }
        });
        let ran = engine.run(&prepared, &mut |_| ControlFlow::Continue(()));
        is_over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        ran.map_err(|error| error.to_string())
    })
}

#[test]
fn random_statements_write_nothing_and_break_nothing() {
    let scene = sound();
    let kept = scene.folder().join("out");
    fs::create_dir_all(&kept).expect("made");
    fs::write(kept.join("kept.csv"), "kept\n").expect("written");
    let before = all_files(scene.folder());
    let spill = tempfile_folder(&scene);
    let (mut answered, mut refused) = (0, 0);
    let count = rounds(|seed| {
        let mut random = Random(seed);
        let folder = kept.display().to_string();
        let (sql, is_refused) = Grammar { random: &mut random, folder }.statement(3);
        let pages = pages_of(&scene.folder().join("eclipse")).expect("a sound collection");
        let result = run(&engine(&spill), &sql, &pages);
        match &result {
            Ok(()) => answered += 1,
            Err(_) => refused += 1,
        }
        let told = result.as_ref().err().map(String::as_str).unwrap_or_default();
        assert!(!told.contains("broke down") && !told.contains("panic"), "seed {seed}: {sql}: {told}");
        assert!(!is_refused || result.is_err(), "seed {seed}: {sql} was run");
        assert_eq!(
            fs::read(kept.join("kept.csv")).ok().as_deref(),
            Some(&b"kept\n"[..]),
            "seed {seed}: {sql}"
        );
        assert_eq!(fs::read_dir(&kept).expect("there").count(), 1, "seed {seed}: {sql}");
    });
    assert!(all_files(scene.folder()) == before, "nothing else was changed either");
    println!("{count} statements: {answered} answered, {refused} refused or failed");
    assert!(answered > 0 && refused > 0, "{answered} answered, {refused} refused of {count}");
}

/// A folder beside a scene, for what sorts have no room for.
fn tempfile_folder(scene: &Scene) -> PathBuf {
    let folder = scene.folder().with_extension("spill");
    fs::create_dir_all(&folder).expect("made");
    folder
}

fn pages_of(collection: &Path) -> Result<Arc<Pages>, String> {
    let collection = Collection::open(collection).map_err(|error| error.to_string())?;
    let Members { list, .. } =
        members(&collection, &Context::default()).map_err(|error| error.to_string())?;
    let list: Vec<Member> = list;
    Ok(Arc::new(Pages::new(list, Cut::Even)))
}

/// Changes a file: bits, length, numbers, names that lead elsewhere, or what it is.
fn mutate(path: &Path, precious: &Path, random: &mut Random) {
    let mut bytes = fs::read(path).expect("readable");
    let at = random.below(bytes.len());
    match random.below(13) {
        0 | 1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        2 => bytes.truncate(at),
        3 => bytes.extend_from_slice(&random.next().to_le_bytes()),
        4 if !bytes.is_empty() => bytes[at..].fill(0xff),
        5 => bytes.clear(),
        6 => replace(&mut bytes, b"a.warc", b"../../p", random),
        7 => replace(&mut bytes, b".parquet", b"/../../x", random),
        8 => replace(&mut bytes, b"1", b"18446744073709551616", random),
        9 => replace(&mut bytes, b":", b":-1,", random),
        10 => bytes = (0..random.below(4000)).map(|_| random.next() as u8).collect(),
        11 => return make_link(path, precious),
        _ => {
            let end = bytes.len();
            for _ in 0..8 {
                // The end of a file is where Parquet and packages say what is in them.
                let at = end.saturating_sub(1 + random.below(300));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.next() as u8;
                }
            }
        }
    }
    fs::write(path, &bytes).expect("writable");
    if path.extension().is_some_and(|ending| ending == "json") && random.one_in(2) {
        seal(path);
    }
    if path.extension().is_some_and(|ending| ending == "parquet") && random.one_in(2) {
        state(path, &bytes);
    }
}

/// Puts the checksum right, as somebody does who wants to deceive.
fn seal(path: &Path) {
    let text = fs::read(path).expect("readable");
    let marker = b",\"crc\":\"";
    let Some(at) = text.windows(marker.len()).rposition(|window| window == marker) else { return };
    let mut sealed = text[..at].to_vec();
    let digits = format!("{:08x}", crc32fast::hash(&sealed));
    sealed.extend_from_slice(marker);
    sealed.extend_from_slice(digits.as_bytes());
    sealed.extend_from_slice(b"\"}\n");
    fs::write(path, sealed).expect("writable");
}

/// Has the manifest state a damaged part as it is.
fn state(part: &Path, bytes: &[u8]) {
    let manifest = part.with_file_name("_manifest.json");
    let Ok(text) = fs::read_to_string(&manifest) else { return };
    let Ok(mut json) = serde_json::from_str::<serde_json::Value>(&text) else { return };
    let name = part.file_name().expect("named").to_string_lossy().into_owned();
    json["version"] = 1.into();
    for entry in json["parts"].as_array_mut().into_iter().flatten() {
        if entry["file"] == *name {
            entry["bytes"] = bytes.len().into();
            entry["blocks"] = format!("{:08x}", crc32fast::hash(bytes)).into();
        }
    }
    if let Some(members) = json.as_object_mut() {
        members.remove("crc");
    }
    fs::write(&manifest, json.to_string()).expect("writable");
}

fn replace(bytes: &mut Vec<u8>, from: &[u8], to: &[u8], random: &mut Random) {
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
    if !places.is_empty() {
        let at = places[random.below(places.len())];
        bytes.splice(at..at + from.len(), to.iter().copied());
    }
}

#[cfg(unix)]
fn make_link(path: &Path, target: &Path) {
    fs::remove_file(path).expect("removed");
    std::os::unix::fs::symlink(target, path).expect("made");
}

#[cfg(not(unix))]
fn make_link(path: &Path, _: &Path) {
    fs::write(path, "").expect("writable");
}

#[test]
fn a_collection_with_any_file_changed_panics_nowhere_and_writes_nowhere_else() {
    let scene = sound();
    let ran = scene.run("report eclipse");
    assert_eq!(ran.code, Some(0), "{ran}");
    let (collection, outside) = (scene.folder().join("eclipse"), scene.folder().join("precious"));
    fs::create_dir_all(&outside).expect("made");
    fs::write(outside.join("a.txt"), "precious\n").expect("written");
    let sound_files = all_files(&collection);
    let names: Vec<&PathBuf> = sound_files.keys().collect();
    let spill = tempfile_folder(&scene);
    let is_outside = |path: &PathBuf| !path.starts_with(&collection);
    let before: BTreeMap<_, _> =
        all_files(scene.folder()).into_iter().filter(|(path, _)| is_outside(path)).collect();
    let (mut opened, mut commands) = (0_u64, 0_u64);
    let count = rounds(|seed| {
        let mut random = Random(seed);
        fs::remove_dir_all(&collection).expect("removed");
        for (path, bytes) in &sound_files {
            fs::create_dir_all(path.parent().expect("it has one")).expect("made");
            fs::write(path, bytes).expect("writable");
        }
        let name = names[random.below(names.len())];
        mutate(name, &outside.join("a.txt"), &mut random);
        let place = format!("seed {seed}: {}", name.display());
        let read = panic::catch_unwind(AssertUnwindSafe(|| {
            let Ok(found) = Collection::open(&collection) else { return false };
            let _ = (found.status(), found.verify_lists(), found.trash());
            if let Ok(pages) = pages_of(&collection) {
                let engine = engine(&spill);
                for sql in [
                    "select url, title, tweet_ids from pages",
                    "select id, text, duplicate_of from pages order by id",
                    "select count(*), max(title) from pages",
                ] {
                    if let Err(told) = run(&engine, sql, &pages) {
                        assert!(!told.contains("broke down"), "{sql}: {told}");
                    }
                }
            }
            // The next writer mends, and removes what killed ones left.
            if let Ok(writer) = found.lock("hostile") {
                let _ = (writer.remove_archive("own.warc.gz"), writer.empty_trash());
            }
            true
        }));
        opened += u64::from(*read.as_ref().unwrap_or_else(|_| panic!("{place}: a panic")));
        if seed % 10 == 0 {
            for line in ["report eclipse", "status eclipse", "clean eclipse"] {
                let ran = scene.run(line);
                commands += 1;
                assert!(matches!(ran.code, Some(0..=2)), "{place}: {line}: {ran}");
                assert!(!String::from_utf8_lossy(&ran.stderr).contains("panicked"), "{place}: {line}: {ran}");
            }
        }
        let after: BTreeMap<_, _> =
            all_files(scene.folder()).into_iter().filter(|(path, _)| is_outside(path)).collect();
        assert!(after == before, "{place}: something outside the collection was changed");
    });
    println!("{count} changed collections: {opened} opened, {commands} commands run");
    assert!(opened > 0 && opened < count, "{opened} of {count} opened");
}
