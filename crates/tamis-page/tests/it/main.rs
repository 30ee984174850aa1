//! The crate against other implementations, real text and real pages, from outside.

mod agreement;
mod entities;
mod examples;
mod fuzz_corpus;
mod hostile;
mod html5lib_trees;
mod page_files;
mod properties;
mod reading;
mod real_pages;
mod sound_text;
mod truncated;
