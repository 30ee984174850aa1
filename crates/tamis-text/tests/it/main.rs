//! The crate against real text, from outside.

mod sound_text;
