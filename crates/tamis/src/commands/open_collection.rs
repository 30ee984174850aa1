//! Collections as commands meet them: opened, or refused with a word on what to do.

use std::path::Path;

use anyhow::anyhow;
use tamis_collection::Collection;
use tamis_collection::{Error, Writer};

use crate::command_line;
use crate::hint::WithHint;
use crate::interrupt::Interrupted;
use crate::session::Session;

/// Opens a collection for reading.
pub(super) fn open(path: &Path, session: &Session) -> anyhow::Result<Collection> {
    Ok(Collection::open(path).map_err(explain)?.with_door(&session.door))
}

/// Takes a collection for writing, in the name of a command.
pub(super) fn lock(collection: Collection, command: &str) -> anyhow::Result<Writer> {
    collection.lock(command).map_err(explain)
}

/// What to do about a damaged file that can be made again.
fn remedy(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let repair = |collection: &Path| {
        command_line::join([Path::new("tamis"), Path::new("archives"), Path::new("repair"), collection])
    };
    if path.file_name()? == "collection.toml" {
        let repair = repair(folder);
        return Some(format!("`{repair}` restores it, `{repair} --keep-edits` keeps your edits"));
    }
    if Collection::list_names().any(|name| path.file_name().is_some_and(|file| file == name)) {
        return Some(format!("`{}` repairs it", repair(folder)));
    }
    if path.file_name()? == "relevance.jsonl" {
        let judge = [Path::new("tamis"), Path::new("focus"), Path::new("judge"), folder];
        return Some(format!(
            "`{}` removes it, and `{}` judges all pages again",
            repair(folder),
            command_line::join(judge)
        ));
    }
    let tamis = |verb: &str| {
        command_line::join([Path::new("tamis"), Path::new(verb), folder.parent().unwrap_or(folder)])
    };
    match folder.file_name()?.to_str()? {
        "pages" => {
            let repair = repair(folder.parent().unwrap_or(folder));
            Some(format!("`{repair}` removes it; `{}` then computes the columns again", tamis("clean")))
        }
        "dedup" => Some(format!("`{} --redo` finds duplicates again", tamis("dedup"))),
        _ => None,
    }
}

/// The error with what can be done about it.
pub(super) fn explain(error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::Stopped => return Interrupted::default().into(),
        Error::NotACollection { path, .. } if path.exists() => {
            "`tamis new NAME` creates a collection in its own folder".to_owned()
        }
        Error::NotACollection { path, .. } => {
            format!("`{}` creates it", command_line::join([Path::new("tamis"), Path::new("new"), path]))
        }
        Error::Exists { path } if Collection::is_one(path) => {
            let status = command_line::join([Path::new("tamis"), Path::new("status"), path]);
            format!("it is a collection; `{status}` shows its content")
        }
        Error::Exists { .. } => "give a folder that does not exist yet".to_owned(),
        Error::Newer { .. } => "nothing was changed; use a newer tamis".to_owned(),
        Error::NoArchive { path, .. } => {
            let list = command_line::join([Path::new("tamis"), Path::new("archives"), path]);
            format!("`{list}` lists the archives")
        }
        Error::OtherContent { .. } => {
            "nothing was changed; give a file with the same content as the archive"
                .to_owned()
        }
        Error::Locked { .. } => "wait for it to finish, then try again".to_owned(),
        Error::Damaged { path, .. } => match remedy(path) {
            Some(remedy) => remedy,
            None => return anyhow!(error),
        },
        Error::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            "free some space and run the command again; it resumes".to_owned()
        }
        Error::Link { .. } => {
            "nothing was changed; replace the link with its target or remove it: tamis follows no links in a collection"
                .to_owned()
        }
        _ => return anyhow!(error),
    };
    anyhow!(error).hint(hint)
}
