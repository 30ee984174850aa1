//! Addresses that differ in numbers and tokens alone, and whether their pages bring anything new.
//!
//! A calendar, a shop with identifiers of its own, a list that can be sorted in every way: what their addresses look like differs from
//! site to site, but their pages say the same again and again, and each leads to more of them. So pages are counted by pattern: those
//! without new text, and those among them that lead to pages that nobody knew. A list of numbered pages that leads to documents grows,
//! too, but what it leads to are pages of another pattern, which are the end of the way.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use xxhash_rust::xxh3::xxh3_64;

use super::TrapOptions;
use super::session::is_token;
use super::trap::calendar;
use crate::Address;

/// Patterns that are counted; 24 bytes each.
const SLOTS_LOG2: u32 = 17;
/// A page that brings something outweighs so many that do not: one in twenty keeps a pattern open.
const WORTH: u32 = 19;
/// So many pages without new text that lead to more pages make a pattern barren: links to it are nothing new for other patterns.
const BARREN: u32 = 50;
/// A pattern that was seen less often gives its place to another.
const ROOTED: u32 = 8;

/// What a page brought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and a bit of the journal")]
pub struct News {
    /// Its text is new.
    pub text: bool,
    /// It leads to pages that nobody knew, of another pattern that is not barren.
    pub links: bool,
    /// Its text is that of another page of its pattern, numbers included.
    pub is_same: bool,
    /// It leads to pages that nobody knew, of whatever pattern.
    pub grows: bool,
}

/// Pages by pattern, and how many of them brought nothing. One thread counts, others may ask. Memory: 3 MiB.
///
/// A pattern is a host, a path and a query with all numbers taken for one number, and all tokens for one token.
#[derive(Debug)]
pub struct Templates {
    slots: Box<[Slot]>,
    max_same: u32,
    max_similar: u32,
    max_calendar: u32,
    max_numbered: u32,
    /// Whether any pattern is closed: most crawls meet none.
    has_closed: AtomicBool,
}

/// What is known of a pattern. Each count rises with pages that bring nothing and falls with others.
#[derive(Debug, Default)]
struct Slot {
    /// Part of the pattern's hash.
    mark: AtomicU32,
    pages: AtomicU32,
    /// Pages without new text that grow, whatever they lead to.
    barren: AtomicU32,
    /// Pages that bring nothing, grow, and have the text of another.
    same: AtomicU32,
    /// Pages that bring nothing and grow.
    similar: AtomicU32,
    /// Pages that bring nothing.
    numbered: AtomicU32,
}

impl Templates {
    /// Judges patterns by the limits for pages that bring nothing new.
    pub fn new(options: &TrapOptions) -> Self {
        Self {
            slots: (0..1 << SLOTS_LOG2).map(|_| Slot::default()).collect(),
            max_same: options.max_stale_pages,
            max_similar: options.max_similar_pages,
            max_calendar: options.max_calendar_pages.min(options.max_similar_pages),
            max_numbered: options.max_numbered_pages,
            has_closed: AtomicBool::new(false),
        }
    }

    /// Counts a page whose text could be read.
    pub fn note(&self, address: &Address, news: News) {
        let key = key(address);
        let slot = &self.slots[place(key)];
        if slot.mark.load(Relaxed) != mark(key) {
            if slot.pages.load(Relaxed) >= ROOTED {
                return;
            }
            slot.begin(mark(key));
        }
        slot.note(news);
        if self.is_over(slot, || is_of_calendar(address)) {
            self.has_closed.store(true, Relaxed);
        }
    }

    /// Whether the pages of its pattern are the same again and again.
    pub fn is_closed(&self, address: &Address) -> bool {
        let is_over = |slot| self.is_over(slot, || is_of_calendar(address));
        self.has_closed.load(Relaxed) && self.slot(key(address)).is_some_and(is_over)
    }

    /// Whether a new page of that pattern is worth something to the page of another pattern that leads to it.
    pub(crate) fn is_fertile(&self, key: u64) -> bool {
        self.slot(key).is_none_or(|slot| slot.barren.load(Relaxed) < BARREN && !self.is_over(slot, || false))
    }

    fn slot(&self, key: u64) -> Option<&Slot> {
        Some(&self.slots[place(key)]).filter(|slot| slot.mark.load(Relaxed) == mark(key))
    }

