//! What is served under one name: a collection, or archives without one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use tamis_archive::captures::{CaptureOptions, Captures};
use tamis_archive::{Door, ScanOptions, Source};
use tamis_collection::{Collection, Condition};

use crate::Error;
use crate::audit::Audit;
use crate::batch::{Batch, FileState, Opened, Stats};

/// Where the archives of a shelf come from.
pub enum Stock {
    /// A collection: its archives by their indexes.
    Collection {
        /// Its folder.
        path: PathBuf,
        /// Opens its archives.
        door: Door,
    },
    /// Files, which are listed again and again.
    Files(Box<dyn Files>),
}

/// Files that hold archives.
pub trait Files: Send + Sync {
    /// The files that there are, and what cannot be listed.
    fn list(&self) -> (Vec<PathBuf>, Vec<String>);
    /// The archives in a file, and what cannot be opened.
    fn open(&self, path: &Path) -> (Vec<Source>, Vec<String>);
}

/// What is served under one name.
pub struct Shelf {
    name: String,
    stock: Stock,
    temp_folder: PathBuf,
    state: RwLock<State>,
    memory: Mutex<Memory>,
    audit: Audit,
}

enum State {
    Preparing,
    Ready(Arc<Holdings>),
    Failed(String),
}

/// What was known at the last refresh.
#[derive(Default)]
struct Memory {
    files: Vec<FileState>,
    /// Files that were not there, or not the same, at the refresh before: they may be being written.
    fresh: Vec<FileState>,
    batches: Vec<Arc<Batch>>,
    stats: HashMap<PathBuf, (FileState, Stats)>,
}

/// What is on a shelf at a moment.
pub(crate) struct Holdings {
    /// The captures.
    pub(crate) captures: Captures,
    /// How many archives there are.
    pub(crate) archives: usize,
    /// Their stored bytes.
    pub(crate) bytes: u64,
    /// What look-ups may miss, and why.
    pub(crate) notes: Vec<String>,
    stats: OnceLock<Stats>,
    /// The temporary indexes, which live as long as they are used.
    _batches: Vec<Arc<Batch>>,
}

/// Why a shelf gives nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Absent {
    /// Its archives are being read.
    Preparing,
    /// It cannot be read.
    Failed(String),
}

/// What a shelf has to be made of.
struct Plan {
    captures: Captures,
    indexes: Vec<PathBuf>,
    notes: Vec<String>,
    /// Archives that no index covers, by their file.
    unindexed: Vec<(FileState, Vec<(String, Source)>)>,
    archives: usize,
}

