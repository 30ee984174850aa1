//! Whole commands, as a user meets them.

mod archives;
mod build;
mod changed_bytes;
mod clean;
mod clean_collection;
mod collection;
mod color;
mod config;
mod corruption;
mod crawl;
mod crawl_limits;
mod dedup;
mod first_steps;
#[cfg(unix)]
mod guide;
mod hostile;
mod interrupt;
mod lang;
mod licenses;
mod manifests;
mod manual;
mod pack;
mod query;
mod same_answers;
mod serve;
mod warc;
mod words;

use tamis_testkit::Scene;

/// A scene for the program under test.
fn scene() -> Scene {
    Scene::new(env!("CARGO_BIN_EXE_tamis"), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots"))
}
