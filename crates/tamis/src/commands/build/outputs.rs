//! Which files are a build's to replace: those that it made itself.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Component, Path, PathBuf, absolute};

use anyhow::{Context as _, anyhow};
use tamis_collection::links::{self, no_follow};

use super::step::Step;
use crate::commands::open_collection::explain;
use crate::hint::WithHint;

/// The list, in the collection: a path a line, relative to the folder that the collection is in if it is there, written before the file itself.
const FILE: &str = "outputs.txt";

/// The files that builds of a collection have made, or were about to when they were killed.
pub(super) struct Outputs {
    collection: PathBuf,
    list: PathBuf,
    claimed: BTreeSet<String>,
}

impl Outputs {
    pub(super) fn of(collection: &Path) -> anyhow::Result<Self> {
        links::check(collection).map_err(explain)?;
        let list = collection.join(FILE);
        let text = match fs::read(&list) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) if !list.exists() => String::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", list.display())),
        };
        let collection = spelt_out(collection)?;
        Ok(Self { collection, list, claimed: text.lines().map(str::to_owned).collect() })
    }

    /// Refuses a plan that would write over a file of somebody else, or over one of its own.
    pub(super) fn check(&self, steps: &[Step]) -> anyhow::Result<()> {
        let mut named = BTreeSet::new();
        for step in steps {
            let Some(output) = &step.output else { continue };
            if spelt_out(output)?.starts_with(&self.collection) {
                return Err(anyhow!("{}: {} is inside the collection", step.place, output.display()))
                    .hint("write to a file outside it");
            }
            let key = self.key(output)?;
            let in_full = spelt_out(output)?.to_string_lossy().into_owned();
            // Lists of before have all paths in full.
            if output.exists() && !self.claimed.contains(&key) && !self.claimed.contains(&in_full) {
                return Err(anyhow!(
                    "{}: {} already exists, and was not written by a build of this collection",
                    step.place,
                    output.display()
                ))
                .hint("remove it, or write to another file");
            }
            if !named.insert(key) {
                return Err(anyhow!("{}: {} is written twice", step.place, output.display()))
                    .hint("write to another file");
            }
        }
        Ok(())
    }

    /// Notes that a file is about to be made.
    pub(super) fn claim(&mut self, output: &Path) -> anyhow::Result<()> {
        let key = self.key(output)?;
        if self.claimed.contains(&key) {
            return Ok(());
        }
        let cannot = || format!("cannot write {}", self.list.display());
        let mut file =
            no_follow(OpenOptions::new().create(true).append(true)).open(&self.list).with_context(cannot)?;
        file.write_all(format!("{key}\n").as_bytes()).and_then(|()| file.sync_data()).with_context(cannot)?;
        self.claimed.insert(key);
        Ok(())
    }

    /// The path as it is in the list: the same wherever the command is given, and after the folder was moved.
    fn key(&self, output: &Path) -> anyhow::Result<String> {
        let path = spelt_out(output)?;
        let beside = self.collection.parent().and_then(|folder| path.strip_prefix(folder).ok());
        Ok(beside.unwrap_or(&path).to_string_lossy().into_owned())
    }
}

/// A path from the root, without `.` and `..` in it.
fn spelt_out(path: &Path) -> anyhow::Result<PathBuf> {
    let path = absolute(path).with_context(|| format!("cannot resolve {}", path.display()))?;
    let mut spelt = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(spelt.pop()),
            Component::CurDir => {}
            part => spelt.push(part),
        }
    }
    Ok(spelt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(output: PathBuf) -> Step {
        Step {
            name: "output".to_owned(),
            verb: "query",
            words: Vec::new(),
            output: Some(output),
            files: Vec::new(),
            place: "plan.toml:3".to_owned(),
            key: String::new(),
        }
    }

    #[test]
    fn a_file_of_somebody_else_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let collection = folder.path().join("eclipse");
        fs::create_dir(&collection).expect("writable");
        let file = folder.path().join("thesis.csv");
        let steps = [step(file.clone())];
        let mut outputs = Outputs::of(&collection).expect("no list is an empty one");
        outputs.check(&steps).expect("nothing is there");
        fs::write(&file, "mine").expect("writable");
        let told = outputs.check(&steps).expect_err("it is not ours").to_string();
        assert!(
            told.starts_with("plan.toml:3: ")
                && told.ends_with("was not written by a build of this collection"),
            "{told}"
        );
        fs::write(collection.join(FILE), format!("{}\n", file.display())).expect("writable");
        Outputs::of(&collection).expect("sound").check(&steps).expect("lists were in full once");
        fs::remove_file(collection.join(FILE)).expect("it is there");
        outputs.claim(&file).expect("writable");
        Outputs::of(&collection).expect("sound").check(&steps).expect("what was claimed is ours");
        let twice = [step(file.clone()), step(file)];
        assert!(outputs.check(&twice).is_err(), "the second would replace the first");
        let moved = folder.path().with_extension("moved");
        fs::rename(folder.path(), &moved).expect("movable");
        let there = Outputs::of(&moved.join("eclipse")).expect("sound");
        there.check(&[step(moved.join("a/../thesis.csv"))]).expect("it was moved with the collection");
        let told = there.check(&[step(moved.join("eclipse/seeds.tsv"))]).expect_err("its own").to_string();
        assert!(told.ends_with("is inside the collection"), "{told}");
        fs::remove_dir_all(moved).expect("removable");
    }
}
