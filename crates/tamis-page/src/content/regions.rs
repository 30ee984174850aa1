//! What is said of the parts of a page, given to its blocks.

use std::ops::Range;

use crate::content::blocks::{Block, Outline};
use crate::content::hints::Hints;
use crate::content::weights::{Weights, prose};
use crate::html::{Name, NodeId, Tag};

/// Gives each block the hints of the elements around it, unless a hint is plainly wrong: what holds most of the page's
/// prose is not its menu, whatever its class says.
pub(super) fn spread_hints(outline: &mut Outline<'_, '_>) {
    let all = Weights::of(outline, prose);
    let hinted = std::mem::take(&mut outline.hinted);
    let mut elements = hinted
        .iter()
        .filter(|(id, _)| !matches!(outline.tree.node(*id).tag, Tag::Body | Tag::Html))
        .map(|&(id, hints)| (whole_blocks_in(outline, id), hints))
        .peekable();
    // The elements around the block at hand, by the block behind them, with all that they say together.
    let mut around: Vec<(usize, Hints)> = Vec::new();
    let mut spread = Vec::with_capacity(outline.blocks.len());
    for at in 0..outline.blocks.len() {
        while let Some((blocks, hints)) = elements.next_if(|(blocks, _)| blocks.start <= at) {
            if blocks.is_empty() {
                continue;
            }
            pop_ended(&mut around, blocks.start);
            let outer = around.last().map_or(Hints::NONE, |(_, hints)| *hints);
            let share = all.of_range(&blocks) / all.total().max(1.0);
            around.push((blocks.end, together(outer, believed(hints, share))));
        }
        pop_ended(&mut around, at);
        spread.push(around.last().map_or(Hints::NONE, |(_, hints)| *hints));
    }
    drop(elements);
    for (block, hints) in outline.blocks.iter_mut().zip(spread) {
        block.hints = hints;
    }
    outline.hinted = hinted;
}

/// The blocks that are wholly in an element: what is said of the first words of a paragraph is not said of the rest.
fn whole_blocks_in(outline: &Outline<'_, '_>, id: NodeId) -> Range<usize> {
    let blocks = outline.blocks_in(id);
    let is_cut = !blocks.is_empty() && outline.blocks[blocks.end - 1].last >= outline.tree.node(id).end;
    blocks.start..blocks.end - usize::from(is_cut)
}

/// What is believed of an element that has this share of the page's prose.
fn believed(hints: Hints, share: f64) -> Hints {
    let says_content = hints.any(Hints::BODY.with(Hints::MAIN).with(Hints::ARTICLE));
    let is_wrong = share > 0.5 || (share > 0.15 && says_content);
    if is_wrong {
        hints.without(Hints::FRAME.with(Hints::BESIDE_ARTICLE).with(Hints::DOUBTFUL))
    } else {
        hints
    }
}

/// What an element and those around it say together. What is named as the text is the text, though something around it has
/// a doubtful name.
fn together(outer: Hints, own: Hints) -> Hints {
    let names_body = own.any(Hints::BODY) && !own.any(Hints::FRAME.with(Hints::BESIDE_ARTICLE));
    let outer = if names_body { outer.without(Hints::OVERRULED_BY_BODY) } else { outer };
    let is_post = names_body && outer.any(Hints::COMMENTS);
    outer.with(own).with(if is_post { Hints::POST_BODY } else { Hints::NONE })
}

/// Elements nest, so those that ended are the last ones.
fn pop_ended(around: &mut Vec<(usize, Hints)>, at: usize) {
    while around.last().is_some_and(|(end, _)| *end <= at) {
        around.pop();
    }
}

/// Headlines that are links to other pages, with the few sentences below them, stand for these pages: where there are
/// several, none is part of this page's article.
pub(super) fn mark_teasers(outline: &mut Outline<'_, '_>) {
    let headlines: Vec<usize> =
        (0..outline.blocks.len()).filter(|&at| is_linked_headline(outline, &outline.blocks[at])).collect();
    if headlines.len() < 3 {
        return;
    }
    let all = Weights::of(outline, prose);
    let headings = Weights::of(outline, |block| f64::from(u8::from(block.is_heading())));
    let teasers: Vec<Range<usize>> =
        headlines.iter().map(|&at| teaser_around(outline, &all, &headings, at)).collect();
    let share: f64 = teasers.iter().map(|teaser| all.of_range(teaser)).sum::<f64>() / all.total().max(1.0);
    if share > TEASER_SHARE {
        return;
    }
    for block in teasers.into_iter().flatten() {
        outline.blocks[block].hints = outline.blocks[block].hints.with(Hints::RELATED);
    }
}

/// The blocks of the largest element that has this headline alone and little prose.
fn teaser_around(
    outline: &Outline<'_, '_>,
    all: &Weights,
    headings: &Weights,
    headline: usize,
) -> Range<usize> {
    let mut teaser = headline..headline + 1;
    for id in outline.tree.ancestors(outline.blocks[headline].first) {
        let blocks = outline.blocks_in(id);
        if headings.of_range(&blocks) > 1.0 || all.of_range(&blocks) > TEASER_CHARS {
            break;
        }
        teaser = blocks;
    }
    teaser
}

/// Where teasers are more of the prose, they are what the page is about.
const TEASER_SHARE: f64 = 0.3;
/// The longest teaser.
const TEASER_CHARS: f64 = 500.0;

/// A heading that is a link to another page.
fn is_linked_headline(outline: &Outline<'_, '_>, block: &Block) -> bool {
    if !block.is_heading() || block.link_share() < 0.8 {
        return false;
    }
    let tree = outline.tree;
    let inside = (block.first..=block.last).chain(tree.ancestors(block.first).take(4));
    let href = inside
        .into_iter()
        .find(|&id| tree.node(id).tag == Tag::A)
        .and_then(|id| tree.raw_attribute(id, Name::Href));
    href.is_some_and(|href| !href.trim_start().starts_with('#') && !href.is_empty())
}
