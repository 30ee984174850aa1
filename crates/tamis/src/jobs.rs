//! How many threads to work with.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

use crate::config::{self, Config};

/// The most threads that can be asked for. No machine gains from more, and many systems refuse to start them.
const MAX_JOBS: usize = 1024;

/// A number of threads, or `auto`: one a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Jobs(Option<NonZeroUsize>);

/// `-j`, for commands that work with several threads. The output is the same for any number of them.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct JobsArgs {
    /// Number of threads, or `auto` for one per core [default: auto, or `jobs` from the config]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,
}

impl Jobs {
    /// The number of threads, at least one.
    pub fn count(self) -> NonZeroUsize {
        self.0.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

impl JobsArgs {
    /// The number of threads: of the flag, else of the config.
    pub fn count(&self, config: &Config) -> NonZeroUsize {
        config.pick(self.jobs, &config::JOBS).count()
    }
}

impl FromStr for Jobs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self(None));
        }
        let count = text.parse::<NonZeroUsize>().ok().filter(|count| count.get() <= MAX_JOBS);
        count
            .map(|count| Self(Some(count)))
            .ok_or_else(|| format!("`{text}` is not `auto` or a number from 1 to {MAX_JOBS}"))
    }
}

impl fmt::Display for Jobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(count) => count.fmt(f),
            None => f.write_str("auto"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_auto_or_a_bounded_number() {
        for (text, count) in [("3", 3), ("1024", 1024)] {
            assert_eq!(text.parse::<Jobs>().map(|jobs| jobs.count().get()), Ok(count));
        }
        assert!("auto".parse::<Jobs>().is_ok());
        for text in ["0", "-1", "", "many", "1025", "100000", "99999999999999999999"] {
            assert!(text.parse::<Jobs>().is_err(), "{text}");
        }
    }
}
