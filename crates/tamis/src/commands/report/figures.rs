//! What a report says: figures of a collection, asked for one by one.

use tamis_collection::Collection;
use tamis_collection::{Run, Status};
use tamis_table::dedup::Store;
use tamis_words::language::Language;

use super::section::{Counts, Section, Shown};
use super::timeline::Timeline;
use crate::commands::ask::Asker;
use crate::commands::new::now;
use crate::commands::open_collection::explain;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use tamis_plot::{Hue, Spot};

/// The most values of a kind.
const MOST: usize = 20;
/// The most archives and runs.
const MOST_ROWS: usize = 50;

/// Rules that guess when a page was published: values of `date_rule`.
const WEAK_RULES: &str = "'text', 'image', 'copyright'";

/// All that a report says.
#[derive(Default)]
pub(super) struct Figures {
    pub(super) title: String,
    /// A sentence under the title.
    pub(super) lead: String,
    /// The figures one looks for first, each with what it counts.
    pub(super) keys: Vec<(String, String)>,
    pub(super) sections: Vec<Section>,
    /// When and by what it was made.
    pub(super) made: String,
    pub(super) captures: u64,
}

impl Figures {
    /// Asks a collection for everything; for columns that are not kept only if told to `compute` them.
    pub(super) fn gather(collection: &Collection, asker: &Asker, compute: bool) -> anyhow::Result<Self> {
        let status = collection.status().map_err(explain)?;
        let about = collection.about();
        let captures = asker.count("select count(*) from pages")?;
        let gatherer = Gatherer { collection, asker, status: &status, captures, compute };
        let keys = gatherer.keys()?;
        let sections = vec![
            gatherer.relevance()?,
            gatherer.sites()?,
            gatherer.languages()?,
            gatherer.dates()?,
            gatherer.places()?,
            gatherer.subjects()?,
            gatherer.duplicates()?,
            gatherer.outcomes()?,
            gatherer.sources(),
            gatherer.work()?,
        ];
        let lead = about.event.as_ref().map(|event| format!("About: {event}.")).unwrap_or_default();
        let made = format!("Made by tamis {} on {}.", env!("CARGO_PKG_VERSION"), now());
        Ok(Self { title: about.name.clone(), lead, keys, sections, made, captures: status.captures })
    }

    /// How many sections show something.
    pub(super) fn filled(&self) -> usize {
        self.sections.iter().filter(|section| section.is_filled()).count()
    }
}

struct Gatherer<'a> {
    collection: &'a Collection,
    asker: &'a Asker,
    status: &'a Status,
    /// The rows of the table: all that shares are taken of.
    captures: u64,
    compute: bool,
}

