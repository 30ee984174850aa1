//! How much a word tells: the rarer in general, the more.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words;

/// Words of a page, as background goes: how many pages have a word follows from its frequency.
const PAGE_WORDS: f64 = 500.0;
/// The frequency of a word that no list has: one in ten million.
const UNKNOWN_ZIPF: f64 = 2.0;

static ZIPF: LazyLock<HashMap<Box<str>, f32>> =
    LazyLock::new(|| read(include_str!("../../models/background.tsv")));
static MOST: LazyLock<f64> = LazyLock::new(|| told(UNKNOWN_ZIPF));

/// How much a term tells, from 0 for those of every page to 1 for those nobody knows: the logarithm of how many pages there are for each
/// with it (Spärck Jones' inverse document frequency), of the built-in background.
pub(super) fn weight(term: &str) -> f64 {
    let zipf = ZIPF.get(term).map_or(UNKNOWN_ZIPF, |zipf| f64::from(*zipf));
    told(zipf) / *MOST
}

fn told(zipf: f64) -> f64 {
    let per_word = 10_f64.powf(zipf - 9.0);
    // Of a Poisson process: the share of pages with at least one.
    -(-(-PAGE_WORDS * per_word).exp_m1()).ln()
}

fn read(lists: &str) -> HashMap<Box<str>, f32> {
    let mut all: HashMap<Box<str>, f32> = HashMap::new();
    for (zipf, row) in lists.lines().filter_map(|line| line.split_once('\t')) {
        let Ok(zipf) = zipf.parse::<f32>() else { continue };
        for word in row.split(' ') {
            // A word and its plural are one term, as frequent as the more frequent of both.
            let known = all.entry(words::term(word).into()).or_insert(zipf);
            *known = known.max(zipf);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_tell_more() {
        let told = ["the", "people", "war", "flood", "evacuation", "orvane"].map(weight);
        assert!(told.is_sorted(), "{told:?}");
        assert!(told[0] < 0.01 && told[5] > 0.99, "{told:?}");
    }
}
