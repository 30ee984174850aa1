//! Main text and full visible text.

mod blocks;
mod hints;
mod select;
mod write;

pub use write::{Placed, Written};

use crate::html::Tree;
use blocks::Outline;

/// A page's texts.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The main text, without boilerplate.
    pub main: Written,
    /// All that a reader sees.
    pub full: Written,
}

/// Reads the texts of a page.
pub fn read(tree: &Tree<'_>, title: &str) -> Content {
    let mut outline = Outline::new(tree);
    let selection = select::select(&mut outline, title);
    Content { main: write::write(&outline, |at| selection.keep[at]), full: write::write(&outline, |_| true) }
}

/// A block of the page and what became of it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Its text.
    pub text: String,
    /// Whether it is main text.
    pub kept: bool,
    /// What the page was taken for.
    pub kind: String,
    /// Whether it is in the element that holds the main text.
    pub in_root: bool,
    /// What was said of the elements around it.
    pub hints: Vec<&'static str>,
    /// The element it is in: p, li, td …
    pub role: &'static str,
    /// The share of its characters that are in links.
    pub link_share: f32,
}

/// Every block of a page with what became of it and why, for people who wonder about an answer.
pub fn explain(tree: &Tree<'_>, title: &str) -> Vec<Explained> {
    let mut outline = Outline::new(tree);
    let selection = select::select(&mut outline, title);
    let root = outline.blocks_in(selection.root);
    (0..outline.blocks.len())
        .map(|at| {
            let block = &outline.blocks[at];
            Explained {
                text: write::write_one(&outline, at),
                kept: selection.keep[at],
                kind: format!("{:?}", selection.kind),
                in_root: root.contains(&at),
                hints: block.hints.names(),
                role: block.role.name(),
                link_share: block.link_share(),
            }
        })
        .collect()
}
