//! `events.jsonl`: which steps are done, for those who wait for them.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use tamis_collection::links::no_follow;

use super::step::Step;
use crate::commands::new::now;
use crate::outcome::Outcome;

/// The file, in the collection.
const FILE: &str = "events.jsonl";

/// A line of the file: a step that is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Event {
    /// When it ended, UTC.
    pub(super) time: String,
    pub(super) step: String,
    /// The command line, as it can be typed again.
    pub(super) command: String,
    /// The same with paths as the plan has them.
    #[serde(default)]
    pub(super) key: String,
    /// Whether some inputs were passed over.
    pub(super) complete: bool,
    pub(super) seconds: f64,
    /// What the collection was like then; the same step need not run again while it is.
    pub(super) state: String,
}

impl Event {
    pub(super) fn new(step: &Step, outcome: Outcome, took: Duration, state: String) -> Self {
        Self {
            time: now().to_string(),
            step: step.name.clone(),
            command: step.command(),
            key: step.key.clone(),
            complete: outcome != Outcome::Skipped,
            seconds: (took.as_secs_f64() * 1000.0).round() / 1000.0,
            state,
        }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The file.
pub(super) struct Events {
    path: PathBuf,
}

impl Events {
    pub(super) fn of(collection: &Path) -> Self {
        Self { path: collection.join(FILE) }
    }

    /// Whether a step was done, completely, in the same words and when the collection was what it is now.
    pub(super) fn is_done(&self, step: &Step, state: &str) -> anyhow::Result<bool> {
        let last = self.read()?.into_iter().rev().find(|event| event.key == step.key);
        Ok(last.is_some_and(|event| event.complete && event.state == state))
    }

    /// All whole lines. What a kill left of one, or others wrote, is none.
    fn read(&self) -> anyhow::Result<Vec<Event>> {
        if !self.path.exists() {
            return Ok(Vec::new());
        }
        let bytes = fs::read(&self.path).with_context(|| format!("cannot read {}", self.path.display()))?;
        let lines = bytes.split(|&byte| byte == b'\n');
        Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }

    /// Adds a line and brings it to the disk.
    pub(super) fn add(&self, event: &Event) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        let is_cut = fs::read(&self.path).is_ok_and(|bytes| !bytes.is_empty() && !bytes.ends_with(b"\n"));
        let line = format!("{}{}\n", if is_cut { "\n" } else { "" }, event.to_json());
        let mut file =
            no_follow(OpenOptions::new().create(true).append(true)).open(&self.path).with_context(cannot)?;
        file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).with_context(cannot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &str) -> Step {
        let words = vec!["clean".into(), name.into()];
        Step {
            name: name.to_owned(),
            verb: "clean",
            words,
            output: None,
            files: Vec::new(),
            place: String::new(),
            key: name.to_owned(),
        }
    }

    #[test]
    fn a_step_is_done_until_something_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let events = Events::of(folder.path());
        assert!(!events.is_done(&step("a"), "1").expect("no file is no event"));
        events
            .add(&Event::new(&step("a"), Outcome::Done, Duration::from_secs(1), "1".to_owned()))
            .expect("writable");
        for (name, state, expected) in [("a", "1", true), ("a", "2", false), ("b", "1", false)] {
            assert_eq!(events.is_done(&step(name), state).expect("sound"), expected, "{name} {state}");
        }
        events
            .add(&Event::new(&step("a"), Outcome::Skipped, Duration::from_secs(1), "1".to_owned()))
            .expect("writable");
        assert!(!events.is_done(&step("a"), "1").expect("sound"), "some inputs were passed over");
    }

    #[test]
    fn half_a_line_is_none_and_hurts_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let events = Events::of(folder.path());
        fs::write(&events.path, b"{\"time\":\"20").expect("writable");
        events.add(&Event::new(&step("a"), Outcome::Done, Duration::ZERO, "1".to_owned())).expect("writable");
        assert!(events.is_done(&step("a"), "1").expect("sound"));
    }
}
