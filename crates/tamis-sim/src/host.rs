//! The hosts of a world: their names, addresses, manners, and how many pages each has.

use std::net::Ipv4Addr;

use super::dice::Dice;
use super::options::{Quirk, RobotsKind, SitemapKind, WorldOptions};
use super::text::LANGUAGES;

/// A host. Its first `articles` pages are articles, the others up to `pages` are special.
#[derive(Debug, Clone)]
pub(super) struct Host {
    pub(super) name: Box<str>,
    pub(super) tls: bool,
    pub(super) address: u32,
    pub(super) articles: u32,
    pub(super) pages: u32,
    pub(super) language: usize,
    pub(super) robots: RobotsKind,
    pub(super) sitemap: SitemapKind,
    pub(super) quirk: Option<Quirk>,
}

/// All hosts; the first one is always well, so that a crawl can start there.
pub(super) fn hosts(options: &WorldOptions) -> Vec<Host> {
    let count = options.hosts.max(1);
    let shares = shares_of_pages(options.seed, count, options.host_skew);
    let special: f64 = options.specials.iter().map(|(_, share)| share).sum();
    (0..count)
        .zip(shares)
        .map(|(index, share)| {
            let pages = ((f64::from(options.pages) * share).round() as u32).max(1);
            let articles = ((f64::from(pages) * (1.0 - special)).round() as u32).clamp(1, pages);
            Host { articles, pages, ..host(options, index) }
        })
        .collect()
}

/// The address of that index. Everything of a world stays in 127.77.0.0/16.
pub(super) fn address(index: u32) -> Ipv4Addr {
    let [.., high, low] = index.to_be_bytes();
    // No address ends in 0 or 255, which some programs refuse.
    let part = u16::from_be_bytes([high, low]);
    Ipv4Addr::new(127, 77, (part / 250) as u8, (part % 250 + 1) as u8)
}

fn host(options: &WorldOptions, index: u32) -> Host {
    let mut dice = Dice::new(options.seed, &[1, u64::from(index)]);
    let quirk = dice.choose(&options.quirks, 1.0);
    let robots = dice.choose(&options.robots, 1.0).unwrap_or(RobotsKind::AllowAll);
    let first = index == 0;
    Host {
        name: name(index).into_boxed_str(),
        tls: dice.chance(options.tls) || (quirk == Some(Quirk::BadCertificate) && !first),
        address: host_address(&mut dice, index, options.addresses.clamp(1, 60_000)),
        articles: 1,
        pages: 1,
        language: if options.topics || options.events > 0 { 0 } else { language(&mut dice) },
        robots: if first { RobotsKind::AllowAll } else { robots },
        sitemap: dice.choose(&options.sitemaps, 1.0).unwrap_or(SitemapKind::None),
        quirk: quirk.filter(|_| !first),
    }
}

/// Every fourth host has a domain of its own; the others share one.
fn name(index: u32) -> String {
    if index % 4 == 3 { format!("www.h{index:04}.example") } else { format!("h{index:04}.sim.example") }
}

/// The first hosts have an address each; of the others, many are on few.
fn host_address(dice: &mut Dice, index: u32, addresses: u32) -> u32 {
    if index < addresses { index } else { dice.small(addresses) }
}

fn language(dice: &mut Dice) -> usize {
    if dice.chance(0.5) { dice.below(3) as usize } else { dice.below(LANGUAGES.len() as u64) as usize }
}

/// Zipf's law to the power of `skew`, in no order that shows in the names.
fn shares_of_pages(seed: u64, count: u32, skew: f64) -> Vec<f64> {
    let mut ranks: Vec<u32> = (0..count).collect();
    Dice::new(seed, &[2]).shuffle(&mut ranks);
    let weights: Vec<f64> = ranks.iter().map(|rank| f64::from(rank + 1).powf(-skew)).collect();
    let whole: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_share_addresses_and_pages_unequally() {
        let options = WorldOptions { host_skew: 0.8, ..WorldOptions::polite_test(1, 300, 30_000) };
        let hosts = hosts(&options);
        let pages: u32 = hosts.iter().map(|host| host.pages).sum();
        assert!((29_500..30_500).contains(&pages), "{pages}");
        let largest = hosts.iter().map(|host| host.pages).max();
        assert!(largest > Some(1_000), "{largest:?}");
        let on_first = hosts.iter().filter(|host| host.address < 5).count();
        assert!(on_first > 30, "{on_first}");
        assert!(hosts.iter().all(|host| host.address < options.addresses));
    }

    #[test]
    fn addresses_are_loopback_and_distinct() {
        let all: std::collections::BTreeSet<_> = (0..60_000).map(address).collect();
        assert_eq!(all.len(), 60_000);
        assert!(all.iter().all(Ipv4Addr::is_loopback));
    }
}
