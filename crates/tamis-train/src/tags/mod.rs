//! Trains and measures the models of parts of speech and of names.

pub(crate) mod clusters;
mod conllu;
pub(crate) mod evaluate;
mod named;
pub(crate) mod ner;
mod perceptron;
pub(crate) mod pos;
