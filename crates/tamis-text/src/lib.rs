//! From bytes to a page: charset, repair, HTML, main text, metadata, links and quotes.

pub mod html;
pub mod metadata;
