//! Addresses that differ in numbers and tokens alone, and whether their pages bring anything new.
//!
//! A calendar, a shop with identifiers of its own, a list that can be sorted in every way: what their addresses look like differs from
//! site to site, but their pages say the same again and again. So pages are counted by pattern, with those whose text is new.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use xxhash_rust::xxh3::xxh3_64;

use super::session::is_token;
use crate::Address;

/// Patterns that are counted; 8 bytes each.
const SLOTS_LOG2: u32 = 17;
/// Bits of a count.
const COUNT_BITS: u32 = 20;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
/// Of so many pages at least one must be new.
const NEW_OF: u64 = 20;
/// Counts are halved when they are so many times the least to judge by: what is long ago counts less.
const MEMORY: u64 = 4;
/// A pattern that was seen less often gives its place to another.
const ROOTED: u64 = 8;

/// Pages by pattern, and how many of them had new text. One thread counts, others may ask. Memory: 1 MiB.
///
/// A pattern is a host, a path and a query with all numbers taken for one number, and all tokens for one token.
#[derive(Debug)]
pub struct Templates {
    /// 24 bits of the pattern, 20 of pages, 20 of those that are new.
    slots: Box<[AtomicU64]>,
    /// Pages of a pattern before it is judged.
    least: u64,
    /// Whether any pattern is closed: most crawls meet none.
    has_closed: AtomicBool,
}

impl Templates {
    /// Judges a pattern after so many pages; `u32::MAX` never does.
    pub fn new(max_stale_pages: u32) -> Self {
        let slots = (0..1 << SLOTS_LOG2).map(|_| AtomicU64::new(0)).collect();
        let is_off = u64::from(max_stale_pages) * MEMORY > COUNT_MASK;
        let least = if is_off { u64::MAX } else { u64::from(max_stale_pages.max(1)) };
        Self { slots, least, has_closed: AtomicBool::new(false) }
    }

    /// Counts a page whose text could be judged.
    pub fn note(&self, address: &Address, is_new: bool) {
        let Some(key) = self.key(address) else { return };
        let slot = &self.slots[place(key)];
        let (mark, mut seen, mut new) = parts(slot.load(Relaxed));
        if mark != key >> (2 * COUNT_BITS) {
            if seen >= ROOTED {
                return;
            }
            (seen, new) = (0, 0);
        }
        (seen, new) = (seen + 1, new + u64::from(is_new));
        if seen >= self.least * MEMORY {
            (seen, new) = (seen / 2, new / 2);
        }
        slot.store(key >> (2 * COUNT_BITS) << (2 * COUNT_BITS) | seen << COUNT_BITS | new, Relaxed);
        if self.is_stale(seen, new) {
            self.has_closed.store(true, Relaxed);
        }
    }

    /// Whether the pages of its pattern are the same again and again.
    pub fn is_closed(&self, address: &Address) -> bool {
        self.has_closed.load(Relaxed)
            && self.key(address).is_some_and(|key| {
                let (mark, seen, new) = parts(self.slots[place(key)].load(Relaxed));
                mark == key >> (2 * COUNT_BITS) && self.is_stale(seen, new)
            })
    }

    fn is_stale(&self, seen: u64, new: u64) -> bool {
        seen >= self.least && new * NEW_OF < seen
    }

    fn key(&self, address: &Address) -> Option<u64> {
        if self.least == u64::MAX { None } else { pattern(address).map(|text| xxh3_64(text.as_bytes())) }
    }
}

fn place(key: u64) -> usize {
    key as usize & ((1 << SLOTS_LOG2) - 1)
}

fn parts(slot: u64) -> (u64, u64, u64) {
    (slot >> (2 * COUNT_BITS), slot >> COUNT_BITS & COUNT_MASK, slot & COUNT_MASK)
}

/// The address with `0` for each number and `*` for each token; none where it has neither.
fn pattern(address: &Address) -> Option<String> {
    let target = address.path_and_query();
    if !target.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut pattern = String::with_capacity(address.as_str().len());
    pattern.push_str(address.authority());
    let is_mark = |c: char| matches!(c, '/' | '?' | '&' | '=' | ';');
    for piece in target.split_inclusive(is_mark) {
        let (word, mark) = piece.split_at(piece.trim_end_matches(is_mark).len());
        if is_token(word, SHORTEST_TOKEN) {
            pattern.push('*');
        } else {
            push_numbers_as_one(word, &mut pattern);
        }
        pattern.push_str(mark);
    }
    Some(pattern)
}

/// Shorter words with digits may be names.
const SHORTEST_TOKEN: usize = 16;

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

    fn address(path: &str) -> Address {
        Address::parse(&format!("http://x.org{path}")).expect("an address")
    }

    #[test]
    fn numbers_and_tokens_make_no_difference() {
        for (path, expected) in [
            ("/calendar?month=2024-05", Some("x.org/calendar?month=0-0")),
            ("/a1/b22/c", Some("x.org/a0/b0/c")),
            ("/v?item=3&x=00ff17aa00ff17ab", Some("x.org/v?item=0&x=*")),
            ("/f47ac10b-58cc-4372-a567-0e02b2c3d479/", Some("x.org/*/")),
            ("/about/us", None),
        ] {
            assert_eq!(pattern(&address(path)).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_pattern_without_news_is_closed() {
        let templates = Templates::new(50);
        let month = |n: u32| address(&format!("/calendar?month={n}"));
        for n in 0..49 {
            templates.note(&month(n), n == 0);
            templates.note(&address(&format!("/page/{n}")), n % 10 == 0);
        }
        assert!(!templates.is_closed(&month(1000)), "it is too early to tell");
        templates.note(&month(49), false);
        templates.note(&address("/page/49"), false);
        assert!(templates.is_closed(&month(1000)));
        for open in ["/page/1000", "/calendar", "/calendar?month=5&day=1"] {
            assert!(!templates.is_closed(&address(open)), "{open}");
        }
    }

    #[test]
    fn what_was_new_long_ago_does_not_keep_a_pattern_open() {
        let templates = Templates::new(50);
        let page = |n: u32| address(&format!("/page/{n}"));
        (0..10_000).for_each(|n| templates.note(&page(n), true));
        let more = (10_000..12_000).take_while(|n| {
            templates.note(&page(*n), false);
            !templates.is_closed(&page(0))
        });
        let more = more.count();
        assert!((100..1_000).contains(&more), "{more}");
    }

    #[test]
    fn turned_off_it_closes_nothing() {
        let templates = Templates::new(u32::MAX);
        (0..10_000).for_each(|n| templates.note(&address(&format!("/{n}")), false));
        assert!(!templates.is_closed(&address("/1")));
    }
}
