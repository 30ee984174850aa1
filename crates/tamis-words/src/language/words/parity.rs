//! The detector beside a slow one that says the same in the plainest way.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;

use super::{Answer, BUILT_IN, Detect, Language, Words};

/// The algorithm as its text tells it.
struct Plain {
    dictionary: HashMap<String, Language>,
}

static PLAIN: LazyLock<Plain> = LazyLock::new(|| Plain::from_json(BUILT_IN));

impl Plain {
    fn from_json(json: &[u8]) -> Self {
        let json: Value = serde_json::from_slice(json).expect("JSON");
        let mut dictionary = HashMap::new();
        for language in json["languages"].as_array().expect("languages") {
            let code = Language::parse(language["ISO_639_V2"].as_str().expect("a code")).expect("a code");
            for word in language["words"].as_array().expect("words") {
                dictionary.insert(word.as_str().expect("a word").to_owned(), code);
            }
        }
        Self { dictionary }
    }

    fn detect(&self, text: &str) -> Answer {
        let separators = "0123456789 \t\n\u{B}\u{C}\r!-$€%^&*()_+|~=`\"{}[]°:;'<>?,@#./•";
        let mut words: Vec<String> = Vec::new();
        let mut words_split = false;
        for word in text.split(|it: char| separators.contains(it)).filter(|word| !word.is_empty()) {
            let characters: Vec<char> = word.chars().collect();
            if eastern(characters[0]) {
                words_split = true;
                for at in 0..characters.len() {
                    words.push(characters[at].to_string());
                    if at + 1 < characters.len() {
                        words.push(characters[at..at + 2].iter().collect());
                    }
                }
            } else {
                words.push(word.to_owned());
            }
        }
        let mut found: BTreeMap<Language, u32> = BTreeMap::new();
        for language in words.iter().filter_map(|word| self.dictionary.get(word)) {
            *found.entry(*language).or_default() += 1;
        }
        let mut counts: Vec<_> = found.into_iter().collect();
        counts.sort_by_key(|it| std::cmp::Reverse(it.1));
        Answer { languages: chosen(&counts, words.len()), counts, total: words.len() as u32, words_split }
    }
}

fn eastern(first: char) -> bool {
    [
        (0x3041, 0x309F),
        (0x30A0, 0x30FF),
        (0x31F0, 0x31FF),
        (0x3190, 0x319F),
        (0x4E00, 0xA000),
        (0x3400, 0x4DC0),
        (0xF900, 0xFB00),
        (0x9FA6, 0x9FCC),
    ]
    .iter()
    .any(|(from, to)| (*from..=*to).contains(&u32::from(first)))
}

/// Shares in units of one in a million million, so that whole numbers compare as the shares do.
fn chosen(counts: &[(Language, u32)], words: usize) -> Vec<Language> {
    let share = |count: u32| u128::from(count) * 100 * 1_000_000_000_000 / words.max(1) as u128;
    let point = 1_000_000_000_000;
    let mut kept: Vec<_> = counts.iter().filter(|it| share(it.1) >= point).collect();
    if kept.is_empty() {
        kept = counts.iter().filter(|it| it.1 == counts[0].1).collect();
    }
    kept.truncate(6);
    let best = kept.first().map_or(0, |it| it.1);
    kept.retain(|it| {
        share(it.1) >= 10 * point || u128::from(best - it.1) * 100 * point <= 3 * point * words as u128
    });
    kept.into_iter().map(|it| it.0).collect()
}

fn piece() -> impl Strategy<Value = String> {
    let listed: Vec<String> = {
        let json: Value = serde_json::from_slice(BUILT_IN).expect("JSON");
        let languages = json["languages"].as_array().expect("languages").clone();
        let words = languages.iter().flat_map(|it| it["words"].as_array().expect("words").clone());
        words.map(|word| word.as_str().expect("a word").to_owned()).collect()
    };
    prop_oneof![
        6 => proptest::sample::select(listed),
        6 => "[ \t\n0-9!$€%^&*()_+|~=`\"{}\\[\\]°:;'<>?,@#./•\\\\ 　’-]{1,3}",
        2 => "[一-鿿ぁ-ヿ、。\u{9FA0}-\u{A002}\u{FAFF}-\u{FB01}]{1,12}",
        1 => "[a-zäöüéçñß]{1,20}",
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn both_answer_the_same_for_any_text(pieces in proptest::collection::vec(piece(), 0..120)) {
        let text = pieces.concat();
        prop_assert_eq!(Words::built_in().detect(&text), PLAIN.detect(&text));
    }

    #[test]
    fn spans_are_in_order_and_cut_no_character(text in any::<String>()) {
        let mut end = 0;
        for span in Words::built_in().spans(&text) {
            prop_assert!(span.range.start >= end && text.get(span.range.clone()).is_some_and(|it| !it.is_empty()));
            end = span.range.end;
        }
    }
}

/// Page for page over the corpora, where they are.
#[test]
fn both_answer_the_same_for_real_texts() {
    let Some(folder) = tamis_testkit::real_data("langid/tatoeba-test") else { return };
    let mut pages = 0;
    for file in std::fs::read_dir(folder).expect("a folder") {
        let text = std::fs::read_to_string(file.expect("an entry").path()).expect("text");
        let lines: Vec<_> = text.lines().take(200).collect();
        for page in lines.chunks(7).map(|lines| lines.join("\n")) {
            assert_eq!(Words::built_in().detect(&page), PLAIN.detect(&page), "{page}");
            pages += 1;
        }
    }
    assert!(pages > 1000, "{pages}");
}
