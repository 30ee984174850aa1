//! The stored form of the gazetteer; `tamis_words::place` says what it is.

use anyhow::{Result, ensure};
use fst::MapBuilder;
use tamis_words::place::{MAGIC, RECORD_BYTES, population_code};

use super::{Gazetteer, Place};

impl Gazetteer {
    pub(super) fn written(&self) -> Result<Vec<u8>> {
        ensure!(self.codes.len() <= 256, "{} countries", self.codes.len());
        let (map, lists) = self.map()?;
        let mut names = String::new();
        let mut records = Vec::new();
        for place in &self.places {
            record(place, &mut names, &mut records)?;
        }
        ensure!(records.len() == self.places.len() * RECORD_BYTES, "records of another size");
        let cities = self.places.len() - self.codes.len() - self.regions;
        let mut bytes = MAGIC.to_vec();
        for number in [self.codes.len(), self.regions, cities, map.len(), lists.len(), names.len()] {
            bytes.extend(u32::try_from(number)?.to_le_bytes());
        }
        bytes.extend(self.codes.concat().as_bytes());
        bytes.extend(records);
        bytes.extend(map);
        bytes.extend(lists);
        bytes.extend(names.as_bytes());
        Ok(bytes)
    }

    /// The map of names, and the lists for names of several places.
    fn map(&self) -> Result<(Vec<u8>, Vec<u8>)> {
        let mut builder = MapBuilder::memory();
        let mut lists = Vec::new();
        for (name, ids) in &self.names {
            let value = match ids.first() {
                Some(&id) if ids.len() == 1 => 2 * id,
                _ => {
                    let place = lists.len();
                    number(&mut lists, ids.len());
                    let mut last = 0;
                    for &id in ids {
                        number(&mut lists, id - last);
                        last = id;
                    }
                    2 * place + 1
                }
            };
            builder.insert(name, value as u64)?;
        }
        Ok((builder.into_inner()?, lists))
    }
}

fn record(place: &Place, names: &mut String, records: &mut Vec<u8>) -> Result<()> {
    let degrees = |value: f64, most: f64| (value / most * 32_768.0).round().clamp(-32_768.0, 32_767.0) as i16;
    let start = u32::try_from(names.len())?.to_le_bytes();
    ensure!(start[3] == 0, "more than 16 MB of names");
    names.push_str(&place.name);
    records.extend(&start[..3]);
    records.push(u8::try_from(place.name.len())?);
    records.extend(degrees(place.latitude, 90.0).to_le_bytes());
    records.extend(degrees(place.longitude, 180.0).to_le_bytes());
    records.push(u8::try_from(place.country)?);
    records.push(population_code(place.population));
    records.extend(u16::try_from(place.region.map_or(0, |region| region + 1))?.to_le_bytes());
    Ok(())
}

/// Writes a number in groups of seven bits, the lowest first.
fn number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
