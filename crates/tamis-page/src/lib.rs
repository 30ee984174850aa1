//! From bytes to a page.
//!
//! [`charset`] turns bytes into characters and says which rule chose the encoding. [`repair`] finds and repairs what earlier
//! software did to the characters. [`html`] builds a tree, [`content`] finds the main text and all visible text, [`metadata`] what
//! the page says of itself, [`links`] its links, [`quotes`] its quotes; [`domain`] and [`status`] read its URL and its fetch.
//! [`page::read`] does all of this for one capture. [`article`] reads and writes lines of the article format.
//!
//! Everything here is a pure function that takes any input, never fails and never panics. The crate knows no files, no threads,
//! no sockets and no language models.

pub mod article;
pub mod charset;
pub mod content;
pub mod date;
pub mod domain;
pub mod html;
pub mod links;
pub mod metadata;
pub mod page;
pub mod quotes;
pub mod repair;
pub mod status;
