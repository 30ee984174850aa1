//! Which archive an index means by a name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::archive::Archive;

/// Endings of names of archives, the outermost first.
const ENDINGS: [&str; 9] = [".gz", ".zst", ".zstd", ".bz2", ".xz", ".warc", ".arc", ".wet", ".wat"];

/// The archives that the lines of an index may name.
pub(super) struct Names {
    /// Archives by the last part of their name and that of their path; packs also by the name without `.pack`.
    by_file_name: HashMap<String, Vec<Named>>,
}

#[derive(Debug, Clone)]
struct Named {
    number: usize,
    name: String,
    path: PathBuf,
}

/// An archive that may be meant, and what offsets count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meant {
    pub(super) number: usize,
    /// Whether offsets are those of the file that the archive was packed from.
    pub(super) is_original: bool,
}

impl Names {
    /// The names of archives with the numbers from `first` on.
    pub(super) fn of(first: usize, archives: &[Archive]) -> Self {
        let mut by_file_name: HashMap<String, Vec<Named>> = HashMap::new();
        for (number, archive) in (first..).zip(archives) {
            let path = archive.source.entry().map(PathBuf::from);
            let path = path.or_else(|| archive.source.path().map(Path::to_path_buf)).unwrap_or_default();
            let mut keys = vec![archive.source.file_name(), file_name(&archive.name).to_owned()];
            let packed: Vec<_> =
                keys.iter().filter_map(|key| key.strip_suffix(".pack").map(str::to_owned)).collect();
            keys.extend(packed);
            keys.sort_unstable();
            keys.dedup();
            let named = Named { number, name: archive.name.clone(), path };
            for key in keys {
                by_file_name.entry(key).or_default().push(named.clone());
            }
        }
        Self { by_file_name }
    }

    /// The archives that a name may mean, the likeliest first: that of exactly this name, those whose path ends in it, those
    /// whose file has its last part as a name, and packs that were made of such a file.
    pub(super) fn meant(&self, name: &str) -> Vec<Meant> {
        let last = file_name(name);
        let known = |key: &str| self.by_file_name.get(key).map_or(&[][..], Vec::as_slice);
        let rank = |named: &Named| match named {
            _ if named.name == name => 0,
            _ if named.path.ends_with(name) => 1,
            _ => 2,
        };
        let is_itself = |named: &Named| {
            named.path.file_name().is_some_and(|own| own.to_string_lossy() == last)
                || file_name(&named.name) == last
        };
        let mut direct: Vec<&Named> = known(last).iter().filter(|named| is_itself(named)).collect();
        direct.sort_by_key(|named| rank(named));
        let packed = known(last).iter().filter(|named| !is_itself(named));
        let packed = packed.chain(if stem(last) == last { &[][..] } else { known(stem(last)) });
        let direct = direct.into_iter().map(|named| Meant { number: named.number, is_original: false });
        let packed = packed.map(|named| Meant { number: named.number, is_original: true });
        direct.chain(packed).collect()
    }
}

/// What stands after the last slash. A package's entry `NAME#ENTRY` is called by the entry.
fn file_name(name: &str) -> &str {
    name.rsplit(['/', '#']).next().unwrap_or(name)
}

/// A name of an archive without its endings: `a` for `a.warc.gz`.
fn stem(name: &str) -> &str {
    ENDINGS.iter().fold(name, |name, ending| name.strip_suffix(ending).unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    #[test]
    fn a_name_chooses_among_the_archives_given() {
        let files = ["x/a.warc.gz", "y/a.warc.gz", "b.warc.gz.pack", "c.pack", "d.warc"];
        let mut archives: Vec<Archive> =
            files.iter().map(|path| Archive::new((*path).to_owned(), Source::file(*path), true)).collect();
        archives.push(Archive::new(
            "e.wacz#archive/f.warc.gz".into(),
            Source::part("e.wacz", "archive/f.warc.gz", 0..9),
            true,
        ));
        let names = Names::of(10, &archives);
        for (name, expected) in [
            ("a.warc.gz", &[(10, false), (11, false)][..]),
            ("y/a.warc.gz", &[(11, false), (10, false)]),
            ("crawl/y/a.warc.gz", &[(10, false), (11, false)]),
            ("b.warc.gz", &[(12, true)]),
            ("b.warc.gz.pack", &[(12, false)]),
            ("c.warc.gz", &[(13, true)]),
            ("c.pack", &[(13, false)]),
            ("../d.warc", &[(14, false)]),
            ("f.warc.gz", &[(15, false)]),
            ("e.wacz#archive/f.warc.gz", &[(15, false)]),
            ("../../etc/passwd", &[]),
            ("d", &[]),
            ("", &[]),
        ] {
            let meant: Vec<_> =
                names.meant(name).iter().map(|meant| (meant.number, meant.is_original)).collect();
            assert_eq!(meant, expected, "{name}");
        }
    }
}
