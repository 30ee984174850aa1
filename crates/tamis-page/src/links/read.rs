//! The pass over a page that finds its links.

use std::collections::HashMap;

use url::Url;

use super::position::Counter;
use super::resolve::{Outcome, Resolver, Scheme};
use super::source::{Reference, Wanted, each_reference};
use super::{Kind, LeftOut, Links, MOST_URL_BYTES, Record, Span, Standing, plain};
use crate::html::trait_bits::{BLOCK, UNSEEN, VOID};
use crate::html::{Name, NodeId, Tag, Tree, push_space, push_words};

/// Visible text of a page that is kept, so that places in it fit 32 bits.
const MOST_TEXT_BYTES: usize = 1 << 30;

/// Finds the links of a page; `base` is the page's own URL, where known. What style sheets load is not looked for.
pub fn read(tree: &Tree<'_>, base: Option<&Url>) -> Links {
    read_wanted(tree, base, Wanted { requisites: true, styles: false })
}

/// Finds the links of a page that are wanted.
pub fn read_wanted(tree: &Tree<'_>, base: Option<&Url>, wanted: Wanted) -> Links {
    let mut reader = Reader::new(tree, base, wanted);
    for id in 1..tree.nodes().len() as NodeId {
        reader.leave(id);
        if tree.node(id).tag == Tag::Text { reader.text(id) } else { reader.element(id) }
    }
    reader.finish()
}

struct Reader<'t, 'a> {
    tree: &'t Tree<'a>,
    wanted: Wanted,
    resolver: Resolver,
    links: Links,
    /// Where the text of each visible text node starts in the visible text.
    marks: Vec<Mark>,
    /// Links whose element is open.
    anchors: Vec<OpenAnchor>,
    /// Ends of the open blocks.
    blocks: Vec<NodeId>,
    head_end: NodeId,
    /// Up to here, text is no text: scripts, styles, form fields.
    mute_end: NodeId,
    hidden_end: NodeId,
    /// What became of references that are not in their normal form; pages repeat them.
    known: HashMap<&'a str, Outcome>,
    known_rel: (&'a str, Span),
    known_alternative: (NodeId, Span),
}

#[derive(Clone, Copy)]
struct Mark {
    start: u32,
    node: NodeId,
    in_anchor: bool,
}

struct OpenAnchor {
    record: usize,
    end: NodeId,
    seen: u32,
    aside: u32,
}

impl<'t, 'a> Reader<'t, 'a> {
    fn new(tree: &'t Tree<'a>, base: Option<&Url>, wanted: Wanted) -> Self {
        let resolver = Resolver::of_page(tree, base);
        let base = resolver.base().map(|url| url.as_str().to_owned());
        Reader {
            tree,
            wanted,
            resolver,
            links: Links { base, ..Links::default() },
            marks: Vec::new(),
            anchors: Vec::new(),
            blocks: Vec::new(),
            head_end: 0,
            mute_end: 0,
            hidden_end: 0,
            known: HashMap::new(),
            known_rel: ("", Span::default()),
            known_alternative: (0, Span::default()),
        }
    }

    /// Closes what ended before this node.
    fn leave(&mut self, id: NodeId) {
        while self.anchors.last().is_some_and(|anchor| anchor.end <= id) {
            self.close_anchor();
        }
        while self.blocks.last().is_some_and(|&end| end <= id) {
            self.blocks.pop();
            push_space(&mut self.links.seen);
        }
    }

    fn close_anchor(&mut self) {
        let Some(open) = self.anchors.pop() else { return };
        let place = Span::trimmed(&self.links.seen, open.seen);
        let mut aside = Span::trimmed(&self.links.aside, open.aside);
        let record = &mut self.links.records[open.record];
        if place.start == place.end && aside.start == aside.end {
            let label = [Name::AriaLabel, Name::Title].iter().find_map(|&name| {
                self.tree.attribute(record.node, name).filter(|label| !label.trim().is_empty())
            });
            aside = push_aside(&mut self.links.aside, &label.unwrap_or_default());
        }
        (record.place, record.aside) = (place, aside);
    }

