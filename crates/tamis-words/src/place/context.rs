//! What else speaks for one reading of a name or another.

use std::collections::{BTreeMap, HashSet};

use super::model::{Kind, Model};
use super::{candidates, ranked};

/// How many times likelier a place is when all else in the document is of its country.
const SAME_COUNTRY: f32 = 50.0;
/// How many times likelier a place is when its region is named.
const SAME_REGION: f32 = 20.0;
/// How many names of a document are looked at.
const MOST_NAMES: usize = 1000;

/// Countries and regions that a document speaks of, as far as they are known before its names are read.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// How much speaks for each country, by its number.
    countries: BTreeMap<u32, f32>,
    /// Regions that are named, by their numbers.
    regions: BTreeMap<u32, f32>,
}

impl Context {
    /// The context that the places of a document make for each other. The country of its address can be added by [`Context::with_country`].
    ///
    /// ```
    /// use tamis_words::place::{Context, resolve};
    ///
    /// let names = ["London", "Ontario", "Toronto", "Canada", "Ottawa"];
    /// let place = resolve("London", &Context::of_names(names)).expect("a place");
    /// assert_eq!((place.country, place.region), ("CA", Some("Ontario")));
    /// ```
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Context {
        let model = Model::built_in();
        let mut context = Context::default();
        let mut seen = HashSet::new();
        for name in names.into_iter().filter(|name| seen.insert(*name)).take(MOST_NAMES) {
            if name.len() > super::LONGEST {
                continue;
            }
            let found = candidates(model, name);
            let Some(place) = ranked(model, &found, &Context::default()).into_iter().next() else { continue };
            if let Some(id) = model.country_id(place.country) {
                *context.countries.entry(id).or_default() += place.confidence;
            }
            for region in found.iter().filter(|one| one.record.kind == Kind::Region && one.is_usual_name) {
                *context.regions.entry(region.record.id).or_default() += 1.0;
            }
        }
        context
    }

    /// Adds a country that the document is likely to be of, by its code of ISO 3166-1: that of its address, of its publisher.
    #[must_use]
    pub fn with_country(mut self, code: &str) -> Context {
        if let Some(id) = Model::built_in().country_id(code) {
            *self.countries.entry(id).or_default() += 1.0;
        }
        self
    }

    /// How many times likelier a place in a country and region is than it would be without a context.
    pub(super) fn support(&self, country: u32, region: Option<u32>) -> f32 {
        let all: f32 = self.countries.values().sum::<f32>() + 1.0;
        let share = self.countries.get(&country).map_or(0.0, |evidence| evidence / all);
        let is_named = region.is_some_and(|region| self.regions.contains_key(&region));
        (1.0 + (SAME_COUNTRY - 1.0) * share) * if is_named { SAME_REGION } else { 1.0 }
    }
}
