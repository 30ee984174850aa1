//! Connections that wait for the next visit to their host.

use std::collections::{HashMap, VecDeque};

use crate::fetch::Connection;
use crate::workbench::HostId;

/// Servers close what is idle after five seconds or more; then to keep it is to be told so later.
const KEEP_MS: u64 = 5_000;

/// A bounded number of open connections, one a host. The one that has waited longest goes first.
#[derive(Debug)]
pub(super) struct IdleConnections {
    most: usize,
    open: HashMap<HostId, (u64, Connection)>,
    order: VecDeque<(u64, HostId)>,
}

impl IdleConnections {
    /// Keeps at most so many.
    pub(super) fn new(most: usize) -> Self {
        Self { most, open: HashMap::new(), order: VecDeque::new() }
    }

    /// Keeps a connection for a while.
    pub(super) fn put(&mut self, host: HostId, connection: Connection, now_ms: u64) {
        self.expire(now_ms);
        self.open.insert(host, (now_ms, connection));
        self.order.push_back((now_ms, host));
    }

    /// The connection of a host, if it may still be open.
    pub(super) fn take(&mut self, host: HostId, now_ms: u64) -> Option<Connection> {
        let (since_ms, connection) = self.open.remove(&host)?;
        (now_ms < since_ms + KEEP_MS).then_some(connection)
    }

    fn expire(&mut self, now_ms: u64) {
        while let Some(&(since_ms, host)) = self.order.front() {
            if now_ms < since_ms + KEEP_MS && self.order.len() < self.most {
                return;
            }
            self.order.pop_front();
            if self.open.get(&host).is_some_and(|(since, _)| *since == since_ms) {
                self.open.remove(&host);
            }
        }
    }
}
