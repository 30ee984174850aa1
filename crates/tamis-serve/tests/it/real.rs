//! Packages that others made, in headless Chromium.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tamis_archive::Source;
use tamis_archive::wacz::Wacz;
use tamis_serve::{Access, Files, Limits, Stock};
use tamis_testkit::real_data;

use super::browser::{asked, chromium, picture, show};
use super::start;

/// What Chromium asks for by itself, whatever it shows.
const OF_CHROMIUM: [&str; 4] =
    ["accounts.google.com", "clients2.google.com", "redirector.gvt1.com", "update.googleapis.com"];

/// A package.
struct Package(PathBuf);

impl Files for Package {
    fn list(&self) -> (Vec<PathBuf>, Vec<String>) {
        (vec![self.0.clone()], Vec::new())
    }

    fn open(&self, path: &Path) -> (Vec<Source>, Vec<String>) {
        let ranges = Wacz::open(path).and_then(|mut wacz| wacz.warc_ranges()).expect("a package");
        let source = |(entry, range): (tamis_archive::wacz::WaczEntry, Option<std::ops::Range<u64>>)| {
            Source::part(path, entry.name, range.expect("stored as it is"))
        };
        (ranges.into_iter().map(source).collect(), Vec::new())
    }
}

#[test]
fn packages_of_a_browser_are_replayed_and_nothing_leaves_them() {
    let (Some(folder), Some(program)) = (real_data("warc"), chromium()) else { return };
    for (file, url, least) in [
        ("scoop/example.com.wacz", "http://example.com/", 0),
        ("scoop/example.wacz", "https://lil.law.harvard.edu/projects/", 10),
        ("scoop/noarchive.netlify.app.wacz", "https://noarchive-test.netlify.app/", 0),
    ] {
        let path = folder.join(file);
        if !path.is_file() {
            eprintln!("NOT RUN: {} is not there", path.display());
            continue;
        }
        let stock = Stock::Files(Box::new(Package(path)));
        let served = start(
            Arc::new(tempfile::tempdir().expect("a folder")),
            vec![("a".into(), stock)],
            Access::default(),
            Limits::default(),
        );
        let captures =
            served.get(&format!("/c/a/cdx?url={url}&fl=timestamp&output=text&filter=!mime:revisit"));
        let timestamp =
            captures.lines().first().cloned().unwrap_or_else(|| panic!("{file}: no capture of {url}"));
        let (_, log) = show(&program, &served, &format!("/c/a/web/{timestamp}/{url}"), &[]);
        let loaded = asked(&served).len();
        assert!(loaded >= least + 4, "{file}: {loaded} requests");
        // Whatever was asked for is of this machine.
        let urls = log.match_indices("\"url\":\"http").map(|(at, _)| &log[at + 7..(at + 200).min(log.len())]);
        let hosts = urls.filter_map(|url| url.split('/').nth(2)).filter(|host| !OF_CHROMIUM.contains(host));
        let outside: BTreeSet<_> = hosts.filter(|host| !host.contains("localhost")).collect();
        assert!(outside.is_empty(), "{file}: {outside:?}");
        picture(&program, &served, &format!("/c/a/web/{timestamp}/{url}"), &file.replace('/', "-"));
    }
}