    fn standing(&self, id: NodeId) -> Standing {
        let is_silent = matches!(self.tree.node(id).tag, Tag::Link | Tag::Meta | Tag::Script);
        if is_silent || id < self.head_end {
            Standing::Head
        } else if id < self.hidden_end || id < self.mute_end {
            Standing::Hidden
        } else {
            Standing::Seen
        }
    }

    fn text(&mut self, id: NodeId) {
        self.references(id);
        if id < self.mute_end || self.links.seen.len() > MOST_TEXT_BYTES {
            return;
        }
        match self.standing(id) {
            Standing::Head => {}
            Standing::Hidden if self.anchors.is_empty() => {}
            Standing::Hidden => push_words(&mut self.links.aside, &self.tree.text(id)),
            Standing::Seen if self.tree.node(id).raw.trim_ascii().is_empty() => {
                push_space(&mut self.links.seen);
            }
            Standing::Seen => {
                let start = self.links.seen.len() as u32;
                push_words(&mut self.links.seen, &self.tree.text(id));
                if self.links.seen.len() as u32 > start {
                    self.marks.push(Mark { start, node: id, in_anchor: !self.anchors.is_empty() });
                }
            }
        }
    }

    fn element(&mut self, id: NodeId) {
        let node = self.tree.node(id);
        let tag = node.tag;
        if tag.has(BLOCK) || tag == Tag::Br {
            push_space(&mut self.links.seen);
            if !tag.has(VOID) {
                self.blocks.push(node.end);
            }
        }
        match tag {
            Tag::Title if id >= self.hidden_end => self.title(id),
            Tag::Title => {}
            Tag::Head => self.head_end = node.end,
            Tag::Svg => self.hidden_end = self.hidden_end.max(node.end),
            _ if tag.has(UNSEEN) => self.mute_end = self.mute_end.max(node.end),
            _ if id >= self.hidden_end && self.tree.is_hidden(id) => self.hidden_end = node.end,
            _ => {}
        }
        // The text of a link may be that of an image that is no link itself.
        if tag == Tag::Img && !self.anchors.is_empty() {
            self.alternative(id);
        }
        self.references(id);
    }

    /// URLs in the page's title.
    fn title(&mut self, id: NodeId) {
        let end = self.tree.node(id).end;
        self.mute_end = self.mute_end.max(end);
        for node in id + 1..end {
            let text = self.tree.text(node);
            let mut covered = 0;
            for start in plain::starts(&text) {
                let length = if start < covered { 0 } else { plain::length(&text, start) };
                if length == 0 {
                    continue;
                }
                covered = start + length;
                let Some(url) = self.plain_url(&text[start..covered]) else { continue };
                let aside = push_aside(&mut self.links.aside, &text[start..covered]);
                let record = Record { standing: Standing::Head, aside, ..self.record(node, Kind::Text, url) };
                self.links.records.push(record);
            }
        }
    }

    fn references(&mut self, id: NodeId) {
        each_reference(self.tree, id, self.wanted, |reference| {
            if let Some(url) = self.url(reference) {
                self.add(id, reference.kind, url);
            }
        });
    }

    /// The URL of a reference.
    fn url(&mut self, reference: Reference<'_, 'a>) -> Option<Span> {
        if let Some(range) = self.resolver.resolve_normal(reference.text, &mut self.links.pool) {
            return Some(Span { start: range.start, end: range.end });
        }
        if let Some(outcome) = reference.raw.and_then(|raw| self.known.get(raw)) {
            let outcome = outcome.clone();
            return self.counted(outcome);
        }
        let outcome = self.resolve(reference.text);
        if let Some(raw) = reference.raw {
            self.known.insert(raw, outcome.clone());
        }
        self.counted(outcome)
    }

    fn resolve(&mut self, reference: &str) -> Outcome {
        self.resolver.resolve(reference, &mut self.links.pool)
    }

    fn counted(&mut self, outcome: Outcome) -> Option<Span> {
        let LeftOut { script, mail, data, telephone, other, broken, beyond } = &mut self.links.left_out;
        let count = match outcome {
            Outcome::Url(range) => return Some(Span { start: range.start, end: range.end }),
            Outcome::LeftOut(Scheme::Script) => script,
            Outcome::LeftOut(Scheme::Mail) => mail,
            Outcome::LeftOut(Scheme::Data) => data,
            Outcome::LeftOut(Scheme::Telephone) => telephone,
            Outcome::LeftOut(Scheme::Other) => other,
            Outcome::Broken => broken,
            Outcome::Beyond => beyond,
        };
        *count += 1;
        None
    }

