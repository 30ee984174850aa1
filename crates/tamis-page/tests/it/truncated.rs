//! Pages that end early, as downloads do: read without a panic, and never longer than they are.

use std::fs;

use tamis_page::page::{Capture, Options, read};
use tamis_page::status::Origin;
use tamis_testkit::real_data;

use crate::page_files;

/// Every so many pages; `cargo run --release --example truncations` takes all, at a hundred places each.
const EVERY: usize = 60;
const PLACES: usize = 8;

#[test]
fn a_page_cut_anywhere_is_a_page() {
    let Some(data) = real_data("html") else { return };
    for (nth, path) in page_files::below(&data).iter().step_by(EVERY).enumerate() {
        let bytes = fs::read(path).expect("it reads");
        for place in 0..PLACES {
            // Other places in each page, and the same in each run.
            let end = bytes.len() * (1 + place) / (PLACES + 1) + nth * 7 % 50;
            let capture = Capture {
                bytes: &bytes[..end.min(bytes.len())],
                content_type: None,
                http_status: None,
                url: None,
                fetched: None,
                origin: Origin::Archived,
            };
            let page = read(&capture, Options { repair: place % 2 == 0, full_text: true });
            assert!(page.content.main.text.len() <= 4 * end + 1000, "{} cut at {end}", path.display());
        }
    }
}
