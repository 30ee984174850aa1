//! Which pages link to which. Nothing is stored: the links of a page follow from its number.
//!
//! The articles of a host form a tree below its first page, four to a node, so that all of them can be reached; every
//! special page hangs on an article; the first pages form a tree of hosts. The rest of the links fall on the first
//! pages of hosts and on few hosts far more often than on others.

use super::World;
use super::dice::Dice;
use super::options::Special;
use super::series;
use super::spot::{Spot, What, leads_to_an_extra};

/// A link of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) to: Spot,
    pub(super) nofollow: bool,
}

const CHILDREN: u32 = 4;
/// How often a link looks for a page of its own topic.
const TRIES: u32 = 6;
/// So many pages share one text, about.
const COPIES: u64 = 5;
const SHOP_ITEMS: u8 = 4;

impl World {
    /// The kind of a special page; none for articles and what does not exist.
    pub(super) fn special(&self, host: u32, page: u32) -> Option<Special> {
        let owner = &self.hosts[host as usize];
        if page < owner.articles || page >= owner.pages {
            return None;
        }
        let mut dice = Dice::new(self.options.seed, &[6, u64::from(host), u64::from(page)]);
        let specials = &self.options.specials;
        let chosen = dice.choose(specials, self.special_share).or(specials.last().map(|(kind, _)| *kind));
        // There is no other host to redirect to.
        chosen.map(|kind| {
            if kind == Special::RedirectAway && self.hosts.len() == 1 { Special::Redirect } else { kind }
        })
    }

    /// The links of a spot that is answered with HTML, in the order of the page; none for anything else.
    pub(super) fn links(&self, spot: Spot) -> Vec<Link> {
        let Spot { host, what, .. } = spot;
        match what {
            What::Page(page) => match self.special(host, page) {
                None => self.article_links(host, page),
                Some(special) => self.special_links(host, page, special),
            },
            What::Extra(_) | What::Guest(..) => follow(host, [What::Page(0)]),
            What::Month(month) => {
                let around = [month + 1, month.saturating_sub(1), month + 12].map(What::Month);
                follow(host, around.into_iter().chain([What::Page(0)]))
            }
            What::Session(_, id) => {
                let items = (0..SHOP_ITEMS).map(|item| What::Session(item, next_session(id, item)));
                follow(host, items.chain([What::Page(0)]))
            }
            What::Series(series, page, number) => {
                follow(host, series.links(page, number).into_iter().chain([What::Page(0)]))
            }
            What::Deep(steps) => follow(host, [What::Deep(steps.saturating_add(1)), What::Page(0)]),
            _ => Vec::new(),
        }
    }

    fn article_links(&self, host: u32, page: u32) -> Vec<Link> {
        let mut dice = Dice::new(self.options.seed, &[7, u64::from(host), u64::from(page)]);
        let range = &self.options.links;
        let count = dice.between(*range.start(), *range.end()) as usize;
        let mut links = Vec::with_capacity(count);
        self.push_tree(host, page, &mut links);
        while links.len() < count {
            let of_event = self.event_link(host, page, &mut dice);
            let (to, what) =
                of_event.unwrap_or_else(|| self.anywhere(host, self.topic_of(host, page), &mut dice));
            let old = self.hosts[to as usize].tls && dice.chance(self.options.articles.old_scheme);
            links.push(Link { to: Spot { host: to, old, what }, nofollow: false });
        }
        // Else the tree would always come first.
        let by = dice.below(links.len().max(1) as u64) as usize;
        links.rotate_left(by);
        links
    }

    fn push_tree(&self, host: u32, page: u32, links: &mut Vec<Link>) {
        let owner = &self.hosts[host as usize];
        let children = (1..=CHILDREN).filter_map(|child| page.checked_mul(CHILDREN)?.checked_add(child));
        links.extend(follow(host, children.filter(|child| *child < owner.articles).map(What::Page)));
        let hanging = (owner.articles + page..owner.pages).step_by(owner.articles as usize);
        let linked = hanging.filter(|special| self.special(host, *special) != Some(Special::Orphan));
        links.extend(follow(host, linked.map(What::Page)));
        if page == 0 {
            let below = [2 * host + 1, 2 * host + 2].into_iter().filter(|h| (*h as usize) < self.hosts.len());
            links.extend(below.flat_map(|below| follow(below, [What::Page(0)])));
        }
    }

