use std::num::NonZero;
use std::ops::ControlFlow;

use tamis_archive::Timestamp;
use tamis_testkit::{ArchiveBuilder, Record, http_response};
use tempfile::TempDir;

use super::*;

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(&path, bytes).expect("writable");
        path
    }

    fn collection(&self) -> Collection {
        let created = Timestamp::from_unix(1_700_000_000, 0).expect("a moment");
        let new = New { id: "7".into(), name: "c".into(), event: None, created };
        Collection::create(&self.path("c"), &new).expect("new")
    }

    fn writer(&self) -> Writer {
        let collection = Collection::open(&self.path("c")).unwrap_or_else(|_| self.collection());
        collection.lock("a test").expect("free")
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("there");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("there").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn pages(urls: &[&str]) -> Vec<u8> {
    let add = |builder: ArchiveBuilder, url: &&str| {
        builder.gzip(&Record::response(url, http_response("text/html", format!("<p>{url}"))))
    };
    urls.iter().fold(ArchiveBuilder::new(), add).build()
}

fn import(writer: &Writer, path: &Path, kept: Kept) -> Imported {
    let options = ImportOptions { kept, jobs: NonZero::<usize>::MIN };
    writer.import(path, options, &mut |_| ControlFlow::Continue(())).expect("importable")
}

fn added(imported: Imported) -> Archive {
    match imported {
        Imported::Added(archive) => archive,
        other => panic!("{other:?}"),
    }
}

fn part(writer: &Writer, file: &str, archive: &str) -> Part {
    fs::write(writer.pages_folder().join(file), file).expect("writable");
    Part {
        file: file.into(),
        archive: archive.into(),
        bytes: file.len() as u64,
        captures: 2,
        columns: vec!["title".into()],
        ..Part::default()
    }
}

#[test]
fn an_archive_is_there_once_whatever_it_is_called() {
    let place = Place::new();
    let writer = place.writer();
    let first = place.file("in/a.warc.gz", &pages(&["http://a.org/", "http://b.org/"]));
    let archive = added(import(&writer, &first, Kept::Copy));
    assert_eq!((archive.records, archive.captures, archive.faults), (2, 2, 0));
    assert_eq!(import(&writer, &first, Kept::Copy), Imported::Known(archive.clone()));
    let same = place.file("in/b.warc.gz", &pages(&["http://a.org/", "http://b.org/"]));
    assert_eq!(import(&writer, &same, Kept::Reference), Imported::Known(archive));
    let other = place.file("other/a.warc.gz", &pages(&["http://c.org/"]));
    assert_eq!(added(import(&writer, &other, Kept::Copy)).name, "a-2.warc.gz");
    assert_eq!(place.names("c/archive"), ["a-2.warc.gz", "a.warc.gz"]);
    assert_eq!(place.names("c/index"), ["a-2.warc.gz.cdxj", "a.warc.gz.cdxj"]);
    let index = fs::read_to_string(place.path("c/index/a.warc.gz.cdxj")).expect("there");
    assert!(index.starts_with("org,a)/ ") && index.lines().count() == 2, "{index}");
    drop(writer);
    let sources = Collection::open(&place.path("c")).expect("sound").named_sources().expect("sound");
    let names: Vec<_> = sources.iter().map(|source| &*source.name).collect();
    assert_eq!(names, ["a-2.warc.gz", "a.warc.gz"]);
}

#[test]
fn an_archive_that_a_killed_import_left_is_taken_over() {
    let place = Place::new();
    let bytes = pages(&["http://a.org/"]);
    let path = place.file("a.warc.gz", &bytes);
    drop(place.writer());
    place.file("c/archive/a.warc.gz", &bytes);
    place.file("c/archive/.a.warc.gz.Ab3dE6.part", b"half");
    let collection = Collection::open(&place.path("c")).expect("sound");
    let left = place.path("c/archive/.a.warc.gz.Ab3dE6.part");
    let problems = collection.status().expect("sound").problems;
    let expected = [Problem::Unlisted(place.path("c/archive/a.warc.gz")), Problem::Leftover(left)];
    assert_eq!(problems, expected);
    assert_eq!(added(import(&place.writer(), &path, Kept::Copy)).name, "a.warc.gz");
    assert_eq!(place.names("c/archive"), ["a.warc.gz"]);
    let by_hand = place.file("c/archive/b.warc.gz", &pages(&["http://b.org/"]));
    assert_eq!(added(import(&place.writer(), &by_hand, Kept::Copy)).name, "b.warc.gz");
    assert!(collection.status().expect("sound").is_sound());
}

#[test]
fn a_reference_that_changed_is_noticed_and_renewed_without_what_was_made_of_it() {
    let place = Place::new();
    let writer = place.writer();
    let path = place.file("a.warc.gz", &pages(&["http://a.org/"]));
    added(import(&writer, &path, Kept::Reference));
    let other = place.file("b.warc.gz", &pages(&["http://b.org/"]));
    added(import(&writer, &other, Kept::Reference));
    writer
        .commit(vec![part(&writer, "1.parquet", "a.warc.gz"), part(&writer, "2.parquet", "b.warc.gz")], &[])
        .expect("sound");
    place.file("a.warc.gz", &pages(&["http://a.org/", "http://a.org/2"]));
    assert_eq!(writer.archives().expect("sound")["a.warc.gz"].condition(&writer), Condition::Changed);
    let Imported::Replaced(archive) = import(&writer, &path, Kept::Reference) else { panic!("it changed") };
    assert_eq!((&*archive.name, archive.captures), ("a.warc.gz", 2));
    let manifest = writer.manifest().expect("sound");
    assert_eq!(manifest.parts.iter().map(|part| &*part.file).collect::<Vec<_>>(), ["2.parquet"]);
    assert_eq!(place.names("c/pages"), ["2.parquet", "_manifest.json"]);
    fs::remove_file(&other).expect("there");
    assert_eq!(writer.archives().expect("sound")["b.warc.gz"].condition(&writer), Condition::Missing);
    assert!(place.names("c/archive").is_empty());
}

#[test]
fn a_moved_reference_is_relocated_and_not_added_again() {
    let place = Place::new();
    let writer = place.writer();
    let bytes = pages(&["http://a.org/"]);
    let old = place.file("old/a.warc.gz", &bytes);
    added(import(&writer, &old, Kept::Reference));
    writer.commit(vec![part(&writer, "1.parquet", "a.warc.gz")], &[]).expect("sound");
    fs::create_dir(place.path("new")).expect("writable");
    fs::rename(&old, place.path("new/b.warc.gz")).expect("writable");
    let new = place.path("new/b.warc.gz");
    let Imported::Relocated(archive) = import(&writer, &new, Kept::Reference) else { panic!("it moved") };
    assert_eq!((&*archive.name, archive.condition(&writer)), ("a.warc.gz", Condition::Present));
    assert_eq!(Path::new(&archive.origin.path), fs::canonicalize(&new).expect("there"));
    assert_eq!(writer.archives().expect("sound").len(), 1);
    assert_eq!(writer.manifest().expect("sound").parts.len(), 1, "its columns are still its columns");
    fs::remove_file(&new).expect("there");
    let copy = place.file("again.warc.gz", &bytes);
    let Imported::Relocated(archive) = import(&writer, &copy, Kept::Copy) else { panic!("it is back") };
    assert_eq!((&*archive.name, archive.kept), ("a.warc.gz", Kept::Copy));
    fs::write(place.path("c/archive/a.warc.gz"), "short").expect("writable");
    let Imported::Relocated(archive) = import(&writer, &copy, Kept::Copy) else { panic!("it was changed") };
    assert_eq!(archive.condition(&writer), Condition::Present);
    assert_eq!(place.names("c/archive"), ["a.warc.gz"]);
    assert_eq!(place.names("c/trash/a.warc.gz"), ["a.warc.gz"], "the changed file is not lost");
}

#[test]
fn what_has_no_record_is_refused_and_leaves_nothing() {
    let place = Place::new();
    let writer = place.writer();
    for (name, bytes) in [
        ("empty.warc", &b""[..]),
        ("noise.warc.gz", b"this is nothing at all"),
        ("cut.wacz", b"PK\x03\x04 and no directory"),
        ("none.wacz", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ] {
        let path = place.file(name, bytes);
        for kept in [Kept::Copy, Kept::Reference] {
            let options = ImportOptions { kept, jobs: NonZero::<usize>::MIN };
            let refused = writer.import(&path, options, &mut |_| ControlFlow::Continue(()));
            assert!(matches!(refused, Err(Error::NotAnArchive { .. })), "{name}: {refused:?}");
        }
    }
    assert!(place.names("c/archive").is_empty() && place.names("c/index").is_empty());
    assert!(writer.archives().expect("sound").is_empty());
}

#[test]
fn what_a_killed_writer_left_of_a_list_counts_and_is_sealed_by_the_next() {
    let place = Place::new();
    let writer = place.writer();
    let path = place.file("a.warc.gz", &pages(&["http://a.org/"]));
    added(import(&writer, &path, Kept::Copy));
    let sealed = fs::read(place.path("c/checksums.json")).expect("there");
    let other = place.file("b.warc.gz", &pages(&["http://b.org/"]));
    added(import(&writer, &other, Kept::Copy));
    drop(writer);
    // Killed after the line, before its checksum; and in the middle of the next line.
    fs::write(place.path("c/checksums.json"), sealed).expect("writable");
    let lines = fs::read(place.path("c/archives.jsonl")).expect("there");
    fs::write(place.path("c/archives.jsonl"), [&lines[..], b"{\"na"].concat()).expect("writable");
    let collection = Collection::open(&place.path("c")).expect("sound");
    assert_eq!(collection.archives().expect("sound").len(), 2);
    drop(place.writer());
    assert_eq!(fs::read(place.path("c/archives.jsonl")).expect("there"), lines);
    // Sealed now: the second line cannot get lost any more.
    fs::write(place.path("c/archives.jsonl"), &lines[..lines.len() - 10]).expect("writable");
    let error = collection.archives().expect_err("it is cut").to_string();
    assert!(error.contains("archives.jsonl: only "), "{error}");
}

#[test]
fn a_list_that_is_being_replaced_counts_before_and_after() {
    let place = Place::new();
    let writer = place.writer();
    let seeds = |text: &str| {
        let mut merge = writer.merge_seeds().expect("sound");
        merge.add_urls(text.as_bytes()).expect("read");
        writer.replace_seeds(merge).expect("writable");
        (fs::read(place.path("c/seeds.tsv")).expect("there"), writer.sums_now().clone())
    };
    let (old, before) = seeds("http://a.org/\n");
    let (new, after) = seeds("http://b.org/\n");
    let mut both = after.clone();
    both.files
        .insert(seeds::FILE.to_owned(), [&before, &after].map(|sums| sums.files[seeds::FILE][0]).to_vec());
    both.write(writer.root()).expect("writable");
    for (bytes, is_sound) in [(&old[..], true), (&new[..], true), (&new[..new.len() - 1], false)] {
        fs::write(place.path("c/seeds.tsv"), bytes).expect("writable");
        assert_eq!(writer.count_seeds().is_ok(), is_sound);
    }
}

#[test]
fn a_damaged_archive_is_taken_and_its_faults_are_counted() {
    let place = Place::new();
    let bytes = pages(&["http://a.org/", "http://b.org/"]);
    let path = place.file("a.warc.gz", &bytes[..bytes.len() - 20]);
    let archive = added(import(&place.writer(), &path, Kept::Copy));
    assert!(archive.faults > 0 && archive.records >= 1, "{archive:?}");
    assert_eq!(fs::read(place.path("c/archive/a.warc.gz")).expect("there"), &bytes[..bytes.len() - 20]);
}

#[test]
fn who_is_told_can_stop_it_and_nothing_is_left() {
    let place = Place::new();
    let path = place.file("a.warc.gz", &pages(&["http://a.org/"]));
    let writer = place.writer();
    let options = ImportOptions { kept: Kept::Copy, jobs: NonZero::<usize>::MIN };
    let stopped = writer.import(&path, options, &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(Error::Stopped)), "{stopped:?}");
    assert!(place.names("c/archive").is_empty() && place.names("c/index").is_empty());
}

#[test]
fn a_manifest_names_only_files_that_are_there_and_whole() {
    let place = Place::new();
    let writer = place.writer();
    let sound = part(&writer, "1.parquet", "a");
    let short = Part { bytes: 1, ..part(&writer, "2.parquet", "a") };
    let missing = Part { file: "3.parquet".into(), ..Part::default() };
    for bad in [short, missing] {
        assert!(writer.commit(vec![sound.clone(), bad], &[]).is_err());
        assert_eq!(writer.manifest().expect("sound"), Manifest::default());
    }
    writer.commit(vec![sound.clone()], &[]).expect("sound");
    let again = Part { rows: 5, ..sound };
    writer.commit(vec![again.clone()], &["1.parquet".into()]).expect("a file may stay with new facts");
    assert_eq!(writer.manifest().expect("sound").parts, [again]);
    assert_eq!(place.names("c/pages"), ["1.parquet", "2.parquet", "_manifest.json"]);
    drop(writer);
    drop(place.writer());
    assert_eq!(place.names("c/pages"), ["1.parquet", "_manifest.json"], "what nobody names is gone");
}

#[test]
fn many_parts_are_cheap() {
    let place = Place::new();
    let writer = place.writer();
    let parts = (0..20_000).map(|n| Part {
        file: format!("{n:05}.parquet"),
        archive: format!("{}", n % 7),
        columns: vec!["title".into(), "text".into()],
        ..Part::default()
    });
    let parts: Vec<Part> = parts.collect();
    let manifest = Manifest::default().with(parts, &[]).expect("sound");
    manifest.write(&writer.pages_folder()).expect("writable");
    drop(writer);
    let writer = place.writer();
    assert_eq!(writer.manifest().expect("sound"), manifest);
    let seconds = tamis_testkit::cpu_seconds(|| {
        writer
            .commit(vec![part(&writer, "one-more.parquet", "8")], &["00007.parquet".into()])
            .expect("sound");
    });
    // Processor time. Were it quadratic, it would take many times as long, even without optimisation.
    assert!(seconds < 5.0, "{seconds} s");
    assert_eq!(writer.manifest().expect("sound").parts.len(), 20_000);
}

#[test]
fn seeds_are_kept_once_with_all_their_tweets() {
    let place = Place::new();
    let writer = place.writer();
    let mut merge = writer.merge_seeds().expect("none");
    let report = merge.add_urls(&b"http://b.org/\nhttps://www.a.org/x\nnot one\n"[..]).expect("read");
    assert_eq!((report.urls, report.bad), (2, 1));
    let tweets = "{\"id_str\":\"12\",\"full_text\":\"\",\"entities\":{\"urls\":[{\"expanded_url\":\"http://a.org/x\"}]}}\n\
         {\"id_str\":\"3\",\"full_text\":\"\",\"entities\":{\"urls\":[{\"expanded_url\":\"http://a.org/x#y\"}]}}\n";
    assert_eq!(merge.add_tweets(tweets.as_bytes()).expect("read").tweets, 2);
    let (before, after) = writer.replace_seeds(merge).expect("writable");
    assert_eq!((before.urls, after), (0, SeedCounts { urls: 2, urls_of_tweets: 1, mentions: 2 }));
    let text = fs::read_to_string(place.path("c/seeds.tsv")).expect("there");
    let expected = "key\turl\ttweet_ids\norg,a)/x\thttps://www.a.org/x\t3 12\norg,b)/\thttp://b.org/\t\n";
    assert_eq!(text, expected);
    let mut again = writer.merge_seeds().expect("sound");
    again.add_urls(&b"http://a.org/x\n"[..]).expect("read");
    assert_eq!(writer.replace_seeds(again).expect("writable").1, after);
    assert_eq!(fs::read_to_string(place.path("c/seeds.tsv")).expect("there"), expected);
    let tweets = writer.url_tweets().expect("sound");
    assert_eq!(tweets.ids("http://A.org/x"), Some(&["3".into(), "12".into()][..]));
    assert_eq!(tweets.ids("http://b.org/"), None);
}

#[test]
fn a_collection_of_the_first_version_is_still_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/collection-1");
    let collection = Collection::open(&path).expect("sound");
    assert_eq!((&*collection.about().id, &*collection.about().name), ("1041", "sieves"));
    let status = collection.status().expect("sound");
    assert_eq!(status.problems, []);
    assert_eq!((status.archives.len(), status.records, status.captures), (1, 4, 3));
    assert_eq!((status.parts, status.cpu_ms, status.uncleaned.len()), (1, 1234, 0));
    assert_eq!(status.columns, [ColumnStatus { name: "title".into(), captures: 3 }]);
    assert_eq!((status.seeds.urls, status.seeds.mentions, status.runs), (3, 3, 1));
    let sources = collection.sources().expect("sound");
    let mut reader = sources[0].open(tamis_archive::Mode::Lenient).expect("there");
    assert!(reader.next().expect("sound").is_some());
}

#[test]
fn a_newer_collection_is_not_touched() {
    let place = Place::new();
    drop(place.writer());
    let manifest = r#"{"version":9,"parts":[]}"#;
    place.file("c/pages/_manifest.json", manifest.as_bytes());
    place.file("c/pages/x.parquet", b"of the future");
    let error =
        Collection::open(&place.path("c")).expect("its own file is old").lock("x").expect_err("newer");
    assert!(matches!(error, Error::Newer { found: 9, known: 2, .. }), "{error}");
    assert_eq!(place.names("c/pages"), ["_manifest.json", "x.parquet"]);
}
