//! The crate against other implementations' cases and real files, from outside.

mod crawl;
mod focus;
mod fuzz_corpus;
mod links;
mod requisites;
mod robots;
mod scope;
mod series;
mod sitemap;
mod transport;
