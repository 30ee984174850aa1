//! Look-up of the captures of a collection, by its own indexes.

use std::fs;
use std::path::PathBuf;

use tamis_archive::Source;
use tamis_archive::captures::Captures;
use tamis_archive::cdx::Index;

use super::archive::{Archive, Condition};
use super::{Collection, Result, Unfinished};

/// No line of an index is shorter: key, moment, and the names of the members that each has.
const LEAST_LINE_BYTES: u64 = 60;

/// What is to be known about a look-up in a collection.
#[derive(Debug, Default)]
pub struct LookUp {
    /// Archives that are not what the list says, and what is the matter. Those that are there are read instead of their index.
    pub changed: Vec<(Archive, Condition)>,
    /// Archives whose index is used, and that were damaged when they were imported: captures may be missing.
    pub damaged: Vec<Archive>,
    /// Indexes that cannot be used, and why. Their archives are read instead.
    pub unusable: Vec<(PathBuf, String)>,
    /// Archives that the list does not have yet. They are read.
    pub unfinished: Vec<Unfinished>,
}

/// An archive of a collection as look-ups meet it.
pub struct Covered {
    /// What there is to read in it, each with its name.
    pub sources: Vec<(String, Source)>,
    /// Its index and the file of it, where there is a usable one.
    pub index: Option<(PathBuf, Index)>,
    /// How many captures it has, as the list says.
    pub captures: u64,
}

impl Collection {
    /// Adds all archives to a look-up, each with its index where there is a usable one.
    ///
    /// Indexes have no lines for conversion records. An archive with more captures than its index can have lines, as every WET
    /// file, is therefore read.
    pub fn add_to(&self, captures: &mut Captures) -> Result<LookUp> {
        let (archives, mut look_up) = self.covered()?;
        for Covered { sources, index, .. } in archives {
            match index {
                Some((_, index)) => captures.add_indexed(index, sources),
                None => sources.into_iter().for_each(|(name, source)| captures.add(name, source)),
            }
        }
        look_up.unfinished = self.unfinished()?;
        for unfinished in &look_up.unfinished {
            captures.add(&*unfinished.named.name, unfinished.named.source.clone());
        }
        Ok(look_up)
    }

    /// The archives of the list, each with its index where there is a usable one, and what is to be known about them. Archives that
    /// the list does not have yet are not looked for.
    pub fn covered(&self) -> Result<(Vec<Covered>, LookUp)> {
        let (mut covered, mut look_up) = (Vec::new(), LookUp::default());
        for archive in self.archives()?.into_values() {
            let sources = archive.sources(self).into_iter().map(|named| (named.name, named.source)).collect();
            let condition = archive.condition(self);
            let index =
                if condition == Condition::Changed { None } else { self.index_of(&archive, &mut look_up) };
            covered.push(Covered { sources, index, captures: archive.captures });
            if condition != Condition::Present {
                look_up.changed.push((archive, condition));
            } else if archive.faults > 0 {
                look_up.damaged.push(archive);
            }
        }
        Ok((covered, look_up))
    }

    /// The index of an archive, if it can be used.
    fn index_of(&self, archive: &Archive, look_up: &mut LookUp) -> Option<(PathBuf, Index)> {
        let path = archive.index_path(self);
        let opened = fs::metadata(&path).map_err(|error| error.to_string()).and_then(|meta| {
            let index = Index::open([&path]).map_err(|error| error.to_string())?;
            Ok((meta.len() >= archive.captures.saturating_mul(LEAST_LINE_BYTES)).then_some(index))
        });
        match opened {
            Ok(index) => index.map(|index| (path, index)),
            Err(why) => {
                look_up.unusable.push((path, why));
                None
            }
        }
    }
}
