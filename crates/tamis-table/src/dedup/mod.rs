//! Pages that are the same or nearly the same, found by their digests and sketches.
//!
//! Pages of new archives are compared with each other and with those kept before, which an index on disk knows; nothing that
//! was judged is judged again. What comes of it are two tables in Parquet: the duplicates, each with the page that is kept in its
//! place, and the kept pages. Of a collection they are in `dedup/`, behind a list that is swapped atomically.
//!
//! Memory: [`Job::memory_bytes`]; what is more goes to the disk.

mod known;
mod rows;
mod store;

use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use tamis_files::Space;
use tamis_near::cluster::{Clusterer, Keep, Member, Near, Reason, Relation, Settings};

pub use known::{Duplicate, Duplicates, Unreadable};
pub use store::{JudgedArchive, Store, TableFile, keep_of_word, near_of_words, near_words};

use crate::pages::Pages;
use crate::query::{Engine, QueryError};
use crate::sink::SinkError;
use rows::{MemberRows, PageRows, Table};

/// What is asked of each page. A revisit has nothing but the digest of what it stands for. The stored length of a record says
/// nothing of its page: it depends on how the archive is compressed.
const PAGES: &str = r#"select file, "offset", in_member, id, key, url, time, digest, case when type = 'revisit' then 0 else 1 end as has_payload,
    octet_length(text) as text_bytes, simhash, minhash from pages"#;
/// The pages that are kept.
const KEPT: &str = r#"select p.id, p.file, p."offset", p.in_member, p.capture, p.key, p.url from page p join member m on p.id = m.id where m.kind = 'kept'"#;
/// The others, each with the page that is kept in its place.
const OTHERS: &str = r#"select p.capture as id, p.file, p."offset", p.in_member, p.key, p.url, m.kind, m.similarity, m.kept as cluster, m.why,
    k.capture as kept_id, k.file as kept_file, k."offset" as kept_offset, k.key as kept_key, k.url as kept_url
    from member m join page p on m.id = p.id join kept k on m.kept = k.id
    where m.kind <> 'kept' order by p.file, p."offset", p.in_member"#;

/// What to find, and how.
#[derive(Debug, Clone)]
pub struct Job {
    /// When pages are nearly the same.
    pub near: Near,
    /// Which page is kept.
    pub keep: Keep,
    /// Texts with fewer bytes are compared as a whole only.
    pub least_text: u64,
    /// What may be held in memory.
    pub memory_bytes: usize,
    /// Threads.
    pub jobs: NonZero<usize>,
}

/// What was found among the pages that were looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Found {
    /// Pages.
    pub pages: u64,
    /// Those that are kept.
    pub kept: u64,
    /// Those with the same content as a kept one.
    pub exact: u64,
    /// Those with nearly the same text.
    pub near: u64,
}

/// Why duplicates cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The pages could not be read, or the outcome not be put together.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A table could not be written.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// The index of what is kept, or a file beside it.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The collection cannot be written to.
    #[error(transparent)]
    Collection(#[from] tamis_collection::Error),
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
}

/// The files of a run.
#[derive(Debug, Clone)]
pub struct Files {
    /// The index of what is kept, which goes on from run to run.
    pub index: PathBuf,
    /// The kept pages of earlier runs.
    pub kept_before: Vec<PathBuf>,
    /// Where those of this run go.
    pub kept: PathBuf,
    /// Where the duplicates of this run go.
    pub duplicates: PathBuf,
    /// A folder for what is thrown away.
    pub scratch: PathBuf,
}

