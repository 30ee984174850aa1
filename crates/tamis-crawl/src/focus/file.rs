//! The file of a model: TOML that a person can read and edit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde::Deserialize;
use tamis_files::part_file;
use tamis_page::date::Date;
use xxhash_rust::xxh3::xxh3_64;

use super::entities::NameKind;
use super::model::{EventDate, LinkParts, Model, Name, Parts, Term};
use crate::{Error, Result};

const VERSION: u8 = 1;
const HEAD: &str = "\
# The event model of a focused crawl. You can edit everything; weights are relative to each other.
";

/// What is wrong with the text of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadModel(String);

#[derive(Deserialize)]
struct Head {
    version: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u8,
    threshold: f64,
    similarity: f64,
    #[serde(default)]
    names: Vec<FileName>,
    #[serde(default)]
    dates: Vec<FileDate>,
    parts: Option<FileParts>,
    links: Option<FileLinks>,
    #[serde(default)]
    terms: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileName {
    name: String,
    kind: Option<String>,
    weight: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileDate {
    day: String,
    spread_days: u32,
    weight: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileParts {
    terms: f64,
    places: f64,
    dates: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLinks {
    anchor: f64,
    around: f64,
    address: f64,
    page: f64,
    tunnel: f64,
    sources: f64,
}

impl Model {
    /// Reads a model from a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|source| Error::io(path, source))?;
        Self::parse(&text).map_err(|source| Error::Model { path: path.into(), source })
    }

    /// Writes the model to a file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        let write = || -> std::io::Result<()> {
            let mut file = part_file(path)?;
            file.write_all(self.to_toml().as_bytes())?;
            file.persist(path)?;
            Ok(())
        };
        write().map_err(|source| Error::io(path, source))
    }

    /// Reads the text of a model.
    pub fn parse(text: &str) -> Result<Self, BadModel> {
        let bad = |error: toml::de::Error| BadModel(error.to_string().trim_end().to_owned());
        // Before what a later version may have that is unknown here.
        let Head { version } = toml::from_str(text).map_err(bad)?;
        if version != i64::from(VERSION) {
            return Err(BadModel(format!(
                "version {version} is not supported (this tamis reads version {VERSION})"
            )));
        }
        let file: File = toml::from_str(text).map_err(bad)?;
        let mut terms: Vec<Term> =
            file.terms.into_iter().map(|(term, weight)| Term { term, weight }).collect();
        terms.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let model = Self {
            threshold: file.threshold,
            similarity: file.similarity,
            parts: file.parts.map_or_else(Parts::default, Parts::from),
            links: file.links.map_or_else(LinkParts::default, LinkParts::from),
            terms,
            names: file.names.into_iter().map(name).collect::<Result<_, _>>()?,
            dates: file.dates.iter().map(date).collect::<Result<_, _>>()?,
        };
        model.check()?;
        Ok(model)
    }

    /// A word that is another for another model.
    pub fn fingerprint(&self) -> String {
        // Without the remark at the head, which says nothing of the model.
        format!("{:016x}", xxh3_64(self.to_toml().trim_start_matches(HEAD).as_bytes()))
    }

    /// The text of the model.
    pub fn to_toml(&self) -> String {
        let mut text = HEAD.to_owned();
        let Self { threshold, similarity, .. } = self;
        let _ = writeln!(text, "version = {VERSION}\n");
        let _ = writeln!(text, "# Minimum relevance of a relevant page.\nthreshold = {threshold:?}");
        let _ = writeln!(
            text,
            "# Similarity of a page that is only about the event.\nsimilarity = {similarity:?}"
        );
        let _ = writeln!(text, "\n# kind: place, person, organization or name\nnames = [");
        for Name { name, kind, weight } in &self.names {
            let _ = writeln!(
                text,
                "  {{ name = {}, kind = \"{}\", weight = {weight:?} }},",
                quoted(name),
                kind.name()
            );
        }
        let _ = writeln!(
            text,
            "]\n\n# At spread_days from the day, the agreement has fallen to a third.\ndates = ["
        );
        for EventDate { day, spread_days, weight } in &self.dates {
            let _ =
                writeln!(text, "  {{ day = \"{day}\", spread_days = {spread_days}, weight = {weight:?} }},");
        }
        text.push_str("]\n\n# Weights of the parts of a page's relevance.\n[parts]\n");
        let Parts { terms, places, dates } = self.parts;
        let _ = writeln!(text, "terms = {terms:?}\nplaces = {places:?}\ndates = {dates:?}");
        text.push_str("\n# Weights of the parts of a link's expected relevance, from 0 to 1. tunnel: the share that is left after an irrelevant page;\n");
        text.push_str("# sources: the weight of the share of relevant pages on the link's host.\n[links]\n");
        let LinkParts { anchor, around, address, page, tunnel, sources } = self.links;
        let _ = writeln!(
            text,
            "anchor = {anchor:?}\naround = {around:?}\naddress = {address:?}\npage = {page:?}\ntunnel = {tunnel:?}\nsources = {sources:?}"
        );
        text.push_str("\n# Words in lower case, singular.\n[terms]\n");
        for Term { term, weight } in &self.terms {
            let _ = writeln!(text, "{} = {weight:?}", quoted(term));
        }
        text
    }

    /// Refuses weights that would make nonsense of every score.
    fn check(&self) -> Result<(), BadModel> {
        let shares = [
            ("threshold", self.threshold),
            ("similarity", self.similarity),
            ("links.anchor", self.links.anchor),
            ("links.around", self.links.around),
            ("links.address", self.links.address),
            ("links.page", self.links.page),
            ("links.tunnel", self.links.tunnel),
            ("links.sources", self.links.sources),
        ];
        if let Some((name, value)) = shares.iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            return Err(BadModel(format!("{name} = {value}: it must lie between 0 and 1")));
        }
        let parts = [
            ("parts.terms", self.parts.terms),
            ("parts.places", self.parts.places),
            ("parts.dates", self.parts.dates),
        ];
        let terms = self.terms.iter().map(|term| (&*term.term, term.weight));
        let names = self.names.iter().map(|name| (&*name.name, name.weight));
        let dates = self.dates.iter().map(|date| ("a day", date.weight));
        let mut weights = parts.into_iter().chain(terms).chain(names).chain(dates);
        if let Some((name, weight)) = weights.find(|(_, weight)| !(0.0..=1e6).contains(weight)) {
            return Err(BadModel(format!("the weight {weight} of {name:?} is negative or too large")));
        }
        let sum: f64 = parts.iter().map(|(_, weight)| weight).sum();
        let is_spread = self.dates.iter().all(|date| date.spread_days > 0);
        let wrong = [
            (sum == 0.0, "all of [parts] are 0: no page would be relevant"),
            (self.similarity == 0.0, "similarity = 0: it must lie above 0"),
            (!is_spread, "spread_days = 0: it must be 1 or more"),
        ];
        match wrong.iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, what)) => Err(BadModel((*what).to_owned())),
            None => Ok(()),
        }
    }
}

