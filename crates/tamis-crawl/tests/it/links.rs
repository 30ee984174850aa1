//! The links of real pages, as the crawler reads them with and without texts, and as the extractor reads them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tamis_archive::http::HttpHead;
use tamis_crawl::Address;
use tamis_crawl::page::{Exchange, Kind, Link, Options, PageReader};
use tamis_page::charset::{Hints, decode_hinted};
use tamis_page::html::{Name, Tree};
use tamis_page::links;
use url::Url;

const URL: &str = "http://site.example/dir/page.html";

/// A link of a page: its address, kind, and whether it says `nofollow`.
type Shown = (String, Kind, bool);

#[test]
fn every_reader_finds_the_same_links_in_real_pages() {
    let Some(folder) = tamis_testkit::real_data("html") else { return };
    let (mut pages, mut found) = (0, 0);
    for path in pages_below(&folder).iter().step_by(3) {
        let body = fs::read(path).expect("the page was listed");
        let plain = read(&body, false);
        assert_eq!(plain, read(&body, true), "with and without texts: {}", path.display());
        let crawled: BTreeSet<String> = plain.iter().map(|(address, ..)| address.clone()).collect();
        let (extracted, kinds) = extracted(&body);
        let only: Vec<_> = crawled.symmetric_difference(&extracted).take(5).collect();
        assert!(only.is_empty(), "crawler and extractor differ: {}: {only:?}", path.display());
        for (address, kind, _) in &plain {
            assert!(kinds.contains(&(address.clone(), *kind)), "{address} as {kind:?}: {}", path.display());
        }
        pages += 1;
        found += plain.len();
    }
    println!("{found} links of {pages} pages");
    assert!(pages > 1_000 && found > 10 * pages, "{found} links of {pages} pages");
}

/// The links as the crawler reads them.
fn read(body: &[u8], link_texts: bool) -> Vec<Shown> {
    let address = Address::parse(URL).expect("an address");
    let options = Options {
        requisites: true,
        link_texts,
        most_links: usize::MAX,
        most_bytes: usize::MAX,
        ..Options::default()
    };
    let head = HttpHead::response(200, &[("content-type", "text/html")]);
    let mut reader = PageReader::new(options);
    let body = reader.decode(&head, body, 0);
    let facts = reader.read(&Exchange { address: &address, head: &head, body: &body });
    let shown = |link: Link| (link.address.to_string(), link.kind, link.nofollow);
    facts.links.into_iter().map(shown).collect()
}

/// The links as the extractor reads them, with what the crawler takes of them:
/// - no forms, relations without a meaning to a crawler, and URLs in text;
/// - no places on the page itself;
/// - only `http` and `https`, without user and password ([`Address`]);
/// - also what styles load, which rows leave out.
fn extracted(body: &[u8]) -> (BTreeSet<String>, BTreeSet<(String, Kind)>) {
    let text = decode_hinted(body, Hints { http_charset: None, tld: Some("example") }).text;
    let tree = tamis_page::html::parse(&text);
    let wanted = links::Wanted { requisites: true, styles: true };
    let links = links::read_wanted(&tree, Url::parse(URL).ok().as_ref(), wanted);
    let followed = links.iter().filter(|link| {
        !matches!(link.kind(), Kind::Form | Kind::Relation | Kind::Text) && !is_within_page(&tree, *link)
    });
    let kinds: BTreeSet<(String, Kind)> =
        followed.filter_map(|link| Some((Address::parse(link.url())?.to_string(), link.kind()))).collect();
    (kinds.iter().map(|(address, _)| address.clone()).collect(), kinds)
}

fn is_within_page(tree: &Tree<'_>, link: links::Link<'_>) -> bool {
    let href = tree.attribute(link.node(), Name::Href).unwrap_or_default();
    link.kind() == Kind::Anchor && href.trim_ascii_start().starts_with('#')
}

/// The pages of a folder, in order of their paths.
pub(crate) fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let (mut pages, mut todo) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|end| end == "html" || end == "testhtml") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}
