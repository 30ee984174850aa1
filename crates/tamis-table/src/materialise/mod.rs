//! Columns of a collection computed once and kept: what is missing of the parts, made with several threads.
//!
//! Each archive is cut into ranges, and each range becomes a part: a Parquet file whose bytes depend on the range and the
//! columns alone. Parts are made in any order and committed in groups; whoever is killed loses the parts not yet
//! committed, and the next run makes them. A part is committed only once it is known to begin where the one before
//! ended (see [`crate::ledger`]).
//!
//! Memory: for each thread what a scan takes, and what Parquet buffers of a row group.

mod part;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tamis_archive::{Algorithm, Faults, Hasher, Source, Standing};
use tempfile::NamedTempFile;

pub use part::{PartError, PartPlan};

use crate::column::{COLUMNS, Column, Id};
use crate::ledger::{Entry, Ledger};
use crate::scan::kept::checksums;
use crate::scan::{Context, Limits, standing_at};
use crate::{members, pages};
use tamis_collection::{Collection, NamedSource, Part, Writer};

/// The size of a range: its rows are sorted together, and are what a killed run loses.
const RANGE: NonZero<u64> = NonZero::new(32 << 20).expect("not zero");
/// Parts wait so long for others to be committed with, and twenty times as long as the last commit took: the manifest of a
/// large collection is megabytes.
const COMMIT_EVERY: Duration = Duration::from_millis(200);

/// What to make.
#[derive(Debug, Clone)]
pub struct Job {
    /// The columns that all parts are to have, beside those they have.
    pub columns: Vec<&'static Column>,
    /// Threads.
    pub jobs: NonZero<usize>,
    /// The size of a range in stored bytes.
    pub range_bytes: NonZero<u64>,
    /// What all rows share.
    pub context: Arc<Context>,
}

/// What happens while parts are made.
#[derive(Debug)]
pub enum Event<'a> {
    /// A part is made.
    Made {
        /// The archive.
        archive: &'a str,
        /// Stored bytes of it that were read.
        stored: u64,
        /// Rows of the part.
        rows: u64,
        /// Pages of it that were larger than the limit, and so are cut.
        oversized: u64,
        /// What was wrong with the archive there.
        faults: &'a Faults,
    },
    /// A part could not be made.
    Failed {
        /// The archive.
        archive: &'a str,
        /// Why.
        error: &'a PartError,
    },
}

/// What was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// Parts.
    pub parts: u64,
    /// Parts that could not be made.
    pub failed: u64,
    /// Rows of them.
    pub rows: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Whether it was stopped before the end.
    pub is_stopped: bool,
}

/// A part to make, and the place of its archive in the list.
#[derive(Debug, Clone)]
pub struct Task {
    file: usize,
    /// What it is made of.
    pub plan: PartPlan,
    /// Whether to mend damaged text.
    repair: bool,
    /// What the collection says of all pages, as a checksum.
    shared: String,
    /// The names of the files that it takes the place of.
    replaces: Vec<String>,
    /// How many stored bytes it reads.
    pub stored: u64,
}

/// A part that is made and not yet committed.
struct Built {
    task: usize,
    file: NamedTempFile,
    entry: Entry,
    cpu: Duration,
}

impl Default for Job {
    fn default() -> Self {
        let columns = COLUMNS.iter().filter(|column| column.is_light()).collect();
        Self { columns, jobs: NonZero::<usize>::MIN, range_bytes: RANGE, context: Arc::default() }
    }
}

/// The parts that are missing, or lack columns.
pub fn missing(collection: &Collection, job: &Job) -> tamis_collection::Result<Vec<Task>> {
    let manifest = collection.manifest()?;
    let shared = collection.shared_digest()?;
    let mut tasks = Vec::new();
    for (file, named) in collection.named_sources()?.into_iter().enumerate() {
        let parts: Vec<&Part> = manifest.parts.iter().filter(|part| part.archive == named.name).collect();
        let serves = |part: &&Part| collection.has_part(part) && (part.repair || !job.context.repair);
        let (parts, lost): (Vec<&Part>, Vec<&Part>) = parts.into_iter().partition(serves);
        let length = named.source.len().unwrap_or(0);
        let parts: Vec<(Range<u64>, &Part)> = parts.into_iter().map(|part| (part.range(), part)).collect();
        for (range, old) in pages::cover(Some(length), Some(job.range_bytes.get()), &parts) {
            let old = old.copied();
            let stored = range.end.min(length).saturating_sub(range.start);
            let lost: Vec<&Part> = lost.iter().copied().filter(|part| range.contains(&part.start)).collect();
            let replaces = old.iter().chain(&lost).map(|part| part.file.clone()).collect();
            // What was made with mended text goes on so.
            let repair = job.context.repair || old.is_some_and(|old| old.repair);
            let plan = plan(&named, range, (old, &lost), job, (collection, &shared));
            let shared = shared.clone();
            tasks.extend(plan.map(|plan| Task { file, plan, repair, shared, replaces, stored }));
        }
    }
    Ok(tasks)
}

