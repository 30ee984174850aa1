//! The links of a page, each address once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

use super::{Options, PageFacts};
use crate::Address;

/// A place that a page leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads.
    pub address: Address,
    /// How.
    pub kind: Kind,
    /// Whether each link to this address says `nofollow`. [`PageFacts::nofollow`] is for all of them.
    pub nofollow: bool,
    /// Its text, cut; only if asked for.
    pub anchor: Option<Box<str>>,
}

/// How a page leads to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `<a>`
    Anchor,
    /// `<area>` of a map of links.
    Area,
    /// `<frame>` or `<iframe>`
    Frame,
    /// The `Location` of a redirect.
    Redirect,
    /// `<meta http-equiv=refresh>` or the field `Refresh`.
    Refresh,
    /// `<link rel=next>` or `prev`
    Series,
    /// `<link rel=canonical>`
    Canonical,
    /// `<link rel=alternate>`: other languages and forms, feeds.
    Alternate,
    /// `<link rel=sitemap>`
    Sitemap,
    /// Images, posters, icons, backgrounds.
    Image,
    /// Scripts.
    Script,
    /// Style sheets.
    Style,
    /// Video, sound, fonts, embedded objects.
    Media,
}

impl Kind {
    /// Whether the page loads it, rather than leads to it.
    pub fn is_requisite(self) -> bool {
        self >= Kind::Image
    }

    /// Of a reference in a style sheet, by its ending.
    pub(super) fn in_style(reference: &str) -> Self {
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let ending = path.rsplit('.').next().unwrap_or_default();
        let is = |names: &[&str]| names.iter().any(|name| ending.eq_ignore_ascii_case(name));
        match () {
            () if is(&["css"]) => Kind::Style,
            () if is(&["woff", "woff2", "ttf", "otf", "eot"]) => Kind::Media,
            () => Kind::Image,
        }
    }
}

/// Gathers links.
pub(super) struct Links {
    options: Options,
    kept: Vec<Link>,
    left_out: usize,
    /// Places of addresses in the list, by their hash.
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
        Self { options, kept: Vec::new(), left_out: 0, places: HashMap::default() }
    }

    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.options.requisites || !kind.is_requisite()
    }

    pub(super) fn wants_anchors(&self) -> bool {
        self.options.anchors
    }

    /// Adds a link; one that leads nowhere is no link.
    pub(super) fn add(
        &mut self,
        kind: Kind,
        address: Option<Address>,
        nofollow: bool,
        anchor: Option<Box<str>>,
    ) {
        let Some(address) = address else { return };
        let hash = xxh3_64(address.as_str().as_bytes());
        let known = self.places.get(&hash).map(|&place| &mut self.kept[place as usize]);
        // Two addresses with one hash: the second is kept beside the first, and may be given twice.
        if let Some(known) = known.filter(|known| known.address == address) {
            known.meet(kind, nofollow, anchor);
        } else if self.kept.len() < self.options.most_links {
            self.places.entry(hash).or_insert(self.kept.len() as u32);
            self.kept.push(Link { address, kind, nofollow, anchor });
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn give(self, facts: &mut PageFacts) {
        facts.links = self.kept;
        facts.links_left_out = self.left_out;
    }
}

impl Link {
    /// The same address again: the strongest link counts.
    fn meet(&mut self, kind: Kind, nofollow: bool, anchor: Option<Box<str>>) {
        if self.kind.is_requisite() && !kind.is_requisite() {
            self.kind = kind;
        }
        self.nofollow &= nofollow;
        if self.anchor.as_ref().is_none_or(|text| text.is_empty()) && anchor.is_some() {
            self.anchor = anchor;
        }
    }
}
