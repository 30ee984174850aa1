//! What a start tag does to the elements that are open, before its own is added.

use super::build::Builder;
use super::tag::Tag;
use super::tag::trait_bits::{CLOSES_P, HEAD, HEADING, P_SCOPE, SCOPE, SPECIAL};

impl Builder<'_> {
    /// Whether a start tag adds no element here.
    pub(super) fn is_dropped(&mut self, tag: Tag) -> bool {
        match tag {
            Tag::Html | Tag::Head | Tag::Body => self.repeated(tag),
            Tag::Form => self.form.is_some() && !self.is_open(Tag::Template),
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => !self.is_open(Tag::Table) && !self.is_open(Tag::Template),
            Tag::Select if self.is_open(Tag::Select) => {
                self.close(Tag::Select, SCOPE);
                true
            }
            _ => false,
        }
    }

    /// A second `html`, `head` or `body` adds nothing; a `body` ends the head.
    fn repeated(&mut self, tag: Tag) -> bool {
        if tag == Tag::Body && self.is_open(Tag::Head) {
            self.close(Tag::Head, 0);
        }
        self.is_open(tag) || (tag != Tag::Body && self.is_open(Tag::Body))
    }

    /// Ends what a start tag ends without saying so.
    pub(super) fn close_implied(&mut self, tag: Tag) {
        if self.is_open(Tag::Head) && !tag.has(HEAD) && !self.is_open(Tag::Template) {
            self.close(Tag::Head, 0);
        }
        if tag.has(CLOSES_P) && self.is_open(Tag::P) {
            self.close(Tag::P, P_SCOPE);
        }
        match tag {
            Tag::Li => self.close_item(&[Tag::Li]),
            Tag::Dd | Tag::Dt => self.close_item(&[Tag::Dd, Tag::Dt]),
            Tag::Option => self.close_current(&[Tag::Option]),
            Tag::Hr if !self.is_open(Tag::Select) => {}
            Tag::Optgroup | Tag::Hr => {
                self.close_current(&[Tag::Option]);
                self.close_current(&[Tag::Optgroup]);
            }
            Tag::Input if self.is_open(Tag::Select) => self.close(Tag::Select, SCOPE),
            Tag::Table if is_table_part(self.current()) => self.close(Tag::Table, 0),
            Tag::Td | Tag::Th => self.start_cell(),
            Tag::Tr => self.clear_to(|tag| matches!(tag, Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot)),
            Tag::Thead | Tag::Tbody | Tag::Tfoot | Tag::Colgroup | Tag::Caption => {
                self.clear_to(|tag| tag == Tag::Table);
            }
            Tag::A if self.is_open(Tag::A) => self.end_link(),
            Tag::Button if self.is_open(Tag::Button) => self.close(Tag::Button, SCOPE),
            Tag::Rb | Tag::Rt | Tag::Rp | Tag::Rtc => self.close_current(&[Tag::Rb, Tag::Rt, Tag::Rp]),
            _ if tag.has(HEADING) && self.current().has(HEADING) => self.pop_to(self.open.len() - 1),
            _ => {}
        }
    }

    fn close_current(&mut self, tags: &[Tag]) {
        if tags.contains(&self.current()) {
            self.pop_to(self.open.len() - 1);
        }
    }

    /// Ends the open item of the list that the new one is in.
    fn close_item(&mut self, items: &[Tag]) {
        if !items.iter().any(|&item| self.is_open(item)) {
            return;
        }
        for height in (1..self.open.len()).rev() {
            let tag = self.tag(self.open[height]);
            if items.contains(&tag) {
                return self.pop_to(height);
            }
            if tag.has(SPECIAL) && !matches!(tag, Tag::Address | Tag::Div | Tag::P) {
                return;
            }
        }
    }

    /// Ends the cell before, and makes up a row where the table has none.
    fn start_cell(&mut self) {
        self.clear_to(|tag| matches!(tag, Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr));
        if matches!(self.current(), Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot) {
            self.push_implied(Tag::Tr, Tag::Tr.name());
        }
    }

    /// Ends everything inside the nearest element of the table that can hold the new part.
    fn clear_to(&mut self, holds: impl Fn(Tag) -> bool) {
        let holder = self.open.iter().rposition(|&id| holds(self.tag(id)) || self.tag(id) == Tag::Template);
        if let Some(height) = holder {
            self.pop_to(height + 1);
        }
    }
}

/// Elements in which a table cannot start.
fn is_table_part(tag: Tag) -> bool {
    matches!(tag, Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr | Tag::Colgroup)
}