impl Shelf {
    /// A shelf that is not read yet. Indexes that have to be made go to a folder for temporary files.
    pub fn new(name: impl Into<String>, stock: Stock, temp_folder: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            stock,
            temp_folder: temp_folder.into(),
            state: RwLock::new(State::Preparing),
            memory: Mutex::default(),
            audit: Audit::default(),
        }
    }

    /// Its name in URLs.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its pages asked for and did not get.
    pub(crate) fn audit(&self) -> &Audit {
        &self.audit
    }

    /// What is on it.
    pub(crate) fn holdings(&self) -> Result<Arc<Holdings>, Absent> {
        match &*self.state.read().unwrap_or_else(PoisonError::into_inner) {
            State::Preparing => Err(Absent::Preparing),
            State::Ready(holdings) => Ok(holdings.clone()),
            State::Failed(why) => Err(Absent::Failed(why.clone())),
        }
    }

    /// Looks what there is, and reads what is new. Says what is wrong.
    pub(crate) fn refresh(&self, say: &dyn Fn(&str)) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = matches!(self.holdings(), Err(Absent::Preparing));
        let files = match self.files() {
            Ok(files) => files,
            Err(error) => return self.fail(&error, say),
        };
        let fresh: Vec<FileState> =
            files.iter().filter(|file| !memory.files.contains(file)).cloned().collect();
        let is_same = fresh.is_empty() && files.len() == memory.files.len();
        // A file that changed since the last time may be half written: it is read once it has settled.
        let is_settled = is_first || fresh == memory.fresh;
        memory.fresh.clone_from(&fresh);
        let has_failed = matches!(self.holdings(), Err(Absent::Failed(_)));
        if (is_same || !is_settled) && !has_failed && !is_first {
            return;
        }
        match self.read(&mut memory) {
            Ok(holdings) => {
                holdings.notes.iter().for_each(|note| say(&format!("{}: {note}", self.name)));
                let holdings = Arc::new(holdings);
                *self.state.write().unwrap_or_else(PoisonError::into_inner) = State::Ready(holdings.clone());
                memory.files = files;
                self.count(&holdings, &mut memory);
            }
            Err(error) => self.fail(&error, say),
        }
    }

    fn fail(&self, error: &Error, say: &dyn Fn(&str)) {
        let why = error.to_string();
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            // What was read before is still served.
            State::Ready(_) => {}
            State::Failed(before) if *before == why => return,
            _ => *state = State::Failed(why.clone()),
        }
        drop(state);
        say(&format!("{}: {why}", self.name));
    }

    /// The files whose change is a change of the shelf.
    fn files(&self) -> Result<Vec<FileState>, Error> {
        let paths = match &self.stock {
            Stock::Files(files) => files.list().0,
            Stock::Collection { path, .. } => {
                let collection = Collection::open(path)?;
                let archives = collection.archives()?;
                let mut paths: Vec<PathBuf> =
                    archives.values().map(|archive| archive.path(&collection)).collect();
                paths.extend(archives.values().map(|archive| archive.index_path(&collection)));
                paths
            }
        };
        Ok(paths.iter().filter_map(|path| FileState::of(path)).collect())
    }

    fn read(&self, memory: &mut Memory) -> Result<Holdings, Error> {
        let mut plan = match &self.stock {
            Stock::Collection { path, door } => plan_of_collection(path, door)?,
            Stock::Files(files) => plan_of_files(&**files),
        };
        memory.batches.retain(|batch| {
            batch.files.iter().all(|file| plan.unindexed.iter().any(|(state, _)| state == file))
        });
        let known: Vec<FileState> = memory.batches.iter().flat_map(|batch| batch.files.clone()).collect();
        let unindexed = std::mem::take(&mut plan.unindexed);
        let bytes_unindexed: u64 = unindexed.iter().map(|(file, _)| file.len()).sum();
        let new = unindexed.into_iter().filter(|(file, _)| !known.contains(file));
        let (with_tables, to_read): (Vec<_>, Vec<_>) =
            new.partition(|(_, sources)| sources.iter().all(|(_, source)| has_tables(source)));
        for (list, is_read) in [(with_tables, false), (to_read, true)] {
            if list.is_empty() {
                continue;
            }
            let (files, sources): (Vec<_>, Vec<_>) = list.into_iter().unzip();
            let sources = sources.into_iter().flatten().collect();
            let batch = if is_read {
                Batch::read(files, sources, &self.temp_folder)?
            } else {
                Batch::with_tables(files, sources)
            };
            memory.batches.push(Arc::new(batch));
        }
        for batch in &memory.batches {
            plan.notes.extend(batch.notes.iter().cloned());
            let Opened { sources, index } = batch.open()?;
            if let Some(index) = index {
                plan.captures.add_indexed(index, sources);
            } else if batch.has_tables() {
                for (name, source) in sources {
                    plan.captures.add(name, source);
                }
            }
        }
        let bytes = self.bytes().unwrap_or(bytes_unindexed);
        Ok(Holdings {
            captures: plan.captures,
            archives: plan.archives,
            bytes,
            notes: plan.notes,
            stats: OnceLock::new(),
            _batches: memory.batches.clone(),
        })
    }

    /// The size of all archives of a collection, as its list says.
    fn bytes(&self) -> Option<u64> {
        let Stock::Collection { path, .. } = &self.stock else { return None };
        let archives = Collection::open(path).and_then(|collection| collection.archives()).ok()?;
        Some(archives.values().map(|archive| archive.bytes).sum())
    }

    /// Counts captures and finds the period, from indexes that were not counted yet.
    fn count(&self, holdings: &Holdings, memory: &mut Memory) {
        let mut sum = Stats { captures: Some(0), period: None };
        for batch in &memory.batches {
            sum.join(&batch.stats);
        }
        if let Stock::Collection { path, door } = &self.stock
            && let Ok(plan) = plan_of_collection(path, door)
        {
            for index in plan.indexes {
                let Some(file) = FileState::of(&index) else { continue };
                let known = memory.stats.get(&index).filter(|(counted, _)| *counted == file);
                let counts = match known {
                    Some((_, counts)) => counts.clone(),
                    None => Stats::of_index(&index).unwrap_or_default(),
                };
                sum.join(&counts);
                memory.stats.insert(index, (file, counts));
            }
        }
        // Nobody else sets it.
        let _ = holdings.stats.set(sum);
    }
}