/// What a part is made of, unless it has all columns and they are current. It takes the place of the one that is there, whose
/// columns it takes over, or of those that are lost, whose columns it gets, too.
fn plan(
    named: &NamedSource,
    range: Range<u64>,
    (old, lost): (Option<&Part>, &[&Part]),
    job: &Job,
    (collection, shared): (&Collection, &str),
) -> Option<PartPlan> {
    let columns_of =
        |part: &&Part| part.columns.iter().filter_map(|name| Column::named(name)).collect::<Vec<_>>();
    let had: Vec<&'static Column> = old.iter().flat_map(columns_of).collect();
    let lost = lost.iter().flat_map(columns_of);
    let mut columns: Vec<&'static Column> =
        had.iter().copied().chain(lost).chain(job.columns.iter().copied()).collect();
    // Kept rows find their captures by their places.
    columns.extend([Column::of(Id::Offset), Column::of(Id::InMember)]);
    columns.retain(|column| column.is_keepable());
    let serves = |column: &&Column| old.is_some_and(|old| members::serves(old, column, job.context.limits));
    let has = |column: &&Column| serves(column) && had.iter().any(|other| other.id == column.id);
    let is_current = |old: &Part| old.shared == shared || !had.iter().any(|column| column.is_shared());
    if old.is_some_and(is_current) && columns.iter().all(has) {
        return None;
    }
    columns.sort_by_key(|column| column.id);
    columns.dedup_by_key(|column| column.id);
    let old = old.map(|old| Arc::new(members::part_file(collection, old, &job.context)));
    Some(PartPlan { source: named.source.clone(), name: named.name.as_str().into(), range, columns, old })
}

/// Makes all parts that are missing. `watch` may break off: what is committed stays.
pub fn run(
    writer: &Writer,
    job: &Job,
    mut watch: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Made, tamis_collection::Error> {
    let tasks = missing(writer, job)?;
    let known = known_ends(writer)?;
    let shop = Shop {
        tasks: &tasks,
        context: &job.context,
        folder: writer.pages_folder(),
        ledger: Arc::default(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        failed: (0..=tasks.iter().map(|task| task.file).max().unwrap_or(0))
            .map(|_| AtomicBool::new(false))
            .collect(),
    };
    let (send, receive) = sync_channel(job.jobs.get());
    std::thread::scope(|threads| {
        for _ in 0..job.jobs.get().min(tasks.len()) {
            let (send, shop) = (send.clone(), &shop);
            threads.spawn(move || shop.work(&send));
        }
        drop(send);
        let mut clerk = Clerk {
            shop: &shop,
            writer,
            ends: known,
            waiting: BTreeMap::new(),
            sound: Vec::new(),
            next_commit: Instant::now() + COMMIT_EVERY,
            made: Made::default(),
        };
        let result = clerk.take_all(&receive, &mut watch);
        // Whatever happened, nobody is to begin another part.
        shop.stop.store(true, Ordering::Relaxed);
        drop(receive);
        result.map(|()| clerk.made)
    })
}

/// Where the ranges of the parts that are there ended: archive and start of the next range to offset of the next record.
fn known_ends(collection: &Collection) -> tamis_collection::Result<BTreeMap<(String, u64), End>> {
    let parts = collection.manifest()?.parts;
    let end = |part: &Part| Some(((part.archive.clone(), part.end?), End::Offset(part.next_record)));
    Ok(parts.iter().filter_map(end).collect())
}

/// Where the reader of a range ended.
#[derive(Debug, Clone, Copy)]
enum End {
    /// As a manifest states it.
    Offset(u64),
    /// As the reader itself states it.
    Standing(Standing),
}

/// What all threads share.
struct Shop<'a> {
    tasks: &'a [Task],
    context: &'a Arc<Context>,
    folder: PathBuf,
    ledger: Arc<Ledger>,
    next: AtomicUsize,
    stop: AtomicBool,
    /// Whether a part of the archive with that place could not be made: those behind it wait for it in vain.
    failed: Vec<AtomicBool>,
}

type Message = (usize, Result<Built, PartError>);

impl Shop<'_> {
    /// Makes one part after another.
    fn work(&self, send: &SyncSender<Message>) {
        while !self.stop.load(Ordering::Relaxed) {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = self.tasks.get(at) else { return };
            let is_vain = self.failed.get(task.file).is_some_and(|failed| failed.load(Ordering::Relaxed));
            let made = if is_vain { Err(PartError::Stopped) } else { self.make(at) };
            if send.send((at, made)).is_err() {
                return;
            }
        }
    }

    fn make(&self, at: usize) -> Result<Built, PartError> {
        let task = &self.tasks[at];
        let path = self.folder.join(task.file_name(self.context.limits.page_bytes));
        let temporary = tamis_files::part_file(&path);
        let file =
            temporary.map_err(|error| PartError::Write { path: path.clone(), source: error.into() })?;
        let before = cpu_time();
        let context = Arc::new(Context { repair: task.repair, ..Context::clone(self.context) });
        let entry = part::build(&task.plan, &context, &self.ledger, task.file, (&path, &file), &self.stop)?;
        let failed = || PartError::Archive(self.ledger.error(task.file).unwrap_or_default());
        Ok(Built { task: at, entry: entry.ok_or_else(failed)?, file, cpu: cpu_time().saturating_sub(before) })
    }
}