fn name(file: FileName) -> Result<Name, BadModel> {
    let kind = match &file.kind {
        None => NameKind::Name,
        Some(kind) => NameKind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(|| {
            BadModel(format!("unknown kind {kind:?} of name; use place, person, organization or name"))
        })?,
    };
    Ok(Name { name: file.name, kind, weight: file.weight })
}

fn date(file: &FileDate) -> Result<EventDate, BadModel> {
    let mut parts = file.day.splitn(3, '-').map(str::parse::<u16>);
    let mut part = || parts.next()?.ok();
    let day = (|| {
        Date::new(i16::try_from(part()?).ok()?, u8::try_from(part()?).ok()?, u8::try_from(part()?).ok()?)
    })();
    let day = day.ok_or_else(|| BadModel(format!("{:?} is not a day such as 2017-08-25", file.day)))?;
    Ok(EventDate { day, spread_days: file.spread_days, weight: file.weight })
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => drop(write!(quoted, "\\U{:08X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

impl From<FileParts> for Parts {
    fn from(FileParts { terms, places, dates }: FileParts) -> Self {
        Self { terms, places, dates }
    }
}

impl From<FileLinks> for LinkParts {
    fn from(FileLinks { anchor, around, address, page, tunnel, sources }: FileLinks) -> Self {
        Self { anchor, around, address, page, tunnel, sources }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn model()(
            threshold in 0.0..1.0_f64,
            weight in 0.0..1.0_f64,
            terms in prop::collection::btree_map(any::<String>(), 0.0..1.0_f64, 0..5),
            name in any::<String>(),
            kind in 0..4_usize,
            day in -20_000..40_000_i32,
        ) -> Model {
            let mut terms: Vec<Term> = terms.into_iter().map(|(term, weight)| Term { term, weight }).collect();
            terms.sort_by(|one, other| other.weight.total_cmp(&one.weight));
            let day = Date::from_unix_days(day).expect("a day");
            Model {
                threshold,
                terms,
                names: vec![Name { name, kind: NameKind::ALL[kind], weight }],
                dates: vec![EventDate { day, spread_days: 7, weight }],
                ..Model::default()
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(model in model()) {
            prop_assert_eq!(Model::parse(&model.to_toml()), Ok(model));
        }

        #[test]
        fn any_text_is_a_model_or_an_error(text in any::<String>()) {
            let _ = Model::parse(&text);
        }
    }

    #[test]
    fn a_model_of_the_first_version_is_still_read() {
        let model = Model::parse(include_str!("../../models/example.toml")).expect("sound");
        assert_eq!((model.terms.len(), model.names.len(), model.dates.len()), (3, 2, 1));
        assert_eq!(model.names[0].kind, NameKind::Place);
        assert!((model.threshold - 0.35).abs() < 1e-9);
    }

    #[test]
    fn mistakes_are_told() {
        let right = "version = 1\nthreshold = 0.5\nsimilarity = 0.3\n";
        for (wrong, told) in [
            ("version = 9\nthreshold = 0.5\nsimilarity = 0.3\n".to_owned(), "version 9"),
            (right.replace("0.5", "1.5"), "threshold = 1.5: it must lie between 0 and 1"),
            (right.replace("0.5", "nan"), "threshold = NaN"),
            (format!("{right}[terms]\nflood = -1.0\n"), "-1"),
            (
                format!("{right}dates = [{{ day = \"25.8.2017\", spread_days = 3, weight = 1.0 }}]\n"),
                "2017-08-25",
            ),
            (
                format!("{right}names = [{{ name = \"A\", kind = \"thing\", weight = 1.0 }}]\n"),
                "unknown kind \"thing\"",
            ),
            (format!("{right}treshold = 1\n"), "treshold"),
            (String::new(), "version"),
        ] {
            let error = Model::parse(&wrong).expect_err("wrong").to_string();
            assert!(error.contains(told), "{error} says nothing of {told}");
        }
        assert!(Model::parse(right).is_ok());
    }
}
