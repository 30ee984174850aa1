//! What a reader of the table sees.

mod lazy;
mod materialise;
mod rows;
