//! Real pages, with html5ever as the oracle. The example `html_oracle` does the same for all of them.

use std::fs;

use super::agreement::Agreement;
use super::page_files;
use super::reading::{html5ever, ours};

#[test]
fn every_twentieth_real_page_agrees_with_html5ever() {
    let Some(folder) = tamis_testkit::real_data("html") else { return };
    let mut all = Agreement::default();
    for path in page_files::below(&folder).iter().step_by(20) {
        let bytes = fs::read(path).expect("the page was listed");
        let page = String::from_utf8_lossy(&bytes);
        all += Agreement::of(&ours(&page), &html5ever(&page));
    }
    println!("{all:#?}");
    let share = |found: usize, of: usize| found as f64 / of.max(1) as f64;
    assert!(share(all.same_text, all.pages) >= 0.998, "{all:#?}");
    assert!(share(all.same_words, all.pages) >= 0.995, "{all:#?}");
    assert!(share(all.same_elements, all.pages) >= 0.97, "{all:#?}");
    assert!(share(all.words_found, all.words) >= 0.9997, "{all:#?}");
    assert_eq!((all.links_found, all.elements_found), (all.links, all.elements));
}
