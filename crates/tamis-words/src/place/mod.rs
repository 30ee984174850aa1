//! Places: which one a name speaks of, and where that is.
//!
//! A bundled gazetteer knows countries, their first-level regions, and cities of 15,000 people and more. A name has as many readings as places
//! bear it; the place with the most people is the likeliest, unless the [`Context`] speaks for another.
//!
//! ```
//! use tamis_words::place::{Context, resolve};
//!
//! let paris = resolve("Paris", &Context::default()).expect("a place");
//! assert_eq!((paris.country, paris.latitude.round()), ("FR", 49.0));
//! let paris = resolve("Paris, Texas", &Context::default()).expect("a place");
//! assert_eq!((paris.country, paris.region), ("US", Some("Texas")));
//! ```

mod context;
mod model;
mod name;

use std::collections::BTreeSet;

pub use context::Context;
pub use model::{CODE, Kind, MAGIC, RECORD_BYTES, population_code};
use model::{Model, Record};
pub use name::normal;

/// A reading of a place's name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Its usual name.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// The country it is or lies in: two letters, by ISO 3166-1.
    pub country: &'static str,
    /// The region it is or lies in.
    pub region: Option<&'static str>,
    /// Degrees north, to some 300 metres for cities. A region is at the middle of its people.
    pub latitude: f32,
    /// Degrees east.
    pub longitude: f32,
    /// How many people live there, to a twelfth; of a region those in its cities.
    pub population: u64,
    /// How likely this reading is among all there may be, those of places that are too small to be listed among them.
    pub confidence: f32,
}

/// The likeliest reading of a name.
pub fn resolve(phrase: &str, context: &Context) -> Option<Place> {
    readings(phrase, context).into_iter().next()
}

/// All readings of a name, the likeliest first. What stands behind a comma says where the place lies, if it is known to lie there:
/// "Paris, Texas" and "Paris, TX".
pub fn readings(phrase: &str, context: &Context) -> Vec<Place> {
    if phrase.len() > LONGEST {
        return Vec::new();
    }
    let model = Model::built_in();
    let mut found = candidates(model, phrase);
    if found.is_empty()
        && let Some((head, behind)) = phrase.split_once(',')
    {
        found = candidates(model, head);
        let wider: BTreeSet<u32> = behind.split(',').flat_map(|part| qualifiers(model, part)).collect();
        if found.iter().any(|one| lies_in(&one.record, &wider)) {
            found.retain(|one| lies_in(&one.record, &wider));
        }
    }
    ranked(model, &found, context)
}

/// No name of a place is longer, in bytes.
const LONGEST: usize = 200;
/// As many people are thought to live in places of the same name that are not listed.
const UNLISTED: f32 = 15_000.0;
/// How much less a name speaks for a place that it is not the usual name of.
const OTHER_NAME: f32 = 0.2;
/// Countries are spoken of more than their people are many, regions less.
const COUNTRY: f32 = 10.0;
const REGION: f32 = 0.4;
/// A name is rather that of the city than that of the region around it.
const AROUND_CITY: f32 = 0.05;

/// What is wider than a country is not listed, and is not the town of the same name.
const WIDER: [&str; 24] = [
    "africa",
    "america",
    "antarctic",
    "antarctica",
    "arctic",
    "asia",
    "atlantic",
    "balkans",
    "caribbean",
    "central america",
    "east",
    "eurasia",
    "europe",
    "latin america",
    "mediterranean",
    "middle east",
    "north",
    "north america",
    "oceania",
    "pacific",
    "scandinavia",
    "south",
    "south america",
    "west",
];

/// A place that a name may speak of.
struct Candidate {
    record: Record,
    is_usual_name: bool,
}

fn candidates(model: &Model, phrase: &str) -> Vec<Candidate> {
    let key = normal(phrase);
    if WIDER.contains(&&*key) {
        return Vec::new();
    }
    let phrase = phrase.trim();
    // "us" and "in" are words, "US" may be a country.
    let may_be_word =
        key.is_ascii() && key.len() <= 3 && phrase.bytes().any(|byte| byte.is_ascii_lowercase());
    let records = model.find(&key).into_iter().filter_map(|id| model.record(id));
    records
        .filter(|record| !may_be_word || record.name == phrase)
        .map(|record| Candidate { is_usual_name: normal(record.name) == key, record })
        .collect()
}

/// The regions and countries that a part of a phrase may mean.
fn qualifiers(model: &Model, part: &str) -> Vec<u32> {
    let key = normal(part);
    let mut ids = model.find(&key);
    ids.extend(model.find(&format!("{CODE}{key}")));
    ids.retain(|&id| model.kind(id) != Kind::City);
    ids
}

fn lies_in(record: &Record, wider: &BTreeSet<u32>) -> bool {
    let mut areas = [Some(record.country_id), record.region_id].into_iter().flatten();
    areas.any(|area| area != record.id && wider.contains(&area))
}

fn ranked(model: &Model, found: &[Candidate], context: &Context) -> Vec<Place> {
    let weigh = |one: &Candidate| {
        let is_around = found.iter().any(|other| is_around(&one.record, other));
        weight(one, context) * if is_around { AROUND_CITY } else { 1.0 }
    };
    let mut weighed: Vec<(f32, &Candidate)> = found.iter().map(|one| (weigh(one), one)).collect();
    weighed.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.record.id.cmp(&other.1.record.id)));
    let sum: f32 = weighed.iter().map(|one| one.0).sum::<f32>() + UNLISTED;
    weighed.into_iter().map(|(weight, one)| place(model, &one.record, weight / sum)).collect()
}

/// Whether a region is little more than a city of the same name and what lies around it: New York, but not Quebec.
fn is_around(region: &Record, city: &Candidate) -> bool {
    let share = if city.is_usual_name { 0.1 } else { 0.3 };
    region.kind == Kind::Region
        && city.record.kind == Kind::City
        && city.record.region_id == Some(region.id)
        && city.record.population as f32 >= share * region.population as f32
}

fn weight(candidate: &Candidate, context: &Context) -> f32 {
    let Candidate { record, is_usual_name } = candidate;
    let kind = match record.kind {
        Kind::Country => COUNTRY,
        Kind::Region => REGION,
        Kind::City => 1.0,
    };
    let name = if *is_usual_name { 1.0 } else { OTHER_NAME };
    record.population as f32 * kind * name * context.support(record.country_id, record.region_id)
}

fn place(model: &Model, record: &Record, confidence: f32) -> Place {
    Place {
        name: record.name,
        kind: record.kind,
        country: model.country_code(record.country_id),
        region: record.region_id.and_then(|id| model.record(id)).map(|region| region.name),
        latitude: record.latitude,
        longitude: record.longitude,
        population: record.population,
        confidence,
    }
}

#[cfg(test)]
mod tests;
