//! How far two readings of a page agree.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::AddAssign;

use super::reading::Reading;

/// Sums over pages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Agreement {
    /// Pages compared.
    pub(crate) pages: usize,
    /// Pages with the same words in the same order, each in the same elements and link.
    pub(crate) same_words: usize,
    /// Pages with the same words in the same order, whatever is around them.
    pub(crate) same_text: usize,
    /// Pages with the same elements and attributes in the same order.
    pub(crate) same_elements: usize,
    /// Pages with the same set of links.
    pub(crate) same_links: usize,
    /// Words of html5ever's readings.
    pub(crate) words: usize,
    /// Those that ours has in the same elements and link.
    pub(crate) words_found: usize,
    /// Elements of html5ever's readings.
    pub(crate) elements: usize,
    /// Those that ours has with the same attributes.
    pub(crate) elements_found: usize,
    /// Links of html5ever's readings.
    pub(crate) links: usize,
    /// Those that ours has with the same attributes.
    pub(crate) links_found: usize,
}

impl Agreement {
    /// Compares our reading of a page with the oracle's.
    pub(crate) fn of(ours: &Reading, oracle: &Reading) -> Agreement {
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
    pub(crate) fn is_full(&self) -> bool {
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

/// How many of the oracle's are among ours, each counted as often as it is there.
fn common<T: Hash + Eq>(ours: &[T], oracle: &[T]) -> usize {
    let mut left: HashMap<&T, usize> = HashMap::new();
    for one in ours {
        *left.entry(one).or_default() += 1;
    }
    let mut found = 0;
    for one in oracle {
        if let Some(count) = left.get_mut(one).filter(|count| **count > 0) {
            *count -= 1;
            found += 1;
        }
    }
    found
}
