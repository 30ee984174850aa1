//! From bytes to a page: charset, repair, HTML, main text, metadata, links and quotes.

pub mod content;
pub mod domain;
pub mod html;
pub mod links;
pub mod quotes;
pub mod status;
