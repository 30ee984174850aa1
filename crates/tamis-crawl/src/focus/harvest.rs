//! The harvest: which share of the pages is relevant.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Why a focused crawl ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Too few of the last pages were relevant.
    HarvestFloor,
    /// No link is left that promises enough.
    NothingPromising,
}

/// The harvest of a crawl at one moment, over all its runs. Pages are those with text: answers 200 of HTML or plain text.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Harvest {
    /// Pages that were judged.
    pub pages: u64,
    /// Those that were relevant.
    pub relevant: u64,
    /// Of the pages, the last ones that are looked at.
    pub window_pages: u64,
    /// Those that were relevant.
    pub window_relevant: u64,
    /// Why it ended by itself, if it did.
    pub ended: Option<Ending>,
}

/// Counts the harvest. Memory: a byte for each page of the window.
#[derive(Debug, Clone)]
pub struct HarvestCounter {
    last: VecDeque<bool>,
    window: usize,
    harvest: Harvest,
}

impl Harvest {
    /// Which share of all pages is relevant; 0 of none.
    pub fn ratio(&self) -> f64 {
        share(self.relevant, self.pages)
    }

    /// Which share of the last pages is.
    pub fn window_ratio(&self) -> f64 {
        share(self.window_relevant, self.window_pages)
    }
}

impl HarvestCounter {
    /// A counter that looks at so many pages.
    pub fn new(window: usize) -> Self {
        Self { last: VecDeque::new(), window: window.max(1), harvest: Harvest::default() }
    }

    /// Takes in a page.
    pub fn note(&mut self, is_relevant: bool) {
        let harvest = &mut self.harvest;
        if self.last.len() == self.window {
            harvest.window_relevant -= u64::from(self.last.pop_front() == Some(true));
        }
        self.last.push_back(is_relevant);
        harvest.pages += 1;
        harvest.relevant += u64::from(is_relevant);
        harvest.window_relevant += u64::from(is_relevant);
        harvest.window_pages = self.last.len() as u64;
    }

    /// Whether the window is full and the harvest in it below that share.
    pub fn is_below(&self, floor: f64) -> bool {
        self.last.len() == self.window && self.harvest.window_ratio() < floor
    }

    /// The harvest by now.
    pub fn harvest(&self) -> &Harvest {
        &self.harvest
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_slides() {
        let mut counter = HarvestCounter::new(4);
        for (relevant, expected) in [
            (true, (1, 1)),
            (true, (2, 2)),
            (false, (2, 3)),
            (false, (2, 4)),
            (false, (1, 4)),
            (true, (1, 4)),
        ] {
            assert!(!counter.is_below(0.25), "{counter:?}");
            counter.note(relevant);
            let harvest = counter.harvest();
            assert_eq!((harvest.window_relevant, harvest.window_pages), expected);
        }
        assert!(counter.is_below(0.3) && !counter.is_below(0.0));
        assert_eq!((counter.harvest().ratio(), counter.harvest().window_ratio()), (0.5, 0.25));
        assert!(Harvest::default().ratio().abs() < f64::EPSILON);
    }
}