impl Task {
    /// Says what it is of, and differs if what is in it does.
    fn file_name(&self, page_bytes: u64) -> String {
        let names: Vec<&str> = self.plan.columns.iter().map(|column| column.name).collect();
        let mut hash = crc32fast::Hasher::new();
        hash.update(names.join(" ").as_bytes());
        hash.update(if self.repair { b" mended" } else { b"" });
        hash.update(self.shared.as_bytes());
        if page_bytes != Limits::default().page_bytes {
            hash.update(&page_bytes.to_le_bytes());
        }
        let archive = self.plan.name.replace(['/', '\\', '#'], "_");
        format!("{archive}-{:012}-{:08x}.parquet", self.plan.range.start, hash.finalize())
    }

    fn is_first(&self) -> bool {
        self.plan.range.start == 0
    }
}

/// The one who commits.
struct Clerk<'a> {
    shop: &'a Shop<'a>,
    writer: &'a Writer,
    ends: BTreeMap<(String, u64), End>,
    /// Parts that wait for the one before, by their task.
    waiting: BTreeMap<usize, Built>,
    sound: Vec<Built>,
    next_commit: Instant,
    made: Made,
}

impl Clerk<'_> {
    fn take_all(
        &mut self,
        receive: &Receiver<Message>,
        watch: &mut impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> tamis_collection::Result<()> {
        for (at, result) in receive {
            let flow = match result {
                Ok(built) => self.take(built, watch),
                Err(PartError::Stopped) => ControlFlow::Continue(()),
                Err(error) => self.fail(at, &error, watch),
            };
            if flow.is_break() {
                self.made.is_stopped = true;
                self.shop.stop.store(true, Ordering::Relaxed);
                break;
            }
            if Instant::now() > self.next_commit {
                self.commit()?;
            }
        }
        // What waits for a part that could not be made is not made either: the next run goes on there.
        self.waiting.clear();
        self.commit()
    }

    fn fail(
        &mut self,
        at: usize,
        error: &PartError,
        watch: &mut impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.made.failed += 1;
        let file = self.shop.tasks[at].file;
        if let Some(failed) = self.shop.failed.get(file) {
            failed.store(true, Ordering::Relaxed);
        }
        self.waiting.retain(|&other, _| self.shop.tasks[other].file != file);
        watch(Event::Failed { archive: &self.shop.tasks[at].plan.name, error })
    }

    fn take(
        &mut self,
        built: Built,
        watch: &mut impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.waiting.insert(built.task, built);
        let ready: Vec<usize> = self.waiting.keys().copied().filter(|&at| self.is_known(at)).collect();
        ready.into_iter().try_for_each(|at| self.settle(at, watch))
    }

    /// Whether it is known where the range before ended.
    fn is_known(&self, at: usize) -> bool {
        let task = &self.shop.tasks[at];
        task.is_first() || self.ends.contains_key(&(task.plan.name.to_string(), task.plan.range.start))
    }

    /// Accepts a part that begins where the one before ended, and makes any other again from there.
    fn settle(&mut self, at: usize, watch: &mut impl FnMut(Event<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(mut built) = self.waiting.remove(&at) else { return ControlFlow::Continue(()) };
        let task = &self.shop.tasks[at];
        let name = task.plan.name.to_string();
        if let Some(end) = self.ends.get(&(name.clone(), task.plan.range.start))
            && !end.is_met_by(&built.entry, task)
        {
            let exact = end.standing(&task.plan.source, task.plan.range.start);
            self.shop.ledger.set_exact(task.file, task.plan.range.start, exact);
            built = match self.shop.make(at) {
                Ok(built) => built,
                Err(error) => return self.fail(at, &error, watch),
            };
        }
        // A range without a record ends where the one before did.
        let before = self.ends.get(&(name.clone(), task.plan.range.start)).copied();
        let has_record = built.entry.start_at.offset() != u64::MAX;
        let end = before.filter(|_| !has_record).unwrap_or(End::Standing(built.entry.end_at));
        built.entry.end_at = end.at();
        self.ends.insert((name, task.plan.range.end), end);
        let faults = std::mem::take(&mut built.entry.faults);
        let (stored, rows, oversized) = (task.stored, built.entry.rows, built.entry.oversized);
        self.sound.push(built);
        watch(Event::Made { archive: &task.plan.name, stored, rows, oversized, faults: &faults })?;
        // The range behind may have waited for this one.
        let next = at + 1;
        if self.waiting.contains_key(&next) && self.is_known(next) {
            self.settle(next, watch)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn commit(&mut self) -> tamis_collection::Result<()> {
        if self.sound.is_empty() {
            return Ok(());
        }
        let begun = Instant::now();
        let (mut add, mut remove) = (Vec::new(), Vec::new());
        for built in std::mem::take(&mut self.sound) {
            let task = &self.shop.tasks[built.task];
            let part = self.place(built, task)?;
            self.made.parts += 1;
            self.made.rows += part.rows;
            self.made.bytes += part.bytes;
            remove.extend(task.replaces.iter().cloned());
            add.push(part);
        }
        self.writer.commit(add, &remove)?;
        self.next_commit = Instant::now() + COMMIT_EVERY.max(begun.elapsed() * 20);
        Ok(())
    }

    /// Gives a part its name. No reader looks at it before the manifest names it.
    fn place(&self, built: Built, task: &Task) -> tamis_collection::Result<Part> {
        let limits = self.shop.context.limits;
        let name = task.file_name(limits.page_bytes);
        let path = self.shop.folder.join(&name);
        let file =
            built.file.persist(&path).map_err(|error| tamis_collection::Error::write(&path)(error.error))?;
        drop(file);
        let (mut bytes, mut hasher) = (0, Hasher::new(Algorithm::Sha256));
        let blocks = checksums(&path, |block| {
            bytes += block.len() as u64;
            hasher.update(block);
        });
        let blocks = blocks.map_err(tamis_collection::Error::read(&path))?;
        let sha256 = hasher.finish().to_hex();
        Ok(Part {
            archive: task.plan.name.to_string(),
            start: task.plan.range.start,
            end: Some(task.plan.range.end).filter(|&end| end != u64::MAX),
            columns: task.plan.columns.iter().map(|column| column.name.to_owned()).collect(),
            repair: task.repair,
            page_bytes: limits.page_bytes,
            oversized: built.entry.oversized,
            shared: task.shared.clone(),
            records: built.entry.records,
            captures: built.entry.captures,
            rows: built.entry.rows,
            bytes,
            cpu_ms: built.cpu.as_millis() as u64,
            next_record: built.entry.end_at.offset(),
            sha256: sha256.rsplit(':').next().unwrap_or_default().to_owned(),
            blocks: blocks.iter().map(|block| format!("{block:08x}")).collect::<Vec<_>>().concat(),
            file: name,
            ..Part::default()
        })
    }
}

impl End {
    fn is_met_by(self, entry: &Entry, task: &Task) -> bool {
        if entry.is_kept {
            // The part that it takes the place of was made of exactly this range.
            return true;
        }
        let range = task.plan.range.clone();
        match self {
            End::Standing(due) => crate::ledger::follows(due, entry.start_at, range),
            End::Offset(due) => {
                let start = entry.start_at.offset();
                start == due.max(range.start) || (start == u64::MAX && due >= range.end)
            }
        }
    }

    /// Where it is, as far as that is known without reading.
    fn at(self) -> Standing {
        match self {
            End::Standing(at) => at,
            End::Offset(offset) => Standing::at(offset),
        }
    }

    /// Where a range has to begin. What a manifest does not tell is found out by reading all before.
    fn standing(self, source: &Source, start: u64) -> Standing {
        match self {
            End::Standing(due) => due.not_before(start),
            End::Offset(due) => standing_at(source, start).unwrap_or_default().not_before(due.max(start)),
        }
    }
}

/// What this thread has worked so far.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}
