//! What a reader of text and links takes from a tree: from ours, and from html5ever's, to hold one against the other.
//!
//! Left aside is what our tree leaves out by design: elements that HTML makes up (`html`, `head`, `body`, `tbody`,
//! `colgroup`) and formatting elements, which HTML opens again in later blocks. The link around a word is compared for
//! itself, not as part of the chain of elements, since HTML moves a link that is closed across blocks into them.

use std::fmt::Write;

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, QualName};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use tamis_page::html::{Attribute, Node, Tag, Tree, parse};

/// Elements that tell a reader what a text is.
const SIGNIFICANT: &[&str] = &[
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ul",
    "ol",
    "dl",
    "dd",
    "dt",
    "table",
    "caption",
    "tr",
    "td",
    "th",
    "blockquote",
    "pre",
    "div",
    "section",
    "article",
    "nav",
    "header",
    "footer",
    "aside",
    "main",
    "form",
    "fieldset",
    "figure",
    "figcaption",
    "details",
    "summary",
    "select",
    "option",
    "button",
    "title",
    "script",
    "style",
    "textarea",
    "svg",
    "math",
    "noscript",
    "template",
    "iframe",
    "object",
    "address",
    "center",
];

/// Elements that HTML makes up, or opens more often than the page does.
const LEFT_ASIDE: &[&str] = &[
    "html", "head", "body", "tbody", "colgroup", "a", "b", "big", "code", "em", "font", "i", "nobr", "s",
    "small", "strike", "strong", "tt", "u",
];

/// A word with all that says what it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Word {
    /// The significant elements around it, the outermost first.
    pub(crate) around: String,
    /// Where the link around it leads.
    pub(crate) link: Option<String>,
    /// The word itself.
    pub(crate) text: String,
}

/// What a reader takes from a page.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// The words, in the order of the tree.
    pub(crate) words: Vec<Word>,
    /// The elements with their attributes, in the order of the tree.
    pub(crate) elements: Vec<String>,
    /// The attributes of all links, each once, sorted.
    pub(crate) links: Vec<String>,
}

/// A page as our parser has it.
pub(crate) fn ours(page: &str) -> Reading {
    let tree = parse(page);
    let mut reader = Reader::default();
    let mut open: Vec<u32> = Vec::new();
    for (at, node) in tree.nodes().iter().enumerate().skip(1) {
        while open.last().is_some_and(|&end| end <= at as u32) {
            open.pop();
            reader.leave();
        }
        if node.tag == Tag::Text {
            reader.text(&tree.text(at as u32));
        } else {
            reader.enter(&our_name(node), our_attributes(&tree, at as u32));
            open.push(node.end);
        }
    }
    reader.finish()
}

/// A page as html5ever has it, without scripting, so that `noscript` holds markup.
pub(crate) fn html5ever(page: &str) -> Reading {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let dom = html5ever::parse_document(RcDom::default(), options).one(page);
    let mut reader = Reader::default();
    let mut todo = vec![Step::Visit(dom.document.clone())];
    while let Some(step) = todo.pop() {
        match step {
            Step::Leave => reader.leave(),
            Step::Visit(node) => visit(&node, &mut reader, &mut todo),
        }
    }
    reader.finish()
}

enum Step {
    Visit(Handle),
    Leave,
}

fn visit(node: &Handle, reader: &mut Reader, todo: &mut Vec<Step>) {
    match &node.data {
        NodeData::Text { contents } => reader.text(&contents.borrow()),
        NodeData::Element { name, attrs, template_contents, .. } => {
            let attributes =
                attrs.borrow().iter().map(|a| (qualified(&a.name), a.value.to_string())).collect();
            reader.enter(&name.local.to_ascii_lowercase(), attributes);
            todo.push(Step::Leave);
            if let Some(content) = &*template_contents.borrow() {
                todo.extend(content.children.borrow().iter().rev().cloned().map(Step::Visit));
            }
        }
        _ => {}
    }
    todo.extend(node.children.borrow().iter().rev().cloned().map(Step::Visit));
}

fn qualified(name: &QualName) -> String {
    let local = name.local.to_ascii_lowercase();
    match &name.prefix {
        Some(prefix) if !prefix.is_empty() => format!("{prefix}:{local}"),
        _ => local.to_string(),
    }
}

fn our_name(node: &Node<'_>) -> String {
    if node.tag == Tag::Other { node.raw.to_lowercase() } else { node.tag.name().to_owned() }
}

fn our_attributes(tree: &Tree<'_>, id: u32) -> Vec<(String, String)> {
    let pair = |attribute: &Attribute<'_>| {
        (attribute.written.to_ascii_lowercase(), attribute.value().replace("\r\n", "\n").replace('\r', "\n"))
    };
    tree.attributes(id).iter().map(pair).collect()
}

/// Makes a [`Reading`] from a walk over a tree.
#[derive(Default)]
struct Reader {
    reading: Reading,
    open: Vec<(String, Option<String>)>,
    text: String,
    text_around: String,
    text_link: Option<String>,
}

impl Reader {
    fn enter(&mut self, name: &str, attributes: Vec<(String, String)>) {
        let shown = show(name, attributes);
        let link = if name == "a" { Some(shown.clone()) } else { self.open.last().and_then(|o| o.1.clone()) };
        if name == "a" {
            self.reading.links.push(shown.clone());
        }
        if !LEFT_ASIDE.contains(&name) {
            self.reading.elements.push(shown);
        }
        self.open.push((name.to_owned(), link));
    }

    fn leave(&mut self) {
        self.open.pop();
    }

    /// Texts with the same elements around them are one, as if nothing stood between.
    fn text(&mut self, text: &str) {
        let significant = self.open.iter().map(|o| o.0.as_str()).filter(|name| SIGNIFICANT.contains(name));
        let around = significant.collect::<Vec<_>>().join(" ");
        let link = self.open.last().and_then(|o| o.1.clone());
        if around != self.text_around || link != self.text_link {
            self.words();
            self.text_around = around;
            self.text_link = link;
        }
        self.text.push_str(text);
    }

    fn words(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.reading.words.extend(text.split_whitespace().map(|word| Word {
            around: self.text_around.clone(),
            link: self.text_link.clone(),
            text: word.to_owned(),
        }));
    }

    fn finish(mut self) -> Reading {
        self.words();
        self.reading.links.sort_unstable();
        self.reading.links.dedup();
        self.reading
    }
}

/// An element with its attributes by name, the first of each name.
fn show(name: &str, mut attributes: Vec<(String, String)>) -> String {
    attributes.sort_by(|a, b| a.0.cmp(&b.0));
    attributes.dedup_by(|later, first| later.0 == first.0);
    let mut shown = format!("<{name}");
    for (name, value) in attributes {
        write!(shown, " {name}={value:?}").expect("a string grows");
    }
    shown + ">"
}