    fn is_over(&self, slot: &Slot, is_of_calendar: impl Fn() -> bool) -> bool {
        let is_over = |count: &AtomicU32, max: u32| count.load(Relaxed) >= max.max(1);
        is_over(&slot.same, self.max_same)
            || is_over(&slot.similar, self.max_similar)
            || is_over(&slot.numbered, self.max_numbered)
            || is_over(&slot.similar, self.max_calendar) && is_of_calendar()
    }
}

impl Slot {
    fn begin(&self, mark: u32) {
        self.mark.store(mark, Relaxed);
        for count in [&self.pages, &self.barren, &self.same, &self.similar, &self.numbered] {
            count.store(0, Relaxed);
        }
    }

    fn note(&self, news: News) {
        let is_new = news.text || news.links;
        add(&self.pages, 1);
        match news {
            News { text: true, .. } => take(&self.barren, WORTH),
            News { grows: true, .. } => add(&self.barren, 1),
            _ => take(&self.barren, 1),
        }
        for (count, is_counted) in
            [(&self.numbered, true), (&self.similar, news.grows), (&self.same, news.grows && news.is_same)]
        {
            if is_new {
                take(count, WORTH);
            } else if is_counted {
                add(count, 1);
            } else {
                // A page in twenty with other numbers says that the pages are not all the same one.
                take(count, if news.grows { WORTH } else { 1 });
            }
        }
    }
}

fn add(count: &AtomicU32, by: u32) {
    // `u32::MAX` as a limit is never reached.
    count.store(count.load(Relaxed).saturating_add(by).min(u32::MAX - 1), Relaxed);
}

fn take(count: &AtomicU32, by: u32) {
    count.store(count.load(Relaxed).saturating_sub(by), Relaxed);
}

fn place(key: u64) -> usize {
    key as usize & ((1 << SLOTS_LOG2) - 1)
}

fn mark(key: u64) -> u32 {
    (key >> 32) as u32 | 1
}

fn is_of_calendar(address: &Address) -> bool {
    let target = address.path_and_query();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    calendar::calendar_page(path, query).is_some()
}

/// What the pattern of an address is known by.
pub(crate) fn key(address: &Address) -> u64 {
    xxh3_64(pattern(address).as_bytes())
}

/// The address with `0` for each number and `*` for each token, and parts of the path that are then the same one behind the other only
/// once: ever deeper paths are of one pattern. One with neither numbers nor tokens stands for those in the same first folder with the same parameters.
fn pattern(address: &Address) -> String {
    let target = address.path_and_query();
    if !target.bytes().any(|byte| byte.is_ascii_digit()) {
        return pattern_of_words(address.authority(), target);
    }
    let mut pattern = String::with_capacity(address.as_str().len());
    pattern.push_str(address.authority());
    let is_mark = |c: char| matches!(c, '/' | '?' | '&' | '=' | ';');
    let (mut before, mut start) = (0, pattern.len());
    for piece in target.split_inclusive(is_mark) {
        let (word, mark) = piece.split_at(piece.trim_end_matches(is_mark).len());
        if is_token(word, SHORTEST_TOKEN) {
            pattern.push('*');
        } else {
            push_numbers_as_one(word, &mut pattern);
        }
        pattern.push_str(mark);
        if pattern[before..start] == pattern[start..] {
            pattern.truncate(start);
        } else {
            (before, start) = (start, pattern.len());
        }
    }
    pattern
}

/// Shorter words with digits may be names.
const SHORTEST_TOKEN: usize = 16;

fn pattern_of_words(authority: &str, target: &str) -> String {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (first, deeper) = path[1..].split_once('/').unwrap_or((&path[1..], ""));
    let mut pattern = format!("{authority}/{first}/{}", if deeper.is_empty() { "" } else { "*/" });
    for parameter in query.split('&') {
        pattern.push('?');
        pattern.push_str(parameter.split('=').next().unwrap_or_default());
    }
    pattern
}

