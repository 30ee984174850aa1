//! The crate against other implementations and real pages, from outside.

mod agreement;
mod html5lib_trees;
mod reading;
mod real_pages;
