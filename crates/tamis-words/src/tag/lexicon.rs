//! What is known of words from large amounts of text: their Brown clusters, and how often they have a capital.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::hash::of_bytes;
use super::sections;
use super::table::Table;

/// What a file of clusters starts with; the last byte is the version.
pub const MAGIC: [u8; 8] = *b"tamiscl\x01";

static BUILT_IN: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::read(Cow::Borrowed(include_bytes!("../../models/clusters.bin")))
        .expect("the file is whole: a test reads it")
});

/// Clusters and capitals of words.
#[derive(Clone, Debug)]
pub struct Lexicon {
    clusters: Table,
    capitals: Table,
}

impl Lexicon {
    /// What comes with the program.
    pub fn built_in() -> &'static Lexicon {
        &BUILT_IN
    }

    /// Reads a file; nothing if it is not whole.
    pub fn read(bytes: Cow<'static, [u8]>) -> Option<Self> {
        let [clusters, capitals] = sections::read(bytes, MAGIC)?;
        Some(Self { clusters: Table::read(clusters)?, capitals: Table::read(capitals)? })
    }

    /// The path to a word's cluster from the root of the tree, the first branch in the lowest bit; 0 if it has none. A word
    /// that is unknown as it is written is looked up in small letters, then with a capital.
    pub fn cluster(&self, word: &str, small: &str, small_hash: u64) -> u16 {
        let exact = self.clusters.get(of_bytes(word.as_bytes()));
        if exact != 0 {
            return exact;
        }
        let in_small = if small == word { 0 } else { self.clusters.get(small_hash) };
        if in_small != 0 {
            return in_small;
        }
        match small.as_bytes() {
            [first @ b'a'..=b'z', rest @ ..] if rest.len() < CAPITALISED => {
                let mut capitalised = [0; CAPITALISED];
                capitalised[0] = first.to_ascii_uppercase();
                capitalised[1..small.len()].copy_from_slice(rest);
                self.clusters.get(of_bytes(&capitalised[..small.len()]))
            }
            _ => 0,
        }
    }

    /// The path of a word in small letters, as it is; 0 if it has none.
    pub fn small_cluster(&self, small_hash: u64) -> u16 {
        self.clusters.get(small_hash)
    }

    /// How often a word in small letters is written with a capital, from 1 (hardly ever) to 7 (nearly always); 0 if the word is
    /// unknown.
    pub fn capitals(&self, small_hash: u64) -> u16 {
        self.capitals.get(small_hash)
    }
}

/// The longest word that is tried with a capital.
const CAPITALISED: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_knows_words() {
        let lexicon = Lexicon::built_in();
        let cluster = |word: &str| {
            let small = word.to_lowercase();
            lexicon.cluster(word, &small, of_bytes(small.as_bytes()))
        };
        assert_ne!(cluster("London"), 0);
        assert_eq!(cluster("London"), cluster("Paris"));
        assert_eq!(cluster("london"), cluster("London"), "by its capital");
        assert_eq!(cluster("qqzzxxw"), 0);
        let capitals = |word: &[u8]| lexicon.capitals(of_bytes(word));
        assert!(capitals(b"london") > capitals(b"table") && capitals(b"table") > 0);
    }

    #[test]
    fn other_files_are_refused() {
        assert!(Lexicon::read(Cow::Borrowed(b"tamiscl\x02........")).is_none());
        assert!(Lexicon::read(Cow::Borrowed(b"")).is_none());
    }
}
