//! How a command ended, and the exit code that says so.

use std::process::ExitCode;

/// How a command that met no error ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    /// It did what was asked for: exit code 0.
    #[default]
    Done,
    /// It did, and the answer is no: nothing found, damage met. Exit code 1.
    Negative,
    /// It did, but passed over some inputs, and said which: exit code 2.
    Skipped,
}

/// The exit code of an error.
pub const ERROR: u8 = 2;

/// The exit code of a command that was interrupted, as shells count it: 128 and the number of SIGINT.
pub const INTERRUPTED: u8 = 130;

impl Outcome {
    /// [`Skipped`](Self::Skipped) if any input was, [`Done`](Self::Done) if none.
    pub fn of_skipped(skipped: u64) -> Self {
        if skipped == 0 { Self::Done } else { Self::Skipped }
    }

    /// The graver of two: an input passed over matters more than a negative answer, for that may be wrong.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self.code() >= other.code() { self } else { other }
    }

    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Negative => 1,
            Self::Skipped => 2,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graver_outcome_wins() {
        use Outcome::{Done, Negative, Skipped};
        for (a, b, both) in [
            (Done, Done, Done),
            (Done, Negative, Negative),
            (Negative, Skipped, Skipped),
            (Skipped, Done, Skipped),
        ] {
            assert_eq!((a.and(b), b.and(a)), (both, both));
        }
        assert_eq!(Outcome::of_skipped(0).and(Outcome::of_skipped(3)), Skipped);
    }
}
