//! What was done to a collection, and with which settings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A line of `runs.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// When it began, in ISO 8601.
    pub time: String,
    /// The version of tamis.
    pub version: String,
    /// The command line, as it can be typed again.
    pub command: String,
    /// The settings that had a say in the result.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// What came of it: counts.
    #[serde(default)]
    pub result: Map<String, Value>,
}
