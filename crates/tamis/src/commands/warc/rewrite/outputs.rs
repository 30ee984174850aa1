//! The files that are written: one for all inputs, or one for each.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tamis_archive::Source;
use tamis_archive::write::{Compression, Spool};

use super::form::Form;
use super::output_name;
use crate::hint::WithHint;
use crate::output::Output;
use crate::session::Session;

/// Where the output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

/// The output that is being written, and those that are.
pub(super) struct Outputs<'s> {
    place: Place,
    /// The file of each input.
    paths: Vec<PathBuf>,
    force: bool,
    dry_run: bool,
    session: &'s Session,
    current: Option<Current<'s>>,
    /// Whether something of the current input is in the current output.
    is_begun: bool,
    written: Written,
}

/// A file on its way.
struct Current<'s> {
    name: String,
    /// None where nothing is to be written.
    output: Option<Output<'s>>,
    len: u64,
}

/// Where a piece was written.
pub(in crate::commands::warc) struct At {
    pub(in crate::commands::warc) file: String,
    pub(in crate::commands::warc) offset: u64,
}

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) files: Vec<String>,
    pub(super) bytes: u64,
}

impl Place {
    pub(super) fn of(output: Option<&Path>) -> Self {
        match output {
            None => Self::Stdout,
            Some(path) if path == Path::new("-") => Self::Stdout,
            Some(path) if path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/') => {
                Self::Folder(path.to_owned())
            }
            Some(path) => Self::File(path.to_owned()),
        }
    }

    /// The one file, if there is one.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Stdout | Self::Folder(_) => None,
        }
    }

    /// The file for each input. No two may be the same, and none may be an input.
    pub(super) fn paths(
        &self,
        sources: &[Source],
        forms: &[Form],
        ending: &str,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let path = |(source, form): (&Source, &Form)| match self {
            Self::Stdout => PathBuf::from("-"),
            Self::File(path) => path.clone(),
            Self::Folder(folder) => folder.join(output_name(&source.name(), *form, ending)),
        };
        let paths: Vec<PathBuf> = sources.iter().zip(forms).map(path).collect();
        let inputs: Vec<PathBuf> =
            sources.iter().filter_map(|source| fs::canonicalize(source.path()?).ok()).collect();
        let mut taken = BTreeMap::new();
        for (source, path) in sources.iter().zip(&paths) {
            if fs::canonicalize(path).is_ok_and(|path| inputs.contains(&path)) {
                return Err(anyhow!("{} is both input and output", path.display()))
                    .hint("give another file or folder");
            }
            if matches!(self, Self::Folder(_))
                && let Some(other) = taken.insert(path, source.name())
            {
                let (one, two) = (other.display(), source.name());
                return Err(anyhow!(
                    "{one} and {} would both be written to {}",
                    two.display(),
                    path.display()
                ))
                .hint("convert them separately");
            }
        }
        Ok(paths)
    }
}

impl<'s> Outputs<'s> {
    pub(super) fn new(
        place: Place,
        paths: Vec<PathBuf>,
        force: bool,
        dry_run: bool,
        session: &'s Session,
    ) -> Self {
        Self {
            place,
            paths,
            force,
            dry_run,
            session,
            current: None,
            is_begun: false,
            written: Written::default(),
        }
    }

    /// Writes a piece of the input with this index, and tells into which file and where. A file is begun with its first
    /// record.
    pub(super) fn append(
        &mut self,
        index: usize,
        how: &Compression,
        bytes: &mut Spool,
    ) -> anyhow::Result<Option<At>> {
        if bytes.is_empty() {
            return Ok(None);
        }
        self.is_begun = true;
        if self.current.is_none() {
            self.current = Some(self.open(index)?);
            self.write(&mut &how.preamble()?[..])?;
        }
        let at = self.current.as_ref().map(|current| At { file: current.name.clone(), offset: current.len });
        self.write(&mut bytes.reader()?)?;
        Ok(at)
    }

    fn write(&mut self, bytes: &mut dyn io::Read) -> anyhow::Result<()> {
        let Some(Current { name, output, len }) = &mut self.current else { return Ok(()) };
        let copied = match output {
            Some(output) => io::copy(bytes, output),
            None => io::copy(bytes, &mut io::sink()),
        };
        *len += copied.with_context(|| format!("cannot write {name}"))?;
        Ok(())
    }

    fn open(&self, index: usize) -> anyhow::Result<Current<'s>> {
        let path = &self.paths[index];
        let output = match &self.place {
            Place::Stdout if self.dry_run => None,
            Place::Stdout if io::stdout().is_terminal() => {
                return Err(anyhow!("the output is binary, and stdout is a terminal"))
                    .hint("write to a file with `-o FILE`, or pipe the output");
            }
            Place::Stdout => Some(Output::stdout(&self.session.printer)),
            Place::Folder(folder) if !folder.is_dir() && self.dry_run => None,
            Place::File(_) | Place::Folder(_) => Some(self.create(path)?).filter(|_| !self.dry_run),
        };
        let name = if self.place == Place::Stdout { "stdout".into() } else { path.display().to_string() };
        Ok(Current { name, output, len: 0 })
    }

    fn create(&self, path: &Path) -> anyhow::Result<Output<'s>> {
        if let Place::Folder(folder) = &self.place {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        Output::create(path, self.force)
    }

    /// An input was read to its end; in a folder, its file is complete.
    pub(super) fn end_of_input(&mut self, source: &Source) -> anyhow::Result<()> {
        if !std::mem::take(&mut self.is_begun) {
            let name = source.name();
            self.session.printer.warn(format_args!("{}: no records to write", name.display()));
        }
        if matches!(self.place, Place::Folder(_)) { self.close() } else { Ok(()) }
    }

    /// An input could not be read to its end: its file is not written. One file for all cannot do without that part.
    pub(super) fn fail(&mut self, source: &Source) -> anyhow::Result<()> {
        let is_begun = std::mem::take(&mut self.is_begun);
        if is_begun && !matches!(self.place, Place::Folder(_)) {
            let name = source.name();
            return Err(anyhow!("{} could not be read to the end; nothing is written", name.display()))
                .hint("omit it, or write one file per input with `-o DIR/`");
        }
        if matches!(self.place, Place::Folder(_)) {
            self.current = None;
        }
        Ok(())
    }

    fn close(&mut self) -> anyhow::Result<()> {
        let Some(Current { name, output, len }) = self.current.take() else { return Ok(()) };
        if let Some(output) = output {
            output.finish()?;
        }
        self.written.files.push(name);
        self.written.bytes += len;
        Ok(())
    }

    /// Completes the output.
    pub(super) fn finish(mut self) -> anyhow::Result<Written> {
        self.close()?;
        Ok(self.written)
    }
}