impl Gatherer<'_> {
    /// Whether a column may be asked for: it is kept for all captures, or shall be computed.
    fn has(&self, name: &str) -> bool {
        let is_kept = |column: &tamis_collection::ColumnStatus| {
            column.name == name && column.captures >= self.status.captures
        };
        self.compute || self.status.captures > 0 && self.status.columns.iter().any(is_kept)
    }

    /// What a reader wants to know first, as far as it is known.
    fn keys(&self) -> anyhow::Result<Vec<(String, String)>> {
        let mut keys = Vec::new();
        let mut key = |count: u64, one: &str, many: &str| {
            let what = if count == 1 { one } else { many };
            keys.push((HumanCount(count).to_string(), what.to_owned()));
        };
        key(self.captures, "capture", "captures");
        if self.has("status_code") {
            key(
                self.asker.count("select count(*) from pages where status_code = '3200'")?,
                "page with text",
                "pages with text",
            );
        }
        key(
            self.asker.count("select count(distinct coalesce(domain_name, host)) from pages")?,
            "site",
            "sites",
        );
        if let Some(language) = self.main_language() {
            let sql = format!("select count(distinct {language}) from pages");
            key(self.asker.count(&sql)?, "language", "languages");
        }
        let relevant = self.asker.count("select count(*) from pages where relevant")?;
        if relevant > 0 {
            key(relevant, "page about the event", "pages about the event");
        }
        let store = Store::read(self.collection).map_err(explain)?;
        if store.pages > 0 {
            key(store.exact + store.near_duplicates, "duplicate", "duplicates");
        }
        keys.push((
            HumanSize(self.status.bytes).to_string(),
            format!("in {}", HumanCount::of(self.status.archives.len() as u64, "archive")),
        ));
        Ok(keys)
    }

    /// The expression for the language of most of a page, if it is known.
    fn main_language(&self) -> Option<&'static str> {
        let known = [("languages", "languages[1]['language']"), ("text_language", "text_language")];
        known.into_iter().find(|(column, _)| self.has(column)).map(|(_, language)| language)
    }

    /// A section about a column that is not kept: says how to get it.
    fn missing(&self, heading: &'static str, columns: &str) -> Section {
        let words = format!(
            "Not known yet: run `tamis clean {} --columns {columns}`.",
            self.collection.root().display()
        );
        Section::new(heading, words)
    }

    fn sources(&self) -> Section {
        let seeds = &self.status.seeds;
        let words = match (seeds.urls, seeds.urls_of_tweets) {
            (0, _) => "The archives of the collection. It has no list of seeds.".to_owned(),
            (urls, 0) => format!("{} and the archives of the collection.", HumanCount::of(urls, "seed URL")),
            (urls, of_tweets) => format!(
                "{}, {} of them from tweets, which mention them {} times, and the archives of the collection.",
                HumanCount::of(urls, "seed URL"),
                HumanCount(of_tweets),
                HumanCount(seeds.mentions),
            ),
        };
        let row = |(archive, _): &(tamis_collection::Archive, _)| {
            vec![
                archive.name.clone(),
                HumanSize(archive.bytes).to_string(),
                HumanCount(archive.records).to_string(),
                HumanCount(archive.captures).to_string(),
            ]
        };
        let rows: Vec<_> = self.status.archives.iter().take(MOST_ROWS).map(row).collect();
        let more = self.status.archives.len().saturating_sub(MOST_ROWS) as u64;
        let words = if more == 0 {
            words
        } else {
            format!("{words} {} not listed.", HumanCount::of(more, "more archive"))
        };
        let names = vec!["archive", "size", "records", "captures"];
        Section::new("Sources", words).with(Shown::Table { names, rows })
    }

    fn sites(&self) -> anyhow::Result<Section> {
        let counts = self.asker.counts(&format!(
            "select coalesce(domain_name, host, 'no host'), count(*) as n from pages group by 1 order by n desc, 1 limit {MOST}"
        ))?;
        let all = self.asker.count("select count(distinct coalesce(domain_name, host)) from pages")?;
        let words = format!("Captures from {} (registered domains).", HumanCount::of(all, "site"));
        let counts = self.parts("Captures per site", "site", counts, self.captures);
        Ok(Section::new("Sites", words).with(counts))
    }

    fn outcomes(&self) -> anyhow::Result<Section> {
        if !self.has("status_code") {
            let counts = self.asker.counts(
                "select coalesce(cast(status as varchar), 'none'), count(*) as n from pages group by 1 order by n desc, 1",
            )?;
            let words =
                "The HTTP status of each capture. After `tamis clean`, also which captures are no pages.";
            return Ok(Section::new("Status codes", words).with(self.counted(
                "HTTP status",
                "status",
                counts,
            )));
        }
        let counts = self
            .asker
            .counts("select status_code, count(*) as n from pages group by 1 order by n desc, 1")?
            .into_iter()
            .map(|(code, count)| (explained(&code), count))
            .collect();
        let words = "The outcome of each capture. A four-digit code: 3200 is a page with text, 0404 and the like an HTTP status.";
        Ok(Section::new("Status codes", words).with(self.counted("Status codes", "status", counts)))
    }

    fn languages(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Languages";
        let Some(language) = self.main_language() else { return Ok(self.missing(HEADING, "languages")) };
        let counts = self.asker.counts(&format!(
            "select l, count(*) as n from (select {language} as l from pages) where l is not null group by 1 order by n desc, 1 limit {MOST}"
        ))?;
        let known = self.asker.count(&format!("select count(l) from (select {language} as l from pages)"))?;
        let named = |(code, count): (String, u64)| {
            let name = Language::parse(&code).map_or(code.clone(), |language| language.name().to_owned());
            (format!("{name} ({code})"), count)
        };
        let counts = counts.into_iter().map(named).collect();
        let unknown = self.captures.saturating_sub(known);
        let words = match unknown {
            0 => "The language of most of each page's text.".to_owned(),
            _ => format!(
                "The language of most of each page's text. {} have none, such as images and empty pages.",
                HumanCount::of(unknown, "capture")
            ),
        };
        let shown = self.parts("Pages per language", "language", counts, known);
        Ok(Section::new(HEADING, words).with(shown.among(known, "pages with a language")))
    }

    fn dates(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Dates";
        let captured = self.asker.counts(
            "select cast(cast(time as date) as varchar), count(*) from pages where time is not null group by 1",
        )?;
        let captured = self.counted("Captured", "time", Timeline::of(&captured).sums(&captured));
        if !self.has("date") || !self.has("date_rule") {
            let words = format!(
                "When pages were captured. Publication dates are not known yet: run `tamis clean {} --columns date,date_rule`.",
                self.collection.root().display()
            );
            return Ok(Section::new(HEADING, words).with(captured));
        }
        let published = |is_weak: &str| {
            self.asker.counts(&format!(
                "select substr(date, 1, 10), count(*) from pages where date is not null \
                 and coalesce(date_rule, '') {is_weak} in ({WEAK_RULES}) group by 1"
            ))
        };
        let (firm, weak) = (published("not")?, published("")?);
        let sum = |counts: &[(String, u64)]| counts.iter().map(|(_, count)| count).sum::<u64>();
        let words = dates_in_words(sum(&firm), sum(&weak), self.captures);
        // One timeline for both, so that they can be compared.
        let timeline = Timeline::of(&[firm.clone(), weak.clone()].concat());
        let firm = self.counts("Published: dates stated by pages", "time", timeline.sums(&firm));
        let weak = self.counts("Published: guessed dates", "time", timeline.sums(&weak));
        Ok(Section::new(HEADING, words)
            .with(Shown::Counts(firm))
            .with(Shown::Counts(Counts { hue: Hue::Grey, ..weak }))
            .with(captured))
    }

    /// Counts among all captures.
    fn counts(&self, title: &str, of: &'static str, counts: Vec<(String, u64)>) -> Counts {
        Counts {
            title: title.to_owned(),
            of,
            values: counts,
            all: self.captures,
            among: "captures",
            ..Counts::default()
        }
    }

    fn counted(&self, title: &str, of: &'static str, counts: Vec<(String, u64)>) -> Shown {
        Shown::Counts(self.counts(title, of, counts))
    }

    /// The largest parts of a number of captures; the others are one.
    fn parts(&self, title: &str, of: &'static str, counts: Vec<(String, u64)>, whole: u64) -> Shown {
        let shown: u64 = counts.iter().map(|(_, count)| count).sum();
        Shown::Counts(Counts { other: whole.saturating_sub(shown), ..self.counts(title, of, counts) })
    }

    fn places(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Places";
        if !self.has("locations") {
            return Ok(self.missing(HEADING, "locations"));
        }
        let rows = self.asker.rows(&format!(
            "select l['place'], l['country'], avg(l['latitude']), avg(l['longitude']), count(distinct id) as n, avg(l['place_confidence']) \
             from (select id, unnest(locations) as l from pages) \
             where l['latitude'] is not null group by 1, 2 order by n desc, 1, 2 limit {}",
            MOST * 5
        ))?;
        let spot = |row: &Vec<String>| {
            Some(Spot {
                label: format!("{}, {}", row.first()?, row.get(1)?),
                latitude: row.get(2)?.parse().ok()?,
                longitude: row.get(3)?.parse().ok()?,
                value: row.get(4)?.parse().ok()?,
            })
        };
        let spots: Vec<Spot> = rows.iter().filter_map(spot).collect();
        let counts = spots.iter().take(MOST).map(|spot| (spot.label.clone(), spot.value as u64)).collect();
        let confidence = rows.iter().take(MOST).filter_map(|row| row.get(5)?.parse().ok()).collect();
        let counts = Counts { confidence, ..self.counts("Pages per place", "place", counts) };
        let words = "Places that English pages name. Where a name means several places, the likeliest is shown; the confidence says how \
                     sure that is.";
        Ok(Section::new(HEADING, words)
            .with(Shown::Places { title: "Places named".to_owned(), spots })
            .with(Shown::Counts(counts)))
    }

    fn subjects(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Terms and names";
        let words = "Terms and names, with the number of pages that have them. Names are found in English pages only; the confidence is the mean \
                     over all mentions.";
        let mut section = Section::new(HEADING, words);
        for (column, title, of) in [
            ("own_keywords", "Pages per keyword, found in the text", "keyword"),
            ("keywords", "Pages per keyword, stated by the page", "keyword"),
            ("people", "Pages per person", "name"),
            ("organizations", "Pages per organisation", "name"),
        ] {
            if self.has(column) {
                let value = if column == "keywords" { "lower(v)" } else { "v['text']" };
                let is_name = of == "name";
                let confidence = if is_name { "avg(v['confidence'])" } else { "0" };
                let rows = self.asker.rows(&format!(
                    "select {value}, count(distinct id) as n, {confidence} from (select id, unnest({column}) as v from pages) \
                     group by 1 order by n desc, 1 limit {MOST}"
                ))?;
                let count = |row: &Vec<String>| Some((row.first()?.clone(), row.get(1)?.parse().ok()?));
                let counts = rows.iter().filter_map(count).collect();
                let confidence =
                    rows.iter().filter(|_| is_name).filter_map(|row| row.get(2)?.parse().ok()).collect();
                section =
                    section.with(Shown::Counts(Counts { confidence, ..self.counts(title, of, counts) }));
            }
        }
        if section.is_filled() {
            return Ok(section);
        }
        Ok(self.missing(HEADING, "own_keywords,people,organizations"))
    }

    /// How much of what was crawled was wanted, as far as a focused crawl judged it.
    fn relevance(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Relevance";
        let points = self.harvest()?;
        if points.is_empty() {
            return Ok(Section::new(HEADING, "No page was judged. `tamis crawl --focus` judges pages."));
        }
        let words = "The share of pages about the event among all pages fetched so far (harvest ratio).";
        Ok(Section::new(HEADING, words).with(Shown::Curve {
            title: "Harvest".to_owned(),
            x: "pages judged",
            y: "harvest ratio",
            points,
        }))
    }

    fn harvest(&self) -> anyhow::Result<Vec<(f64, f64)>> {
        let rows = self
            .asker
            .rows("select cast(relevant as int) from pages where relevance is not null order by time, key")?;
        let mut relevant = 0.0;
        let points = rows.iter().enumerate().map(|(at, row)| {
            relevant += f64::from(u8::from(row.first().is_some_and(|value| value == "1")));
            let fetched = (at + 1) as f64;
            (fetched, relevant / fetched)
        });
        Ok(points.collect())
    }

    fn duplicates(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Duplicates";
        let store = Store::read(self.collection).map_err(explain)?;
        if store.pages == 0 {
            let words = format!("Not known yet: run `tamis dedup {}`.", self.collection.root().display());
            return Ok(Section::new(HEADING, words));
        }
        let kept = store.pages.saturating_sub(store.exact + store.near_duplicates);
        let counts = vec![
            ("kept".to_owned(), kept),
            ("exact duplicates".to_owned(), store.exact),
            ("near duplicates".to_owned(), store.near_duplicates),
        ];
        let words = format!("{} compared by {}.", HumanCount::of(store.pages, "page"), store.near);
        let pages =
            Counts { all: store.pages, among: "pages compared", ..self.counts("Pages", "kind", counts) };
        let section = Section::new(HEADING, words).with(Shown::Counts(pages));
        if store.duplicates(self.collection).is_empty() {
            return Ok(section);
        }
        self.asker.register_duplicates()?;
        let largest = self.asker.counts(
            "select kept_url, count(*) as n from duplicates where kept_url not like '%/robots.txt' group by 1 having count(*) > 1 order by n desc, 1 limit 10",
        )?;
        let largest = self.counts("Duplicates per kept page", "kept page", largest);
        Ok(section.with(Shown::Counts(Counts { all: store.pages, among: "pages compared", ..largest })))
    }

    fn work(&self) -> anyhow::Result<Section> {
        let runs = self.collection.runs().map_err(explain)?;
        let row = |run: &Run| vec![run.time.clone(), run.command.clone(), results(run)];
        let rows: Vec<_> = runs.iter().rev().take(MOST_ROWS).map(row).collect();
        let seconds = self.status.cpu_ms as f64 / 1000.0;
        let words = format!(
            "Kept columns take {} and cost {seconds:.1} s of processor time. {} so far, newest first.",
            HumanSize(self.status.part_bytes),
            HumanCount::of(runs.len() as u64, "run"),
        );
        Ok(Section::new("Work", words).with(Shown::Table { names: vec!["began", "command", "result"], rows }))
    }
}

