//! A world: what answers to which URL.

use std::collections::HashMap;
use std::net::Ipv4Addr;

use super::event::{self, Event};
use super::host::{self, Host};
use super::options::{Quirk, Special, WorldOptions};
use super::spot::{Spot, What};
use super::text::Text;

/// A web that is a function from URLs to answers.
///
/// Its memory is that of its hosts and some 5 MB of text, however many pages there are.
pub struct World {
    pub(super) options: WorldOptions,
    pub(super) hosts: Vec<Host>,
    pub(super) text: Text,
    pub(super) special_share: f64,
    pub(super) copy_share: f64,
    /// The planted events, and the hosts that report on each.
    pub(super) events: Vec<Event>,
    by_name: HashMap<Box<str>, u32>,
}

impl World {
    /// A world of the options.
    pub fn new(options: WorldOptions) -> Self {
        let hosts = host::hosts(&options);
        let by_name = hosts.iter().map(|host| host.name.clone()).zip(0..).collect();
        let share = |wanted: &dyn Fn(Special) -> bool| {
            options.specials.iter().filter(|(kind, _)| wanted(*kind)).map(|(_, share)| share).sum()
        };
        let special_share = share(&|_| true);
        let copy_share = share(&|kind| matches!(kind, Special::Copy | Special::NearCopy));
        let events = event::events(&options);
        Self { events, text: Text::new(options.seed), special_share, copy_share, by_name, hosts, options }
    }

    /// [`WorldOptions::plain`].
    pub fn plain(seed: u64, hosts: u32, pages: u32) -> Self {
        Self::new(WorldOptions::plain(seed, hosts, pages))
    }

    /// [`WorldOptions::polite_test`].
    pub fn polite_test(seed: u64, hosts: u32, pages: u32) -> Self {
        Self::new(WorldOptions::polite_test(seed, hosts, pages))
    }

    /// [`WorldOptions::hostile`].
    pub fn hostile(seed: u64, hosts: u32, pages: u32) -> Self {
        Self::new(WorldOptions::hostile(seed, hosts, pages))
    }

    /// [`WorldOptions::series`].
    pub fn series(seed: u64, hosts: u32, pages: u32) -> Self {
        Self::new(WorldOptions::series(seed, hosts, pages))
    }

    /// [`WorldOptions::demo`].
    pub fn demo(seed: u64) -> Self {
        Self::new(WorldOptions::demo(seed))
    }

    /// What the world is made of.
    pub fn options(&self) -> &WorldOptions {
        &self.options
    }

    /// The names of all hosts.
    pub fn hosts(&self) -> impl Iterator<Item = &str> {
        self.hosts.iter().map(|host| &*host.name)
    }

    /// The address of a host.
    pub fn address(&self, host: &str) -> Option<Ipv4Addr> {
        self.by_name.get(host).map(|index| host::address(self.hosts[*index as usize].address))
    }

    /// The first pages of hosts; that of the first host leads to nearly everything.
    pub fn seeds(&self, count: usize) -> Vec<String> {
        let homes = (0..self.hosts.len() as u32).take(count);
        homes.map(|host| self.url(Spot { host, old: false, what: What::Page(0) })).collect()
    }

    /// Whether a URL is one of endlessly many.
    pub fn is_trap(&self, url: &str) -> bool {
        self.spot(url).is_some_and(|spot| spot.what.is_trap())
    }

    /// The planted topic of an article: 0 is the flood, 1 the observatory.
    pub fn topic(&self, url: &str) -> Option<u8> {
        match self.spot(url)? {
            Spot { host, what: What::Page(page), .. } if self.special(host, page).is_none() => {
                self.topic_of(host, page)
            }
            _ => None,
        }
    }

    /// The planted event that an article is about, from 0.
    pub fn event(&self, url: &str) -> Option<u8> {
        match self.spot(url)? {
            Spot { host, what: What::Page(page), .. } if self.special(host, page).is_none() => {
                self.event_of(host, page)
            }
            _ => None,
        }
    }

    /// Articles about an event, each of another host as long as there are: what a crawl for it may be told.
    pub fn event_articles(&self, event: u8, count: usize) -> Vec<String> {
        let found = self.some_event_articles(event, count).into_iter();
        found.map(|(host, page)| self.url(Spot { host, old: false, what: What::Page(page) })).collect()
    }

    /// How many articles are about an event.
    pub fn count_event_articles(&self, event: u8) -> u64 {
        let on = |host: u32| {
            (0..self.hosts[host as usize].articles)
                .filter(move |page| self.event_of(host, *page) == Some(event))
                .count() as u64
        };
        (0..self.hosts.len() as u32).map(on).sum()
    }

    /// The special kind of a URL's page, if it has one.
    pub fn special_of(&self, url: &str) -> Option<Special> {
        let spot = self.spot(url)?;
        let What::Page(page) = spot.what else { return None };
        self.special(spot.host, page)
    }

    /// The quirk of a host, if it has one.
    pub fn quirk(&self, host: &str) -> Option<Quirk> {
        self.hosts[*self.by_name.get(host)? as usize].quirk
    }

    /// What a URL leads to; `None` for hosts that are not of this world. The URL is spelt as WHATWG URL does.
    pub(super) fn spot(&self, url: &str) -> Option<Spot> {
        let (scheme, rest) = url.split_once("://")?;
        let path_start = rest.find(['/', '?']).unwrap_or(rest.len());
        let (name, path) = rest.split_at(path_start);
        let host = self.host_index(name)?;
        Some(self.spot_on(host, scheme == "https", if path.is_empty() { "/" } else { path }))
    }

    /// What a path of a host leads to.
    pub(super) fn spot_on(&self, host: u32, secure: bool, path: &str) -> Spot {
        let tls = self.hosts[host as usize].tls;
        // A host without TLS has nothing to say over it.
        let what = if secure && !tls { What::Missing } else { self.locate(host, path) };
        Spot { host, old: tls && !secure, what }
    }

    pub(super) fn host_index(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }
}