    fn record(&self, id: NodeId, kind: Kind, url: Span) -> Record {
        let at = self.links.seen.len() as u32;
        Record {
            node: id,
            end: self.tree.node(id).end,
            kind,
            standing: self.standing(id),
            url,
            rel: Span::default(),
            place: Span { start: at, end: at },
            aside: Span::default(),
            in_node: None,
        }
    }

    fn add(&mut self, id: NodeId, kind: Kind, url: Span) {
        let tag = self.tree.node(id).tag;
        let mut record = Record { rel: self.rel(id), ..self.record(id, kind, url) };
        if tag == Tag::A {
            let aside = self.links.aside.len() as u32;
            self.anchors.push(OpenAnchor {
                record: self.links.records.len(),
                end: record.end,
                seen: record.place.start,
                aside,
            });
        } else {
            record.aside = self.alternative(id);
        }
        self.links.records.push(record);
    }

    /// The alternative text of an element, written once however many links it has.
    fn alternative(&mut self, id: NodeId) -> Span {
        if self.known_alternative.0 != id {
            let text = self.tree.attribute(id, Name::Alt);
            let span = text.map(|text| push_aside(&mut self.links.aside, &text));
            self.known_alternative = (id, span.unwrap_or_default());
        }
        self.known_alternative.1
    }

    /// The tokens of `rel`, in the pool.
    fn rel(&mut self, id: NodeId) -> Span {
        let raw = self.tree.raw_attribute(id, Name::Rel).unwrap_or_default();
        if raw != self.known_rel.0 && self.links.pool.len() < MOST_URL_BYTES {
            let start = self.links.pool.len() as u32;
            for token in raw.split_ascii_whitespace() {
                if self.links.pool.len() as u32 > start {
                    self.links.pool.push(' ');
                }
                self.links.pool.push_str(token);
            }
            self.links.pool[start as usize..].make_ascii_lowercase();
            self.known_rel = (raw, Span { start, end: self.links.pool.len() as u32 });
        }
        if raw.is_empty() { Span::default() } else { self.known_rel.1 }
    }

    fn finish(mut self) -> Links {
        self.leave(NodeId::MAX);
        self.plain_urls();
        self.links.records.sort_by_key(|record| record.node);
        self.links
    }

    /// URLs in the visible text, outside of links.
    fn plain_urls(&mut self) {
        let seen = std::mem::take(&mut self.links.seen);
        let mut covered = 0;
        let mut counter = Counter::default();
        for start in plain::starts(&seen) {
            let next = self.marks.partition_point(|mark| mark.start as usize <= start);
            let Some(&mark) = next.checked_sub(1).and_then(|at| self.marks.get(at)) else { continue };
            if start < covered || mark.in_anchor {
                continue;
            }
            let end = self.marks.get(next).map_or(seen.len(), |next| next.start as usize);
            let from = mark.start as usize;
            let length = plain::length(&seen[from..end], start - from);
            if length == 0 {
                continue;
            }
            covered = start + length;
            let Some(url) = self.plain_url(&seen[start..covered]) else { continue };
            let place = Span { start: start as u32, end: covered as u32 };
            let in_node = counter.count(self.tree, mark.node, &seen[from..], start - from..covered - from);
            let in_node = Some(Box::new(in_node));
            let standing = Standing::Seen;
            let record = Record { standing, place, in_node, ..self.record(mark.node, Kind::Text, url) };
            self.links.records.push(record);
        }
        self.links.seen = seen;
    }

    fn plain_url(&mut self, written: &str) -> Option<Span> {
        let outcome = if written.starts_with("www.") {
            self.resolve(&format!("http://{written}"))
        } else {
            self.resolve(written)
        };
        self.counted(outcome)
    }
}

/// Adds a text of its own.
fn push_aside(aside: &mut String, text: &str) -> Span {
    push_space(aside);
    let start = aside.len() as u32;
    push_words(aside, text);
    Span::trimmed(aside, start)
}
