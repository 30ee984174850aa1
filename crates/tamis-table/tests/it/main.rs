//! What a reader of the table sees.

mod examples;
mod kept;
mod lazy;
mod materialise;
mod rows;
mod same_rows;
