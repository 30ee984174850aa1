//! Chosen blocks as text.

use crate::content::blocks::{Block, Outline, is_unseen};
use crate::html::{NodeId, Tag, Tree, push_words};
use crate::links::Placed;

/// Text of a page and where it comes from.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Paragraphs, headings, items and rows, a line each; an empty line between paragraphs.
    pub text: String,
    /// The text nodes in it, in the order of the page.
    pub placed: Vec<Placed>,
}

/// Writes the blocks that `keep` names.
pub(crate) fn write(outline: &Outline<'_, '_>, keep: impl Fn(usize) -> bool) -> Written {
    let mut writer = Writer { tree: outline.tree, written: Written::default(), chars: 0 };
    let mut before: Option<&Block> = None;
    for (at, block) in outline.blocks.iter().enumerate() {
        if !keep(at) {
            continue;
        }
        if let Some(before) = before {
            writer.push(separator(outline.tree, before, block));
        }
        writer.block(block);
        before = Some(block);
    }
    writer.written
}

/// One block's text.
pub(crate) fn write_one(outline: &Outline<'_, '_>, at: usize) -> String {
    let mut writer = Writer { tree: outline.tree, written: Written::default(), chars: 0 };
    writer.block(&outline.blocks[at]);
    writer.written.text
}

/// Cells of a row share a line, items of a list follow each other, all else is a paragraph.
fn separator(tree: &Tree<'_>, before: &Block, block: &Block) -> &'static str {
    let is_cell = |block: &Block| matches!(block.role, Tag::Td | Tag::Th);
    if is_cell(before) && is_cell(block) {
        return if same_row(tree, before, block) { "\t" } else { "\n" };
    }
    if before.role == block.role && matches!(block.role, Tag::Li | Tag::Dd | Tag::Dt) {
        return "\n";
    }
    "\n\n"
}

fn same_row(tree: &Tree<'_>, before: &Block, block: &Block) -> bool {
    let row = |block: &Block| tree.ancestors(block.first).find(|&id| tree.node(id).tag == Tag::Tr);
    row(before).is_some() && row(before) == row(block)
}

struct Writer<'t, 'a> {
    tree: &'t Tree<'a>,
    written: Written,
    /// Characters written.
    chars: u32,
}

impl Writer<'_, '_> {
    fn push(&mut self, text: &str) {
        self.written.text.push_str(text);
        self.chars += text.chars().count() as u32;
    }

    fn block(&mut self, block: &Block) {
        let start = self.written.text.len();
        let is_pre = block.role == Tag::Pre;
        let mut id = block.first;
        while id <= block.last {
            let node = self.tree.node(id);
            if node.tag == Tag::Text {
                self.text(id, is_pre);
            } else if node.tag == Tag::Br {
                self.trim_end(start);
                self.push("\n");
            } else if is_unseen(self.tree, id) {
                id = node.end;
                continue;
            }
            id += 1;
        }
        self.trim_end(start);
    }

    /// White space at the end of a block or line is nobody's.
    fn trim_end(&mut self, start: usize) {
        let text = &mut self.written.text;
        let end = start + text[start..].trim_end().len();
        self.chars -= text[end..].chars().count() as u32;
        text.truncate(end);
    }

    fn text(&mut self, id: NodeId, is_pre: bool) {
        let text = self.tree.text(id);
        let start = self.chars;
        let before = self.written.text.len();
        if is_pre {
            self.written.text.push_str(&text);
        } else {
            push_words(&mut self.written.text, &text);
        }
        let added = &self.written.text[before..];
        let leading = added.chars().take_while(|c| c.is_whitespace()).count() as u32;
        let trailing = added.chars().rev().take_while(|c| c.is_whitespace()).count() as u32;
        self.chars += added.chars().count() as u32;
        if start + leading < self.chars {
            self.written.placed.push(Placed { node: id, start: start + leading, end: self.chars - trailing });
        }
    }
}
