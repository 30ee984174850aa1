//! HTTP messages as they stand in the blocks of response, request and revisit records.
//!
//! [`HttpHead`] reads the start line and the fields, whatever the server sent; [`BodyReader`] undoes the transfer
//! and content codings of what follows, within [`DecodeLimits`]. Neither fails on bad data: what is odd is kept as
//! [`HttpQuirk`]s, and a body that is not coded as its head says is given as it stands.

mod body;
mod coding;
mod dechunk;
mod decoder;
mod head;
mod layer;
mod quirk;
mod start_line;

pub use body::{BodyEnd, BodyOutcome, BodyReader, DecodeLimits};
pub use coding::Coding;
pub use dechunk::Dechunk;
pub use head::{Extent, HttpHead, HttpKind, MAX_HEAD_BYTES, Parse};
pub use quirk::{HttpQuirk, HttpQuirks};
