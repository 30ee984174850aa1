//! One pass over the nodes of a page: everything that says something of the page.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::class_hint::{self, ASIDE, AUTHOR, COMMENT, DATE, NAME};
use super::meta_name;
use super::signal::{Field, Signal, USUAL};
use super::{Rule, Search, json_ld};
use crate::html::{Attribute, Memo, Name, NodeId, Tag, Tree, trait_bits};

/// Elements of one kind that are looked at; lists of other pages have more.
const MOST_ELEMENTS: usize = 400;

/// Statements of one page; a page with more has a reader's record in each of its rows.
const MOST_SIGNALS: usize = 10_000;
/// Names in one `itemprop` or `property`.
const MOST_NAMES: usize = 20;
/// Bytes of one value; what is longer is no metadata.
const LONGEST_VALUE: usize = 16_384;
/// Bytes of a text with a copyright line; longer ones are articles about copyright.
const LONGEST_LINE: usize = 4_000;
/// Nodes behind a heading, its own text among them, in which what starts still belongs to it.
const NEXT: NodeId = 16;

/// What the pass found.
#[derive(Default)]
pub(super) struct Scan<'a> {
    pub(super) signals: Vec<Signal<'a>>,
    /// `<title>`.
    pub(super) title: Option<NodeId>,
    /// h1 and h2.
    pub(super) headings: Vec<NodeId>,
    /// Elements that may hold the date: `<time>` and those whose class says so, with the class's hints.
    pub(super) dated: Vec<(NodeId, u8)>,
    /// Elements that may hold an author, with the class's hints.
    pub(super) authored: Vec<(NodeId, u8)>,
    /// Ranges of somebody else's text, and whether they are comments.
    asides: Vec<(Range<NodeId>, bool)>,
    /// Texts with a copyright sign.
    pub(super) copyrights: Vec<NodeId>,
    /// The address that relative ones count from, as `<base>` gives it.
    pub(super) base: Option<Cow<'a, str>>,
    scripts: Vec<&'a str>,
    hints: Memo<'a, u8>,
}

impl<'a> Scan<'a> {
    /// Goes over the page. `is_page` tells whether an address is the page's own.
    pub(super) fn of(tree: &Tree<'a>, is_page: &dyn Fn(&str) -> bool, search: Search) -> Scan<'a> {
        let mut scan = Scan::default();
        for (id, node) in (0..).zip(tree.nodes()) {
            match node.tag {
                Tag::Text if search == Search::Stated => {}
                Tag::Text if !tree.node(node.parent).tag.has(trait_bits::RAW) => scan.text(id, node.raw),
                Tag::Text => {}
                Tag::Meta => scan.meta(tree, id),
                Tag::Script => scan.script(tree, id),
                Tag::Base if scan.base.is_none() => scan.base = tree.attribute(id, Name::Href),
                Tag::Title if scan.title.is_none() && tree.node(node.parent).tag != Tag::Svg => {
                    scan.title = Some(id);
                }
                _ => {
                    scan.element(tree, id, node.tag);
                    if search == Search::Whole {
                        scan.named(tree, id, node.tag);
                    }
                }
            }
        }
        let statements = json_ld::statements(&scan.scripts, is_page);
        scan.signals.extend(statements.into_iter().take(MOST_SIGNALS).map(|(field, rank, value)| Signal {
            field,
            rule: Rule::JsonLd,
            rank,
            node: Tree::ROOT,
            value: shortened(value),
        }));
        scan
    }

    /// The statements about one field, those of the first rule of the order first.
    pub(super) fn of_field(&self, field: Field, order: &[Rule]) -> Vec<&Signal<'a>> {
        let place = |signal: &Signal<'_>| order.iter().position(|rule| *rule == signal.rule);
        let mut found: Vec<_> =
            self.signals.iter().filter(|signal| signal.field == field && place(signal).is_some()).collect();
        found.sort_by_key(|signal| (place(signal), signal.rank));
        found
    }