impl Holdings {
    /// How many captures there are and from when to when, once it was counted.
    pub(crate) fn stats(&self) -> Option<&Stats> {
        self.stats.get()
    }
}

/// Whether an archive has tables by which records of a URL are found.
fn has_tables(source: &Source) -> bool {
    source.bytes().is_ok_and(|store| store.is_some_and(|store| store.records_of(b""..b"").is_some()))
}

fn captures(folder: PathBuf) -> Captures {
    Captures::new(CaptureOptions { scan: ScanOptions::default(), sort_folder: folder })
}

fn plan_of_files(files: &dyn Files) -> Plan {
    let (paths, mut notes) = files.list();
    let mut unindexed = Vec::new();
    for path in paths {
        let (sources, problems) = files.open(&path);
        notes.extend(problems);
        let Some(state) = FileState::of(&path).filter(|_| !sources.is_empty()) else { continue };
        let named = sources.into_iter().map(|source| (source.file_name(), source)).collect();
        unindexed.push((state, named));
    }
    let archives = unindexed.len();
    Plan { captures: captures(std::env::temp_dir()), indexes: Vec::new(), notes, unindexed, archives }
}

fn plan_of_collection(path: &Path, door: &Door) -> Result<Plan, Error> {
    let collection = Collection::open(path)?.with_door(door);
    let (covered, known) = collection.covered()?;
    let (mut indexes, mut unindexed, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut captures, archives) = (captures(std::env::temp_dir()), covered.len());
    for archive in covered {
        if let Some((path, index)) = archive.index {
            indexes.push(path);
            captures.add_indexed(index, archive.sources);
            continue;
        }
        let file = archive.sources.first().and_then(|(_, source)| source.path());
        if let Some(state) = file.and_then(FileState::of) {
            unindexed.push((state, archive.sources));
        }
    }
    for (archive, condition) in &known.changed {
        notes.push(match condition {
            Condition::Missing => format!("the archive {} is missing", archive.name),
            _ => format!("the archive {} has changed since it was imported", archive.name),
        });
    }
    notes.extend(known.damaged.iter().map(|archive| {
        format!("the archive {} was damaged when it was imported; captures may be missing", archive.name)
    }));
    notes.extend(known.unusable.iter().map(|(path, why)| {
        format!("the index {} cannot be used ({why}); its archive was read", path.display())
    }));
    match collection.unlisted_archives()?.len() {
        0 => {}
        1 => notes.push("one archive is being written; its captures appear once it is closed".to_owned()),
        n => {
            notes.push(format!("{n} archives are being written; their captures appear once they are closed"));
        }
    }
    Ok(Plan { captures, indexes, notes, unindexed, archives })
}
