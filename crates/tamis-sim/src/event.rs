//! Planted events: what happened where and when, who reports on it, and how pages about it are linked.
//!
//! The articles of a host form a tree; those below one article of its third level are a section. Some hosts report on an event: some of
//! their sections, below their first pages, are about it. A link from elsewhere leads mostly to the first pages of a host, so that whoever
//! looks for an event has to go on through pages that say nothing of it. Events come in pairs of a kind, which share their words and not
//! their places and days.

use std::fmt::Write;

use super::World;
use super::dice::Dice;
use super::options::WorldOptions;
use super::spot::What;
use super::text;

/// An event.
pub(super) struct Event {
    kind: &'static Kind,
    places: Vec<String>,
    year: u32,
    month: u32,
    day: u32,
    /// Hosts that report on it.
    hosts: Vec<u32>,
}

/// Words of a kind of event.
struct Kind {
    nouns: [&'static str; 12],
    deeds: [&'static str; 8],
    people: [&'static str; 5],
}

const KINDS: [Kind; 4] = [
    Kind {
        nouns: [
            "flood",
            "river",
            "dyke",
            "dam",
            "rescue boat",
            "sandbag",
            "heavy rainfall",
            "water level",
            "flooded basement",
            "emergency shelter",
            "embankment",
            "flood warning",
        ],
        deeds: [
            "flooded",
            "washed away",
            "broke through",
            "cut off",
            "swept across",
            "submerged",
            "rose above",
            "drained",
        ],
        people: [
            "rescuers",
            "engineers of the dam",
            "evacuated families",
            "volunteers with sandbags",
            "the flood service",
        ],
    },
    Kind {
        nouns: [
            "wildfire",
            "blaze",
            "smoke",
            "burning forest",
            "water bomber",
            "firebreak",
            "ember",
            "fire crew",
            "drought",
            "charred hillside",
            "ash",
            "fire alarm",
        ],
        deeds: [
            "burned",
            "scorched",
            "spread to",
            "jumped over",
            "engulfed",
            "threatened",
            "destroyed",
            "surrounded",
        ],
        people: [
            "firefighters",
            "pilots of water bombers",
            "fire chiefs",
            "burned-out campers",
            "the forest service",
        ],
    },
    Kind {
        nouns: [
            "strike",
            "union",
            "picket line",
            "walkout",
            "wage talks",
            "shipyard",
            "labour contract",
            "negotiation",
            "overtime",
            "mediator",
            "lockout",
            "strike ballot",
        ],
        deeds: [
            "rejected",
            "demanded",
            "walked out of",
            "picketed",
            "negotiated",
            "called off",
            "voted for",
            "blockaded",
        ],
        people: ["dock workers", "union leaders", "welders", "employers", "shop stewards"],
    },
    Kind {
        nouns: [
            "earthquake",
            "tremor",
            "rubble",
            "aftershock",
            "epicentre",
            "collapsed building",
            "survivor",
            "magnitude",
            "rescue dog",
            "ruin",
            "seismograph",
            "field hospital",
        ],
        deeds: [
            "shook",
            "collapsed",
            "buried",
            "trembled under",
            "damaged",
            "levelled",
            "cracked",
            "dug through",
        ],
        people: [
            "seismologists",
            "survivors",
            "rescue teams with dogs",
            "doctors of the field hospital",
            "the homeless",
        ],
    },
];

/// Share of the hosts that report on some event.
const REPORTING: f64 = 0.3;
/// Share of the sections of such a host that are about it, and of those of others that are about any.
const SECTIONS_ABOUT: f64 = 0.35;
const ELSEWHERE: f64 = 0.01;
/// Share of the articles of such a section that are about the event.
const ARTICLES_ABOUT: f64 = 0.8;
/// Share of the links of such an article that lead to another about the event, or about the other one of its kind.
const LINKS_ABOUT: f64 = 0.3;
const LINKS_ASTRAY: f64 = 0.08;
/// Share of the links to such articles that say so, and of those to others that say so, too.
const HONEST_ANCHORS: f64 = 0.5;
const FALSE_ANCHORS: f64 = 0.03;
/// Share of the sentences of such an article that are about the event.
const SENTENCES_ABOUT: f64 = 0.6;
/// Share of the addresses of such articles that have words of it.
const SLUGS: f64 = 0.25;

const CHILDREN: u32 = 4;
/// The articles of the third level.
const SECTION_HEADS: std::ops::RangeInclusive<u32> = 5..=20;
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The events of a world.
pub(super) fn events(options: &WorldOptions) -> Vec<Event> {
    let mut events: Vec<Event> = (0..options.events).map(|event| an_event(options.seed, event)).collect();
    let hosts = if events.is_empty() { 0 } else { options.hosts };
    for host in 0..hosts {
        let mut dice = Dice::new(options.seed, &[31, u64::from(host)]);
        if dice.chance(REPORTING) {
            let event = dice.below(events.len() as u64) as usize;
            events[event].hosts.push(host);
        }
    }
    events
}

fn an_event(seed: u64, event: u8) -> Event {
    let mut dice = Dice::new(seed, &[30, u64::from(event)]);
    let place = |dice: &mut Dice| {
        let mut name = String::new();
        text::name(dice, false, &mut name);
        name
    };
    Event {
        kind: &KINDS[usize::from(event / 2) % KINDS.len()],
        places: (0..3).map(|_| place(&mut dice)).collect(),
        year: dice.between(2015, 2024),
        month: dice.between(1, 12),
        day: dice.between(1, 18),
        hosts: Vec::new(),
    }
}

impl World {
    /// The event that an article is about.
    pub(super) fn event_of(&self, host: u32, page: u32) -> Option<u8> {
        let event = self.section_event(host, section(page)?)?;
        let mut dice = Dice::new(self.options.seed, &[33, u64::from(host), u64::from(page)]);
        dice.chance(ARTICLES_ABOUT).then_some(event)
    }

    /// The event that a section is about, by its first article.
    fn section_event(&self, host: u32, section: u32) -> Option<u8> {
        if self.events.is_empty() {
            return None;
        }
        let own = self.events.iter().position(|event| event.hosts.binary_search(&host).is_ok());
        let mut dice = Dice::new(self.options.seed, &[32, u64::from(host), u64::from(section)]);
        match own {
            Some(event) => dice.chance(SECTIONS_ABOUT).then_some(event as u8),
            None => dice.chance(ELSEWHERE).then(|| dice.below(self.events.len() as u64) as u8),
        }
    }

    /// Articles about an event, each of another host as long as there are.
    pub(super) fn some_event_articles(&self, event: u8, count: usize) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        let Some(known) = self.events.get(usize::from(event)) else { return found };
        let mut dice = Dice::new(self.options.seed, &[34, u64::from(event)]);
        for host in known.hosts.iter().cycle().take(known.hosts.len() * 8) {
            if found.len() < count
                && let Some(page) = self.article_about(*host, event, &mut dice)
                && !found.contains(&(*host, page))
            {
                found.push((*host, page));
            }
        }
        found
    }

    /// Where a link of an article leads that is about an event; none for links like any others.
    pub(super) fn event_link(&self, host: u32, page: u32, dice: &mut Dice) -> Option<(u32, What)> {
        let event = self.event_of(host, page)?;
        let to = match dice.unit() {
            share if share < LINKS_ABOUT => event,
            share if share < LINKS_ABOUT + LINKS_ASTRAY => event ^ 1,
            _ => return None,
        };
        let hosts = &self.events.get(usize::from(to))?.hosts;
        let at = if to == event && dice.chance(self.options.local) {
            host
        } else {
            *hosts.get(dice.small(hosts.len() as u32) as usize)?
        };
        Some((at, What::Page(self.article_about(at, to, dice)?)))
    }

    /// Some article of a host about an event.
    fn article_about(&self, host: u32, event: u8, dice: &mut Dice) -> Option<u32> {
        let about = |section: &u32| self.section_event(host, *section) == Some(event);
        let sections: Vec<u32> = SECTION_HEADS.filter(about).collect();
        if sections.is_empty() {
            return None;
        }
        let articles = self.hosts[host as usize].articles;
        (0..8).find_map(|_| {
            let mut page = *dice.pick::<u32>(&sections);
            for _ in 0..=dice.below(3) {
                page = page * CHILDREN + 1 + dice.below(u64::from(CHILDREN)) as u32;
            }
            (page < articles && self.event_of(host, page) == Some(event)).then_some(page)
        })
    }

    /// What the title of an article about an event begins with.
    pub(super) fn write_event_heading(&self, event: Option<u8>, dice: &mut Dice, out: &mut String) {
        let Some(event) = event.and_then(|event| self.events.get(usize::from(event))) else { return };
        let (noun, place) = (dice.pick(&event.kind.nouns), dice.pick::<String>(&event.places));
        let start = out.len();
        let _ = write!(out, "{noun} in {place}: ");
        out[start..].get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    }

    /// What the text of a link to an article begins with; not always what the article is about.
    pub(super) fn write_event_anchor(&self, host: u32, page: u32, dice: &mut Dice, out: &mut String) {
        if self.events.is_empty() {
            return;
        }
        let about = match self.event_of(host, page) {
            Some(event) => dice.chance(HONEST_ANCHORS).then_some(event),
            None => dice.chance(FALSE_ANCHORS).then(|| dice.below(self.events.len() as u64) as u8),
        };
        self.write_event_heading(about, dice, out);
    }

    /// Perhaps a sentence about an event.
    pub(super) fn write_event_sentence(&self, event: Option<u8>, dice: &mut Dice, out: &mut String) -> bool {
        let Some(event) = event.and_then(|event| self.events.get(usize::from(event))) else { return false };
        if !dice.chance(SENTENCES_ABOUT) {
            return false;
        }
        let Kind { nouns, deeds, people } = event.kind;
        let (noun, other, deed) = (dice.pick(nouns), dice.pick(nouns), dice.pick(deeds));
        let (who, place, number) =
            (dice.pick(people), dice.pick::<String>(&event.places), dice.between(2, 900));
        let day = event.day + dice.below(9) as u32;
        let (month, year) = (MONTHS[event.month as usize - 1], event.year);
        let _ = match dice.below(5) {
            0 => write!(out, "The {noun} {deed} the {other} near {place}, as {who} said."),
            1 => write!(out, "On {day} {month} {year} {who} spoke of {number} cases of {noun} in {place}."),
            2 => write!(
                out,
                "In {place} the {noun} came before the {other}, and {number} people saw how it {deed} both."
            ),
            3 => write!(out, "Nobody in {place} had seen such a {noun} before {month} {day}, {year}."),
            _ => write!(out, "Of the {noun} {who} know little; the {other} {deed} half of {place}."),
        };
        true
    }

    /// A day on which an article about an event was published.
    pub(super) fn event_day(&self, event: Option<u8>, dice: &mut Dice) -> Option<(u32, u32, u32)> {
        let event = event.and_then(|event| self.events.get(usize::from(event)))?;
        Some((event.year, event.month, event.day + dice.below(10) as u32))
    }

    /// Words of an event in the address of an article about it.
    pub(super) fn event_slug(&self, host: u32, page: u32) -> Option<String> {
        let event = &self.events[usize::from(self.event_of(host, page)?)];
        let mut dice = Dice::new(self.options.seed, &[35, u64::from(host), u64::from(page)]);
        dice.chance(SLUGS).then(|| {
            let (noun, place) = (dice.pick(&event.kind.nouns), dice.pick::<String>(&event.places));
            format!("{noun} {place}").to_lowercase().replace(' ', "-")
        })
    }
}

/// The first article of the section that an article is in; none for those above.
fn section(mut page: u32) -> Option<u32> {
    if page <= *SECTION_HEADS.end() {
        return None;
    }
    while page > *SECTION_HEADS.end() {
        page = (page - 1) / CHILDREN;
    }
    Some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_rare_and_deep_and_told_by_their_pages() {
        let world = World::new(WorldOptions::eventful(3, 60, 30_000));
        let counts: Vec<u64> = (0..6).map(|event| world.count_event_articles(event)).collect();
        assert!(counts.iter().all(|count| (50..3_000).contains(count)), "{counts:?}");
        let articles = world.event_articles(2, 4);
        assert_eq!(articles.len(), 4);
        for url in &articles {
            assert_eq!(world.event(url), Some(2), "{url}");
            let body = String::from_utf8(world.answer(url).expect("of this world").body).expect("UTF-8");
            let told = world.events[2].places.iter().any(|place| body.contains(place));
            assert!(told && body.contains(&world.events[2].year.to_string()), "{body}");
        }
        assert!(world.seeds(10).iter().all(|seed| world.event(seed).is_none()));
    }

    #[test]
    fn the_other_event_of_a_kind_is_elsewhere_and_at_another_time() {
        let world = World::new(WorldOptions::eventful(5, 60, 3_000));
        for pair in world.events.chunks(2) {
            assert!(std::ptr::eq(pair[0].kind, pair[1].kind));
            assert_ne!(
                (&pair[0].places, pair[0].year * 12 + pair[0].month),
                (&pair[1].places, pair[1].year * 12 + pair[1].month)
            );
        }
    }

    #[test]
    fn sections_begin_at_the_third_level() {
        for (page, expected) in [
            (0, None),
            (20, None),
            (21, Some(5)),
            (24, Some(5)),
            (25, Some(6)),
            (84, Some(20)),
            (85, Some(5)),
        ] {
            assert_eq!(section(page), expected, "{page}");
        }
    }
}
