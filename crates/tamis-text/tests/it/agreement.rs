//! How far two readings of a page agree.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::AddAssign;

use super::reading::Reading;

/// Sums over pages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    /// Pages compared.
    pub pages: usize,
    /// Pages with the same words in the same order, each in the same elements and link.
    pub same_words: usize,
    /// Pages with the same words in the same order, whatever is around them.
    pub same_text: usize,
    /// Pages with the same elements and attributes in the same order.
    pub same_elements: usize,
    /// Pages with the same set of links.
    pub same_links: usize,
    /// Words of html5ever's readings.
    pub words: usize,
    /// Those that ours has in the same elements and link.
    pub words_found: usize,
    /// Elements of html5ever's readings.
    pub elements: usize,
    /// Those that ours has with the same attributes.
    pub elements_found: usize,
    /// Links of html5ever's readings.
    pub links: usize,
    /// Those that ours has with the same attributes.
    pub links_found: usize,
}

impl Agreement {
    /// Compares our reading of a page with the oracle's.
    pub fn of(ours: &Reading, oracle: &Reading) -> Agreement {
        let texts = |reading: &Reading| reading.words.iter().map(|w| w.text.clone()).collect::<String>();
        Agreement {
            pages: 1,
            same_words: usize::from(ours.words == oracle.words),
            same_text: usize::from(texts(ours) == texts(oracle)),
            same_elements: usize::from(ours.elements == oracle.elements),
            same_links: usize::from(ours.links == oracle.links),
            words: oracle.words.len(),
            words_found: common(&ours.words, &oracle.words),
            elements: oracle.elements.len(),
            elements_found: common(&ours.elements, &oracle.elements),
            links: oracle.links.len(),
            links_found: common(&ours.links, &oracle.links),
        }
    }

    /// Whether the readings are the same in all.
    pub fn is_full(&self) -> bool {
        let least = self.same_words.min(self.same_elements).min(self.same_links);
        least == self.pages
    }
}

impl AddAssign for Agreement {
    fn add_assign(&mut self, other: Agreement) {
        self.pages += other.pages;
        self.same_words += other.same_words;
        self.same_text += other.same_text;
        self.same_elements += other.same_elements;
        self.same_links += other.same_links;
        self.words += other.words;
        self.words_found += other.words_found;
        self.elements += other.elements;
        self.elements_found += other.elements_found;
        self.links += other.links;
        self.links_found += other.links_found;
    }
}

/// How many of `those` are among `these`, each counted as often as it is there.
fn common<T: Hash + Eq>(these: &[T], those: &[T]) -> usize {
    let mut left: HashMap<&T, usize> = HashMap::new();
    for one in these {
        *left.entry(one).or_default() += 1;
    }
    let mut found = 0;
    for one in those {
        if let Some(count) = left.get_mut(one).filter(|count| **count > 0) {
            *count -= 1;
            found += 1;
        }
    }
    found
}