    /// Some article, near by or not, of the same topic if one is met soon.
    fn anywhere(&self, host: u32, topic: Option<u8>, dice: &mut Dice) -> (u32, What) {
        let mut found = (host, 0);
        for _ in 0..TRIES {
            let to = if dice.chance(self.options.local) { host } else { dice.small(self.hosts.len() as u32) };
            found = (to, dice.small(self.hosts[to as usize].articles));
            if topic.is_none() || self.topic_of(found.0, found.1) == topic {
                break;
            }
        }
        (found.0, What::Page(found.1))
    }

    fn special_links(&self, host: u32, page: u32, special: Special) -> Vec<Link> {
        match special {
            Special::Copy | Special::NearCopy => self.cluster_links(self.cluster(host, page)),
            Special::Calendar => follow(host, [What::Month(2024 * 12 + page % 12)]),
            Special::Sessions => follow(host, [What::Session(0, next_session(u64::from(page), 0))]),
            Special::EndlessPath => follow(host, [What::Deep(0)]),
            // Their links stand in the field `Location`.
            Special::Redirect | Special::RedirectChain => Vec::new(),
            _ if Special::SERIES.contains(&special) => follow(host, series::first(special, page)),
            _ if leads_to_an_extra(special) => {
                use Special::{NofollowField, NofollowLink, NofollowPage};
                let nofollow = matches!(special, NofollowField | NofollowLink | NofollowPage);
                vec![Link { to: Spot { host, old: false, what: What::Extra(page) }, nofollow }]
            }
            _ => Vec::new(),
        }
    }

    /// The text that a copy shares with others; its links are the same wherever it stands, so that what can be reached
    /// does not depend on which copy is met first.
    pub(super) fn cluster(&self, host: u32, page: u32) -> u64 {
        let copies = f64::from(self.options.pages) * self.copy_share;
        let clusters = (copies as u64 / COPIES).max(1);
        Dice::new(self.options.seed, &[8, u64::from(host), u64::from(page)]).below(clusters)
    }

    fn cluster_links(&self, cluster: u64) -> Vec<Link> {
        let mut dice = Dice::new(self.options.seed, &[9, cluster]);
        let hosts = (0..5).map(|_| dice.below(self.hosts.len() as u64) as u32);
        hosts.flat_map(|host| follow(host, [What::Page(0)])).collect()
    }

    /// Where a redirecting spot redirects to.
    pub(super) fn redirect(&self, spot: Spot) -> Option<Spot> {
        let Spot { host, old, what } = spot;
        if old {
            return Some(Spot { old: false, ..spot });
        }
        let here = |what| Spot { host, old: false, what };
        match what {
            What::Robots if self.hosts[host as usize].robots == super::RobotsKind::Moved => {
                Some(here(What::RobotsMoved))
            }
            What::Page(page) => match self.special(host, page)? {
                Special::Redirect => Some(here(What::Extra(page))),
                Special::RedirectAway => {
                    let host = self.other_host(host, page);
                    Some(Spot { host, old: false, what: What::Guest(spot.host, page) })
                }
                Special::RedirectChain => Some(here(What::Hop(3, page))),
                Special::RedirectLoop => Some(here(What::Hop(1, page))),
                Special::RedirectsWithoutEnd => Some(here(What::Onward(page))),
                _ => None,
            },
            What::Hop(left, page) => match (self.special(host, page)?, left) {
                (Special::RedirectChain, 1) => Some(here(What::Extra(page))),
                (Special::RedirectChain, _) => Some(here(What::Hop(left - 1, page))),
                (_, 1) => Some(here(What::Hop(2, page))),
                _ => Some(here(What::Page(page))),
            },
            What::Onward(steps) => steps.checked_add(1).map(|next| here(What::Onward(next))),
            _ => None,
        }
    }

    /// The planted topic of a page.
    pub(super) fn topic_of(&self, host: u32, page: u32) -> Option<u8> {
        if !self.options.topics {
            return None;
        }
        let mut dice = Dice::new(self.options.seed, &[10, u64::from(host), u64::from(page)]);
        // Hosts lean to a topic, as hosts do.
        let lean = (host % 3) as u8;
        let topic = if dice.chance(0.6) { lean } else { dice.below(3) as u8 };
        (topic < 2).then_some(topic)
    }
}

fn follow(host: u32, whats: impl IntoIterator<Item = What>) -> Vec<Link> {
    let link = |what| Link { to: Spot { host, old: false, what }, nofollow: false };
    whats.into_iter().map(link).collect()
}

fn next_session(id: u64, item: u8) -> u64 {
    Dice::new(id, &[11, u64::from(item)]).roll()
}
