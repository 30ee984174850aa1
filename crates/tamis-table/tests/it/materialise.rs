//! Columns that a collection keeps: the same rows as the archives give, whoever made them and however often.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use tamis_archive::Timestamp;
use tamis_collection::{Collection, ImportOptions, Kept, New, Repair};
use tamis_table::materialise::{self, Event, Job, Made};
use tamis_table::query::{Engine, Prepared, Settings};
use tamis_table::{COLUMNS, Column, Context, Cut, Limits, LostPart, Pages};
use tamis_testkit::{ArchiveBuilder, Record, http_response};

use crate::rows::{door, gzipped, page, pages};

/// A collection in a folder of its own.
pub(crate) struct Case {
    folder: tempfile::TempDir,
    jobs: usize,
    cut: Cut,
}

impl Case {
    pub(crate) fn of(archives: &[(&str, Vec<u8>)]) -> Self {
        Self::importing(archives, Kept::Copy)
    }

    pub(crate) fn importing(archives: &[(&str, Vec<u8>)], kept: Kept) -> Self {
        let case = Self { folder: tempfile::tempdir().expect("a folder"), jobs: 2, cut: Cut::Even };
        let created = Timestamp::from_unix(1_786_000_000, 0).expect("a moment");
        let new = New { name: "eclipse".to_owned(), id: "7".to_owned(), event: None, created };
        let collection = Collection::create(&case.root(), &new).expect("it is new").with_door(&door());
        let writer = collection.lock("test").expect("nobody else");
        for (name, bytes) in archives {
            let path = case.folder.path().join(name);
            fs::write(&path, bytes).expect("it can be written");
            let options = ImportOptions { kept, jobs: NonZero::<usize>::MIN };
            writer.import(&path, options, &mut |_| ControlFlow::Continue(())).expect("it is taken");
        }
        case
    }

    pub(crate) fn with(mut self, jobs: usize, cut: Cut) -> Self {
        (self.jobs, self.cut) = (jobs, cut);
        self
    }

    fn collection(&self) -> Collection {
        Collection::open(&self.root()).expect("sound").with_door(&door())
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("eclipse")
    }

    pub(crate) fn clean(&self, columns: &[&str], jobs: usize, range: u64) -> Made {
        self.clean_with(columns, jobs, range, &Context::default())
    }

    fn clean_with(&self, columns: &[&str], jobs: usize, range: u64, context: &Context) -> Made {
        self.clean_watched(columns, jobs, range, context, |_| {})
    }

    fn clean_watched(
        &self,
        columns: &[&str],
        jobs: usize,
        range: u64,
        context: &Context,
        mut watch: impl FnMut(&Event<'_>),
    ) -> Made {
        let writer = self.collection().lock("test").expect("nobody else");
        let columns = columns.iter().map(|name| Column::named(name).expect("a column")).collect();
        let members = tamis_table::members(&writer, context).expect("sound").list;
        let job = Job {
            columns,
            jobs: NonZero::new(jobs).expect("not zero"),
            range_bytes: NonZero::new(range).expect("not zero"),
            context: members[0].context.clone(),
        };
        let watch = |event: Event<'_>| {
            watch(&event);
            ControlFlow::Continue(())
        };
        materialise::run(&writer, &job, watch).expect("it is made")
    }

    /// All Parquet files.
    pub(crate) fn parts(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.root().join("pages")).expect("a folder");
        let entries = entries.map(|entry| entry.expect("it lists").path());
        let parts = entries.filter(|path| path.extension().is_some_and(|ending| ending == "parquet"));
        parts.map(|path| (name_of(&path), fs::read(&path).expect("it reads"))).collect()
    }

    pub(crate) fn ask(&self, sql: &str) -> String {
        let (rows, _, pages) = self.run(sql);
        assert_eq!(lost_parts(&pages), [], "{sql}");
        pretty_format_batches(&rows).expect("it prints").to_string()
    }

    pub(crate) fn run(&self, sql: &str) -> (Vec<RecordBatch>, Prepared, Arc<Pages>) {
        let settings = Settings {
            jobs: NonZero::new(self.jobs).expect("not zero"),
            memory_bytes: 64 << 20,
            spill: self.folder.path().to_owned(),
        };
        let members = tamis_table::members(&self.collection(), &Context::default()).expect("sound");
        let pages = Arc::new(Pages::new(members.list, self.cut));
        let engine = Engine::new(settings).expect("an engine");
        let prepared = engine.prepare(sql, &pages).expect("it can be planned");
        let mut rows = Vec::new();
        let mut each = |batch| {
            rows.push(batch);
            ControlFlow::Continue(())
        };
        engine.run(&prepared, &mut each).expect("it runs");
        assert_eq!(prepared.audit(), [], "{sql}");
        (rows, prepared, pages)
    }
}

