//! Main text and full visible text.

mod blocks;
mod counts;
mod hints;
mod regions;
mod select;
#[cfg(test)]
mod tests;
mod vocabulary;
mod weights;
mod write;

pub use write::Written;

use crate::html::Tree;
use blocks::Outline;

/// A page's texts.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The main text, without boilerplate. Never empty where `full` is not.
    pub main: Written,
    /// What readers of an article wrote under it.
    pub comments: Written,
    /// All that a reader sees, if it was asked for.
    pub full: Written,
}

/// Reads the main text of a page and the comments of its readers, and all visible text if `full` says so.
pub fn read(tree: &Tree<'_>, full: bool) -> Content {
    let mut outline = Outline::new(tree);
    let selection = select::select(&mut outline);
    let is_comment = |at: usize| !selection.keep[at] && select::is_comment(&outline.blocks[at]);
    Content {
        main: write::write(&outline, |at| selection.keep[at]),
        comments: write::write(&outline, is_comment),
        full: if full { write::write(&outline, |_| true) } else { Written::default() },
    }
}

/// A block of the page and what became of it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Its text.
    pub text: String,
    /// Whether it is main text.
    pub kept: bool,
    /// What the page was taken for: article, thread or listing.
    pub kind: &'static str,
    /// Whether it is in the element that holds the main text.
    pub in_root: bool,
    /// What was said of the elements around it.
    pub hints: Vec<&'static str>,
    /// The element it is in: p, li, td …
    pub role: &'static str,
    /// The share of its characters that are in links.
    pub link_share: f64,
}

/// Every block of a page with what became of it and why, for people who wonder about an answer.
pub fn explain(tree: &Tree<'_>) -> Vec<Explained> {
    let mut outline = Outline::new(tree);
    let selection = select::select(&mut outline);
    let root = outline.blocks_in(selection.root);
    (0..outline.blocks.len())
        .map(|at| {
            let block = &outline.blocks[at];
            Explained {
                text: write::write_one(&outline, at),
                kept: selection.keep[at],
                kind: selection.kind.name(),
                in_root: root.contains(&at),
                hints: block.hints.names(),
                role: block.role.name(),
                link_share: block.link_share(),
            }
        })
        .collect()
}