fn push_numbers_as_one(word: &str, out: &mut String) {
    let mut was_digit = false;
    for c in word.chars() {
        let is_digit = c.is_ascii_digit();
        if !is_digit {
            out.push(c);
        } else if !was_digit {
            out.push('0');
        }
        was_digit = is_digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STALE: News = News { text: false, links: false, is_same: true, grows: true };
    const SIMILAR: News = News { is_same: false, ..STALE };
    const LEAF: News = News { grows: false, ..SIMILAR };
    const LIST: News = News { links: true, ..SIMILAR };
    const NEW: News = News { text: true, links: false, is_same: false, grows: true };

    fn address(path: &str) -> Address {
        Address::parse(&format!("http://x.org{path}")).expect("an address")
    }

    fn templates() -> Templates {
        let traps = TrapOptions {
            max_stale_pages: 50,
            max_similar_pages: 500,
            max_numbered_pages: 5_000,
            ..TrapOptions::default()
        };
        Templates::new(&traps)
    }

    /// How many pages of a pattern are fetched before it is closed, of as many as there are.
    fn taken(templates: &Templates, most: u32, news: impl Fn(u32) -> News) -> u32 {
        let page = |n: u32| address(&format!("/page/{n}"));
        let noted = |n: &u32| !templates.is_closed(&page(*n));
        (0..most).take_while(noted).inspect(|n| templates.note(&page(*n), news(*n))).count() as u32
    }

    #[test]
    fn numbers_and_tokens_make_no_difference() {
        for (path, expected) in [
            ("/calendar?month=2024-05", "x.org/calendar?month=0-0"),
            ("/a1/b22/c", "x.org/a0/b0/c"),
            ("/v?item=3&x=00ff17aa00ff17ab", "x.org/v?item=0&x=*"),
            ("/f47ac10b-58cc-4372-a567-0e02b2c3d479/", "x.org/*/"),
            ("/about/us", "x.org/about/*/?"),
            ("/maze/red/green/?go=left&to=b", "x.org/maze/*/?go?to"),
            ("/maze/1/22/333/x4", "x.org/maze/0/x0"),
            ("/maze/1/22/333/4444/x4", "x.org/maze/0/x0"),
            ("/", "x.org//?"),
        ] {
            assert_eq!(pattern(&address(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_pattern_ends_by_what_its_pages_bring() {
        for (name, news, expected) in [
            ("the same text", &(|_| STALE) as &dyn Fn(u32) -> News, 50),
            ("texts with other numbers", &|_| SIMILAR, 500),
            ("pages that lead nowhere", &|_| LEAF, 5_000),
            ("lists of other pages", &|_| LIST, 20_000),
            ("new texts", &|_| NEW, 20_000),
            ("a new text in ten", &|n| if n % 10 == 0 { NEW } else { STALE }, 20_000),
            ("half lead on", &|n| if n % 2 == 0 { SIMILAR } else { LEAF }, 5_000),
        ] {
            assert_eq!(taken(&templates(), 20_000, news), expected, "{name}");
        }
    }

    #[test]
    fn months_of_a_calendar_end_sooner_unless_they_bring_something() {
        let month = |n: u32| address(&format!("/events/{}/{:02}/", 1900 + n / 12, n % 12 + 1));
        for (news, expected) in [(SIMILAR, 100), (LIST, 1_000)] {
            let traps = TrapOptions { max_calendar_pages: 100, ..TrapOptions::default() };
            let templates = Templates::new(&traps);
            let open = |n: &u32| !templates.is_closed(&month(*n));
            let taken = (0..1_000).take_while(open).inspect(|n| templates.note(&month(*n), news)).count();
            assert_eq!(taken, expected, "{news:?}");
        }
    }

    #[test]
    fn only_the_pattern_is_closed() {
        let templates = templates();
        taken(&templates, 100, |_| STALE);
        assert!(templates.is_closed(&address("/page/1000")));
        for open in ["/pages/1000", "/page/", "/page/5?day=1"] {
            assert!(!templates.is_closed(&address(open)), "{open}");
        }
    }

    #[test]
    fn what_was_new_long_ago_does_not_keep_a_pattern_open() {
        let templates = templates();
        let fetched = taken(&templates, 20_000, |n| if n < 10_000 { NEW } else { STALE });
        assert_eq!(fetched, 10_050);
    }

    #[test]
    fn a_pattern_that_leads_to_itself_is_barren_and_its_documents_are_not() {
        let templates = templates();
        let documents = key(&address("/document/1"));
        for n in 0..60 {
            templates.note(&address(&format!("/list/{n}")), LIST);
            templates.note(&address(&format!("/document/{n}")), LEAF);
        }
        assert!(!templates.is_fertile(key(&address("/list/1"))));
        assert!(templates.is_fertile(documents) && templates.is_fertile(key(&address("/other/1"))));
    }

    #[test]
    fn turned_off_it_closes_nothing() {
        let off = u32::MAX;
        let traps = TrapOptions {
            max_stale_pages: off,
            max_similar_pages: off,
            max_numbered_pages: off,
            ..TrapOptions::default()
        };
        assert_eq!(taken(&Templates::new(&traps), 20_000, |_| STALE), 20_000);
    }
}
