//! The list of archives.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::{Value, json};
use tamis_collection::Collection;
use tamis_collection::{Archive, Condition, Kept, Manifest};
use tamis_table::dedup::Store;

use super::super::open_collection::explain;
use super::Format;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::outcome::Outcome;
use crate::palette::paint;
use crate::session::Session;

const HEADINGS: [&str; 9] =
    ["archive", "size", "captures", "records", "faults", "state", "file", "columns", "dedup"];
/// The columns with numbers, which end under their headings.
const NUMBERS: [usize; 5] = [1, 2, 3, 4, 7];

/// An archive in the list.
struct Row {
    archive: Archive,
    state: &'static str,
    columns: Vec<String>,
    compared: &'static str,
}

/// Lists the archives.
pub(super) fn run(collection: &Collection, format: Format, session: &Session) -> anyhow::Result<Outcome> {
    let rows = rows(collection)?;
    let open = open_files(collection)?;
    let mut out = session.printer.out();
    match format {
        Format::Jsonl => {
            for row in &rows {
                writeln!(out, "{}", row.to_json(collection))?;
            }
            for (name, bytes) in &open {
                writeln!(out, "{}", json!({"name": name, "bytes": bytes, "state": "open", "kept": "own"}))?;
            }
        }
        Format::Text => {
            let mut lines = vec![HEADINGS.map(str::to_owned)];
            lines.extend(rows.iter().map(Row::cells));
            lines.extend(open.iter().map(|(name, bytes)| open_cells(name, *bytes)));
            let heading = session.printer.out_palette().heading;
            for (number, line) in aligned(&lines).into_iter().enumerate() {
                let line = line.trim_end();
                if number == 0 {
                    writeln!(out, "{}", paint(heading, line))?;
                } else {
                    writeln!(out, "{line}")?;
                }
            }
        }
    }
    let is_sound = rows.iter().all(|row| row.state == "present");
    Ok(if is_sound { Outcome::Done } else { Outcome::Negative })
}

fn rows(collection: &Collection) -> anyhow::Result<Vec<Row>> {
    let manifest = collection.manifest().map_err(explain)?;
    let archives = collection.archives().map_err(explain)?;
    let store = Store::read(collection).map_err(explain)?;
    let stale = store.stale(collection).map_err(explain)?;
    let row = |archive: Archive| Row {
        state: match archive.condition(collection) {
            Condition::Present => "present",
            Condition::Changed => "changed",
            Condition::Missing => "missing",
        },
        columns: kept_columns(&archive, &manifest),
        compared: match store.archives.get(&archive.name) {
            None => "no",
            // Duplicates of what is gone have to be found again.
            Some(_) if !stale.is_empty() => "stale",
            Some(_) => "yes",
        },
        archive,
    };
    Ok(archives.into_values().map(row).collect())
}

/// The columns that are kept for all captures of an archive.
fn kept_columns(archive: &Archive, manifest: &Manifest) -> Vec<String> {
    let mut captures: BTreeMap<&str, u64> = BTreeMap::new();
    for part in manifest.parts.iter().filter(|part| archive.owns(&part.archive)) {
        for column in &part.columns {
            *captures.entry(column).or_default() += part.captures;
        }
    }
    let is_whole = |(_, count): &(&str, u64)| *count >= archive.captures;
    captures.into_iter().filter(is_whole).map(|(name, _)| name.to_owned()).collect()
}

/// The archives that a crawl writes, or wrote when it was killed, and their sizes.
fn open_files(collection: &Collection) -> anyhow::Result<Vec<(String, u64)>> {
    let unfinished = collection.unfinished().map_err(explain)?.into_iter();
    let open = unfinished.filter(|archive| archive.is_open);
    Ok(open
        .map(|archive| (archive.named.name, archive.path.metadata().map_or(0, |meta| meta.len())))
        .collect())
}

impl Row {
    fn kept(&self) -> &'static str {
        if self.archive.kept == Kept::Copy { "own" } else { "referenced" }
    }

    fn cells(&self) -> [String; 9] {
        let archive = &self.archive;
        let count = |count: u64| HumanCount(count).to_string();
        [
            archive.name.clone(),
            HumanSize(archive.bytes).to_string(),
            count(archive.captures),
            count(archive.records),
            count(archive.faults),
            self.state.to_owned(),
            self.kept().to_owned(),
            count(self.columns.len() as u64),
            self.compared.to_owned(),
        ]
    }

    fn to_json(&self, collection: &Collection) -> Value {
        let archive = &self.archive;
        json!({
            "name": archive.name, "bytes": archive.bytes, "sha256": archive.sha256, "captures": archive.captures,
            "records": archive.records, "faults": archive.faults, "state": self.state, "kept": self.kept(),
            "path": archive.path(collection).to_string_lossy(), "columns": self.columns, "compared": self.compared,
        })
    }
}

fn open_cells(name: &str, bytes: u64) -> [String; 9] {
    let mut cells: [String; 9] = Default::default();
    name.clone_into(&mut cells[0]);
    cells[1] = HumanSize(bytes).to_string();
    "open".clone_into(&mut cells[5]);
    "own".clone_into(&mut cells[6]);
    cells
}

fn aligned(lines: &[[String; 9]]) -> Vec<String> {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
    let cell = |(column, text): (usize, &String)| {
        let width = widths[column];
        if NUMBERS.contains(&column) { format!("{text:>width$}") } else { format!("{text:<width$}") }
    };
    lines.iter().map(|line| line.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ")).collect()
}
