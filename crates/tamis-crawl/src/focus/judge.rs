//! The three orders in which links can be followed, behind one question.

use std::fmt;
use std::str::FromStr;

use super::model::Model;
use super::score::{Relevance, Scorer};
use super::text::PageText;
use crate::page::{Link, LinkText};
use crate::workbench::Order;

/// In which order a crawl for an event follows links.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// By what links say, the relevance of their pages and the importance of their sources; through irrelevant pages, too.
    #[default]
    Focused,
    /// By the similarity of their pages in terms, and nothing else: what focused crawls are held against.
    BestFirst,
    /// As they come.
    BreadthFirst,
}

/// What a focused crawl is told.
#[derive(Debug, Clone, PartialEq)]
pub struct FocusOptions {
    /// The event.
    pub model: Model,
    /// In which order links are followed.
    pub strategy: Strategy,
    /// The crawl ends when a smaller share of the last [`harvest_window`](Self::harvest_window) pages is relevant; 0 for never.
    pub harvest_floor: f64,
    /// So many pages the harvest is looked at over.
    pub harvest_window: usize,
    /// Links that promise less are not followed, and the crawl ends when there are no others; 0 to follow all. Only
    /// [`Strategy::Focused`] asks.
    pub least_hope: f32,
}

/// Judges pages and their links. All threads share it.
#[derive(Debug, Clone)]
pub struct Judge {
    scorer: Scorer,
    strategy: Strategy,
}

/// What was found of a page.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// How relevant it is.
    pub relevance: Relevance,
    /// Whether it counts as relevant.
    pub is_relevant: bool,
    inherited: f64,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Focused, Self::BestFirst, Self::BreadthFirst];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Focused => "focused",
            Self::BestFirst => "best-first",
            Self::BreadthFirst => "breadth-first",
        }
    }

    /// How the queues of hosts are kept for it.
    pub fn order(self) -> Order {
        match self {
            Self::Focused | Self::BestFirst => Order::Scored,
            Self::BreadthFirst => Order::Fifo,
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let known = Self::ALL.into_iter().find(|strategy| strategy.name() == name);
        known.ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

/// No strategy has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown strategy {0:?}; use focused, best-first or breadth-first")]
pub struct UnknownStrategy(String);

impl FocusOptions {
    /// A focused crawl for an event, until nothing promising is left.
    pub fn new(model: Model) -> Self {
        Self {
            model,
            strategy: Strategy::Focused,
            harvest_floor: 0.0,
            harvest_window: 1_000,
            least_hope: 0.02,
        }
    }

    /// Links that promise less are not followed.
    pub fn least(&self) -> f32 {
        if self.strategy == Strategy::Focused { self.least_hope } else { 0.0 }
    }

    /// How much the importance of sources counts.
    pub fn sources(&self) -> f64 {
        if self.strategy == Strategy::Focused { self.model.links.sources } else { 0.0 }
    }
}

impl Judge {
    /// A judge for a model.
    pub fn new(options: &FocusOptions) -> Self {
        Self { scorer: Scorer::new(&options.model), strategy: options.strategy }
    }

    /// Whether the texts of links count.
    pub fn wants_link_texts(&self) -> bool {
        self.strategy == Strategy::Focused
    }

    /// Judges a page; `hope` is what the link to it promised.
    pub fn judge(&self, page: &PageText, hope: f32) -> Judgement {
        let relevance = self.scorer.score(page);
        let inherited = match self.strategy {
            Strategy::Focused => self.scorer.handed_on(&relevance, hope.into()),
            Strategy::BestFirst => relevance.terms,
            Strategy::BreadthFirst => 0.0,
        };
        Judgement { relevance, is_relevant: self.scorer.is_relevant(&relevance), inherited }
    }

    /// How much a link of a page promises.
    pub fn link(&self, page: &Judgement, link: &Link) -> f32 {
        if self.strategy != Strategy::Focused {
            return page.inherited as f32;
        }
        let silent = LinkText::default();
        let said = link.text.as_deref().unwrap_or(&silent);
        self.scorer.hope(said, link.address.as_str(), page.inherited) as f32
    }

    /// How much an address of a list promises that was fetched with so much hope.
    pub fn listed(&self, address: &str, hope: f32) -> f32 {
        if self.strategy != Strategy::Focused {
            return 0.0;
        }
        let inherited = self.scorer.handed_on(&Relevance::default(), hope.into());
        self.scorer.hope(&LinkText::default(), address, inherited) as f32
    }
}
