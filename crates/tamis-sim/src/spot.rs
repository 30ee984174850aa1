//! What there is on a host, and the path by which it is asked for.

use std::fmt::Write;

use super::World;
use super::dice::Dice;
use super::options::{SitemapKind, Special};
use super::series::Series;

/// One resource of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) host: u32,
    /// Asked for with `http://` though the host speaks TLS.
    pub(super) old: bool,
    pub(super) what: What,
}

/// What is asked for on a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum What {
    Robots,
    /// Where [`RobotsKind::Moved`](super::RobotsKind::Moved) redirects to.
    RobotsMoved,
    /// The sitemap that robots.txt names.
    Sitemap,
    /// The plain (1) or compressed (2) one that an index names.
    SitemapPart(u8),
    Page(u32),
    /// On the way from a redirecting page.
    Hop(u8, u32),
    /// What only that page leads to.
    Extra(u32),
    /// What only that page of that other host leads to.
    Guest(u32, u32),
    /// A month of the calendar without end.
    Month(u32),
    /// An item in a session of the shop.
    Session(u8, u64),
    /// So many steps into the path without end.
    Deep(u16),
    /// So many redirects into a chain without end.
    Onward(u32),
    /// A page of a series: of which special page, and its number.
    Series(Series, u32, u64),
    /// Nothing of the above.
    Missing,
}

impl What {
    /// Whether it is one of endlessly many.
    pub(super) fn is_trap(self) -> bool {
        match self {
            Self::Series(series, ..) => series.is_endless(),
            _ => matches!(self, Self::Month(_) | Self::Session(..) | Self::Deep(_) | Self::Onward(_)),
        }
    }
}

const SECTIONS: [&str; 8] = ["news", "sport", "culture", "science", "travel", "local", "garden", "opinion"];
/// Steps of the path without end; more make a URL no one accepts.
const DEEPEST: usize = 2000;
const CALENDAR: &str = "/calendar?month=";
const SHOP: &str = "/shop?item=";
const DEEP: &str = "/deep/";
const ONWARD: &str = "/onward?n=";

impl World {
    /// The URL of a spot, spelt as WHATWG URL does, without fragment.
    pub(super) fn url(&self, spot: Spot) -> String {
        let host = &self.hosts[spot.host as usize];
        let scheme = if host.tls && !spot.old { "https" } else { "http" };
        let mut url = format!("{scheme}://{}", host.name);
        self.write_path(spot.host, spot.what, &mut url);
        url
    }

    /// Appends the path and query of a resource.
    pub(super) fn write_path(&self, host: u32, what: What, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match what {
            What::Robots => write!(out, "/robots.txt"),
            What::RobotsMoved => write!(out, "/moved/robots.txt"),
            What::Sitemap if self.hosts[host as usize].sitemap == SitemapKind::Gzip => {
                write!(out, "/sitemap.xml.gz")
            }
            What::Sitemap => write!(out, "/sitemap.xml"),
            What::SitemapPart(2) => write!(out, "/sitemap-2.xml.gz"),
            What::SitemapPart(part) => write!(out, "/sitemap-{part}.xml"),
            What::Page(page) => return self.write_page_path(host, page, out),
            What::Hop(left, page) => write!(out, "/go/{left}/{page}"),
            What::Extra(page) => write!(out, "/extra/{page}.html"),
            What::Guest(from, page) => write!(out, "/guest/{from}/{page}"),
            What::Month(month) => write!(out, "{CALENDAR}{:04}-{:02}", month / 12, month % 12 + 1),
            What::Session(item, id) => write!(out, "{SHOP}{item}&sid={id:016x}"),
            What::Deep(steps) => {
                out.push_str(DEEP);
                (0..steps).for_each(|_| out.push_str("more/"));
                Ok(())
            }
            What::Onward(steps) => write!(out, "{ONWARD}{steps}"),
            What::Series(series, page, number) => {
                series.write_path(page, number, out);
                Ok(())
            }
            What::Missing => write!(out, "/missing"),
        };
    }

    /// What a path of a host leads to.
    pub(super) fn locate(&self, host: u32, path: &str) -> What {
        let what = self.guess(host, path).unwrap_or(What::Missing);
        let mut spelt = String::with_capacity(path.len());
        self.write_path(host, what, &mut spelt);
        if spelt == path && self.exists(host, what) { what } else { What::Missing }
    }

