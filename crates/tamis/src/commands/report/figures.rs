//! What a report says: figures of a collection, asked for one by one.

use tamis_collection::Collection;
use tamis_collection::{Run, Status};
use tamis_page::date::Date;
use tamis_table::dedup::Store;
use tamis_words::language::Language;

use super::section::{Counts, Section, Shown};
use crate::commands::ask::Asker;
use crate::commands::new::now;
use crate::commands::open_collection::explain;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use tamis_plot::{Hue, Spot};

/// So many values of a kind are shown.
const MOST: usize = 20;
/// So many archives and runs are listed.
const MOST_ROWS: usize = 50;
/// So many periods a timeline has at most.
const MOST_PERIODS: i32 = 40;

/// Rules that guess when a page was published: values of `date_rule`.
const WEAK_RULES: &str = "'text', 'image', 'copyright'";

/// All that a report says.
#[derive(Default)]
pub(super) struct Figures {
    pub(super) title: String,
    /// A sentence under the title.
    pub(super) lead: String,
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
        let sections = vec![
            gatherer.sources(),
            gatherer.sites()?,
            gatherer.outcomes()?,
            gatherer.languages()?,
            gatherer.dates()?,
            gatherer.places()?,
            gatherer.subjects()?,
            gatherer.relevance()?,
            gatherer.duplicates()?,
            gatherer.work()?,
        ];
        let event = about.event.as_ref().map(|event| format!("{event}. ")).unwrap_or_default();
        let lead = format!(
            "{event}{}, {} in {}.",
            HumanCount::of(status.captures, "capture"),
            HumanSize(status.bytes),
            HumanCount::of(status.archives.len() as u64, "archive"),
        );
        let made = format!("Made by tamis {} on {}.", env!("CARGO_PKG_VERSION"), now());
        Ok(Self { title: about.name.clone(), lead, sections, made, captures: status.captures })
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

    /// A section about a column that is not kept: says how to get it.
    fn missing(&self, heading: &'static str, columns: &str) -> Section {
        let words = format!(
            "Nothing yet: `tamis clean {} --columns {columns}` finds them.",
            self.collection.root().display()
        );
        Section::new(heading, words)
    }