    /// Whether a node lies in somebody else's text. What holds the page's heading is not that, nor what follows right
    /// behind it: there, even a "footer" belongs to the heading.
    pub(super) fn is_aside(&self, id: NodeId, heading: Option<NodeId>) -> bool {
        let is_headed = |aside: &Range<NodeId>, is_comment: bool| {
            heading.is_some_and(|heading| {
                let is_next = (heading..heading + NEXT).contains(&aside.start) && !is_comment;
                aside.contains(&heading) || is_next
            })
        };
        self.asides
            .iter()
            .take_while(|(aside, _)| aside.start <= id)
            .any(|(aside, is_comment)| aside.contains(&id) && !is_headed(aside, *is_comment))
    }

    fn say(&mut self, field: Field, rule: Rule, rank: u8, node: NodeId, value: Cow<'a, str>) {
        if self.signals.len() < MOST_SIGNALS {
            self.signals.push(Signal { field, rule, rank, node, value: shortened(value) });
        }
    }

    fn text(&mut self, id: NodeId, raw: &str) {
        static COPYRIGHT: LazyLock<AhoCorasick> = LazyLock::new(|| {
            // Case sensitive: then it is searched sixteen bytes at a time.
            AhoCorasick::new(["©", "&copy", "opyright", "OPYRIGHT", "&#169;", "(c)", "(C)"])
                .expect("a short list of short words")
        });
        // Most texts are the white space between two tags.
        let is_line = (4..LONGEST_LINE).contains(&raw.len()) && !raw.trim_ascii_start().is_empty();
        if is_line && COPYRIGHT.is_match(raw) {
            self.copyrights.push(id);
        }
    }

    fn meta(&mut self, tree: &Tree<'a>, id: NodeId) {
        let attributes = tree.attributes(id);
        let get = |name| attributes.iter().find(|attribute| attribute.name == name);
        let Some(content) = get(Name::Content).or_else(|| get(Name::Datetime)).map(short_value) else {
            return;
        };
        if content.trim().is_empty() {
            return;
        }
        for attribute in attributes.iter().take(MOST_NAMES) {
            let name = || attribute.raw.trim().to_ascii_lowercase();
            match attribute.name {
                Name::Name | Name::Property => {
                    if let Some((field, rule, rank)) = meta_name::meaning(&name()) {
                        self.say(field, rule, rank, id, content.clone());
                    }
                }
                Name::HttpEquiv => {
                    if let Some((field, rank)) = meta_name::http_equiv(&name()) {
                        self.say(field, Rule::HttpEquiv, rank, id, content.clone());
                    }
                }
                Name::Itemprop => self.item(tree, id, attribute.raw, Rule::Microdata),
                _ => {}
            }
        }
    }

    fn script(&mut self, tree: &Tree<'a>, id: NodeId) {
        let is_data = tree.raw_attribute(id, Name::Type).is_some_and(|kind| {
            let kind = kind.to_ascii_lowercase();
            kind.contains("ld+json") || kind.contains("json+ld")
        });
        if is_data && tree.node(id).end > id + 1 {
            self.scripts.push(tree.node(id + 1).raw);
        }
    }

    fn element(&mut self, tree: &Tree<'a>, id: NodeId, tag: Tag) {
        if matches!(tag, Tag::H1 | Tag::H2) && self.headings.len() < MOST_ELEMENTS {
            self.headings.push(id);
        }
        for attribute in tree.attributes(id) {
            match attribute.name {
                Name::Itemprop => self.item(tree, id, attribute.raw, Rule::Microdata),
                Name::Property => self.item(tree, id, attribute.raw, Rule::Rdfa),
                Name::Rel => self.rel(tree, id, attribute.raw),
                Name::Lang | Name::XmlLang if matches!(tag, Tag::Html | Tag::Body) => {
                    self.say(Field::Language, Rule::Lang, USUAL, id, attribute.value());
                }
                _ => {}
            }
        }
    }