/// The kept parts that a query could not read.
pub(crate) fn lost_parts(pages: &Pages) -> Vec<LostPart> {
    (0..pages.members().len()).flat_map(|member| pages.lost_parts(member)).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

const ALL: &str = "select * from pages order by url, \"offset\"";

fn all_columns() -> Vec<&'static str> {
    COLUMNS.iter().map(|column| column.name).collect()
}

pub(crate) fn two_archives() -> Vec<(&'static str, Vec<u8>)> {
    let others = (0..60).map(|at| page(&format!("http://b.example/{at}"), "Other")).collect::<Vec<_>>();
    vec![("a.warc.gz", gzipped(&pages(90))), ("b.warc.gz", gzipped(&others))]
}

#[test]
fn what_is_kept_is_what_the_archives_give() {
    let case = Case::of(&two_archives());
    let before = case.ask(ALL);
    let made = case.clean(&all_columns(), 2, 2000);
    assert_eq!((made.rows, made.failed), (150, 0));
    assert!(made.parts > 10, "{made:?}");
    assert_eq!(case.ask(ALL), before);
    assert_eq!(case.clean(&all_columns(), 2, 2000), Made::default(), "all is there");
}

#[test]
fn any_number_of_threads_makes_the_same_files() {
    let [one, three] = [1, 3].map(|jobs| {
        let case = Case::of(&two_archives());
        case.clean(&["url", "title", "text", "links"], jobs, 3000);
        case.parts()
    });
    assert!(one.len() > 5);
    assert!(one == three);
}

#[test]
fn columns_that_come_later_join_those_that_are_there() {
    let case = Case::of(&two_archives());
    case.clean(&["url", "key", "offset", "title"], 2, 3000);
    let parts = case.parts().len();
    let made = case.clean(&all_columns(), 2, 9000);
    assert_eq!((made.parts as usize, made.rows), (parts, 150), "ranges stay");
    assert_eq!(case.parts().len(), parts, "the old files are gone");
    let at_once = Case::of(&two_archives());
    at_once.clean(&all_columns(), 1, 3000);
    assert_eq!(case.ask(ALL), at_once.ask(ALL));
    assert!(case.parts() == at_once.parts());
}

#[test]
fn a_part_that_is_lost_is_made_again() {
    let case = Case::of(&two_archives());
    case.clean(&["url", "key", "offset", "title"], 2, 3000);
    let before = case.parts();
    let lost = before.keys().nth(2).expect("there are more").clone();
    fs::remove_file(case.root().join("pages").join(&lost)).expect("it is there");
    assert_eq!(case.clean(&["url", "key", "offset", "title"], 2, 3000).parts, 1);
    assert!(case.parts() == before);
}

#[test]
fn an_archive_inside_a_page_is_not_cut_into_parts() {
    let inner = http_response("application/warc", gzipped(&pages(60)));
    let outer = Record::response("http://b.example/archive.warc.gz", inner);
    let bytes = ArchiveBuilder::new()
        .plain(&outer)
        .plain(&page("http://b.example/1", "One"))
        .plain(&page("http://b.example/2", "Two"))
        .build();
    let case = Case::of(&[("a.warc", bytes)]);
    let before = case.ask(ALL);
    let made = case.clean(&all_columns(), 3, 1000);
    assert_eq!((made.rows, made.failed), (3, 0));
    assert_eq!(case.ask(ALL), before);
}

#[test]
fn parts_with_mended_text_are_made_anew_once_and_then_added_to() {
    let sentence =
        "Die groÃŸe Ã„nderung kÃ¶nnte fÃ¼r uns alle schÃ¶n werden, sagte die Ã„rztin gestern. ".repeat(8);
    let html = format!("<html lang=de><title>Die Ã„rztin</title><p>{sentence}");
    let damaged = http_response("text/html; charset=utf-8", html);
    let case = Case::of(&[("a.warc.gz", gzipped(&[Record::response("http://a.example/damaged", damaged)]))]);
    let mend = Context { repair: true, ..Context::default() };
    let sql = "select count(*) as mended from pages where text like '%schön%'";
    assert_eq!(case.clean(&["key", "offset", "text"], 1, 2000).parts, 1);
    assert!(case.ask(sql).contains("| 0 "), "{}", case.ask("select text from pages"));
    assert_eq!(case.clean_with(&["key", "offset", "text"], 1, 2000, &mend).parts, 1);
    assert!(case.ask(sql).contains("| 1 "), "{}", case.ask("select text from pages"));
    assert_eq!(case.clean_with(&["key", "offset", "text"], 1, 2000, &mend).parts, 0);
    assert_eq!(case.clean(&["key", "offset", "full_text"], 1, 2000).parts, 1);
    assert!(case.ask("select full_text from pages").contains("schön"));
    assert_eq!(case.parts().len(), 1);
}

