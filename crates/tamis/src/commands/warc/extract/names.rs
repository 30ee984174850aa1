//! Names that are taken already, so that no payload is written over another.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};

use super::place::Place;

/// The paths given out so far. Some file systems do not tell letters of different case apart, so neither do we.
///
/// Memory: about 30 bytes for each file and folder, by a hash of its path. Two paths of the same hash would cost one of them a
/// longer name, no more.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashMap<u64, Taken>,
}

#[derive(Debug, Clone, Copy)]
struct Taken {
    is_folder: bool,
    /// The last number behind this name that was given out.
    number: u32,
}

impl Names {
    /// No names but that of one file.
    pub(super) fn with(file: &str) -> Self {
        let mut names = Self::default();
        names.claim(file);
        names
    }

    /// A path that nothing else has, with `/` between names. The first payload of a place gets its plain name, later ones the
    /// time of their capture, and if that is the same a number.
    pub(super) fn take(&mut self, place: &Place, digits: &str) -> String {
        let mut folder = String::new();
        for name in &place.folders {
            folder = self.folder(&folder, name);
        }
        let dot = if place.extension.is_empty() { "" } else { "." };
        let path = |mark: &str| format!("{folder}/{}{mark}{dot}{}", place.stem, place.extension);
        let plain = path("");
        if self.claim(&plain) {
            return plain;
        }
        let dated = path(&format!(".{digits}"));
        if self.claim(&dated) {
            return dated;
        }
        loop {
            let number = self.next_number(&dated);
            let numbered = path(&format!(".{digits}-{number}"));
            if self.claim(&numbered) {
                return numbered;
            }
        }
    }

    /// A folder in another. Where a file has its name, it gets a `+`.
    fn folder(&mut self, parent: &str, name: &str) -> String {
        let mut path = if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") };
        while !self.taken.entry(key(&path)).or_insert(Taken { is_folder: true, number: 1 }).is_folder {
            path.push('+');
        }
        path
    }

    fn claim(&mut self, path: &str) -> bool {
        match self.taken.entry(key(path)) {
            Entry::Vacant(entry) => {
                entry.insert(Taken { is_folder: false, number: 1 });
                true
            }
            Entry::Occupied(_) => false,
        }
    }

    /// The next number for a name that is taken.
    fn next_number(&mut self, path: &str) -> u32 {
        let taken = self.taken.entry(key(path)).or_insert(Taken { is_folder: false, number: 1 });
        taken.number = taken.number.saturating_add(1);
        taken.number
    }
}

fn key(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.to_ascii_lowercase().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_payload_has_a_name_of_its_own() {
        let mut names = Names::with("extracted.jsonl");
        for (url, digits, expected) in [
            ("http://a/x.html", "2024", "a/x.html"),
            ("http://a/x.html", "2025", "a/x.2025.html"),
            ("http://a/x.html", "2025", "a/x.2025-2.html"),
            ("http://a/X.html", "2025", "a/X.2025-3.html"),
            ("http://a/x.html/y.css", "2024", "a/x.html+/y.css"),
            ("http://a/x.html/z.css", "2024", "a/x.html+/z.css"),
            ("http://a/d/y.css", "2024", "a/d/y.css"),
            ("http://a/d", "2024", "a/d.2024"),
            ("http://a/d.2024/y", "2024", "a/d.2024+/y"),
            ("http://a/e.2024/y", "2024", "a/e.2024/y"),
            ("http://a/e/y", "2024", "a/e/y"),
            ("http://a/e", "2024", "a/e.2024-2"),
            ("http://a/e", "2024", "a/e.2024-3"),
            ("http://extracted.jsonl/", "2024", "extracted.jsonl+/index.html"),
        ] {
            assert_eq!(names.take(&Place::of(url, None), digits), expected, "{url}");
        }
    }

    #[test]
    fn many_captures_of_one_moment_take_no_time() {
        let mut names = Names::default();
        let place = Place::of("http://a/", None);
        let taken: std::collections::HashSet<String> =
            (0..50_000).map(|_| names.take(&place, "2024")).collect();
        assert_eq!(taken.len(), 50_000);
    }
}
