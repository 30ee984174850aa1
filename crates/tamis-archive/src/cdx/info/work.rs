//! The work folder: what lasts of a job that is not yet done, so that it can be ended at any moment and go on.
//!
//! `state.json` is swapped as a whole and says which of the other files count, and how much of them: runs that it does not
//! name and bytes behind the length that it states are of a step that was not finished, and are taken away. Files that have
//! their name are told by a list that grows line by line.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::archives::Archives;
use super::state::{InputFile, State};
use crate::{Error, Result};

const STATE: &str = "state.json";
const LOCK: &str = "lock";
const ARCHIVES: &str = "archives";
const LISTING: &str = "listing";

/// The folder of a job, held by this process alone.
#[derive(Debug)]
pub(super) struct Work {
    folder: PathBuf,
    pub(super) state: State,
    _lock: File,
    archives: File,
    listing: File,
    pub(super) written: Written,
}

/// The files that are there: those on the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) files: u32,
    pub(super) rows: u64,
    /// The length of their lines on the list.
    listed_bytes: u64,
}

impl Work {
    /// Opens the folder of a job below its output, or begins one. Gives the archives known so far, too.
    pub(super) fn open(output: &Path, inputs: &[PathBuf]) -> Result<(Self, Archives)> {
        let inputs = inputs.iter().map(|path| InputFile::of(path)).collect::<Result<Vec<_>>>()?;
        let folder = output.join(".info-work");
        remove_finished(output);
        if !folder.join(STATE).exists() {
            refuse_outputs(output)?;
        }
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        let lock = lock(&folder)?;
        let state = match load(&folder)? {
            Some(state) => state.checked(&inputs, &folder)?,
            None => State::new(inputs),
        };
        let archives = open_to(&folder.join(ARCHIVES), state.archive_bytes)?;
        let written = Written::listed(&folder.join(LISTING), output)?;
        let listing = open_to(&folder.join(LISTING), written.listed_bytes)?;
        let work = Self { folder, state, _lock: lock, archives, listing, written };
        let names = work.read_archives()?;
        work.remove_strays()?;
        work.save()?;
        Ok((work, names))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn run_path(&self, id: u64) -> PathBuf {
        self.folder.join(format!("{id}.run"))
    }

    /// Where a file is written before it gets its name.
    pub(super) fn part_path(&self) -> PathBuf {
        self.folder.join("part")
    }

    /// Adds names behind those that the file has.
    pub(super) fn add_archives<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> Result<()> {
        let mut text = String::new();
        for name in names {
            // A name may have any character, so that a JSON string is the line.
            text.push_str(&serde_json::Value::from(name).to_string());
            text.push('\n');
        }
        let path = self.folder.join(ARCHIVES);
        self.archives
            .write_all(text.as_bytes())
            .and_then(|()| self.archives.sync_data())
            .map_err(Error::io(path))?;
        self.state.archive_bytes += text.len() as u64;
        Ok(())
    }

    /// Puts a file on the list, which has its name by now.
    pub(super) fn list(&mut self, file: &str, archive: &str, rows: u64, bytes: u64) -> Result<()> {
        // A tab or line end in a name would end the field.
        let archive = archive.replace(|c: char| c.is_control(), "\u{fffd}");
        let line = format!("{file}\t{archive}\t{rows}\t{bytes}\n");
        self.listing.write_all(line.as_bytes()).map_err(Error::io(self.folder.join(LISTING)))?;
        self.written.add(rows, line.len());
        Ok(())
    }

    /// Makes the state last.
    pub(super) fn save(&self) -> Result<()> {
        write_swapped(&self.folder.join(STATE), &self.folder.join("state.new"), &self.state.to_json())
    }

    /// Makes the files last, puts the list of them into the output, and takes the folder away.
    pub(super) fn finish(self, output: &Path) -> Result<()> {
        sync_below(output)?;
        let listing = fs::read(self.folder.join(LISTING)).map_err(Error::io(&self.folder))?;
        write_swapped(&output.join(super::LISTING), &self.part_path(), &listing)?;
        let (finished, folder) = (output.join(FINISHED), self.folder.clone());
        // Some systems do not rename a folder with open files.
        drop(self);
        fs::rename(&folder, &finished).map_err(Error::io(&folder))?;
        fs::remove_dir_all(&finished).map_err(Error::io(&finished))
    }

    /// Takes away runs that do not count.
    pub(super) fn remove_strays(&self) -> Result<()> {
        for entry in fs::read_dir(&self.folder).map_err(Error::io(&self.folder))? {
            let path = entry.map_err(Error::io(&self.folder))?.path();
            let is_run = path.extension().is_some_and(|end| end == "run");
            if is_run && !self.state.runs.iter().any(|run| self.run_path(run.id) == path) {
                fs::remove_file(&path).map_err(Error::io(&path))?;
            }
        }
        Ok(())
    }

    fn read_archives(&self) -> Result<Archives> {
        let path = self.folder.join(ARCHIVES);
        let mut text = String::new();
        File::open(&path).and_then(|mut file| file.read_to_string(&mut text)).map_err(Error::io(&path))?;
        let mut archives = Archives::default();
        for line in text.lines() {
            let name: String = serde_json::from_str(line).map_err(|_| damaged(&self.folder))?;
            archives.number(&name);
        }
        Ok(archives)
    }
}

impl Written {
    /// What is listed and there with all its bytes. After a loss of power a file may be shorter than it was; it is
    /// written again then, and all behind it.
    fn listed(list: &Path, output: &Path) -> Result<Self> {
        let mut written = Self::default();
        let mut input = match File::open(list) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(written),
            file => BufReader::new(file.map_err(Error::io(list))?),
        };
        let mut line = String::new();
        while input.read_line(&mut line).unwrap_or_default() > 0 {
            match rows_of(&line, output) {
                Some(rows) => written.add(rows, line.len()),
                None => break,
            }
            line.clear();
        }
        Ok(written)
    }

