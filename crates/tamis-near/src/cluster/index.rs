//! The kept pages of all runs so far, on disk.
//!
//! A folder: `kept`, all kept pages one behind the other; `N.run`, sorted keys of some of them; `manifest`, which says what
//! of it counts. The manifest is replaced in one step at the end of a run, so a run that dies leaves only files that nobody
//! names. Files and their fields: `docs/formats/near-index.md`.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::document::Document;
use super::near::Near;
use super::run::{self, Entry, Search};

const FIRST_LINE: &str = "tamis near-duplicate index 1";

/// The index while a run adds to it.
pub(super) struct Index {
    folder: PathBuf,
    near: Near,
    file: File,
    kept: u64,
    /// Pages that were kept before this run.
    kept_before: u64,
    runs: Vec<Run>,
    next_run: u64,
}

#[derive(Clone, Copy)]
struct Run {
    number: u64,
    entries: u64,
}

impl Index {
    /// Opens the index in a folder, or begins one.
    pub(super) fn open(folder: &Path, near: Near) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let (kept, runs) = match fs::read_to_string(folder.join("manifest")) {
            Ok(manifest) => read_manifest(&manifest, near).map_err(|problem| invalid(folder, &problem))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => (0, Vec::new()),
            Err(error) => return Err(error),
        };
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(folder.join("kept"))?;
        if file.metadata()?.len() < kept * Document::BYTES as u64 {
            return Err(invalid(folder, "`kept` is shorter than the manifest says"));
        }
        let next_run = runs.iter().map(|run| run.number + 1).max().unwrap_or(0);
        Ok(Self { folder: folder.to_owned(), near, file, kept, kept_before: kept, runs, next_run })
    }

    /// How many pages are kept.
    pub(super) fn kept(&self) -> u64 {
        self.kept
    }

    /// Whether a page was kept in an earlier run.
    pub(super) fn is_before(&self, number: u32) -> bool {
        u64::from(number) < self.kept_before
    }

    /// A kept page.
    pub(super) fn page(&self, number: u32) -> io::Result<Document> {
        let mut bytes = [0; Document::BYTES];
        self.file.read_exact_at(&mut bytes, u64::from(number) * Document::BYTES as u64)?;
        Document::from_bytes(&bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Calls `found` with what stands with each key, and the kept page that has it. The keys are sorted.
    pub(super) fn find(
        &self,
        keys: &[Entry],
        mut found: impl FnMut(u32, u32) -> io::Result<()>,
    ) -> io::Result<()> {
        for run in &self.runs {
            let mut search = Search::open(&self.path(run.number))?;
            let mut pages = Vec::new();
            for &(key, asked_by) in keys {
                search.find(key, |page| pages.push(page))?;
                for page in pages.drain(..) {
                    found(asked_by, page)?;
                }
            }
        }
        Ok(())
    }

    /// Adds pages with their keys; in `keys`, which are sorted, stands the place of a page in `pages`.
    pub(super) fn add(&mut self, pages: &[Document], keys: &[Entry]) -> io::Result<()> {
        if pages.is_empty() {
            return Ok(());
        }
        let first =
            u32::try_from(self.kept).map_err(|_| invalid(&self.folder, "more than 2^32 kept pages"))?;
        let mut bytes = Vec::with_capacity(Document::BYTES << 8);
        for (at, part) in (0_u64..).step_by(256).zip(pages.chunks(256)) {
            bytes.clear();
            for page in part {
                bytes.extend_from_slice(&page.to_bytes());
            }
            self.file.write_all_at(&bytes, (self.kept + at) * Document::BYTES as u64)?;
        }
        self.kept += pages.len() as u64;
        self.push_run(keys.iter().map(|&(key, page)| Ok((key, first + page))))
    }

    /// Makes what was added last, and removes what is not named any more.
    pub(super) fn commit(mut self) -> io::Result<()> {
        while let [.., one, other] = self.runs[..]
            && other.entries * 2 > one.entries
        {
            let both = run::merged(run::read(&self.path(one.number))?, run::read(&self.path(other.number))?);
            self.runs.truncate(self.runs.len() - 2);
            self.push_run(both)?;
        }
        self.file.sync_all()?;
        let part = self.folder.join("manifest.part");
        let mut file = File::create(&part)?;
        file.write_all(self.manifest().as_bytes())?;
        file.sync_all()?;
        fs::rename(part, self.folder.join("manifest"))?;
        File::open(&self.folder)?.sync_all()?;
        self.remove_unnamed()
    }

    fn push_run(&mut self, entries: impl Iterator<Item = io::Result<Entry>>) -> io::Result<()> {
        let number = self.next_run;
        self.next_run += 1;
        let entries = run::write(&self.path(number), entries)?;
        self.runs.push(Run { number, entries });
        Ok(())
    }

    fn remove_unnamed(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            let is_named = self.runs.iter().any(|run| Some(run.number) == number);
            if path.extension().is_some_and(|end| end == "run") && !is_named {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    fn manifest(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nnear {}\nkept {}\n", self.near, self.kept);
        for run in &self.runs {
            let _ = writeln!(text, "run {} {}", run.number, run.entries);
        }
        text
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{number}.run"))
    }
}

fn read_manifest(text: &str, near: Near) -> Result<(u64, Vec<Run>), String> {
    let mut lines = text.lines();
    if lines.next() != Some(FIRST_LINE) {
        return Err("its manifest is not of version 1".to_owned());
    }
    let made_with = lines.next().and_then(|line| line.strip_prefix("near ")).unwrap_or_default();
    if made_with != near.to_string() {
        return Err(format!("it was made with `{made_with}`, not with `{near}`; use another folder for it"));
    }
    let kept = lines.next().and_then(|line| line.strip_prefix("kept ")?.parse().ok());
    let run = |line: &str| {
        let (number, entries) = line.strip_prefix("run ")?.split_once(' ')?;
        Some(Run { number: number.parse().ok()?, entries: entries.parse().ok()? })
    };
    let runs: Option<Vec<Run>> = lines.map(run).collect();
    kept.zip(runs).ok_or_else(|| "its manifest is damaged".to_owned())
}

fn invalid(folder: &Path, problem: &str) -> io::Error {
    let message = format!("{}: near-duplicate index: {problem}", folder.display());
    io::Error::new(io::ErrorKind::InvalidData, message)
}
