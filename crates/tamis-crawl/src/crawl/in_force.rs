//! What is in force in a running crawl, and how it is changed.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::live::Live;
use crate::fetch::Throttle;
use crate::scope::Rule;
use crate::workbench::Politeness;

/// Minimum bandwidth per connection, which limits how many there are: slower ones would be given up.
const LEAST_BYTES_PER_S: u64 = 4_096;

/// What is in force in a crawl.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InForce {
    /// Whether it pauses: nothing new is begun.
    pub paused: bool,
    /// Visits at once.
    pub in_flight: u64,
    /// The wait after a request to a host; none where it depends on the time that downloads take.
    pub delay_ms: Option<u64>,
    /// The wait after a request to a server.
    pub server_delay_ms: u64,
    /// The longest `Crawl-delay` that is kept to.
    pub max_crawl_delay_ms: u64,
    /// Pages that may still be fetched in this run.
    pub pages_left: Option<u64>,
    /// Requests in a thousand seconds; none without a limit.
    pub rate_milli: Option<u64>,
    /// Bytes a second; none without a limit.
    pub bandwidth: Option<u64>,
    /// Rules that were added while it ran.
    pub include: Vec<String>,
    /// Rules that were added while it ran.
    pub exclude: Vec<String>,
    /// The file of settings per host.
    pub settings_file: Option<String>,
    /// When what is in force of it was read, in milliseconds since 1970.
    pub settings_read_ms: u64,
    /// What is wrong with the file as it is now; what was read before stays in force.
    pub settings_error: Option<String>,
}

/// Changes to a running crawl; what is not named stays.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Change {
    /// Pages that may still be fetched, from now on.
    pub max_pages: Option<u64>,
    /// Visits at once.
    pub in_flight: Option<u64>,
    /// The wait after a request to a host.
    pub delay_ms: Option<u64>,
    /// The wait after a request to a server.
    pub server_delay_ms: Option<u64>,
    /// Requests in a thousand seconds; 0 for no limit.
    pub rate_milli: Option<u64>,
    /// Bytes a second; 0 for no limit.
    pub bandwidth: Option<u64>,
    /// Rules that include.
    pub include: Vec<String>,
    /// Rules that exclude.
    pub exclude: Vec<String>,
}

/// The part of it that the network thread goes by.
#[derive(Debug)]
pub(super) struct Forced {
    pub paused: bool,
    pub in_flight: usize,
    pub host: Politeness,
    pub ip: Politeness,
    rate_milli: u64,
    /// When the next request may begin, by the rate.
    next_ms: u64,
    pub throttle: Throttle,
}

impl Forced {
    pub(super) fn new(
        in_flight: usize,
        host: Politeness,
        ip: Politeness,
        rate_milli: u64,
        throttle: Throttle,
    ) -> Self {
        Self { paused: false, in_flight, host, ip, rate_milli, next_ms: 0, throttle }
    }

    /// How many visits there may be at once.
    pub(super) fn most_in_flight(&self) -> usize {
        let by_bandwidth =
            self.throttle.bytes_per_s().map_or(u64::MAX, |rate| (rate / LEAST_BYTES_PER_S).max(1));
        self.in_flight.min(usize::try_from(by_bandwidth).unwrap_or(usize::MAX))
    }

    /// When the next request may begin, if not now.
    pub(super) fn wait_until(&self, now_ms: u64) -> Option<u64> {
        (self.rate_milli > 0 && self.next_ms > now_ms).then_some(self.next_ms)
    }

    /// A request begins.
    pub(super) fn count_request(&mut self, now_ms: u64) {
        if let Some(gap_ms) = 1_000_000_u64.checked_div(self.rate_milli) {
            self.next_ms = self.next_ms.max(now_ms).saturating_add(gap_ms);
        }
    }