#[test]
fn mending_later_keeps_the_columns_that_were_there() {
    let case = Case::of(&two_archives());
    let mend = Context { repair: true, ..Context::default() };
    case.clean(&["key", "offset", "html", "text"], 2, 2000);
    case.clean_with(&["key", "offset", "text"], 2, 2000, &mend);
    let manifest = Collection::open(&case.root()).expect("sound").manifest().expect("sound");
    assert!(manifest.parts.iter().all(|part| part.repair && part.columns.contains(&"html".to_owned())));
}

#[test]
fn answers_of_another_detector_are_not_those_that_are_kept() {
    let case = Case::of(&two_archives());
    case.clean(&["key", "offset", "url", "languages"], 1, 2000);
    let collection = Collection::open(&case.root()).expect("sound");
    let kept = |context: &Context| {
        let members = tamis_table::members(&collection, context).expect("sound").list;
        members[0].parts[0].1.columns.iter().any(|column| column.name == "languages")
    };
    assert!(kept(&Context::default()));
    let words = tamis_table::Detector::other(Arc::new(tamis_words::language::Words::built_in()));
    assert!(!kept(&Context { detector: words, ..Context::default() }));
}

#[test]
fn a_collection_that_gets_another_name_does_not_keep_the_old_one() {
    let case = Case::of(&two_archives());
    case.clean(&["key", "offset", "collection_name", "title"], 1, 2000);
    let about = case.root().join("collection.toml");
    let text = fs::read_to_string(&about).expect("it reads").replace("\"eclipse\"", "\"sun\"");
    fs::write(&about, text).expect("it can be written");
    let repair = Repair { command: "a test", keep_edits: true, jobs: NonZero::<usize>::MIN };
    repair.run(&case.root(), &mut |_| ControlFlow::Continue(())).expect("the edit is accepted");
    assert!(case.ask("select distinct collection_name from pages").contains("| sun "));
    assert!(case.clean(&["key", "offset", "title"], 1, 2000).parts > 0);
    assert_eq!(case.clean(&["key", "offset", "title"], 1, 2000).parts, 0);
    assert!(case.ask("select distinct collection_name from pages").contains("| sun "));
}

/// Queries gave the cut text of kept columns as if it were whole.
#[test]
fn pages_that_were_cut_when_they_were_kept_are_read_again_by_queries_with_another_limit() {
    let large = |at: usize| {
        let html = format!("<title>Large {at}</title><p>{}", "some words of a page ".repeat(300));
        Record::response(&format!("http://b.example/{at}"), http_response("text/html", html))
    };
    let records: Vec<Record> = pages(20).into_iter().chain((0..3).map(large)).collect();
    let case = Case::of(&[("a.warc.gz", gzipped(&records))]);
    let sql = "select url, title, digest, text, length(html) from pages";
    let before = case.ask(sql);
    let clean = |page_bytes: u64, columns: &[&str]| {
        let mut cut = 0;
        let context = Context { limits: Limits { page_bytes }, ..Context::default() };
        let made = case.clean_watched(columns, 2, 900, &context, |event| {
            cut += if let Event::Made { oversized, .. } = event { *oversized } else { 0 };
        });
        (made.parts > 0, cut)
    };
    let kept = ["url", "title", "digest", "text", "html"];
    assert_eq!(clean(2000, &kept), (true, 3));
    assert_eq!(case.ask(sql), before);
    assert_eq!(case.run("select url, digest from pages").2.oversized(0), 0, "heads are never cut");
    assert_eq!(clean(2000, &kept), (false, 0), "all is there for this limit");
    assert_eq!(clean(64 << 20, &kept), (true, 0), "all is made again without a cut");
    assert_eq!(case.ask(sql), before);
    assert_eq!(clean(128 << 20, &kept), (false, 0), "no page is larger, so a larger limit changes nothing");
    assert_eq!(clean(2000, &["url", "text"]), (true, 3), "a smaller one does");
    assert_eq!(case.ask(sql), before);
}
