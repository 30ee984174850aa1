//! From bytes to a page.
//!
//! [`charset`] turns bytes into characters and says which rule chose the encoding. [`repair`] finds and mends what
//! earlier software did to the characters. [`html`] makes a tree of them, [`content`] the main text and all visible text,
//! [`metadata`] what the page says of itself, [`links`] where it leads, [`quotes`] what it quotes; [`domain`] and
//! [`status`] what its address and its fetch tell. [`page::read`] does all of this for one capture.
//!
//! [`tokens`] splits its text into words and sentences, [`stop_words`] and [`profanity`] know words by lists, and [`article`]
//! writes and reads the lines of the article format. [`stem`] and [`lemma`] give words without their endings, [`place`] knows where
//! a name is, [`keyword`] finds what a text is about.
//!
//! Everything here is a pure function that takes any input, never fails and never panics. The crate knows no files,
//! no threads and no sockets.

pub mod article;
pub mod charset;
pub mod content;
pub mod date;
pub mod domain;
pub mod html;
pub mod keyword;
pub mod language;
pub mod lemma;
pub mod links;
pub mod metadata;
pub mod page;
pub mod place;
pub mod profanity;
pub mod quotes;
pub mod repair;
pub mod status;
pub mod stem;
pub mod stop_words;
pub mod tokens;
