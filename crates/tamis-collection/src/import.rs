//! Archives taken into a collection: copied or referred to, indexed, entered into the list.
//!
//! An archive is identified by its content: its size and its SHA-256. The same content under another path is the same
//! archive, so a file that was moved is relocated, never added twice.
//!
//! The order makes it safe to be killed at any moment: first the archive is there whole, then its index, then its line in the
//! list. An archive without its line is found again by its content when it is imported again.

use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use tamis_archive::wacz::{Wacz, WaczEntry};
use tamis_archive::{Door, Faults, Mode, Source};
use tamis_files::part_file;

use super::archive::{self, Archive, Condition, Entry, Kept, Origin};
use super::content::{Content, copy, sha256_of};
use super::index::{self, tell};
use tamis_files::whole;

use super::{Collection, Error, Result, Writer, names};

/// The first bytes of a zip file with files in it, and of one without.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// The index of an archive that whoever wrote the archive made on the way.
#[derive(Debug, Clone, Copy)]
pub struct ReadyIndex<'p> {
    /// Sorted lines of CDXJ; the file is taken away.
    pub path: &'p Path,
    /// The archive's records.
    pub records: u64,
    /// Those of them that are captures.
    pub captures: u64,
}

/// How to import an archive.
#[derive(Debug, Clone, Copy)]
pub struct ImportOptions {
    /// Where its bytes shall be.
    pub kept: Kept,
    /// How many threads index it.
    pub jobs: NonZero<usize>,
}

/// What came of the import of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// It is new in the collection.
    Added(Archive),
    /// It stands in the place of an earlier state of the same file.
    Replaced(Archive),
    /// The collection has it already.
    Known(Archive),
    /// The collection has it, but its file was gone or changed: it uses this file now.
    Relocated(Archive),
}

/// What happens while an archive is imported.
#[derive(Debug)]
pub enum Event<'a> {
    /// Bytes were copied, or read to be compared.
    Copied {
        /// How many.
        bytes: u64,
    },
    /// Records were indexed.
    Indexed {
        /// Bytes of the archive.
        bytes: u64,
        /// How many records.
        records: u64,
    },
    /// Something is damaged; what is sound is taken all the same.
    Faults {
        /// Where.
        source: &'a Source,
        /// What.
        faults: &'a Faults,
    },
    /// The rest of a source cannot be read; it is kept all the same.
    Unreadable {
        /// Which.
        source: &'a Source,
        /// Why.
        error: &'a tamis_archive::Error,
    },
    /// A WARC file in a package cannot be read, since the package compressed it.
    Packed {
        /// The package.
        path: &'a Path,
        /// The name of the WARC file in it.
        entry: &'a str,
    },
}

/// Who is told what happens, and may break it off.
pub type Watch<'w> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'w;

/// A file to import.
pub(super) struct Incoming<'p> {
    path: &'p Path,
    pub(super) bytes: u64,
    origin: Origin,
    /// Its name, before it is known whether it is free.
    name: String,
    index: Option<ReadyIndex<'p>>,
}

impl Collection {
    /// The archive of the collection that has the same bytes as a file, if there is one. Reads the whole file only if one
    /// has its size. Fails if the file is new and has no record.
    pub fn find(&self, path: &Path, watch: &mut Watch<'_>) -> Result<Option<Archive>> {
        let incoming = Incoming::of(path)?;
        let archives: Vec<Archive> = self.archives()?.into_values().collect();
        let known = known(self, &archives, &incoming, watch)?;
        if known.is_none() {
            check_records(path, self.door(), watch)?;
        }
        Ok(known)
    }
}

impl Writer {
    /// Takes an archive into the collection. Damage is told and counted, and keeps nothing out.
    ///
    /// A copy of a file in the folder of archives is not made: it is entered where it is.
    pub fn import(&self, path: &Path, options: ImportOptions, watch: &mut Watch<'_>) -> Result<Imported> {
        self.import_with(&Incoming::of(path)?, options, watch)
    }

