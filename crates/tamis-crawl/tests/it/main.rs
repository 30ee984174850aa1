//! The crate against other implementations' cases and real files, from outside.

mod again;
mod crawl;
mod focus;
mod fuzz_corpus;
mod kept;
mod links;
mod loopback;
mod proxy;
mod robots;
mod scope;
mod sitemap;
mod steer;
mod transport;
