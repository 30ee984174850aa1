//! How busy a host or an address is: what is going on at the same time, and the pauses between.

use super::audit::Finding;
use super::log::Event;

/// The pauses that are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Manners {
    pub(super) delay_ms: u64,
    pub(super) slice_ms: u64,
    pub(super) share: f64,
    pub(super) tolerance_ms: u64,
    /// Whether the request counts as none.
    pub(super) ignored: bool,
}

/// What was going on so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Busy {
    /// When what is going on ends.
    ends: Vec<u64>,
    last_end_us: Option<u64>,
    /// The run of requests over one connection that is going on.
    visit: Option<Visit>,
    shortest_us: Option<u64>,
    /// The most at the same time.
    pub(super) most: u64,
}

#[derive(Debug, Clone, Copy)]
struct Visit {
    connection: u64,
    start_us: u64,
}

/// What is wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wrong {
    /// The pause before it, if it was too short.
    too_short_us: Option<u64>,
    at_once: bool,
}

impl Wrong {
    pub(super) fn note(self, pause: &mut Finding, at_once: &mut Finding, example: impl Fn(u64) -> String) {
        if let Some(us) = self.too_short_us {
            pause.add(|| example(us));
        }
        if self.at_once {
            at_once.add(|| example(0));
        }
    }
}

impl Busy {
    /// Takes a request that begins no earlier than those before.
    pub(super) fn take(&mut self, event: &Event, manners: &Manners) -> Wrong {
        self.ends.retain(|end| *end > event.start_us);
        self.ends.push(event.end_us);
        self.most = self.most.max(self.ends.len() as u64);
        let wrong = Wrong { too_short_us: self.too_short(event, manners), at_once: self.ends.len() > 1 };
        if !self.goes_on(event, manners) {
            self.visit = Some(Visit { connection: event.connection, start_us: event.start_us });
        }
        if !manners.ignored {
            if let Some(end) = self.last_end_us {
                let pause = event.start_us.saturating_sub(end);
                self.shortest_us = Some(self.shortest_us.map_or(pause, |known| known.min(pause)));
            }
            self.last_end_us = self.last_end_us.max(Some(event.end_us));
        }
        wrong
    }

    /// The pause before a request, if it is shorter than asked for. What happens at once has no pause to judge.
    pub(super) fn too_short(&self, event: &Event, manners: &Manners) -> Option<u64> {
        let end = self.last_end_us.filter(|end| *end <= event.start_us)?;
        if manners.ignored || self.goes_on(event, manners) {
            return None;
        }
        let pause = event.start_us - end;
        let rest = match self.visit {
            Some(visit) if manners.share > 0.0 => ((end - visit.start_us) as f64 / manners.share) as u64,
            _ => 0,
        };
        let asked = rest.max(manners.delay_ms * 1000);
        (pause + manners.tolerance_ms * 1000 < asked).then_some(pause)
    }

    pub(super) fn shortest_ms(&self) -> Option<f64> {
        self.shortest_us.map(|us| us as f64 / 1000.0)
    }

    /// Whether a request still belongs to the visit before it.
    fn goes_on(&self, event: &Event, manners: &Manners) -> bool {
        self.visit.is_some_and(|visit| {
            visit.connection == event.connection
                && event.start_us <= visit.start_us + manners.slice_ms * 1000
                && manners.slice_ms > 0
        })
    }
}
