//! Which blocks are the page's main text.

use std::collections::HashMap;
use std::ops::Range;

use crate::content::blocks::{Block, Outline};
use crate::content::hints::Hints;
use crate::content::regions::{mark_teasers, spread_hints};
use crate::content::weights::{Weights, prose};
use crate::content::write::write_one;
use crate::html::{NodeId, Tag, Tree};

/// What a page is, as far as its text is chosen differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Prose: an article, a post, documentation.
    Article,
    /// Contributions of several people, one after the other.
    Thread,
    /// Many short texts and links: a list of products, a front page.
    Listing,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Article => "article",
            Kind::Thread => "thread",
            Kind::Listing => "listing",
        }
    }
}

/// What is done with each block, in the order of the outline's blocks.
pub(crate) struct Selection {
    pub(crate) keep: Vec<bool>,
    /// The element that holds the main text.
    pub(crate) root: NodeId,
    pub(crate) kind: Kind,
}

/// Chooses the main text.
pub(crate) fn select(outline: &mut Outline<'_, '_>) -> Selection {
    spread_hints(outline);
    mark_teasers(outline);
    let (kind, root) = kind_and_root(outline);
    let weights = Weights::of(outline, |block| weight(block, kind));
    let mut keep = match kind {
        Kind::Listing => keep_in_listing(outline, root),
        Kind::Article | Kind::Thread => keep_prose(outline, &weights, root, kind),
    };
    if kind == Kind::Article {
        keep_lede(outline, outline.blocks_in(root).start, &mut keep);
    }
    keep_headings(outline, outline.blocks_in(root), kind, &mut keep);
    if kind != Kind::Listing {
        drop_repeated(outline, &mut keep);
    }
    keep_something(outline, &mut keep);
    Selection { keep, root, kind }
}

/// Whether a block that is not main text is what a reader wrote.
pub(crate) fn is_comment(block: &Block) -> bool {
    let is_framed =
        block.hints.any(Hints::FRAME.with(Hints::PROMOTION).with(Hints::META).with(Hints::DOUBTFUL));
    block.hints.any(Hints::COMMENTS)
        && !is_framed
        && !block.is_heading()
        && block.words >= 3
        && block.link_share() < 0.5
}

/// A page with text has main text: what is no frame, and if that is nothing, all.
fn keep_something(outline: &Outline<'_, '_>, keep: &mut [bool]) {
    for out in [Hints::FRAME, Hints::NONE] {
        if keep.contains(&true) {
            return;
        }
        for (keep, block) in keep.iter_mut().zip(&outline.blocks) {
            *keep = !block.hints.any(out);
        }
    }
}

/// What keeps a block out of the main text of such a page.
fn is_out(block: &Block, kind: Kind) -> bool {
    let hints = match kind {
        Kind::Thread if block.hints.any(Hints::POST.with(Hints::POST_BODY)) => {
            block.hints.without(Hints::COMMENTS)
        }
        _ => block.hints,
    };
    let is_caption = hints.any(Hints::FIGURE) && matches!(block.role, Tag::P | Tag::Body | Tag::Figcaption);
    is_caption && kind != Kind::Listing
        || hints.any(match kind {
            Kind::Article | Kind::Thread => Hints::FRAME.with(Hints::BESIDE_ARTICLE),
            Kind::Listing => Hints::FRAME.with(Hints::COMMENTS),
        })
}

/// What a block counts for in the search for the main part.
fn weight(block: &Block, kind: Kind) -> f64 {
    if is_out(block, kind) {
        return 0.0;
    }
    let doubt = if block.hints.any(Hints::DOUBTFUL) { 0.3 } else { 1.0 };
    match kind {
        Kind::Article | Kind::Thread => prose(block) * doubt,
        Kind::Listing => f64::from(block.chars) * doubt,
    }
}

