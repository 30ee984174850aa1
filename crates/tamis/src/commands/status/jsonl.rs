//! A status for programs.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Report;

impl Report {
    /// A JSON object a line.
    pub(super) fn write_jsonl(&self, out: &mut impl Write) -> io::Result<()> {
        let (about, status) = (self.collection.about(), &self.status);
        write(
            out,
            &json!({
                "kind": "collection", "id": about.id, "name": about.name, "event": about.event, "created": about.created,
                "archives": status.archives.len(), "bytes": status.bytes, "records": status.records,
                "captures": status.captures, "parts": status.parts, "part_bytes": status.part_bytes,
                "cpu_ms": status.cpu_ms, "not_cleaned": status.uncleaned.len(), "runs": status.runs,
                "written_to_by": status.holder,
            }),
        )?;
        for (archive, condition) in &status.archives {
            write(
                out,
                &json!({
                    "kind": "archive", "name": archive.name, "kept": archive.kept, "condition": condition,
                    "path": archive.path(&self.collection).to_string_lossy(), "bytes": archive.bytes,
                    "sha256": archive.sha256, "records": archive.records, "captures": archive.captures,
                    "faults": archive.faults, "cleaned": !status.uncleaned.contains(&archive.name),
                }),
            )?;
        }
        let seeds = &status.seeds;
        write(
            out,
            &json!({
                "kind": "seeds", "urls": seeds.urls, "urls_of_tweets": seeds.urls_of_tweets, "mentions": seeds.mentions,
            }),
        )?;
        for column in &status.columns {
            write(out, &json!({"kind": "column", "name": column.name, "captures": column.captures}))?;
        }
        if let Ok(compared) = &self.compared {
            write(
                out,
                &json!({
                    "kind": "duplicates", "pages": compared.pages, "kept": compared.kept, "exact": compared.exact,
                    "near": compared.near, "captures_not_compared": compared.captures_left,
                }),
            )?;
        }
        for problem in self.problems() {
            write(out, &json!({"kind": "problem", "problem": problem}))?;
        }
        write(out, &json!({"kind": "next", "command": self.next}))
    }
}

fn write(out: &mut impl Write, value: &Value) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
