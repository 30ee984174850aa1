//! The links of a page, each address once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use tamis_page::links::{Kind, Wanted};
use xxhash_rust::xxh3::xxh3_64;

use super::{Options, PageFacts};
use crate::Address;

/// Bytes of a link's text that are kept.
const LONGEST_ANCHOR: usize = 256;
/// Links of a page whose texts are kept.
const MOST_TEXTS: usize = 5_000;
/// Links that there is room for at first: most pages have fewer.
const FIRST_ROOM: usize = 56;

/// A link of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads.
    pub address: Address,
    /// How.
    pub kind: Kind,
    /// Whether each link to this address says `nofollow`. [`PageFacts::nofollow`] is for all of them.
    pub nofollow: bool,
    /// The text of the first link to this address that has one; only with [`Options::link_texts`].
    pub text: Option<Box<LinkText>>,
}

/// The text in and around a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkText {
    /// The text to click on, at most 256 bytes.
    pub anchor: String,
    /// The text before and after it.
    pub around: String,
}

/// Gathers links.
pub(super) struct Links {
    options: Options,
    kept: Vec<Link>,
    left_out: usize,
    /// Indexes of addresses in the list, by their hash.
    places: HashMap<u64, u32, BuildHasherDefault<AlreadyHashed>>,
}

/// Keys are hashes: they need no hashing.
#[derive(Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Links {
    pub(super) fn new(options: Options) -> Self {
        let places = HashMap::with_capacity_and_hasher(FIRST_ROOM, BuildHasherDefault::default());
        Self { options, kept: Vec::with_capacity(FIRST_ROOM), left_out: 0, places }
    }

    /// Which references of a page it takes.
    pub(super) fn wanted(&self) -> Wanted {
        Wanted { requisites: self.options.requisites, styles: self.options.requisites }
    }

    pub(super) fn wants_texts(&self) -> bool {
        self.options.link_texts
    }

    pub(super) fn wants(&self, kind: Kind) -> bool {
        let is_followed = !matches!(kind, Kind::Form | Kind::Relation | Kind::Text);
        is_followed && (self.options.requisites || !kind.is_requisite())
    }

    /// Adds a link to an absolute URL, as resolving gave it; what cannot be crawled is skipped.
    pub(super) fn add(&mut self, kind: Kind, url: &str, nofollow: bool, text: impl FnOnce() -> LinkText) {
        let mut hash = xxh3_64(url.as_bytes());
        if let Some(known) = self.known(hash, url) {
            known.merge(kind, nofollow, text);
            return;
        }
        let Some(address) = Address::from_normal(url) else { return };
        if address.as_str() != url {
            // It had a user or a password, or is spelt in another way.
            hash = xxh3_64(address.as_str().as_bytes());
            if let Some(known) = self.known(hash, address.as_str()) {
                known.merge(kind, nofollow, text);
                return;
            }
        }
        if self.kept.len() >= self.options.most_links {
            self.left_out += 1;
            return;
        }
        let has_text = self.options.link_texts && self.kept.len() < MOST_TEXTS;
        let text = has_text.then(|| Box::new(text()));
        self.places.entry(hash).or_insert(self.kept.len() as u32);
        self.kept.push(Link { address, kind, nofollow, text });
    }

    /// The link to an address. Of two addresses with one hash, only the first is found: the second may be kept twice.
    fn known(&mut self, hash: u64, url: &str) -> Option<&mut Link> {
        let place = *self.places.get(&hash)?;
        self.kept.get_mut(place as usize).filter(|known| known.address.as_str() == url)
    }

    pub(super) fn give(self, facts: &mut PageFacts) {
        facts.links = self.kept;
        facts.links_left_out = self.left_out;
    }
}

impl Link {
    /// Another link to the same address: the strongest kind and the first text count.
    fn merge(&mut self, kind: Kind, nofollow: bool, text: impl FnOnce() -> LinkText) {
        if self.kind.is_requisite() && !kind.is_requisite() {
            self.kind = kind;
        }
        self.nofollow &= nofollow;
        if let Some(said) = self.text.as_mut().filter(|said| said.anchor.is_empty()) {
            **said = text();
        }
    }
}

impl LinkText {
    /// The text of a link, cut.
    pub(super) fn of(link: tamis_page::links::Link<'_>) -> Self {
        let anchor = link.anchor();
        let anchor = anchor[..anchor.floor_char_boundary(LONGEST_ANCHOR)].trim().to_owned();
        Self { anchor, around: format!("{} {}", link.before(), link.after()) }
    }
}