/// What came of a run: its counts.
fn results(run: &Run) -> String {
    let counts = run.result.iter().filter(|(_, value)| value.is_number());
    counts.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

/// How many pages have a date, and how far it can be trusted.
fn dates_in_words(firm: u64, weak: u64, captures: u64) -> String {
    let none = captures.saturating_sub(firm + weak);
    format!(
        "{} stated by the page. {} guessed from its text, its images or a copyright line, and often wrong. {} without a date.",
        HumanCount::of(firm, "date"),
        HumanCount(weak),
        HumanCount::of(none, "capture"),
    )
}

/// A status code with its meaning.
fn explained(code: &str) -> String {
    let meaning = match code {
        "3200" => "page with text",
        "1001" => "not HTML",
        "2000" => "HTML without text",
        "2001" => "could not be fetched",
        _ if code.starts_with('0') => "HTTP status",
        _ => return code.to_owned(),
    };
    format!("{code} {meaning}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn firm_and_guessed_dates_are_told_apart() {
        let words = dates_in_words(89, 282, 598);
        assert!(words.contains("89 dates stated by the page. 282 guessed"), "{words}");
        assert!(words.ends_with("227 captures without a date."), "{words}");
        let (firm, weak) = (vec![("2020".to_owned(), 1)], vec![("2022-03-04".to_owned(), 2)]);
        let timeline = Timeline::of(&[firm.clone(), weak.clone()].concat());
        let labels = |days| timeline.sums(days).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
        assert_eq!(labels(&firm), labels(&weak), "both have the same periods");
    }

    #[test]
    fn codes_are_explained() {
        for (code, expected) in [("3200", "3200 page with text"), ("0404", "0404 HTTP status"), ("9", "9")] {
            assert_eq!(explained(code), expected);
        }
    }
}
