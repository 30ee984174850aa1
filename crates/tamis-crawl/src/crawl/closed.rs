//! Hosts that a run gave up, with all their addresses: a file that each run leaves anew, since the next tries them again.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::network::now_ms;
use super::replace;
use crate::fetch::Failure;
use crate::{Error, Result};

/// Hosts, and why each was given up.
#[derive(Debug, Default)]
pub(super) struct Closed {
    hosts: BTreeMap<String, (u64, &'static str)>,
}

/// The file in the folder of a crawl: a host, the time in milliseconds since 1970, and why, a line.
pub(super) fn path(frontier: &Path) -> PathBuf {
    frontier.join("closed.tsv")
}

impl Closed {
    /// Notes a host, and the last failure if there was one.
    pub(super) fn add(&mut self, host: &str, failure: Option<Failure>) {
        self.hosts.insert(host.to_owned(), (now_ms(), failure.map_or("given-up", Failure::name)));
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let line = |(host, (time_ms, why)): (&String, &(u64, &str))| format!("{host}\t{time_ms}\t{why}\n");
        replace(path, self.hosts.iter().map(line).collect::<String>().as_bytes())
    }
}

/// When and why each host was given up.
pub(super) fn read(path: &Path) -> Result<BTreeMap<String, (u64, String)>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(Error::io(path, error)),
    };
    let entry = |line: &str| {
        let (host, rest) = line.split_once('\t')?;
        let (time_ms, why) = rest.split_once('\t')?;
        Some((host.to_owned(), (time_ms.parse().ok()?, why.to_owned())))
    };
    Ok(text.lines().filter_map(entry).collect())
}
