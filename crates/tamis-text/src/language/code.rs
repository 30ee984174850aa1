//! Codes of languages.

use std::fmt;

/// A language by its code of three letters: ISO 639-2/T where it has one, else ISO 639-3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 3]);

impl Language {
    /// The language with this code of three small letters.
    pub const fn of_code(code: [u8; 3]) -> Option<Self> {
        if code[0].is_ascii_lowercase() && code[1].is_ascii_lowercase() && code[2].is_ascii_lowercase() {
            Some(Self(code))
        } else {
            None
        }
    }

    /// The code.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).expect("three small letters")
    }
}

impl fmt::Display for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}
