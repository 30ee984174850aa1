//! WACZ packages: WARC files, their index and their list of pages in one zip file (WACZ 1.1.1).
//!
//! [`Wacz`] reads a package; WARC files lie in it as they are, so that [`Wacz::range`] tells where the bytes of a record
//! are in the package. [`validate`] lists what is wrong with one, and [`create`] writes one.

mod create;
mod package;
mod pages;
mod problem;
mod read;
mod target;
mod validate;

pub use create::{IndexFile, Overwrite, WaczContents, Watch, create};
pub use package::{DataPackage, Resource};
pub use pages::{Page, PageLine, PageLines, PageList};
pub use problem::WaczProblem;
pub use read::{Wacz, WaczEntry};
pub use validate::{WaczReport, validate};

/// The version of the specification that we write.
pub const WACZ_VERSION: &str = "1.1.1";

const DATAPACKAGE: &str = "datapackage.json";
const DATAPACKAGE_DIGEST: &str = "datapackage-digest.json";
const PAGES: &str = "pages/pages.jsonl";

/// Whether an entry is a WARC file.
fn is_warc(name: &str) -> bool {
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    name.starts_with("archive/") && has_extension(plain, &["warc"])
}

/// Whether an entry is an index, or the index of one.
fn is_index(name: &str) -> bool {
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    name.starts_with("indexes/") && has_extension(plain, &["cdx", "cdxj", "idx"])
}

/// Whether an entry is a list of pages.
fn is_page_list(name: &str) -> bool {
    name.starts_with("pages/") && has_extension(name, &["jsonl"])
}

/// Whether the last extension of a name is one of these, in any case of letters.
fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let last = name.rsplit_once('.').map(|(_, extension)| extension);
    last.is_some_and(|last| extensions.iter().any(|extension| last.eq_ignore_ascii_case(extension)))
}