/// What the page is, and which element holds its main text.
fn kind_and_root(outline: &Outline<'_, '_>) -> (Kind, NodeId) {
    let article = Weights::of(outline, |block| weight(block, Kind::Article));
    let posts = |bit| {
        Weights::of(outline, |block| if block.hints.any(bit) { weight(block, Kind::Thread) } else { 0.0 })
            .total()
    };
    let thread =
        || (Kind::Thread, find_root(outline, &Weights::of(outline, |block| weight(block, Kind::Thread))));
    if posts(Hints::POST_BODY) > 200.0 {
        return thread();
    }
    if let Some(root) = named_root(outline, &article) {
        return (Kind::Article, root);
    }
    let posts = posts(Hints::POST);
    if posts > 2.0 * article.total() && posts > 400.0 {
        return thread();
    }
    let listing = Weights::of(outline, |block| weight(block, Kind::Listing));
    if article.total() > ARTICLE_CHARS && article.total() > ARTICLE_SHARE * listing.total() {
        (Kind::Article, find_root(outline, &article))
    } else {
        (Kind::Listing, find_root(outline, &listing))
    }
}

/// The element that is named as the body of an article, or as the article, if there is one such and it has enough of the
/// page's prose.
fn named_root(outline: &Outline<'_, '_>, weights: &Weights) -> Option<NodeId> {
    for name in [Hints::BODY, Hints::ARTICLE] {
        let mut best: Option<(NodeId, f64)> = None;
        let mut second = 0.0_f64;
        for &(id, hints) in &outline.hinted {
            if !hints.any(name)
                || matches!(outline.tree.node(id).tag, Tag::Body | Tag::Html | Tag::P)
                || outline.tree.node(id).tag.heading_level().is_some()
            {
                continue;
            }
            let weight = weights.of_range(&outline.blocks_in(id));
            match best {
                // Within the best so far: a better one only if it has nearly all of it.
                Some((outer, most)) if id < outline.tree.node(outer).end => {
                    if weight > 0.9 * most {
                        best = Some((id, weight));
                    }
                }
                Some((_, most)) if weight <= most => second = second.max(weight),
                _ => {
                    second = second.max(best.map_or(0.0, |(_, most)| most));
                    best = Some((id, weight));
                }
            }
        }
        if let Some((id, weight)) = best
            && weight > 150.0
            && second < 0.5 * weight
            && weight > 0.4 * weights.total()
        {
            return Some(id);
        }
    }
    None
}

/// An article has more prose than this, unless it says where it is.
const ARTICLE_CHARS: f64 = 600.0;
/// And it has more than this share of the text that is no frame.
const ARTICLE_SHARE: f64 = 0.35;
/// The main part has at least this share of the weight of what it is in.
const ROOT_SHARE: f64 = 0.85;

/// Goes down from the page to the element that still holds nearly all of the weight.
fn find_root(outline: &Outline<'_, '_>, weights: &Weights) -> NodeId {
    let tree = outline.tree;
    let mut root = Tree::ROOT;
    loop {
        let whole = weights.of_range(&outline.blocks_in(root));
        let best = tree
            .children(root)
            .filter(|&child| tree.node(child).tag != Tag::Text)
            .map(|child| (child, weights.of_range(&outline.blocks_in(child))))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((child, weight)) = best else { return root };
        if weight < ROOT_SHARE * whole || whole <= 0.0 || matches!(tree.node(child).tag, Tag::P | Tag::Li) {
            return root;
        }
        root = child;
    }
}

/// Prose, and what stands between prose.
fn keep_prose(outline: &Outline<'_, '_>, weights: &Weights, root: NodeId, kind: Kind) -> Vec<bool> {
    let mut keep = vec![false; outline.blocks.len()];
    let range = outline.blocks_in(root);
    let is_good = |at: usize| weights.of_block(at) > 30.0;
    let Some(first) = range.clone().find(|&at| is_good(at)) else { return keep };
    let last = range.clone().rev().find(|&at| is_good(at)).unwrap_or(first);
    let links = Weights::of(outline, |block| f64::from(block.link_chars));
    for at in range {
        let block = &outline.blocks[at];
        if is_out(block, kind) || block.is_heading() {
            continue;
        }
        let is_prose = prose(block) > 40.0;
        let is_inside = (at >= first && at <= last) || (at > last && block.hints.any(Hints::BODY));
        let is_plain = block.link_share() < 0.5 || is_item_of_text(outline, &links, block);
        keep[at] = is_prose || (is_inside && is_plain && !block.hints.any(Hints::DOUBTFUL));
    }
    keep
}

