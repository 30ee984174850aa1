//! What an end tag ends.

use super::build::Builder;
use super::tag::Tag;
use super::tag::trait_bits::{HEADING, ITEM_SCOPE, P_SCOPE, SCOPE, SPECIAL};
use super::tree::NodeId;

/// Blocks that a misplaced `</a>` may close and open again.
const MOST_REOPENED: usize = 8;

impl<'a> Builder<'a> {
    pub(super) fn end(&mut self, tag: Tag, name: &'a str) {
        if self.takes_cdata() && self.foreign_end(tag, name) {
            return;
        }
        match Self::in_html(tag) {
            Tag::Other => self.end_other(name),
            Tag::Html | Tag::Body => {}
            Tag::Br => _ = self.add(Tag::Br, name),
            Tag::P if self.height_of(Tag::P, P_SCOPE).is_none() => self.end_of_no_paragraph(name),
            Tag::P => self.close(tag, P_SCOPE),
            Tag::Li => self.close(tag, ITEM_SCOPE),
            Tag::A => self.end_link(),
            Tag::Form => self.end_form(),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.end_heading(),
            Tag::Table | Tag::Template => self.close(tag, 0),
            Tag::Tr | Tag::Td | Tag::Th | Tag::Thead | Tag::Tbody | Tag::Tfoot | Tag::Caption => {
                self.end_table_part(tag);
            }
            tag if tag.has(SPECIAL) => self.close(tag, SCOPE),
            tag => self.close(tag, SPECIAL),
        }
    }

    /// Ends the nearest open element of this name, unless one with `barrier` traits is in between.
    pub(super) fn close(&mut self, tag: Tag, barrier: u16) {
        if let Some(height) = self.height_of(tag, barrier) {
            self.pop_to(height);
        }
    }

    fn height_of(&self, tag: Tag, barrier: u16) -> Option<usize> {
        if !self.is_open(tag) {
            return None;
        }
        for height in (1..self.open.len()).rev() {
            let open = self.tag(self.open[height]);
            if open == tag {
                return Some(height);
            }
            if open.has(barrier) {
                return None;
            }
        }
        None
    }

    /// `</p>` alone is an empty paragraph, except in a head, which has none.
    fn end_of_no_paragraph(&mut self, name: &'a str) {
        if !self.is_open(Tag::Head) {
            self.add(Tag::P, name);
        }
    }

    fn end_table_part(&mut self, tag: Tag) {
        if !self.is_open(tag) {
            return;
        }
        for height in (1..self.open.len()).rev() {
            let open = self.tag(self.open[height]);
            if open == tag {
                return self.pop_to(height);
            }
            if matches!(open, Tag::Table | Tag::Template) {
                return;
            }
        }
    }

    fn end_heading(&mut self) {
        for height in (1..self.open.len()).rev() {
            let open = self.tag(self.open[height]);
            if open.has(HEADING) {
                return self.pop_to(height);
            }
            if open.has(SCOPE) {
                return;
            }
        }
    }

    /// Ends the form. Elements inside it that are still open stay so, and the form ends with them.
    fn end_form(&mut self) {
        if self.is_open(Tag::Template) {
            return self.close(Tag::Form, SCOPE);
        }
        let Some(form) = self.form.take() else { return };
        let Some(height) = self.height_of(Tag::Form, SCOPE) else { return };
        if self.open[height] != form {
            return;
        }
        let implied = [Tag::Dd, Tag::Dt, Tag::Li, Tag::Optgroup, Tag::Option, Tag::P];
        if self.open[height + 1..].iter().all(|&id| implied.contains(&self.tag(id))) {
            self.pop_to(height);
        } else {
            self.ended_form = Some(form);
        }
    }

    fn end_other(&mut self, name: &str) {
        if !self.may_be_open(name) {
            return;
        }
        for height in (1..self.open.len()).rev() {
            let node = &self.nodes[self.open[height] as usize];
            if node.tag == Tag::Other && node.raw.eq_ignore_ascii_case(name) {
                return self.pop_to(height);
            }
            if node.tag.has(SPECIAL) {
                return;
            }
        }
    }

    /// Ends the open link. Blocks that were opened in it and are still open go on behind it, as their own elements, so
    /// that what follows is no part of the link.
    pub(super) fn end_link(&mut self) {
        let Some(height) = self.height_of(Tag::A, SCOPE) else { return };
        let mut inner: [NodeId; MOST_REOPENED] = [0; MOST_REOPENED];
        let mut count = 0;
        for &id in &self.open[height + 1..] {
            if self.tag(id).has(SPECIAL) {
                let Some(place) = inner.get_mut(count) else { return };
                *place = id;
                count += 1;
            }
        }
        self.pop_to(height);
        for &id in &inner[..count] {
            self.reopen(id);
        }
    }
}
