//! The crate against other implementations' cases and real files, from outside.

mod crawl;
mod examples;
mod focus;
mod fuzz_corpus;
mod links;
mod robots;
mod scope;
mod sitemap;
mod transport;
