//! Pages that are judged together: as many as memory holds.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;

use super::document::Document;
use super::index::Index;
use super::{Exact, Member, Reason, Relation, Settings};

/// Candidates of the index that are gathered before they are looked at.
const MOST_CANDIDATES: usize = 1 << 22;

/// Pages in the order in which they are worth keeping.
pub(super) struct Batch {
    pages: Vec<Document>,
    settings: Settings,
    /// For each page what it resembles most in the index.
    in_index: Vec<Option<Likeness>>,
}

/// The kept page that another resembles.
#[derive(Clone, Copy)]
struct Likeness {
    id: u64,
    similarity: f64,
    is_exact: bool,
    reason: Reason,
}

impl Batch {
    pub(super) fn new(pages: Vec<Document>, settings: Settings) -> Self {
        let in_index = vec![None; pages.len()];
        Self { pages, settings, in_index }
    }

    /// Tells the cluster of each page and adds to the index what is kept.
    pub(super) fn judge(
        mut self,
        index: &mut Index,
        mut exact: Option<&mut Exact<'_>>,
        found: &mut dyn FnMut(Member) -> io::Result<()>,
    ) -> io::Result<()> {
        self.look_into(index, &mut exact)?;
        let mut kept = Kept::default();
        for (page, in_index) in self.pages.iter().zip(&self.in_index) {
            let mut best = *in_index;
            for candidate in kept.candidates(page, self.settings) {
                let reason = Reason::Asked(self.settings.keep);
                better(
                    &mut best,
                    compare(page, &kept.pages[candidate as usize], self.settings, &mut exact, reason)?,
                );
            }
            if best.is_none() {
                kept.add(page, self.settings);
            }
            found(member(page, best, self.settings))?;
        }
        kept.keys.sort_unstable();
        index.add(&kept.pages, &kept.keys)
    }

    /// Finds for each page what it resembles most among pages of earlier batches and runs.
    fn look_into(&mut self, index: &Index, exact: &mut Option<&mut Exact<'_>>) -> io::Result<()> {
        if index.kept() == 0 {
            return Ok(());
        }
        let mut keys = Vec::new();
        for (place, page) in (0..).zip(&self.pages) {
            self.settings.near.keys(page, |key| keys.push((key, place)));
        }
        keys.sort_unstable();
        let mut candidates = Vec::new();
        index.find(&keys, |place, number| {
            candidates.push((number, place));
            if candidates.len() >= MOST_CANDIDATES {
                self.compare_all(&mut candidates, index, exact)?;
            }
            Ok(())
        })?;
        self.compare_all(&mut candidates, index, exact)
    }

    /// Kept pages are read in the order in which they lie in the index, each once.
    fn compare_all(
        &mut self,
        candidates: &mut Vec<(u32, u32)>,
        index: &Index,
        exact: &mut Option<&mut Exact<'_>>,
    ) -> io::Result<()> {
        candidates.sort_unstable();
        candidates.dedup();
        for pairs in candidates.chunk_by(|one, other| one.0 == other.0) {
            let number = pairs[0].0;
            let kept = index.page(number)?;
            let reason =
                if index.is_before(number) { Reason::Before } else { Reason::Asked(self.settings.keep) };
            for &(_, place) in pairs {
                let page = &self.pages[place as usize];
                let likeness = compare(page, &kept, self.settings, exact, reason)?;
                better(&mut self.in_index[place as usize], likeness);
            }
        }
        candidates.clear();
        Ok(())
    }
}

fn compare(
    page: &Document,
    kept: &Document,
    settings: Settings,
    exact: &mut Option<&mut Exact<'_>>,
    reason: Reason,
) -> io::Result<Option<Likeness>> {
    if page.digest == kept.digest {
        return Ok(Some(Likeness { id: kept.id, similarity: 1.0, is_exact: true, reason }));
    }
    let (Some(one), Some(other)) = (&page.text, &kept.text) else { return Ok(None) };
    let Some(estimate) = settings.near.similarity(one, other, exact.is_none()) else { return Ok(None) };
    let similarity = match exact {
        Some(exact) => {
            Some(exact(page.id, kept.id)?).filter(|&similarity| settings.near.is_enough(similarity))
        }
        None => Some(estimate),
    };
    Ok(similarity.map(|similarity| Likeness { id: kept.id, similarity, is_exact: false, reason }))
}

/// The same bytes before all others, then the more similar, then the one that is worth more, which was met before.
fn better(best: &mut Option<Likeness>, other: Option<Likeness>) {
    let rank = |likeness: &Likeness| (likeness.is_exact, likeness.similarity);
    if let Some(other) = other
        && best.as_ref().is_none_or(|best| rank(best) < rank(&other))
    {
        *best = Some(other);
    }
}

fn member(page: &Document, best: Option<Likeness>, settings: Settings) -> Member {
    match best {
        None => Member {
            id: page.id,
            kept: page.id,
            similarity: 1.0,
            relation: Relation::Kept,
            reason: Reason::Asked(settings.keep),
        },
        Some(Likeness { id: kept, similarity, is_exact, reason }) => {
            let relation = if is_exact { Relation::Exact } else { Relation::Near };
            Member { id: page.id, kept, similarity, relation, reason }
        }
    }
}

/// Pages of the batch that are kept.
#[derive(Default)]
struct Kept {
    pages: Vec<Document>,
    /// Keys, and the place of the page in `pages`.
    keys: Vec<(u64, u32)>,
    /// The place in `keys` of the last entry of a key; from there on `before` leads to the others.
    last: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
    before: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Kept {
    /// Those that have a key in common with a page, each once, as they came.
    fn candidates(&self, page: &Document, settings: Settings) -> Vec<u32> {
        let mut found = Vec::new();
        settings.near.keys(page, |key| {
            let mut at = self.last.get(&key).copied().unwrap_or(NONE);
            while at != NONE {
                found.push(self.keys[at as usize].1);
                at = self.before[at as usize];
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    fn add(&mut self, page: &Document, settings: Settings) {
        let place = self.pages.len() as u32;
        self.pages.push(*page);
        settings.near.keys(page, |key| {
            let entry = self.keys.len() as u32;
            self.keys.push((key, place));
            self.before.push(self.last.insert(key, entry).unwrap_or(NONE));
        });
    }
}

/// Keys are hashes already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