    /// What the element's name, class and id tell.
    fn named(&mut self, tree: &Tree<'a>, id: NodeId, tag: Tag) {
        if matches!(tag, Tag::Html | Tag::Body | Tag::Main | Tag::Head) {
            return;
        }
        let names =
            tree.attributes(id).iter().filter(|attribute| matches!(attribute.name, Name::Class | Name::Id));
        let hints = names.fold(0, |hints, name| hints | self.hints.of(name.raw, class_hint::hints));
        if hints & ASIDE != 0 || matches!(tag, Tag::Aside | Tag::Nav | Tag::Footer) {
            self.aside(tree, id, hints & COMMENT != 0);
        }
        let is_dated = hints & DATE != 0 || matches!(tag, Tag::Time | Tag::Abbr);
        if is_dated && self.dated.len() < MOST_ELEMENTS {
            self.dated.push((id, hints));
        }
        if hints & (AUTHOR | NAME) != 0 && self.authored.len() < MOST_ELEMENTS {
            self.authored.push((id, hints));
        }
    }

    fn aside(&mut self, tree: &Tree<'a>, id: NodeId, is_comment: bool) {
        let range = id..tree.node(id).end;
        let is_known = self
            .asides
            .last()
            .is_some_and(|(aside, known)| aside.end >= range.end && (*known || !is_comment));
        // What holds most of the page is no aside, whatever it is called.
        let is_small = range.len() < tree.nodes().len() / 2;
        if is_small && !is_known && self.asides.len() < MOST_ELEMENTS {
            self.asides.push((range, is_comment));
        }
    }

    /// `itemprop` or `property`, of several words perhaps, with or without the vocabulary's name.
    fn item(&mut self, tree: &Tree<'a>, id: NodeId, names: &str, rule: Rule) {
        for name in names.split_ascii_whitespace().take(MOST_NAMES) {
            let bare = name.rsplit([':', '/', '#']).next().unwrap_or(name).to_ascii_lowercase();
            if let Some((field, rank)) = meta_name::property(&bare) {
                self.say(field, rule, rank, id, item_value(tree, id));
            }
        }
    }

    fn rel(&mut self, tree: &Tree<'a>, id: NodeId, names: &str) {
        for name in names.split_ascii_whitespace() {
            if name.eq_ignore_ascii_case("canonical") {
                if let Some(href) = tree.attribute(id, Name::Href) {
                    self.say(Field::Canonical, Rule::Rel, USUAL, id, href);
                }
            } else if name.eq_ignore_ascii_case("author") && tree.node(id).tag == Tag::A {
                self.say(Field::Author, Rule::Rel, USUAL, id, Cow::Borrowed(""));
            }
        }
    }
}

/// The value of an attribute, cut before it is decoded: a page may repeat it thousands of times.
fn short_value<'a>(attribute: &Attribute<'a>) -> Cow<'a, str> {
    let end = attribute.raw.floor_char_boundary(LONGEST_VALUE);
    Attribute { raw: &attribute.raw[..end], ..*attribute }.value()
}

fn shortened(value: Cow<'_, str>) -> Cow<'_, str> {
    let end = value.floor_char_boundary(LONGEST_VALUE);
    match value {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

/// The value of an item that is not its text; empty where its text counts.
fn item_value<'a>(tree: &Tree<'a>, id: NodeId) -> Cow<'a, str> {
    let names: &[Name] = match tree.node(id).tag {
        Tag::Img => &[Name::Src],
        Tag::Link => &[Name::Title, Name::Href],
        _ => &[Name::Content, Name::Datetime],
    };
    let find = |name: &Name| tree.attributes(id).iter().find(|attribute| attribute.name == *name);
    names.iter().find_map(find).map(short_value).unwrap_or_default()
}
