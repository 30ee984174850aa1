//! The archives of a collection as members of `pages`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use tamis_archive::ScanOptions;
use tamis_archive::captures::{self, CaptureOptions, Captures};
use tamis_archive::cdx::Query;
use tamis_collection::relevance::Torn;

use crate::column::Column;
use crate::dedup::Store;
use crate::pages::Member;
use crate::relevance::Relevance;
use crate::scan::kept::PartFile;
use crate::scan::{Context, Limits};
use tamis_collection::{Collection, Part, Result, Unfinished};

/// The archives of a collection, and the Parquet files that its manifest names but that are not there as it says.
#[derive(Debug)]
pub struct Members {
    /// The archives.
    pub list: Vec<Member>,
    /// Parts that cannot be used: the archive is read in their place.
    pub lost_parts: Vec<PathBuf>,
    /// The archives among them that the collection does not list yet.
    pub unfinished: Vec<Unfinished>,
    /// The unfinished line at the end of `relevance.jsonl`, which was skipped.
    pub torn_relevance: Option<Torn>,
    /// Archives whose parts cover all of them but lack captures, and how many: those were damaged when the parts were computed.
    pub lost_captures: Vec<(String, u64)>,
}

/// The archives of a collection. `context` says how pages are read; the rest of it is the collection's.
pub fn members(collection: &Collection, context: &Context) -> Result<Members> {
    let about = collection.about();
    let context = Arc::new(Context {
        collection: Some((about.id.clone(), about.name.clone())),
        tweets: Arc::new(collection.url_tweets()?),
        relevance: Arc::new(Relevance::read(collection.root())?),
        event: about.event.as_deref().unwrap_or(&about.name).into(),
        duplicates: Arc::new(Store::known(collection)),
        ..context.clone()
    });
    let manifest = collection.manifest()?;
    let mut lost_parts = Vec::new();
    let mut members = Vec::new();
    let mut covered: BTreeMap<String, Option<u64>> = BTreeMap::new();
    let archives = collection.archives()?;
    for named in collection.named_sources()? {
        let archive = named.name.split('#').next().unwrap_or_default();
        let known_faults = archives.get(archive).map_or(0, |archive| archive.faults);
        let parts = manifest.parts.iter().filter(|part| part.archive == named.name);
        let parts: Vec<&Part> = parts.filter(|part| part.repair || !context.repair).collect();
        let (sound, lost): (Vec<&Part>, Vec<&Part>) =
            parts.into_iter().partition(|part| collection.has_part(part));
        let before = covered.get(archive).copied().unwrap_or(Some(0));
        covered.insert(archive.to_owned(), before.zip(captures_of(&sound)).map(|(one, other)| one + other));
        lost_parts.extend(lost.iter().map(|part| collection.pages_folder().join(&part.file)));
        members.push(Member {
            parts: sound
                .iter()
                .map(|part| (part.range(), Arc::new(part_file(collection, part, &context))))
                .collect(),
            source: named.source,
            name: named.name.into(),
            context: context.clone(),
            known_faults,
            only: None,
        });
    }
    let unfinished = collection.unfinished()?;
    members.extend(unfinished.iter().map(|unfinished| Member {
        source: unfinished.named.source.clone(),
        name: unfinished.named.name.as_str().into(),
        context: context.clone(),
        parts: Vec::new(),
        known_faults: 0,
        only: None,
    }));
    let lost_captures = covered.into_iter().filter_map(|(name, found)| {
        let lost = archives.get(&name)?.captures.saturating_sub(found?);
        (lost > 0).then_some((name, lost))
    });
    Ok(Members {
        lost_captures: lost_captures.collect(),
        list: members,
        lost_parts,
        unfinished,
        torn_relevance: context.relevance.torn(),
    })
}

/// How many captures the parts of a source have, if parts with the same columns cover all of it.
fn captures_of(parts: &[&Part]) -> Option<u64> {
    let from_the_start = parts.iter().filter(|part| part.start == 0);
    let whole = from_the_start.filter_map(|first| {
        let (mut end, mut captures) = (first.end, first.captures);
        while let Some(at) = end {
            let next = parts.iter().find(|part| {
                part.start == at && part.columns == first.columns && part.end.is_none_or(|end| end > at)
            })?;
            (end, captures) = (next.end, captures.saturating_add(next.captures));
        }
        Some(captures)
    });
    whole.max()
}

/// Has members without kept columns read only the captures of some URLs, where an index says where these are: that of the
/// collection they are of, or that of a pack.
///
/// An archive whose index is not right in every respect is read from end to end, which reports what is wrong with it.
pub fn narrow_to_urls(
    members: &mut [Member],
    collection: Option<&Collection>,
    urls: &[String],
) -> Result<()> {
    let options = CaptureOptions { scan: ScanOptions::default(), sort_folder: PathBuf::new() };
    let mut captures = Captures::new(options);
    match collection {
        Some(collection) => drop(collection.add_to(&mut captures)?),
        None => members.iter().for_each(|member| captures.add(&*member.name, member.source.clone())),
    }
    let mut places: Vec<Option<BTreeSet<u64>>> = captures.names().map(|_| Some(BTreeSet::new())).collect();
    for url in urls {
        let mut is_right = true;
        let mut watch = |event: captures::Event<'_>| match event {
            captures::Event::Faults { faults, .. } if faults.counts().is_empty() => ControlFlow::Continue(()),
            captures::Event::Read { .. } => ControlFlow::Continue(()),
            _ => {
                is_right = false;
                ControlFlow::Break(())
            }
        };
        let found = captures.places(&Query::exact(url), &mut watch);
        let Some(found) = found.ok().filter(|_| is_right) else { return Ok(()) };
        for (known, found) in places.iter_mut().zip(found) {
            *known = known.take().zip(found).map(|(mut known, found)| {
                known.extend(found);
                known
            });
        }
    }
    let mut by_name: HashMap<&str, &BTreeSet<u64>> = HashMap::new();
    let mut ordered = Vec::new();
    for (name, known) in captures.names().zip(&places) {
        ordered.push(known.as_ref());
        by_name.extend(known.as_ref().map(|known| (name, known)));
    }
    for (at, member) in members.iter_mut().enumerate().filter(|(_, member)| member.parts.is_empty()) {
        let known = match collection {
            Some(_) => by_name.get(&*member.name).copied(),
            None => ordered[at],
        };
        member.only = known.map(|known| known.iter().copied().collect());
    }
    Ok(())
}

/// A part, and which of its columns can be read from it.
pub(crate) fn part_file(collection: &Collection, part: &Part, context: &Context) -> PartFile {
    let serves = |column: &&Column| {
        (!column.is_of_detector() || context.detector.is_usual) && serves(part, column, context.limits)
    };
    let columns = part.columns.iter().filter_map(|name| Column::named(name)).filter(serves);
    PartFile {
        path: collection.pages_folder().join(&part.file),
        bytes: part.bytes,
        blocks: part.blocks().unwrap_or_default().into(),
        columns: columns.collect(),
        records: part.records,
        rows: part.rows,
        oversized: part.oversized,
        next_record: part.next_record,
    }
}

/// Whether a column of a part has the values that would be computed within some limits.
pub(crate) fn serves(part: &Part, column: &Column, limits: Limits) -> bool {
    !column.stages.needs_body() || part.serves(limits.page_bytes)
}
