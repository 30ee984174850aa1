//! From the bytes of a page to its text.
//!
//! [`charset`] turns bytes into characters and says which rule chose the encoding. [`repair`] finds and mends what
//! earlier software did to the characters.
//!
//! Everything here is a pure function that takes any input, never fails and never panics. The crate knows no files,
//! no threads and no sockets.
#![warn(missing_docs)]

pub mod charset;
pub mod repair;
