//! The crate against other implementations' cases and real files, from outside.

mod robots;
mod scope;
mod sitemap;