    /// Applies a change; nothing of it if a part cannot be.
    pub(super) fn apply(&mut self, change: &Change, live: &Live) -> Result<(), String> {
        let rules = |words: &[String]| -> Result<Vec<Rule>, String> {
            words
                .iter()
                .map(|word| Rule::from_str(word).map_err(|error| format!("rule `{word}`: {error}")))
                .collect()
        };
        let (include, exclude) = (rules(&change.include)?, rules(&change.exclude)?);
        if change.in_flight == Some(0) {
            return Err(
                "in-flight 0: at least one visit is needed; `tamis crawl pause` begins none".to_owned()
            );
        }
        if change.bandwidth.is_some_and(|rate| rate > 0 && rate < LEAST_BYTES_PER_S) {
            return Err(format!("bandwidth: {LEAST_BYTES_PER_S} bytes a second is the least there can be"));
        }
        live.add(include, exclude);
        if let Some(in_flight) = change.in_flight {
            self.in_flight = usize::try_from(in_flight).unwrap_or(usize::MAX);
        }
        if let Some(delay_ms) = change.delay_ms {
            self.host = Politeness::Fixed { delay_ms };
        }
        if let Some(delay_ms) = change.server_delay_ms {
            self.ip = Politeness::Fixed { delay_ms };
        }
        if let Some(rate_milli) = change.rate_milli {
            (self.rate_milli, self.next_ms) = (rate_milli, 0);
        }
        if let Some(bandwidth) = change.bandwidth {
            self.throttle.set(bandwidth);
        }
        Ok(())
    }

    /// What is to be told of it.
    pub(super) fn told(&self, live: &Live) -> InForce {
        let (include, exclude) = live.added_rules();
        let fixed = |politeness| match politeness {
            Politeness::Fixed { delay_ms } => Some(delay_ms),
            Politeness::Share { .. } => None,
        };
        InForce {
            paused: self.paused,
            in_flight: self.in_flight as u64,
            delay_ms: fixed(self.host),
            server_delay_ms: fixed(self.ip).unwrap_or(0),
            rate_milli: Some(self.rate_milli).filter(|rate| *rate > 0),
            bandwidth: self.throttle.bytes_per_s(),
            include,
            exclude,
            ..InForce::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forced() -> Forced {
        let fixed = Politeness::Fixed { delay_ms: 4_000 };
        Forced::new(256, fixed, fixed, 0, Throttle::default())
    }

    #[test]
    fn a_change_takes_hold_whole_or_not_at_all() {
        let (mut forced, live) = (forced(), Live::default());
        let good = Change {
            delay_ms: Some(50),
            bandwidth: Some(40_960),
            exclude: vec!["regex:\\.zip$".to_owned()],
            ..Change::default()
        };
        forced.apply(&good, &live).expect("it can be");
        let told = forced.told(&live);
        assert_eq!((told.delay_ms, told.bandwidth, told.in_flight), (Some(50), Some(40_960), 256));
        assert_eq!((told.exclude, forced.most_in_flight()), (vec!["regex:\\.zip$".to_owned()], 10));
        for (bad, said) in [
            (
                Change { exclude: vec!["regex:(".to_owned()], delay_ms: Some(1), ..Change::default() },
                "rule `regex:(`",
            ),
            (Change { in_flight: Some(0), delay_ms: Some(1), ..Change::default() }, "in-flight 0"),
            (Change { bandwidth: Some(100), delay_ms: Some(1), ..Change::default() }, "4096 bytes a second"),
        ] {
            let error = forced.apply(&bad, &live).expect_err(said);
            assert!(error.contains(said), "{error}");
            assert_eq!(forced.told(&live).delay_ms, Some(50));
        }
        forced.apply(&Change { bandwidth: Some(0), ..Change::default() }, &live).expect("no limit");
        assert_eq!((forced.told(&live).bandwidth, forced.most_in_flight()), (None, 256));
    }

    #[test]
    fn requests_keep_to_a_rate() {
        let mut forced = forced();
        forced
            .apply(&Change { rate_milli: Some(2_000), ..Change::default() }, &Live::default())
            .expect("two a second");
        let mut began = Vec::new();
        for now_ms in 10_000..13_000 {
            if forced.wait_until(now_ms).is_none() {
                forced.count_request(now_ms);
                began.push(now_ms);
            }
        }
        assert_eq!(began, [10_000, 10_500, 11_000, 11_500, 12_000, 12_500]);
    }
}
