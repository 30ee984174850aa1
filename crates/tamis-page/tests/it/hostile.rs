//! Pages made to hurt: each has a sound tree of a size in proportion. The example `html_hostile` takes the time.

use tamis_page::html::parse;
use tamis_page::page::{Capture, Options, read};
use tamis_page::status::Origin;
use url::Url;

use super::properties::check;
use hostile_pages::cpu_seconds;

#[path = "hostile_pages.rs"]
pub(crate) mod hostile_pages;

#[test]
fn hostile_pages_have_sound_trees_in_proportion() {
    for (name, make) in hostile_pages::ALL {
        let page = make(20_000);
        let tree = parse(&page);
        check(&page, &tree);
        assert!(tree.nodes().len() <= 20_000 * 10 + 16, "{name}: {} nodes", tree.nodes().len());
    }
}

/// Where the time would grow with the square of the page, each byte would take 16 times as long.
const GROWTH: usize = 16;

#[test]
fn hostile_pages_are_read_in_linear_time() {
    for (name, make) in hostile_pages::ALL {
        // Damaged, too, so that the page is mended and read again.
        let damaged = |n| make(n) + &"<p>cafÃ©</p> \u{92} ".repeat(n / 16);
        let once = seconds(&damaged(4_000));
        let more = seconds(&damaged(4_000 * GROWTH));
        let growth = more / once / GROWTH as f64;
        assert!(more < 0.5 || growth < 6.0, "{name}: {more} s, {growth} times as long for each byte");
    }
}

/// The CPU seconds for all that is known of a page.
fn seconds(page: &str) -> f64 {
    let url = Url::parse("http://example.org/a/b").expect("an address");
    let capture = Capture {
        bytes: page.as_bytes(),
        content_type: Some("text/html"),
        http_status: Some(200),
        url: Some(&url),
        fetched: tamis_page::date::Date::new(2009, 1, 1),
        origin: Origin::Archived,
    };
    let began = cpu_seconds();
    let page = read(&capture, Options { repair: true, full_text: true });
    std::hint::black_box((page.link_positions(), page.quotes().len()));
    cpu_seconds() - began
}
