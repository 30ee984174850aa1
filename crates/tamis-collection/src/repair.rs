//! Lists that are damaged or lost, made sound again.
//!
//! A damaged file goes to the trash before another takes its place, so a repair that was killed is repeated. What can be
//! made of the archives is made of them; what cannot is named in [`Repaired::lost`].

use crate::{links, relevance};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZero;
use std::path::Path;
use tamis_archive::Door;

use super::about::{self, About};
use super::archive::{Archive, Condition, Kept, ListLine};
use super::content::sha256_of;
use super::lock::Lock;
use super::sums::{self, Sums};
use tamis_files::whole;

use super::{
    Collection, Error, ImportOptions, Manifest, Problem, Result, Run, Watch, Writer, listed, manifest, seeds,
    trash,
};

/// How to repair.
#[derive(Debug, Clone, Copy)]
pub struct Repair<'c> {
    /// The command, for those who come while it runs.
    pub command: &'c str,
    /// Whether an edited `collection.toml` stays as it is.
    pub keep_edits: bool,
    /// Threads that index archives.
    pub jobs: NonZero<usize>,
}

/// What a repair did.
#[derive(Debug, Default)]
pub struct Repaired {
    /// What was repaired.
    pub done: Vec<String>,
    /// What has to be made or imported again, and cannot be here.
    pub lost: Vec<Lost>,
}

/// What a repair could not bring back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// The seeds. These commands gave them.
    Seeds(Vec<String>),
    /// What became of the seeds.
    Fetched,
    /// An archive that is kept by reference, whose line in the list was lost: its path, or its name.
    Archive(String),
    /// How relevant pages are to the event.
    Relevance,
}

impl Repair<'_> {
    /// Makes the lists of a collection sound again.
    pub fn run(self, root: &Path, watch: &mut Watch<'_>) -> Result<Repaired> {
        let mut repaired = Repaired::default();
        links::check(root)?;
        let lock = Lock::take(root, self.command)?;
        let old = match Sums::read(root) {
            Err(Error::Damaged { .. }) => None,
            sums => sums?,
        };
        if old.is_none() {
            repaired.done.push(format!("{}: rewritten", sums::FILE));
        }
        let collection = self.about(root, old.as_ref(), &mut repaired)?;
        let is_bad = |name: &str| match old.as_ref().map(|sums| sums.check(root, name)) {
            Some(Err(Error::Damaged { .. })) => Ok(true),
            Some(checked) => checked.map(|()| false),
            None => Ok(false),
        };
        let bad_list = is_bad(sums::ARCHIVES)? || is_damaged(collection.archives())?;
        let bad_runs = is_bad(sums::RUNS)? || is_damaged(collection.run_log().read())?;
        let mut lines = collection.archive_log().salvage()?;
        lines.retain(|line| line.bad_name().is_none());
        let runs = collection.run_log().salvage()?;
        if bad_runs {
            let text = collection.run_log().text(&runs)?;
            replace(&collection, sums::RUNS, Some(&text))?;
            repaired.done.push(format!("{}: {} lines kept", sums::RUNS, runs.len()));
        }
        if bad_list {
            let sound = sound_references(&collection, listed(lines.clone()), watch)?;
            replace(&collection, sums::ARCHIVES, Some(&collection.archive_log().text(&sound)?))?;
        }
        if is_bad(seeds::FILE)? {
            replace(&collection, seeds::FILE, None)?;
            repaired.lost.push(Lost::Seeds(commands_of_seeds(&runs)));
        }
        if is_bad(super::fetched::FILE)? {
            replace(&collection, super::fetched::FILE, None)?;
            repaired.lost.push(Lost::Fetched);
        }
        let relevance = root.join(relevance::FILE);
        if is_damaged(relevance::read(&relevance, |_| {}))? {
            discard(&collection, &relevance)?;
            repaired.lost.push(Lost::Relevance);
        }
        if is_damaged(collection.manifest())? {
            discard(&collection, &collection.pages_folder().join(manifest::FILE))?;
            Manifest::begin(&collection.pages_folder())?;
            repaired.done.push("pages/_manifest.json: removed with the columns it named".to_owned());
        }
        collection.sum_lists()?.write(root)?;
        drop(lock);
        let indexed = collection.indexed()?;
        let writer = collection.lock(self.command)?;
        if bad_list {
            self.list_again(&writer, (lines, &indexed), watch, &mut repaired)?;
        }
        remove_bad_parts(&writer, &mut repaired)?;
        Ok(repaired)
    }

    /// Makes `collection.toml` what it was, unless what it says now shall stay.
    fn about(self, root: &Path, old: Option<&Sums>, repaired: &mut Repaired) -> Result<Collection> {
        let path = root.join(about::FILE);
        let found = About::read(root);
        let about = match (found, old) {
            (Ok(about), None) => about,
            (Ok(about), Some(sums)) if self.keep_edits || sums.about == about => about,
            (Ok(_) | Err(Error::Damaged { .. }), Some(sums)) => {
                discard_file(root, &path)?;
                whole::replace_with(&path, sums.about.to_toml().as_bytes())?;
                repaired.done.push(format!("{}: restored", about::FILE));
                sums.about.clone()
            }
            (Err(error), _) => return Err(error),
        };
        Ok(Collection { root: root.to_owned(), about, door: Door::default() })
    }

    /// Enters all archives of the collection's own again, and counts the records of references.
    fn list_again(
        self,
        writer: &Writer,
        (lines, indexed): (Vec<ListLine>, &[String]),
        watch: &mut Watch<'_>,
        repaired: &mut Repaired,
    ) -> Result<()> {
        let before = listed(lines);
        let mut entered = 0;
        // What their lines say of records may be damaged.
        for name in writer.archives()?.into_keys() {
            writer.reindex(&name, self.jobs, watch)?;
            entered += 1;
        }
        let own = writer.unlisted(&writer.archives()?)?;
        for path in
            own.into_iter().filter(|path| matches!(Problem::of_unlisted(path.clone()), Problem::Unlisted(_)))
        {
            writer.import(&path, ImportOptions { kept: Kept::Copy, jobs: self.jobs }, watch)?;
            entered += 1;
        }
        repaired.done.push(format!("{}: {entered} archives listed again", sums::ARCHIVES));
        let now = writer.archives()?;
        let is_lost =
            |archive: &&Archive| !now.contains_key(&archive.name) && archive.kept == Kept::Reference;
        let mut lost: BTreeSet<String> =
            before.values().filter(is_lost).map(|archive| archive.origin.path.clone()).collect();
        // Of a line that cannot be read the index tells the name.
        let known = |name: &&String| !now.contains_key(*name) && !before.contains_key(*name);
        lost.extend(indexed.iter().filter(known).cloned());
        repaired.lost.extend(lost.into_iter().map(Lost::Archive));
        Ok(())
    }
}

