//! The crate against other implementations' cases and real files, from outside.

mod again;
mod cost;
mod crawl;
mod examples;
mod focus;
mod fuzz_corpus;
mod kept;
mod links;
mod loopback;
mod proxy;
mod requisites;
mod robots;
mod scope;
mod series;
mod sitemap;
mod steer;
mod transport;
