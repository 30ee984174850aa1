//! How many threads to work with.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

use crate::config::{self, Config};

/// A number of threads, or `auto`: one a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Jobs(Option<NonZeroUsize>);

/// `-j`, for commands that work with several threads. The output is the same for any number of them.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct JobsArgs {
    /// Threads to work with, or `auto` for one a core [default: auto, or `jobs` of the config]
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
        let wrong = |_| format!("`{text}` is neither `auto` nor a number of threads from 1 on");
        text.parse().map(|count| Self(Some(count))).map_err(wrong)
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
    fn jobs_are_auto_or_a_number_from_one_on() {
        assert_eq!("3".parse::<Jobs>().map(|jobs| jobs.count().get()), Ok(3));
        assert!("auto".parse::<Jobs>().is_ok());
        for text in ["0", "-1", "", "many"] {
            assert!(text.parse::<Jobs>().is_err(), "{text}");
        }
    }
}