/// The references whose line can still be read and whose file has the content that it states.
fn sound_references(
    collection: &Collection,
    archives: BTreeMap<String, Archive>,
    watch: &mut Watch<'_>,
) -> Result<Vec<ListLine>> {
    let mut sound = Vec::new();
    for archive in archives.into_values().filter(|archive| archive.kept == Kept::Reference) {
        let is_there =
            archive.condition(collection) == Condition::Present && archive.index_path(collection).exists();
        if is_there && sha256_of(&archive.path(collection), watch)? == archive.sha256 {
            sound.push(ListLine::Entered(Box::new(archive)));
        }
    }
    Ok(sound)
}

impl Collection {
    /// The archives that have an index.
    fn indexed(&self) -> Result<Vec<String>> {
        let folder = self.index_folder();
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let name = entry.map_err(Error::read(&folder))?.file_name().to_string_lossy().into_owned();
            names.extend(name.strip_suffix(".cdxj").map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }
}

/// The parts that are damaged, or belong to no archive, are kept columns no more.
fn remove_bad_parts(writer: &Writer, repaired: &mut Repaired) -> Result<()> {
    let (manifest, archives) = (writer.manifest()?, writer.archives()?);
    let mut bad = Vec::new();
    for part in &manifest.parts {
        let path = writer.pages_folder().join(&part.file);
        let is_owned = archives.values().any(|archive| archive.owns(&part.archive));
        if !is_owned || part.flaw(&path)?.is_some() {
            bad.push(part.file.clone());
            repaired.done.push(format!("pages/{}: removed", part.file));
        }
    }
    if bad.is_empty() { Ok(()) } else { writer.commit(Vec::new(), &bad) }
}

/// Whether something is damaged. Other errors stay errors.
fn is_damaged<T>(result: Result<T>) -> Result<bool> {
    match result {
        Ok(_) => Ok(false),
        Err(Error::Damaged { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}

/// Puts a text in the place of a list, which goes to the trash.
fn replace(collection: &Collection, name: &str, text: Option<&[u8]>) -> Result<()> {
    let path = collection.root().join(name);
    discard(collection, &path)?;
    match text {
        Some(text) => Ok(whole::replace_with(&path, text)?),
        None => Ok(()),
    }
}

fn discard(collection: &Collection, path: &Path) -> Result<()> {
    if path.exists() { trash::discard(collection, path).map(drop) } else { Ok(()) }
}

/// The same for a folder whose `collection.toml` cannot be read.
fn discard_file(root: &Path, path: &Path) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let target = root.join("trash");
    fs::create_dir_all(&target).map_err(Error::write(&target))?;
    let target = target.join(about::FILE);
    fs::rename(path, &target).map_err(Error::write(&target))
}

/// The imports that gave URLs, as they can be typed again.
fn commands_of_seeds(runs: &[Run]) -> Vec<String> {
    runs.iter().filter(|run| run.result.contains_key("urls")).map(|run| run.command.clone()).collect()
}
