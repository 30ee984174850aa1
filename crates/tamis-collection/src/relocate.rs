//! Archives whose file is elsewhere now, and indexes that are made again.

use std::num::NonZero;
use std::path::Path;

use super::archive::Archive;
use super::content::{Content, sha256_of};
use super::import::Incoming;
use super::{Error, Result, Watch, Writer, index};

impl Writer {
    /// Uses a file for an archive, after a check that its content is that of the archive. A reference points to it from
    /// now on; an archive of the collection's own is copied again.
    pub fn relocate(&self, name: &str, path: &Path, watch: &mut Watch<'_>) -> Result<Archive> {
        let archive = self.archives_now().get(name).cloned().ok_or_else(|| self.no_archive(name))?;
        let incoming = Incoming::of(path)?;
        if incoming.bytes != archive.bytes {
            let why = format!("it has {} bytes, but {name} has {}", incoming.bytes, archive.bytes);
            return Err(Error::OtherContent { path: path.to_owned(), why });
        }
        if sha256_of(path, watch)? != archive.sha256 {
            let why = format!("its SHA-256 differs from that of {name}");
            return Err(Error::OtherContent { path: path.to_owned(), why });
        }
        self.relocate_to(&archive, &incoming, archive.kept, watch)
    }

    /// Makes the index of an archive again, counts its records and takes the checksums of its blocks. The content must be that of the list.
    pub fn reindex(&self, name: &str, jobs: NonZero<usize>, watch: &mut Watch<'_>) -> Result<Archive> {
        let archive = self.archives_now().get(name).cloned().ok_or_else(|| self.no_archive(name))?;
        let path = archive.path(self);
        let content = Content::of(&path, watch)?;
        if content.sha256 != archive.sha256 {
            return Err(Error::OtherContent {
                path,
                why: format!("its SHA-256 differs from that of {name}"),
            });
        }
        let blocks = content.blocks.needed_for(&path, archive.entries.as_deref())?;
        let archive = Archive { blocks, ..archive };
        let counts = index::write(&archive.sources(self), &archive.index_path(self), jobs, watch)?;
        let packed = archive.faults.saturating_sub(counts.faults);
        let packed = if archive.entries.is_some() { packed } else { 0 };
        let renewed = Archive {
            records: counts.records,
            captures: counts.captures,
            faults: counts.faults + packed,
            ..archive.clone()
        };
        if self.archives_now().get(name) != Some(&renewed) {
            self.enter_archive(renewed.clone())?;
        }
        Ok(renewed)
    }
}
