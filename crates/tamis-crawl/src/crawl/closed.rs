//! Hosts that were given up, with all their addresses. The next run tries them again.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::network::now_ms;
use super::replace;
use crate::fetch::Failure;
use crate::{Error, Result};

/// The file in the folder of a crawl: a host, the time in milliseconds since 1970, and why, a line.
pub(super) fn path(frontier: &Path) -> PathBuf {
    frontier.join("closed.tsv")
}

/// Hosts that were given up: when, and why.
#[derive(Debug, Default)]
pub(super) struct Closed {
    hosts: BTreeMap<String, (u64, String)>,
    is_changed: bool,
}

impl Closed {
    /// Those of the last run. They are tried again; a host that answers is none any more.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(Error::io(path, error)),
        };
        let entry = |line: &str| {
            let (host, rest) = line.split_once('\t')?;
            let (time_ms, why) = rest.split_once('\t')?;
            Some((host.to_owned(), (time_ms.parse().ok()?, why.to_owned())))
        };
        Ok(Self { hosts: text.lines().filter_map(entry).collect(), is_changed: false })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// When and why a host was given up.
    pub(super) fn of(&self, host: &str) -> Option<(u64, &str)> {
        self.hosts.get(host).map(|(time_ms, why)| (*time_ms, why.as_str()))
    }

    /// Notes a host, and the last failure if there was one.
    pub(super) fn add(&mut self, host: &str, failure: Option<Failure>) {
        let why = failure.map_or("given-up", Failure::name).to_owned();
        self.hosts.insert(host.to_owned(), (now_ms(), why));
        self.is_changed = true;
    }

    /// A host has answered.
    pub(super) fn forget(&mut self, host: &str) {
        self.is_changed |= self.hosts.remove(host).is_some();
    }

    /// Writes them down, if there is something new.
    pub(super) fn keep(&mut self, path: &Path) -> Result<()> {
        if !std::mem::take(&mut self.is_changed) {
            return Ok(());
        }
        let line = |(host, (time_ms, why)): (&String, &(u64, String))| format!("{host}\t{time_ms}\t{why}\n");
        replace(path, self.hosts.iter().map(line).collect::<String>().as_bytes())
    }
}
