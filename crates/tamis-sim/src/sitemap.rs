//! Sitemaps: every third page of a host, and its orphans, which nothing else leads to.

use std::fmt::Write;

use super::World;
use super::options::{SitemapKind, Special};
use super::spot::{Spot, What};

/// What the protocol allows in one file.
const MOST: usize = 50_000;
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

impl World {
    /// What a sitemap lists: pages, or for an index other sitemaps.
    pub(super) fn sitemap_entries(&self, spot: Spot) -> Vec<Spot> {
        let Spot { host, what, .. } = spot;
        let here = |what| Spot { host, old: false, what };
        if what == What::Sitemap && self.hosts[host as usize].sitemap == SitemapKind::Index {
            return vec![here(What::SitemapPart(1)), here(What::SitemapPart(2))];
        }
        let pages = (0..self.hosts[host as usize].pages).filter(|page| match what {
            What::SitemapPart(part) => page % 2 + 1 == u32::from(part),
            _ => true,
        });
        let listed = pages.filter(|page| match self.special(host, *page) {
            None => page % 3 == 0,
            Some(special) => special == Special::Orphan,
        });
        listed.take(MOST).map(|page| here(What::Page(page))).collect()
    }

    pub(super) fn sitemap_text(&self, spot: Spot) -> String {
        let index =
            spot.what == What::Sitemap && self.hosts[spot.host as usize].sitemap == SitemapKind::Index;
        let (outer, inner) = if index { ("sitemapindex", "sitemap") } else { ("urlset", "url") };
        let mut xml =
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{outer} xmlns=\"{NAMESPACE}\">\n");
        for entry in self.sitemap_entries(spot) {
            let url = self.url(entry).replace('&', "&amp;");
            let _ = writeln!(xml, "<{inner}><loc>{url}</loc></{inner}>");
        }
        let _ = writeln!(xml, "</{outer}>");
        xml
    }
}