    /// The same for an archive that has an index already.
    pub fn import_indexed(
        &self,
        path: &Path,
        index: ReadyIndex<'_>,
        options: ImportOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Imported> {
        self.import_with(&Incoming { index: Some(index), ..Incoming::of(path)? }, options, watch)
    }

    fn import_with(
        &self,
        incoming: &Incoming<'_>,
        options: ImportOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Imported> {
        let archives: Vec<Archive> = self.archives_now().values().cloned().collect();
        if let Some(known) = known(self, &archives, incoming, watch)? {
            return if known.condition(self) == Condition::Present {
                self.renew_index(&known, options.jobs, watch)?;
                Ok(Imported::Known(known))
            } else {
                let archive = self.relocate_to(&known, incoming, options.kept, watch)?;
                self.renew_index(&archive, options.jobs, watch)?;
                Ok(Imported::Relocated(archive))
            };
        }
        if incoming.index.is_none() {
            check_records(incoming.path, self.door(), watch)?;
        }
        match options.kept {
            Kept::Copy => self.import_copy(incoming, options, watch),
            Kept::Reference => self.import_reference(incoming, options, watch),
        }
    }

    /// Makes the index of an archive again if it is gone.
    fn renew_index(&self, archive: &Archive, jobs: NonZero<usize>, watch: &mut Watch<'_>) -> Result<()> {
        let path = archive.index_path(self);
        if !path.exists() {
            index::write(&archive.sources(self), &path, jobs, watch)?;
        }
        Ok(())
    }

    /// Uses a file for an archive that the collection lists. The caller has compared the content.
    ///
    /// A file that lies in the place of the archive's own copy has another content: it goes to the trash.
    pub(super) fn relocate_to(
        &self,
        known: &Archive,
        incoming: &Incoming<'_>,
        kept: Kept,
        watch: &mut Watch<'_>,
    ) -> Result<Archive> {
        let origin = incoming.origin.clone();
        let archive = Archive { kept, origin, ..known.clone() };
        match kept {
            Kept::Reference => check_unicode(incoming)?,
            Kept::Copy => {
                let target = archive.path(self);
                let is_there =
                    fs::canonicalize(&target).is_ok_and(|path| path == Path::new(&incoming.origin.path));
                if !is_there {
                    self.replace_copy(incoming, &archive, &target, watch)?;
                }
            }
        }
        self.enter_archive(archive.clone())?;
        Ok(archive)
    }

    fn replace_copy(
        &self,
        incoming: &Incoming<'_>,
        archive: &Archive,
        target: &Path,
        watch: &mut Watch<'_>,
    ) -> Result<()> {
        let mut part = part_file(target).map_err(Error::write(target))?;
        if copy(incoming.path, target, part.as_file_mut(), watch)?.sha256 != archive.sha256 {
            return Err(Error::damaged(incoming.path, "it changed while it was being read"));
        }
        part.as_file().sync_all().map_err(Error::write(target))?;
        if target.exists() {
            if sha256_of(target, watch)? != archive.sha256 {
                self.drop_parts_of(archive)?;
            }
            self.discard(target)?;
        }
        part.persist(target).map_err(|error| Error::write(target)(error.error))?;
        Ok(whole::sync_folder_of(target)?)
    }

    /// Removes the kept columns of an archive: those that were computed from a damaged file may lack pages.
    fn drop_parts_of(&self, archive: &Archive) -> Result<()> {
        let parts = self.manifest()?.parts.into_iter().filter(|part| archive.owns(&part.archive));
        let files: Vec<String> = parts.map(|part| part.file).collect();
        if files.is_empty() { Ok(()) } else { self.commit(Vec::new(), &files) }
    }

    fn import_copy(
        &self,
        incoming: &Incoming<'_>,
        options: ImportOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Imported> {
        let folder = self.archive_folder();
        let real = fs::canonicalize(&folder).map_err(Error::read(&folder))?;
        let place = PathBuf::from(&incoming.origin.path);
        if place.parent() == Some(&*real) && place.file_name() == Some(incoming.name.as_ref()) {
            let content = Content::of(&place, watch)?;
            return self.enter(incoming, incoming.name.clone(), content, options, watch);
        }
        let target = folder.join(&incoming.name);
        let mut part = part_file(&target).map_err(Error::write(&target))?;
        let content = copy(incoming.path, &target, part.as_file_mut(), watch)?;
        let name = self.free_name(incoming, &content.sha256, watch)?;
        let target = folder.join(&name);
        part.as_file().sync_all().map_err(Error::write(&target))?;
        // What is there has the same bytes: a killed run left it, or its line in the list tells of it.
        part.persist(&target).map_err(|error| Error::write(&target)(error.error))?;
        whole::sync_folder_of(&target)?;
        self.enter(incoming, name, content, options, watch)
    }

    fn import_reference(
        &self,
        incoming: &Incoming<'_>,
        options: ImportOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Imported> {
        check_unicode(incoming)?;
        let content = Content::of(incoming.path, watch)?;
        let is_earlier = |archive: &&Archive| {
            archive.kept == Kept::Reference && archive.origin.path == incoming.origin.path
        };
        let earlier = self.archives_now().values().find(is_earlier).map(|archive| archive.name.clone());
        let name = match earlier {
            Some(name) => name,
            None => self.free_name(incoming, &content.sha256, watch)?,
        };
        self.enter(incoming, name, content, options, watch)
    }

    /// A name that no other archive has: not in the list, and not in the folder unless with the same bytes.
    fn free_name(&self, incoming: &Incoming<'_>, sha256: &str, watch: &mut Watch<'_>) -> Result<String> {
        let mut number = 1;
        loop {
            let name = names::numbered(&incoming.name, number);
            let path = self.archive_folder().join(&name);
            let listed = self.archives_now().get(&name).map(|archive| archive.sha256 == sha256);
            let is_free = match (listed, fs::metadata(&path)) {
                // What is listed under the name has the same bytes, but its file was lost.
                (listed, Err(_)) => listed.unwrap_or(true),
                // Nothing is written over, but a killed run may have left it.
                (Some(_), Ok(_)) => false,
                (None, Ok(meta)) => meta.len() == incoming.bytes && sha256_of(&path, watch)? == sha256,
            };
            if is_free {
                return Ok(name);
            }
            number += 1;
        }
    }

    /// Indexes an archive that is in its place, and enters it into the list.
    fn enter(
        &self,
        incoming: &Incoming<'_>,
        name: String,
        content: Content,
        options: ImportOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Imported> {
        let mut archive = Archive {
            kept: options.kept,
            origin: incoming.origin.clone(),
            bytes: incoming.bytes,
            sha256: content.sha256,
            blocks: None,
            records: 0,
            captures: 0,
            faults: 0,
            entries: None,
            name,
        };
        let path = archive.path(self);
        let (entries, packed) = entries_of(&path, watch)?;
        archive.entries = entries;
        archive.blocks = content.blocks.needed_for(&path, archive.entries.as_deref())?;
        let sources = archive.sources(self);
        let counts = match incoming.index {
            Some(ready) => index::adopt(ready, &archive.index_path(self))?,
            None => index::write(&sources, &archive.index_path(self), options.jobs, watch)?,
        };
        (archive.records, archive.captures) = (counts.records, counts.captures);
        archive.faults = counts.faults + packed;
        let earlier = self.archives_now().get(&archive.name).cloned();
        self.enter_archive(archive.clone())?;
        Ok(if earlier.is_some() { Imported::Replaced(archive) } else { Imported::Added(archive) })
    }
}

impl<'p> Incoming<'p> {
    pub(super) fn of(path: &'p Path) -> Result<Self> {
        let meta = fs::metadata(path).map_err(Error::read(path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            path,
            bytes: meta.len(),
            origin: Origin::of(path, &meta)?,
            name: names::plain(&name),
            index: None,
        })
    }
}

/// A path in the list is text.
fn check_unicode(incoming: &Incoming<'_>) -> Result<()> {
    if fs::canonicalize(incoming.path).is_ok_and(|path| path.to_str().is_none()) {
        let value = incoming.origin.path.clone();
        return Err(Error::Value { what: "path", value, why: "not valid Unicode" });
    }
    Ok(())
}

/// The archive that a file is already: by where it came from if it was not changed since, else by its bytes. One whose
/// file is sound comes first.
fn known(
    collection: &Collection,
    archives: &[Archive],
    incoming: &Incoming<'_>,
    watch: &mut Watch<'_>,
) -> Result<Option<Archive>> {
    let same_size: Vec<&Archive> =
        archives.iter().filter(|archive| archive.bytes == incoming.bytes).collect();
    let is_present = |archive: &Archive| archive.condition(collection) == Condition::Present;
    let is_origin = |archive: &&&Archive| {
        archive.origin == incoming.origin && incoming.origin.modified_ns.is_some() && is_present(archive)
    };
    if let Some(archive) = same_size.iter().find(is_origin) {
        return Ok(Some((*archive).clone()));
    }
    if same_size.is_empty() {
        return Ok(None);
    }
    let sha256 = sha256_of(incoming.path, watch)?;
    let same: Vec<&Archive> = same_size.into_iter().filter(|archive| archive.sha256 == sha256).collect();
    let present = same.iter().find(|archive| is_present(archive));
    Ok(present.or(same.first()).map(|archive| (*archive).clone()))
}

/// Refuses what has no record.
fn check_records(path: &Path, door: &Door, watch: &mut Watch<'_>) -> Result<()> {
    let not_one = |why: String| Err(Error::NotAnArchive { path: path.to_owned(), why });
    if fs::metadata(path).map_err(Error::read(path))?.len() == 0 {
        return not_one("the file is empty".to_owned());
    }
    let sources = match entries_of(path, &mut |_| ControlFlow::Continue(()))? {
        (None, _) => vec![door.source(path)],
        (Some(entries), packed) if entries.is_empty() && packed > 0 => {
            return not_one("its WARC files are compressed inside the zip file".to_owned());
        }
        (Some(entries), _) => {
            let named = archive::sources("", path, Some(&entries), door);
            named.into_iter().map(|named| named.source).collect()
        }
    };
    for source in &sources {
        if source.open(Mode::Lenient)?.next()?.is_some() {
            return Ok(());
        }
        tell(watch, Event::Indexed { bytes: 0, records: 0 })?;
    }
    not_one(if sources.is_empty() { "no WARC file in the package" } else { "no record found" }.to_owned())
}

/// The WARC files of a package, and how many of them cannot be read; none for what is no package.
fn entries_of(path: &Path, watch: &mut Watch<'_>) -> Result<(Option<Vec<Entry>>, u64)> {
    let mut magic = Vec::new();
    let file = File::open(path).map_err(Error::read(path))?;
    file.take(4).read_to_end(&mut magic).map_err(Error::read(path))?;
    if !ZIP.contains(&&*magic) {
        return Ok((None, 0));
    }
    let found = warc_ranges(path)
        .map_err(|error| Error::NotAnArchive { path: path.to_owned(), why: without_path(error) })?;
    let (mut entries, mut packed) = (Vec::new(), 0);
    for (entry, range) in found {
        // The name goes into indexes and messages.
        let name = entry.name.replace(char::is_control, "_");
        if let Some(range) = range {
            entries.push(Entry { name, start: range.start, end: range.end });
        } else {
            packed += 1;
            tell(watch, Event::Packed { path, entry: &name })?;
        }
    }
    Ok((Some(entries), packed))
}

/// The WARC files of a package. One that has none must say so in its `datapackage.json`.
fn warc_ranges(path: &Path) -> tamis_archive::Result<Vec<(WaczEntry, Option<Range<u64>>)>> {
    let mut package = Wacz::open(path)?;
    let found = package.warc_ranges()?;
    if found.is_empty() {
        let listed = package.data_package()?.resources;
        if let Some(warc) = listed.iter().find(|resource| resource.path.starts_with("archive/")) {
            return Err(tamis_archive::Error::Value {
                what: "WACZ package",
                value: path.display().to_string(),
                why: format!("it lacks {}, which its datapackage.json lists", warc.path),
            });
        }
    }
    Ok(found)
}

/// What is wrong with a package. The caller names the file.
fn without_path(error: tamis_archive::Error) -> String {
    match error {
        tamis_archive::Error::Io { source, path } if source.kind() == io::ErrorKind::NotFound => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("a zip file with neither WARC files nor {name}")
        }
        tamis_archive::Error::Io { source, .. } => source.to_string(),
        tamis_archive::Error::Value { why, .. } => why,
        other => other.to_string(),
    }
}
