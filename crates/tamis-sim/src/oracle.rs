//! What a perfect crawler fetches, computed without a network.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::World;
use super::options::{Quirk, SitemapKind};
use super::spot::{Spot, What};

/// How the perfect crawler decides.
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own, named where it is set")]
pub struct OracleRules<'a> {
    /// Links from a seed to a page, at most. A redirect is no link, and what a sitemap lists is as near as a seed.
    pub max_depth: Option<u32>,
    /// Whether robots.txt is obeyed.
    pub robots: bool,
    /// Whether `nofollow` is obeyed.
    pub nofollow: bool,
    /// Whether sitemaps that a robots.txt names are fetched, and what they list.
    pub sitemaps: bool,
    /// Whether certificates are checked.
    pub certificates: bool,
    /// Whether traps are followed, but for redirects without end; only with a `max_depth` does that end.
    pub traps: bool,
    /// The product name of the crawler in robots.txt files.
    pub agent: &'a str,
    /// Which URLs are to be fetched.
    pub scope: &'a dyn Fn(&str) -> bool,
}

impl Default for OracleRules<'_> {
    fn default() -> Self {
        Self {
            max_depth: None,
            robots: true,
            nofollow: true,
            sitemaps: true,
            certificates: true,
            traps: false,
            agent: "tamis",
            scope: &|_| true,
        }
    }
}

/// What a perfect crawler fetches. All URLs are spelt as WHATWG URL does, without fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Every page, whatever the answer.
    pub pages: BTreeSet<String>,
    /// Every robots.txt, and where those redirect to.
    pub robots: BTreeSet<String>,
    /// Every sitemap.
    pub sitemaps: BTreeSet<String>,
}

/// What a perfect crawler fetches that starts at `seeds`.
///
/// URLs are compared as the WHATWG URL standard spells them, without fragment; seeds are given in that spelling. Memory
/// is some hundred bytes a URL.
pub fn oracle<S: AsRef<str>>(
    world: &World,
    seeds: impl IntoIterator<Item = S>,
    rules: &OracleRules<'_>,
) -> Reach {
    let mut walk = Walk {
        world,
        rules,
        seen: HashMap::new(),
        origins: HashSet::new(),
        queue: VecDeque::new(),
        reach: Reach::default(),
    };
    for spot in seeds.into_iter().filter_map(|seed| world.spot(seed.as_ref())) {
        walk.offer(spot, 0);
    }
    walk.run();
    walk.reach
}

struct Walk<'a> {
    world: &'a World,
    rules: &'a OracleRules<'a>,
    /// How deep the spots met so far are.
    seen: HashMap<Spot, u32>,
    /// Host, and whether without the TLS it speaks.
    origins: HashSet<(u32, bool)>,
    queue: VecDeque<(Spot, u32)>,
    reach: Reach,
}

impl Walk<'_> {
    fn offer(&mut self, spot: Spot, depth: u32) {
        let far = self.rules.max_depth.is_some_and(|most| depth > most);
        let nearer = self.seen.get(&spot).is_none_or(|known| depth < *known);
        let is_followed = !spot.what.is_trap() || self.rules.traps && !matches!(spot.what, What::Onward(_));
        if far || !is_followed || !nearer {
            return;
        }
        self.seen.insert(spot, depth);
        // The first page a crawl meets of an origin makes it ask for its robots.txt.
        if (self.rules.scope)(&self.world.url(spot)) {
            self.visit_origin(spot);
            if self.reachable(spot) && (!self.rules.robots || self.allowed(spot)) {
                self.queue.push_back((spot, depth));
            }
        }
    }

    fn run(&mut self) {
        // Breadth first, so that nearly every page is met on its shortest way at once; one that is not is looked at again.
        while let Some((spot, depth)) = self.queue.pop_front() {
            self.reach.pages.insert(self.world.url(spot));
            if let Some(to) = self.world.redirect(spot) {
                self.offer(to, depth);
                continue;
            }
            for link in self.world.links(spot) {
                if !(link.nofollow && self.rules.nofollow) {
                    self.offer(link.to, depth + 1);
                }
            }
        }
    }

    fn visit_origin(&mut self, spot: Spot) {
        if !self.rules.robots || !self.reachable(spot) || !self.origins.insert((spot.host, spot.old)) {
            return;
        }
        let mut robots = Some(Spot { what: What::Robots, ..spot });
        while let Some(at) = robots.filter(|at| self.reachable(*at)) {
            self.reach.robots.insert(self.world.url(at));
            robots = self.world.redirect(at).filter(|_| !self.is_broken(at.host));
        }
        if self.rules.sitemaps && !spot.old {
            self.visit_sitemaps(Spot { what: What::Sitemap, ..spot });
        }
    }

    fn visit_sitemaps(&mut self, spot: Spot) {
        let host = &self.world.hosts[spot.host as usize];
        let read = !self.is_broken(spot.host) && robots_names_sitemap(host.robots);
        if host.sitemap == SitemapKind::None || !read {
            return;
        }
        let mut sitemaps = vec![spot];
        while let Some(at) = sitemaps.pop() {
            self.reach.sitemaps.insert(self.world.url(at));
            for entry in self.world.sitemap_entries(at) {
                match entry.what {
                    What::SitemapPart(_) => sitemaps.push(entry),
                    _ => self.offer(entry, 0),
                }
            }
        }
    }

    fn allowed(&self, spot: Spot) -> bool {
        // A robots.txt that cannot be fetched forbids everything.
        let unknown = !self.reachable(Spot { old: false, ..spot });
        !unknown && self.world.allows(self.rules.agent, spot)
    }

    fn is_broken(&self, host: u32) -> bool {
        matches!(self.world.hosts[host as usize].quirk, Some(Quirk::NotHttp | Quirk::Stalls))
    }

    fn reachable(&self, spot: Spot) -> bool {
        let refused = self.world.hosts[spot.host as usize].quirk == Some(Quirk::BadCertificate);
        !(self.rules.certificates && refused && !spot.old)
    }
}

fn robots_names_sitemap(kind: super::RobotsKind) -> bool {
    use super::RobotsKind::{Garbage, Missing, ServerError};
    !matches!(kind, Missing | ServerError | Garbage)
}