/// The sentences between the headline and the text: what the article says in short.
fn keep_lede(outline: &Outline<'_, '_>, start: usize, keep: &mut [bool]) {
    let from = start.saturating_sub(LEDE_BLOCKS);
    let Some(headline) = (from..start).rev().find(|&at| outline.blocks[at].role == Tag::H1) else { return };
    for (keep, block) in keep[headline + 1..start].iter_mut().zip(&outline.blocks[headline + 1..start]) {
        let out = Hints::FRAME
            .with(Hints::BESIDE_ARTICLE.without(Hints::RELATED))
            .with(Hints::FIGURE)
            .with(Hints::DOUBTFUL);
        let is_sentence = block.words >= 8 && block.stops > 0 && block.link_share() < 0.3;
        *keep = is_sentence && !block.hints.any(out);
    }
}

/// Blocks between a headline and its text, at most.
const LEDE_BLOCKS: usize = 30;

/// Whether a block of links is an item or cell of a list or table that has more than links.
fn is_item_of_text(outline: &Outline<'_, '_>, links: &Weights, block: &Block) -> bool {
    if !matches!(block.role, Tag::Li | Tag::Td | Tag::Dd | Tag::Dt) {
        return false;
    }
    let list = outline
        .tree
        .ancestors(block.first)
        .find(|&id| matches!(outline.tree.node(id).tag, Tag::Ul | Tag::Ol | Tag::Dl | Tag::Table));
    list.is_some_and(|list| {
        links.of_range(&outline.blocks_in(list)) < 0.5 * f64::from(outline.chars_in(list))
    })
}

fn keep_in_listing(outline: &Outline<'_, '_>, root: NodeId) -> Vec<bool> {
    let mut keep = vec![false; outline.blocks.len()];
    for at in outline.blocks_in(root) {
        let block = &outline.blocks[at];
        keep[at] = !is_out(block, Kind::Listing) && !block.is_heading();
    }
    keep
}

/// A heading stays when text of its own follows it, or stands amid the text.
fn keep_headings(outline: &Outline<'_, '_>, range: Range<usize>, kind: Kind, keep: &mut [bool]) {
    let first = range.clone().find(|&at| keep[at]).unwrap_or(range.end);
    let mut dropped_behind = 100;
    for at in range.rev() {
        let block = &outline.blocks[at];
        if !block.is_heading() {
            dropped_behind = if keep[at] { 0 } else { dropped_behind + 1 };
            continue;
        }
        if is_out(block, kind) || (block.role == Tag::H1 && kind == Kind::Article) {
            continue;
        }
        let is_amid = at > first && dropped_behind < 50 && block.link_share() < 0.5;
        keep[at] = dropped_behind < 3 || is_amid;
    }
}

/// A sentence that the page shows again in large letters is told once, and a notice that stands under each of several
/// pictures or embeds is no text.
fn drop_repeated(outline: &Outline<'_, '_>, keep: &mut [bool]) {
    for places in repeated(outline, keep) {
        let role = |at: usize| outline.blocks[at].role;
        let is_notice = places.len() >= 3 && outline.blocks[places[0]].chars < NOTICE_CHARS;
        let is_told_in_text = places.iter().any(|&at| role(at) == Tag::P);
        for (nth, &at) in places.iter().enumerate() {
            let is_pull_quote = is_told_in_text && role(at) != Tag::P;
            let is_told_before = is_notice && nth > 0 && role(at) != Tag::P;
            keep[at] = !(is_pull_quote || is_told_before);
        }
    }
}

/// The kept blocks that have the same text, in their order.
fn repeated(outline: &Outline<'_, '_>, keep: &[bool]) -> Vec<Vec<usize>> {
    let is_told = |&at: &usize| {
        let block = &outline.blocks[at];
        keep[at] && block.chars >= REPEATED_CHARS && !matches!(block.role, Tag::Pre | Tag::Td | Tag::Li)
    };
    let chars = |at: usize| outline.blocks[at].chars;
    let mut told: Vec<usize> = (0..keep.len()).filter(is_told).collect();
    told.sort_by_key(|&at| chars(at));
    let mut same: HashMap<String, Vec<usize>> = HashMap::new();
    // The same text has the same number of characters: what is alone with its number need not be written.
    for alike in told.chunk_by(|&one, &other| chars(one) == chars(other)).filter(|alike| alike.len() > 1) {
        for &at in alike {
            same.entry(write_one(outline, at)).or_default().push(at);
        }
    }
    same.into_values().filter(|places| places.len() > 1).collect()
}

/// Shorter texts may return.
const REPEATED_CHARS: u32 = 40;
/// Longer ones are no notice.
const NOTICE_CHARS: u32 = 250;
