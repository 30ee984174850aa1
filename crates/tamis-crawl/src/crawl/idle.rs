//! Connections that wait for the next visit to their host.

use std::collections::{HashMap, VecDeque};

use crate::fetch::Connection;
use crate::workbench::HostId;

/// How long a connection waits. Servers close idle ones after 5 s (Apache), 75 s (nginx) or minutes; one that a server closed is
/// noticed before a request is sent on it.
const KEEP_MS: u64 = 15_000;

/// A bounded number of open connections, one per host. The one that has waited longest is closed first.
///
/// Memory: that of the connections, and 16 bytes for each visit of the last [`KEEP_MS`].
#[derive(Debug)]
pub(super) struct IdleConnections<C = Connection> {
    most: usize,
    open: HashMap<HostId, (u64, C)>,
    /// When each was put here. Connections that were taken since are still in this list, and are skipped.
    order: VecDeque<(u64, HostId)>,
}

impl<C> IdleConnections<C> {
    /// Keeps at most `most` connections.
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(1), open: HashMap::new(), order: VecDeque::new() }
    }

    /// Keeps a connection for a while.
    pub(super) fn put(&mut self, host: HostId, connection: C, now_ms: u64) {
        self.expire(now_ms);
        while self.open.len() >= self.most && self.close_oldest() {}
        self.open.insert(host, (now_ms, connection));
        self.order.push_back((now_ms, host));
    }

    /// The connection of a host, if it may still be open.
    pub(super) fn take(&mut self, host: HostId, now_ms: u64) -> Option<C> {
        let (since_ms, connection) = self.open.remove(&host)?;
        (now_ms < since_ms + KEEP_MS).then_some(connection)
    }

    /// Closes those that have waited too long.
    pub(super) fn expire(&mut self, now_ms: u64) {
        while self.order.front().is_some_and(|(since_ms, _)| now_ms >= since_ms + KEEP_MS) {
            self.close_oldest();
        }
    }

    /// Removes the front of the list, and closes its connection if that is still here. False if the list is empty.
    fn close_oldest(&mut self) -> bool {
        let Some((since_ms, host)) = self.order.pop_front() else { return false };
        if self.open.get(&host).is_some_and(|(since, _)| *since == since_ms) {
            self.open.remove(&host);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::{Config, Entry, Workbench};

    fn hosts(count: usize) -> Vec<HostId> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bench = Workbench::create(&folder.path().join("q"), Config::default()).expect("a file");
        let entry = Entry { id: 1, score: 0.0 };
        (0..count).map(|host| bench.add(&host.to_string(), entry).expect("a file").host).collect()
    }

    /// Taken connections were counted: with more visits than places, every visit opened a connection.
    #[test]
    fn connections_that_were_taken_do_not_count() {
        let mut idle = IdleConnections::new(10);
        let hosts = hosts(10);
        hosts.iter().enumerate().for_each(|(n, host)| idle.put(*host, n, 0));
        for now_ms in 1..100 {
            for (n, host) in hosts.iter().enumerate() {
                assert_eq!(idle.take(*host, now_ms), Some(n), "{now_ms}");
                idle.put(*host, n, now_ms);
            }
        }
    }

    #[test]
    fn the_oldest_gives_way_and_all_expire() {
        let mut idle = IdleConnections::new(2);
        let hosts = hosts(3);
        for (n, host) in hosts.iter().enumerate() {
            idle.put(*host, n, n as u64);
        }
        assert_eq!(idle.take(hosts[0], 3), None);
        assert_eq!((idle.take(hosts[1], 3), idle.open.len()), (Some(1), 1));
        assert_eq!(idle.take(hosts[2], KEEP_MS + 2), None, "it waited too long");
        idle.put(hosts[1], 1, 5);
        idle.expire(KEEP_MS + 5);
        assert_eq!((idle.open.len(), idle.order.len()), (0, 0));
    }
}
