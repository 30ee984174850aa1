//! Tests of the whole, with a client that shares nothing with the world but the standards.

mod audit;
mod client;
mod crawl;
mod serve;
mod world;