    /// What a path could lead to; only what spells itself like it is it.
    fn guess(&self, host: u32, path: &str) -> Option<What> {
        let numbers = numbers(path);
        if let Some(rest) = path.strip_prefix(CALENDAR) {
            let (year, month) = rest.split_once('-')?;
            let month = month.parse::<u32>().ok()?.checked_sub(1)?;
            return Some(What::Month(year.parse::<u32>().ok()?.checked_mul(12)?.checked_add(month)?));
        }
        if let Some(rest) = path.strip_prefix(SHOP) {
            let (item, id) = rest.split_once("&sid=")?;
            return Some(What::Session(item.parse().ok()?, u64::from_str_radix(id, 16).ok()?));
        }
        if let Some(rest) = path.strip_prefix(DEEP) {
            return Some(What::Deep((rest.len() / "more/".len()).min(DEEPEST) as u16));
        }
        if let Some(rest) = path.strip_prefix(ONWARD) {
            return Some(What::Onward(rest.parse().ok()?));
        }
        if let Some((series, page, number)) = Series::guess(path) {
            return Some(What::Series(series, page, number));
        }
        match path {
            "/" => Some(What::Page(0)),
            "/robots.txt" => Some(What::Robots),
            "/moved/robots.txt" => Some(What::RobotsMoved),
            "/sitemap.xml" | "/sitemap.xml.gz" => Some(What::Sitemap),
            "/sitemap-1.xml" => Some(What::SitemapPart(1)),
            "/sitemap-2.xml.gz" => Some(What::SitemapPart(2)),
            _ if path.starts_with("/go/") => Some(What::Hop(u8::try_from(numbers.0?).ok()?, numbers.1?)),
            _ if path.starts_with("/extra/") => Some(What::Extra(numbers.1?)),
            _ if path.starts_with("/guest/") => Some(What::Guest(numbers.0?, numbers.1?)),
            _ => numbers.1.filter(|page| *page < self.hosts[host as usize].pages).map(What::Page),
        }
    }

    fn exists(&self, host: u32, what: What) -> bool {
        let owner = &self.hosts[host as usize];
        match what {
            What::Robots => true,
            What::RobotsMoved => owner.robots == super::RobotsKind::Moved,
            What::Sitemap => owner.sitemap != SitemapKind::None,
            What::SitemapPart(_) => owner.sitemap == SitemapKind::Index,
            What::Page(page) => page < owner.pages,
            What::Hop(left, page) => match self.special(host, page) {
                Some(Special::RedirectChain) => (1..=3).contains(&left),
                Some(Special::RedirectLoop) => (1..=2).contains(&left),
                _ => false,
            },
            What::Extra(page) => self.special(host, page).is_some_and(leads_to_an_extra),
            What::Guest(from, page) => {
                (from as usize) < self.hosts.len()
                    && self.special(from, page) == Some(Special::RedirectAway)
                    && self.other_host(from, page) == host
            }
            What::Month(_) => self.has(Special::Calendar),
            What::Session(..) => self.has(Special::Sessions),
            What::Deep(_) => self.has(Special::EndlessPath),
            What::Onward(_) => self.has(Special::RedirectsWithoutEnd),
            What::Series(Series::Turn, ..) => self.has(Special::Labyrinth),
            What::Series(series, page, number) => {
                series.has(number) && self.special(host, page) == Some(series.special())
            }
            What::Missing => false,
        }
    }

    fn has(&self, special: Special) -> bool {
        self.options.specials.iter().any(|(kind, share)| *kind == special && *share > 0.0)
    }

    /// Paths of several shapes, with the number of the page as their last digits.
    fn write_page_path(&self, host: u32, page: u32, out: &mut String) {
        if page == 0 {
            out.push('/');
            return;
        }
        let mut dice = Dice::new(self.options.seed, &[3, u64::from(host), u64::from(page)]);
        let section = dice.pick(&SECTIONS);
        if let Some(slug) = self.event_slug(host, page) {
            let _ = write!(out, "/{section}/{slug}/{page}");
            return;
        }
        let _ = match dice.below(8) {
            0 => {
                write!(out, "/{section}/{}/{:02}/{page}.html", dice.between(2015, 2024), dice.between(1, 12))
            }
            1 => write!(out, "/archive/{page}"),
            2 => write!(out, "/{section}/all/{page}.html"),
            3 => write!(out, "/index.php?id={page}"),
            4 => write!(out, "/view?section={section}&item={page}"),
            5 if dice.chance(0.3) => write!(out, "/private/{page}"),
            5 if dice.chance(0.3) => write!(out, "/private/open/{page}"),
            6 => write!(out, "/caf%C3%A9/{section}/{page}/"),
            _ => write!(out, "/{section}/{page}"),
        };
    }

    /// The host that [`Special::RedirectAway`] leads to.
    pub(super) fn other_host(&self, host: u32, page: u32) -> u32 {
        let count = self.hosts.len() as u64;
        let step = 1 + Dice::new(self.options.seed, &[4, u64::from(host), u64::from(page)]).below(count - 1);
        ((u64::from(host) + step) % count) as u32
    }
}

/// Whether such a page leads to a page that nothing else leads to.
pub(super) fn leads_to_an_extra(special: Special) -> bool {
    use Special::{
        NofollowField, NofollowLink, NofollowPage, Noindex, Orphan, Redirect, RedirectChain, Slow,
        TooManyRequests, Unavailable,
    };
    matches!(
        special,
        Redirect
            | RedirectChain
            | TooManyRequests
            | Unavailable
            | NofollowPage
            | NofollowField
            | NofollowLink
            | Noindex
            | Orphan
            | Slow
    )
}

/// The last two numbers in a path.
fn numbers(path: &str) -> (Option<u32>, Option<u32>) {
    let mut numbers = path.rsplit(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    let last = numbers.next().and_then(|run| run.parse().ok());
    (numbers.next().and_then(|run| run.parse().ok()), last)
}
