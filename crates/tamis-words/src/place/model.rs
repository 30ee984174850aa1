//! The gazetteer, as it is stored.
//!
//! Magic; how many countries, regions and cities there are; the lengths of the map, the lists and the names, all as four bytes (low
//! first); then codes of countries (two letters each), records, map, lists, names. Places are numbered: countries first, then regions, then cities, the most
//! people first. A record has [`RECORD_BYTES`]: place of the name among the names (3), length of it (1), latitude and longitude in 2^15ths of 90 and 180 degrees (2 and 2), number of
//! the country (1), people (1, see [`population_code`]), number of the region among the regions and one, or 0 (2). The map is a finite-state one of `fst`, from [`super::normal`] names to
//! twice a number or to twice a place among the lists and one; a list has its length and the differences of the numbers, in groups
//! of seven bits. Codes such as `TX` stand in it behind [`CODE`].

use std::sync::LazyLock;

use fst::Map;

/// The first bytes of the model, the last of them its version.
pub const MAGIC: [u8; 8] = *b"tamispl\x01";
/// The size of a record.
pub const RECORD_BYTES: usize = 12;
/// What codes begin with in the map.
pub const CODE: char = '\u{1}';

static BUILT_IN: LazyLock<Model> = LazyLock::new(|| {
    Model::read(include_bytes!("../../models/places.bin"))
        .expect("a test reads the model that comes with the crate")
});

/// What a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A country, or a territory with a code of its own.
    Country,
    /// A state, province or the like.
    Region,
    /// A city or a part of one.
    City,
}

/// How many people, in a byte: eighths of the logarithm to base 2.
pub fn population_code(people: u64) -> u8 {
    ((people.max(1) as f64).log2() * 8.0).round() as u8
}

fn population_of(code: u8) -> u64 {
    (f64::from(code) / 8.0).exp2().round() as u64
}

/// A place.
pub(super) struct Record {
    pub(super) id: u32,
    pub(super) kind: Kind,
    pub(super) name: &'static str,
    pub(super) latitude: f32,
    pub(super) longitude: f32,
    pub(super) country_id: u32,
    pub(super) region_id: Option<u32>,
    pub(super) population: u64,
}

pub(super) struct Model {
    countries: u32,
    regions: u32,
    codes: &'static str,
    records: &'static [u8],
    map: Map<&'static [u8]>,
    lists: &'static [u8],
    names: &'static str,
}

impl Model {
    pub(super) fn built_in() -> &'static Model {
        &BUILT_IN
    }

    pub(super) fn read(bytes: &'static [u8]) -> Option<Model> {
        let mut rest = bytes.strip_prefix(&MAGIC)?;
        let mut numbers = [0_u32; 6];
        for number in &mut numbers {
            let (bytes, behind) = rest.split_first_chunk()?;
            *number = u32::from_le_bytes(*bytes);
            rest = behind;
        }
        let [countries, regions, cities, map, lists, names] = numbers;
        let mut take = |len: usize| {
            let (part, behind) = rest.split_at_checked(len)?;
            rest = behind;
            Some(part)
        };
        let places = countries as usize + regions as usize + cities as usize;
        Some(Model {
            countries,
            regions,
            codes: std::str::from_utf8(take(2 * countries as usize)?).ok()?,
            records: take(places.checked_mul(RECORD_BYTES)?)?,
            map: Map::new(take(map as usize)?).ok()?,
            lists: take(lists as usize)?,
            names: std::str::from_utf8(take(names as usize)?).ok()?,
        })
    }

    pub(super) fn kind(&self, id: u32) -> Kind {
        match id {
            _ if id < self.countries => Kind::Country,
            _ if id < self.countries + self.regions => Kind::Region,
            _ => Kind::City,
        }
    }

    /// The code of a country, which has a number below that of all regions.
    pub(super) fn country_code(&self, id: u32) -> &'static str {
        self.codes.get(2 * id as usize..2 * id as usize + 2).unwrap_or_default()
    }

    /// The number of the country with this code.
    pub(super) fn country_id(&self, code: &str) -> Option<u32> {
        (0..self.countries).find(|&id| self.country_code(id).eq_ignore_ascii_case(code))
    }

    pub(super) fn record(&self, id: u32) -> Option<Record> {
        let start = id as usize * RECORD_BYTES;
        let &[n0, n1, n2, len, lat0, lat1, lon0, lon1, country, people, region0, region1] =
            self.records.get(start..)?.first_chunk()?;
        let name = u32::from_le_bytes([n0, n1, n2, 0]) as usize;
        let region = u32::from(u16::from_le_bytes([region0, region1]));
        Some(Record {
            id,
            kind: self.kind(id),
            name: self.names.get(name..name + usize::from(len))?,
            latitude: f32::from(i16::from_le_bytes([lat0, lat1])) * 90.0 / 32_768.0,
            longitude: f32::from(i16::from_le_bytes([lon0, lon1])) * 180.0 / 32_768.0,
            country_id: u32::from(country),
            region_id: region.checked_sub(1).map(|region| self.countries + region),
            population: population_of(people),
        })
    }

    /// The numbers of the places with a normal name.
    pub(super) fn find(&self, key: &str) -> Vec<u32> {
        match self.map.get(key) {
            None => Vec::new(),
            Some(value) if value & 1 == 0 => vec![(value >> 1) as u32],
            Some(value) => self.list((value >> 1) as usize),
        }
    }

    fn list(&self, place: usize) -> Vec<u32> {
        let mut bytes = self.lists.get(place..).unwrap_or_default().iter();
        let mut number = || {
            let mut number = 0;
            for shift in (0..32).step_by(7) {
                let byte = *bytes.next()?;
                number |= u32::from(byte & 0x7F) << shift;
                if byte < 0x80 {
                    break;
                }
            }
            Some(number)
        };
        let count = number().unwrap_or_default();
        let differences = (0..count).map_while(|_| number());
        differences
            .scan(0, |last: &mut u32, difference| {
                *last = last.wrapping_add(difference);
                Some(*last)
            })
            .collect()
    }
}
