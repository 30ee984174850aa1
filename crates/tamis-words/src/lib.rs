//! The words of a text, and their language.
//!
//! [`language`] identifies languages. [`tokens`] splits a text into words and sentences; [`stop_words`] and [`profanity`] know words
//! by lists. [`tag`] finds parts of speech, [`entity`] names of people, organisations and places, and [`place`] where places are;
//! [`stem`] and [`lemma`] reduce words to their base forms, and [`keyword`] finds what a text is about.
//!
//! Models are in the binary and used in place. Everything here is a pure function that takes any input, never fails and never
//! panics. The crate knows no HTML, no files and no threads.

pub mod entity;
pub mod keyword;
pub mod language;
pub mod lemma;
pub mod place;
pub mod profanity;
pub mod stem;
pub mod stop_words;
pub mod tag;
pub mod tokens;
