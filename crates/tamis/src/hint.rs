//! Errors that say how to mend them: a `hint:` line for what the user can do.

use std::error::Error as StdError;
use std::fmt;

/// Adds a hint to an error, or to the error of a result.
///
/// The message and the causes stay as they were; [`hints`] finds the hints again, however deep they are.
pub trait WithHint {
    /// What comes back: the same, with a hint.
    type Hinted;

    /// Adds a sentence in the imperative, without a full stop: ``"name the file with `-o`"``.
    fn hint(self, hint: impl Into<String>) -> Self::Hinted;
}

impl WithHint for anyhow::Error {
    type Hinted = Self;

    fn hint(self, hint: impl Into<String>) -> Self {
        Self::new(Hinted { error: self, hint: hint.into() })
    }
}

impl<T, E: Into<anyhow::Error>> WithHint for Result<T, E> {
    type Hinted = anyhow::Result<T>;

    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T> {
        self.map_err(|error| error.into().hint(hint))
    }
}

/// The hints of an error and its causes, outermost first.
pub fn hints(error: &anyhow::Error) -> Vec<&str> {
    each_cause(error)
        .into_iter()
        .filter_map(|cause| cause.downcast_ref::<Hinted>())
        .map(|h| &*h.hint)
        .collect()
}

/// Every error in the chain, also those that a hint is wrapped around.
pub fn each_cause(error: &anyhow::Error) -> Vec<&(dyn StdError + 'static)> {
    let mut causes = Vec::new();
    for cause in error.chain() {
        causes.push(cause);
        if let Some(hinted) = cause.downcast_ref::<Hinted>() {
            causes.extend(each_cause(&hinted.error));
            break;
        }
    }
    causes
}

/// An error with a hint. It shows and is caused as the error itself, so that the chain prints as without it.
#[derive(Debug)]
struct Hinted {
    error: anyhow::Error,
    hint: String,
}

impl fmt::Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl StdError for Hinted {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.error.chain().nth(1)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn hints_are_found_at_any_depth_and_change_no_message() {
        let plain = || anyhow!(io::Error::from(io::ErrorKind::NotFound)).context("cannot open a.warc");
        let hinted = plain().hint("look again");
        assert_eq!(format!("{hinted:#}"), format!("{:#}", plain()));
        let outer = Err::<(), _>(hinted).context("cannot list").hint("second").expect_err("it is one");
        assert_eq!(format!("{outer:#}"), format!("cannot list: {:#}", plain()));
        assert_eq!(hints(&outer), ["second", "look again"]);
        assert_eq!(hints(&plain()), [""; 0]);
    }

    #[test]
    fn the_error_under_a_hint_is_still_found() {
        let error =
            Err::<(), _>(io::Error::from(io::ErrorKind::BrokenPipe)).hint("x").expect_err("it is one");
        assert!(each_cause(&error).iter().any(|cause| cause.is::<io::Error>()));
    }
}
