//! What the server saw, for the audit: some hundred bytes a request.

use std::ops::Range;

/// How an exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Still going on.
    Open,
    /// All of the answer was sent.
    Complete,
    /// The answer was to come again later.
    Refused,
    /// The server did not answer as it should.
    Broken,
    /// The client left before the end.
    Left,
}

/// A request and its answer.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// When the head of the request was there, in microseconds since the server started.
    pub(super) start_us: u64,
    /// Right before the write that took the last byte: never later than the client had it, however busy the machine.
    pub(super) end_us: u64,
    pub(super) bytes: u64,
    pub(super) connection: u64,
    /// None if the host is not of this world.
    pub(super) host: Option<u32>,
    pub(super) address: u32,
    pub(super) secure: bool,
    pub(super) status: u16,
    pub(super) outcome: Outcome,
    /// What `Retry-After` said.
    pub(super) wait_ms: u64,
    path: Range<usize>,
}

/// All that happened, in the order in which it began.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    pub(super) events: Vec<Event>,
    paths: String,
}

/// Where and what was asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) connection: u64,
    pub(super) address: u32,
    pub(super) host: Option<u32>,
    pub(super) secure: bool,
    pub(super) path: &'a str,
}

impl Log {
    /// Notes a request; the number is for [`Log::end`].
    pub(super) fn begin(&mut self, asked: Asked<'_>, start_us: u64) -> usize {
        let path = self.paths.len()..self.paths.len() + asked.path.len();
        self.paths.push_str(asked.path);
        self.events.push(Event {
            start_us,
            end_us: u64::MAX,
            bytes: 0,
            connection: asked.connection,
            host: asked.host,
            address: asked.address,
            secure: asked.secure,
            status: 0,
            outcome: Outcome::Open,
            wait_ms: 0,
            path,
        });
        self.events.len() - 1
    }

    /// Changes a noted request.
    pub(super) fn end(&mut self, number: usize, change: impl FnOnce(&mut Event)) {
        if let Some(event) = self.events.get_mut(number) {
            change(event);
        }
    }

    pub(super) fn path(&self, event: &Event) -> &str {
        &self.paths[event.path.clone()]
    }
}
