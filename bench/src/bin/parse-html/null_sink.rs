//! A tree that html5ever builds and nobody keeps: what its tokeniser and its rules cost without a DOM.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, ExpandedName, QualName, local_name, ns};

/// Counts the elements.
pub(crate) struct NullSink {
    elements: Cell<usize>,
    document: Rc<QualName>,
}

impl Default for NullSink {
    fn default() -> Self {
        let name = QualName::new(None, ns!(), local_name!(""));
        NullSink { elements: Cell::new(0), document: Rc::new(name) }
    }
}

impl TreeSink for NullSink {
    type Handle = Rc<QualName>;
    type Output = usize;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> usize {
        self.elements.get()
    }

    fn get_document(&self) -> Rc<QualName> {
        self.document.clone()
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<QualName>) -> ExpandedName<'a> {
        target.expanded()
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> Rc<QualName> {
        self.elements.set(self.elements.get() + 1);
        Rc::new(name)
    }

    fn create_comment(&self, _: StrTendril) -> Rc<QualName> {
        Rc::new((*self.document).clone())
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Rc<QualName> {
        Rc::new((*self.document).clone())
    }

    fn get_template_contents(&self, _: &Rc<QualName>) -> Rc<QualName> {
        Rc::new((*self.document).clone())
    }

    fn same_node(&self, one: &Rc<QualName>, other: &Rc<QualName>) -> bool {
        Rc::ptr_eq(one, other)
    }

    fn parse_error(&self, _: Cow<'static, str>) {}
    fn append(&self, _: &Rc<QualName>, _: NodeOrText<Rc<QualName>>) {}
    fn append_based_on_parent_node(&self, _: &Rc<QualName>, _: &Rc<QualName>, _: NodeOrText<Rc<QualName>>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn append_before_sibling(&self, _: &Rc<QualName>, _: NodeOrText<Rc<QualName>>) {}
    fn add_attrs_if_missing(&self, _: &Rc<QualName>, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &Rc<QualName>) {}
    fn reparent_children(&self, _: &Rc<QualName>, _: &Rc<QualName>) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
}