    fn add(&mut self, rows: u64, listed_bytes: usize) {
        self.files += 1;
        self.rows += rows;
        self.listed_bytes += listed_bytes as u64;
    }
}

/// The rows of a listed file, if it is there as the list has it.
fn rows_of(line: &str, output: &Path) -> Option<u64> {
    let [file, _, rows, bytes] = line.strip_suffix('\n')?.split('\t').collect::<Vec<_>>()[..] else {
        return None;
    };
    let is_whole = fs::metadata(output.join(file)).is_ok_and(|meta| Some(meta.len()) == bytes.parse().ok());
    rows.parse().ok().filter(|_| is_whole)
}

/// What the work folder is called while it is taken away.
const FINISHED: &str = ".info-work.done";

fn remove_finished(output: &Path) {
    // What cannot be removed does no harm but to take up space.
    let _ = fs::remove_dir_all(output.join(FINISHED));
}

/// Work begins where there are no files of its kind: which of them it made could not be told.
fn refuse_outputs(output: &Path) -> Result<()> {
    let Ok(entries) = fs::read_dir(output) else { return Ok(()) };
    let is_output = |name: &str| {
        Path::new(name).extension().is_some_and(|end| end == "info")
            || name == super::LISTING
            || name == super::names::BY_PATH
    };
    for entry in entries {
        let name = entry.map_err(Error::io(output))?.file_name().to_string_lossy().into_owned();
        if is_output(&name) {
            let why = format!("already has {name}, and no unfinished run to resume");
            let hint = "give another output, or remove the files of the earlier run";
            return Err(Error::Folder { path: output.into(), why, hint });
        }
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let file =
        OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(Error::io(&path))?;
    // Where the file system has no locks, nobody can be kept off.
    if let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
        let why = "another process is writing to it".into();
        return Err(Error::Folder {
            path: folder.into(),
            why,
            hint: "wait for it to finish, or give another output",
        });
    }
    Ok(file)
}

fn load(folder: &Path) -> Result<Option<State>> {
    let path = folder.join(STATE);
    let json = match fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        json => json.map_err(Error::io(&path))?,
    };
    State::from_json(&json).map(Some).ok_or_else(|| damaged(folder))
}

fn damaged(folder: &Path) -> Error {
    let why = "is not a work folder of this version, or is damaged".into();
    Error::Folder {
        path: folder.into(),
        why,
        hint: "to start over, remove it and the .info files next to it",
    }
}

/// Opens a file to write behind its first `len` bytes; what is there is of a step that was not finished.
fn open_to(path: &Path, len: u64) -> Result<File> {
    let open = || -> std::io::Result<File> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        file.set_len(len)?;
        Ok(file)
    };
    open().map_err(Error::io(path))
}

/// Writes a file under another name, makes it last and renames it.
fn write_swapped(path: &Path, part: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = File::create(part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(part, path)
    };
    write().map_err(Error::io(path))?;
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

/// New names last once their folder is synced.
fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io(folder))?;
    }
    Ok(())
}

/// Makes all files of a folder last. One call for the whole file system: one for each of 64,000 files took three minutes.
#[cfg(target_os = "linux")]
fn sync_below(folder: &Path) -> Result<()> {
    let opened = File::open(folder).map_err(Error::io(folder))?;
    rustix::fs::syncfs(opened).map_err(|error| Error::io(folder)(error.into()))
}

#[cfg(not(target_os = "linux"))]
fn sync_below(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        if path.is_dir() {
            sync_below(&path)?;
        } else {
            File::open(&path).and_then(|file| file.sync_all()).map_err(Error::io(&path))?;
        }
    }
    sync_folder(folder)
}