impl Job {
    /// Finds the duplicates among pages, and between them and those kept before. Pages have the numbers from `first_id` on.
    ///
    /// `watch` is asked for each batch of pages whether to go on.
    pub fn run(
        &self,
        engine: &Engine,
        pages: &Arc<Pages>,
        files: &Files,
        first_id: u64,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Found, Error> {
        let failed = |source| Error::Io { path: files.index.clone(), source };
        let space = Space { folder: files.scratch.clone(), memory_bytes: self.memory_bytes };
        let settings = Settings { near: self.near, keep: self.keep };
        let mut clusterer = Clusterer::open(&files.index, settings, &space).map_err(failed)?;
        let mut found = Found::default();
        let page = files.scratch.join("page.parquet");
        found.pages = self.gather(engine, pages, &mut clusterer, &page, first_id, watch)?;
        let member = files.scratch.join("member.parquet");
        let mut members = Table::create(&member, &MemberRows::schema())?;
        let mut rows = MemberRows::default();
        let judged = clusterer.finish(None, &mut |member| {
            found.count(&member);
            rows.push(&member);
            if rows.is_full() { members.write(&rows.take()).map_err(io::Error::other) } else { Ok(()) }
        });
        judged.map_err(failed)?;
        members.write(&rows.take())?;
        members.finish()?;
        engine.register_parquet("page", std::slice::from_ref(&page))?;
        engine.register_parquet("member", std::slice::from_ref(&member))?;
        write(engine, KEPT, &files.kept)?;
        let kept: Vec<PathBuf> = files.kept_before.iter().chain([&files.kept]).cloned().collect();
        engine.register_parquet("kept", &kept)?;
        write(engine, OTHERS, &files.duplicates)?;
        Ok(found)
    }

    /// Reads pages into the clusterer, and into a table by which the outcome is told.
    fn gather(
        &self,
        engine: &Engine,
        pages: &Arc<Pages>,
        clusterer: &mut Clusterer,
        to: &Path,
        first_id: u64,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<u64, Error> {
        let query = engine.prepare(PAGES, pages)?;
        let mut table = Table::create(to, &PageRows::schema())?;
        let mut next = first_id;
        let mut taken: Result<(), Error> = Ok(());
        let mut take = |batch: &RecordBatch| -> Result<(), Error> {
            let rows = PageRows::of(batch, next);
            for document in rows.documents(self.least_text) {
                let failed = |source| Error::Io { path: to.to_owned(), source };
                clusterer.add(&document).map_err(failed)?;
            }
            next += batch.num_rows() as u64;
            Ok(table.write(&rows.kept())?)
        };
        engine.run(&query, &mut |batch| {
            taken = take(&batch);
            if taken.is_err() { ControlFlow::Break(()) } else { watch() }
        })?;
        taken?;
        if watch().is_break() {
            return Err(Error::Stopped);
        }
        table.finish()?;
        Ok(next - first_id)
    }
}

impl Found {
    fn count(&mut self, member: &Member) {
        match member.relation {
            _ if member.id == member.kept => self.kept += 1,
            Relation::Kept => self.kept += 1,
            Relation::Exact => self.exact += 1,
            Relation::Near => self.near += 1,
        }
    }
}

/// How a page belongs to its cluster. A run that goes on after a kill meets what is kept of itself.
fn kind(member: &Member) -> &'static str {
    match member.relation {
        _ if member.id == member.kept => "kept",
        Relation::Kept => "kept",
        Relation::Exact => "exact",
        Relation::Near => "near",
    }
}

/// Why the page that is kept is.
fn why(member: &Member) -> &'static str {
    match member.reason {
        Reason::Before => "kept before",
        Reason::Asked(Keep::First) => "first",
        Reason::Asked(Keep::Oldest) => "oldest",
        Reason::Asked(Keep::Longest) => "longest",
    }
}

/// Writes the rows of a query into a file.
fn write(engine: &Engine, sql: &str, to: &Path) -> Result<(), Error> {
    let nothing = Arc::new(Pages::new(Vec::new(), crate::pages::Cut::Whole));
    let query = engine.prepare(sql, &nothing)?;
    let mut table = Table::create(to, &query.schema())?;
    let mut written: Result<(), SinkError> = Ok(());
    engine.run(&query, &mut |batch| {
        written = table.write(&batch);
        if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    written?;
    Ok(table.finish()?)
}
