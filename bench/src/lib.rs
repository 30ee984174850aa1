//! What the bench programs share: how a run is measured, and the proof that a tool read what it claims.

pub mod measure;
pub mod touch;