    fn sources(&self) -> Section {
        let seeds = &self.status.seeds;
        let words = match (seeds.urls, seeds.urls_of_tweets) {
            (0, _) => "Archives, without a list of URLs.".to_owned(),
            (urls, 0) => format!("{} to begin with.", HumanCount::of(urls, "URL")),
            (urls, of_tweets) => format!(
                "{} to begin with, {} of them from tweets, which name them {} times.",
                HumanCount::of(urls, "URL"),
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
        let words =
            if more == 0 { words } else { format!("{words} {}.", HumanCount::of(more, "more archive")) };
        let names = vec!["archive", "size", "records", "captures"];
        Section::new("Sources", words).with(Shown::Table { names, rows })
    }

    fn sites(&self) -> anyhow::Result<Section> {
        let counts = self.asker.counts(&format!(
            "select coalesce(domain_name, host, 'no host'), count(*) as n from pages group by 1 order by n desc, 1 limit {MOST}"
        ))?;
        let all = self.asker.count("select count(distinct coalesce(domain_name, host)) from pages")?;
        let words = format!("Captures are of {}.", HumanCount::of(all, "site"));
        let counts = self.parts("The sites with most captures", "site", counts, self.captures);
        Ok(Section::new("Sites", words).with(counts))
    }

    fn outcomes(&self) -> anyhow::Result<Section> {
        if !self.has("status_code") {
            let counts = self.asker.counts(
                "select coalesce(cast(status as varchar), 'none'), count(*) as n from pages group by 1 order by n desc, 1",
            )?;
            let words = "The responses of servers; after `tamis clean` also what is not a page.";
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
        let words = "What became of each capture.";
        Ok(Section::new("Status codes", words).with(self.counted("Status codes", "status", counts)))
    }

    fn languages(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Languages";
        let language = if self.has("languages") {
            "languages[1]['language']"
        } else if self.has("text_language") {
            "text_language"
        } else {
            return Ok(self.missing(HEADING, "languages"));
        };
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
            0 => "The main language of each page's text.".to_owned(),
            _ => format!(
                "The main language of each page's text. {} without one, such as images and empty pages.",
                HumanCount::of(unknown, "capture")
            ),
        };
        Ok(Section::new(HEADING, words).with(self.parts("Pages by language", "language", counts, known)))
    }

    fn dates(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Dates";
        let captured = self.asker.counts(
            "select cast(cast(time as date) as varchar), count(*) from pages where time is not null group by 1",
        )?;
        let captured = self.counted("Captured", "time", Timeline::of(&captured).sums(&captured));
        if !self.has("date") || !self.has("date_rule") {
            let words = format!(
                "When pages were captured. When they were published is not known yet: `tamis clean {} --columns date,date_rule` finds it.",
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
        let firm = self.counts("Published, as pages state it", "time", timeline.sums(&firm));
        let weak = self.counts("Published, guessed", "time", timeline.sums(&weak));
        Ok(Section::new(HEADING, words)
            .with(Shown::Counts(firm))
            .with(Shown::Counts(Counts { hue: Hue::Grey, ..weak }))
            .with(captured))
    }

    /// Counts among all captures.
    fn counts(&self, title: &str, of: &'static str, counts: Vec<(String, u64)>) -> Counts {
        Counts { title: title.to_owned(), of, values: counts, all: self.captures, ..Counts::default() }
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
            "select l['place'], l['country'], avg(l['latitude']), avg(l['longitude']), count(distinct id) as n \
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
        let words =
            "Places that texts name, by the number of pages that do; names alone decide, so some are wrong.";
        Ok(Section::new(HEADING, words)
            .with(Shown::Places { title: "Places named".to_owned(), spots })
            .with(self.counted("Places named in most pages", "place", counts)))
    }

    fn subjects(&self) -> anyhow::Result<Section> {
        const HEADING: &str = "Terms and names";
        let mut section =
            Section::new(HEADING, "Of how many pages each is a keyword, or in how many it is named.");
        for (column, title, of) in [
            ("own_keywords", "Keywords found", "keyword"),
            ("keywords", "Keywords that pages state", "keyword"),
            ("people", "People", "name"),
            ("organizations", "Organisations", "name"),
        ] {
            if self.has(column) {
                let value = if column == "keywords" { "lower(v)" } else { "v['text']" };
                let counts = self.asker.counts(&format!(
                    "select {value}, count(distinct id) as n from (select id, unnest({column}) as v from pages) \
                     group by 1 order by n desc, 1 limit {MOST}"
                ))?;
                section = section.with(self.counted(title, of, counts));
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
            return Ok(Section::new(HEADING, "No page was judged; `tamis crawl --focus` does so."));
        }
        let words =
            "The share of relevant pages among those judged, in the order in which they were fetched.";
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
            let words =
                format!("Nothing yet: `tamis dedup {}` finds them.", self.collection.root().display());
            return Ok(Section::new(HEADING, words));
        }
        let kept = store.pages.saturating_sub(store.exact + store.near_duplicates);
        let counts = vec![
            ("kept".to_owned(), kept),
            ("exact duplicates".to_owned(), store.exact),
            ("near duplicates".to_owned(), store.near_duplicates),
        ];
        let words = format!("{} compared ({}).", HumanCount::of(store.pages, "page"), store.near);
        let pages = Counts { all: store.pages, ..self.counts("Pages", "page", counts) };
        let section = Section::new(HEADING, words).with(Shown::Counts(pages));
        if store.duplicates(self.collection).is_empty() {
            return Ok(section);
        }
        self.asker.register_duplicates()?;
        let largest = self.asker.counts(
            "select kept_url, count(*) as n from duplicates where kept_url not like '%/robots.txt' group by 1 order by n desc, 1 limit 10",
        )?;
        let largest = self.counts("Pages with most duplicates", "kept page", largest);
        Ok(section.with(Shown::Counts(Counts { all: store.pages, ..largest })))
    }

    fn work(&self) -> anyhow::Result<Section> {
        let runs = self.collection.runs().map_err(explain)?;
        let row = |run: &Run| vec![run.time.clone(), run.command.clone(), results(run)];
        let rows: Vec<_> = runs.iter().rev().take(MOST_ROWS).map(row).collect();
        let seconds = self.status.cpu_ms as f64 / 1000.0;
        let words = format!(
            "Columns take {} and cost {seconds:.1} s of processor time. {} so far, the last first.",
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
        "When pages were published, and when they were captured. {} stated by the page; {} guessed from its text, its images or a \
         copyright line, and often wrong; {} without a date.",
        HumanCount::of(firm, "date"),
        HumanCount(weak),
        HumanCount::of(none, "capture"),
    )
}

/// A status code with its meaning.
fn explained(code: &str) -> String {
    let meaning = match code {
        "3200" => "a sound page of an archive",
        "1001" => "not HTML",
        "2000" => "HTML without text",
        "2001" => "could not be fetched",
        _ if code.starts_with('0') => "HTTP status",
        _ => return code.to_owned(),
    };
    format!("{code} {meaning}")
}

/// Periods without gaps: days, months or years, whichever are few enough; what is before the last of too many years is one.
struct Timeline {
    scale: Scale,
    /// The numbers of the first and the last period; none, if there are no dates.
    periods: Option<(i32, i32)>,
}

impl Timeline {
    /// The timeline that holds some days. A date may lack its day or month, and then is where it begins.
    fn of(days: &[(String, u64)]) -> Self {
        let moments = || days.iter().filter_map(|(day, _)| moment(day));
        let (Some(first), Some(last)) = (moments().min(), moments().max()) else {
            return Self { scale: Scale::Years, periods: None };
        };
        let scale = [Scale::Days, Scale::Months]
            .into_iter()
            .find(|scale| scale.number(last) - scale.number(first) < MOST_PERIODS)
            .unwrap_or(Scale::Years);
        let start = scale.number(first).max(scale.number(last) - MOST_PERIODS + 1);
        Self { scale, periods: Some((start, scale.number(last))) }
    }

    /// The counts of some days, by period.
    fn sums(&self, days: &[(String, u64)]) -> Vec<(String, u64)> {
        let Some((start, last)) = self.periods else { return Vec::new() };
        let mut sums: Vec<(String, u64)> =
            (start..=last).map(|number| (self.scale.label(number), 0)).collect();
        let mut earlier = 0;
        for (day, count) in days.iter().filter_map(|(day, count)| Some((moment(day)?, count))) {
            match usize::try_from(self.scale.number(day) - start).ok().and_then(|at| sums.get_mut(at)) {
                Some((_, sum)) => *sum += count,
                None => earlier += count,
            }
        }
        let before = (earlier > 0).then(|| ("earlier".to_owned(), earlier));
        before.into_iter().chain(sums).collect()
    }
}

/// Year, month and day of a date.
fn moment(date: &str) -> Option<(i32, i32, i32)> {
    let mut numbers = date.splitn(3, '-').map(str::parse);
    let year = numbers.next()?.ok()?;
    let mut rest = || numbers.next().map_or(Ok(1), |number| number).ok();
    Some((year, rest()?, rest()?))
}

/// How long the periods of a timeline are.
#[derive(Clone, Copy)]
enum Scale {
    Days,
    Months,
    Years,
}

impl Scale {
    /// The number of the period that a day is in.
    fn number(self, (year, month, day): (i32, i32, i32)) -> i32 {
        match self {
            Self::Days => i16::try_from(year)
                .ok()
                .and_then(|year| Date::new(year, month.try_into().ok()?, day.try_into().ok()?))
                .map_or(0, Date::unix_days),
            Self::Months => year * 12 + month - 1,
            Self::Years => year,
        }
    }

    fn label(self, number: i32) -> String {
        match self {
            Self::Days => Date::from_unix_days(number).map_or_else(String::new, |day| day.to_string()),
            Self::Months => format!("{:04}-{:02}", number.div_euclid(12), number.rem_euclid(12) + 1),
            Self::Years => format!("{number:04}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeline_has_few_periods_and_loses_nothing() {
        for (days, expected) in [
            (vec!["2026-08-10", "2026-08-12"], vec!["2026-08-10 1", "2026-08-11 0", "2026-08-12 1"]),
            (
                vec!["2026-02", "2026-05-31", "2026-05-01"],
                vec!["2026-02 1", "2026-03 0", "2026-04 0", "2026-05 2"],
            ),
            (vec!["2019", "2021-01-01", "none"], vec!["2019-01 1"]),
            (vec![], vec![]),
        ] {
            let counts: Vec<_> = days.iter().map(|day| ((*day).to_owned(), 1)).collect();
            let made: Vec<String> = Timeline::of(&counts)
                .sums(&counts)
                .iter()
                .map(|(label, count)| format!("{label} {count}"))
                .collect();
            assert_eq!(made[..expected.len().min(made.len())], expected[..], "{days:?}");
        }
        let years: Vec<_> = (1900..2020).map(|year| (year.to_string(), 2)).collect();
        let made = Timeline::of(&years).sums(&years);
        assert_eq!((made.len(), made[0].clone()), (41, ("earlier".to_owned(), 160)));
    }

    #[test]
    fn firm_and_guessed_dates_are_told_apart() {
        let words = dates_in_words(89, 282, 598);
        assert!(words.contains("89 dates stated by the page; 282 guessed"), "{words}");
        assert!(words.ends_with("227 captures without a date."), "{words}");
        let (firm, weak) = (vec![("2020".to_owned(), 1)], vec![("2022-03-04".to_owned(), 2)]);
        let timeline = Timeline::of(&[firm.clone(), weak.clone()].concat());
        let labels = |days| timeline.sums(days).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
        assert_eq!(labels(&firm), labels(&weak), "both have the same periods");
    }

    #[test]
    fn codes_are_explained() {
        for (code, expected) in
            [("3200", "3200 a sound page of an archive"), ("0404", "0404 HTTP status"), ("9", "9")]
        {
            assert_eq!(explained(code), expected);
        }
    }
}
