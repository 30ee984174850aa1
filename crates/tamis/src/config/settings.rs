//! The list of all settings. To add one: a static, and its line in [`ALL`].

use std::marker::PhantomData;
use std::str::FromStr;

use crate::human_size::HumanSize;
use crate::jobs::Jobs;
use crate::when::When;

/// When to print in colours.
pub static COLOR: Setting<When> = Setting::new("color", "auto", "use colours: auto, always, never");
/// When to show progress.
pub static PROGRESS: Setting<When> = Setting::new("progress", "auto", "show progress: auto, always, never");
/// Threads to work with.
pub static JOBS: Setting<Jobs> = Setting::new("jobs", "auto", "number of threads: auto, or a number");
/// The size at which the writer of an archive begins the next file.
pub static WARC_ROLLOVER: Setting<HumanSize> =
    Setting::new("warc.rollover", "1 GB", "size at which a new archive file is started");

/// All settings, in the order in which `tamis config` lists them.
pub static ALL: [&Entry; 4] = [&COLOR.entry, &PROGRESS.entry, &JOBS.entry, &WARC_ROLLOVER.entry];

/// A setting whose values are of type `T`.
#[derive(Debug)]
pub struct Setting<T> {
    /// What is known of the setting without its type.
    pub entry: Entry,
    value: PhantomData<fn() -> T>,
}

/// What is known of a setting without the type of its values.
#[derive(Debug)]
pub struct Entry {
    /// The name, with its table: `warc.rollover`.
    pub key: &'static str,
    /// The value where none is set.
    pub default: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Says what is wrong with a value.
    pub check: fn(&str) -> Result<(), String>,
}

impl<T: FromStr<Err = String>> Setting<T> {
    const fn new(key: &'static str, default: &'static str, about: &'static str) -> Self {
        let check = |text: &str| text.parse::<T>().map(drop);
        Self { entry: Entry { key, default, about, check }, value: PhantomData }
    }
}

impl Entry {
    /// The environment variable that sets it: `TAMIS_WARC_ROLLOVER`.
    pub fn variable(&self) -> String {
        format!("TAMIS_{}", self.key.replace('.', "_").to_uppercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_and_every_key_is_there_once() {
        for (i, entry) in ALL.iter().enumerate() {
            assert_eq!((entry.check)(entry.default), Ok(()), "{}", entry.key);
            assert!(ALL[..i].iter().all(|other| other.key != entry.key), "{}", entry.key);
        }
    }
}
