//! Pages made to hurt: each has a sound tree of a size in proportion. The example `html_hostile` takes the time.

use tamis_text::html::parse;

use super::properties::check;

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
