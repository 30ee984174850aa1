//! Where a command's data go: stdout, or a file that appears whole or not at all.
//!
//! A file is written under another name in the same folder, flushed to the disk, and renamed at the end. A command
//! that fails or is interrupted leaves the old file as it was, and none where there was none. What a killed command left
//! under the other name goes away with the next one that writes the same file.

use std::fmt;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tamis_files::part_file;
use tempfile::NamedTempFile;

use crate::hint::WithHint;
use crate::interrupt;
use crate::printer::{Out, Printer};
use crate::scrap::Scrap;
use crate::terminal::{Colors, Safe};

/// `-o` and `--force`, for commands that write one stream of data.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct OutputArgs {
    /// Output file; `-` is stdout [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the output file if it exists
    #[arg(long)]
    force: bool,
}

/// What the data are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Lines that a person may read.
    Text,
    /// Bytes that would garble a terminal.
    Binary,
}

/// A stream for a command's data. [`finish`](Self::finish) it, or nothing will have been written.
pub struct Output<'p> {
    to: To<'p>,
}

enum To<'p> {
    Stdout(Out<'p>),
    /// A pipe, a terminal or another thing that no file can be renamed to.
    Device(PathBuf, Box<dyn Write>),
    File {
        path: PathBuf,
        file: BufWriter<NamedTempFile>,
        replace: bool,
        _scrap: Scrap,
    },
}

impl OutputArgs {
    /// The file, or none for stdout.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Whether `-o -` asks for stdout.
    pub fn names_stdout(&self) -> bool {
        self.output.as_deref() == Some(Path::new("-"))
    }

    /// Whether an existing file may be replaced.
    pub fn force(&self) -> bool {
        self.force
    }

    /// Opens the output. Refuses a file that exists unless forced to, and a terminal for bytes.
    pub fn open<'p>(&self, printer: &'p Printer, content: Content) -> anyhow::Result<Output<'p>> {
        let Some(path) = self.path() else {
            if content == Content::Binary && io::stdout().is_terminal() {
                return Err(anyhow!("the output is binary, and stdout is a terminal"))
                    .hint("write to a file with `-o FILE`, or pipe the output");
            }
            return Ok(Output::stdout(printer));
        };
        Output::create(path, self.force)
    }
}

impl Output<'static> {
    /// Begins to write a file, which may replace another only if forced to.
    pub fn create(path: &Path, force: bool) -> anyhow::Result<Self> {
        // The file behind a link is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => {
                Err(anyhow!("{} is a folder", path.display())).hint("give a file name in this folder")
            }
            Ok(meta) if !meta.is_file() => Self::device(path),
            Ok(_) if !force => Err(exists(&path)),
            _ => Self::file(path, force),
        }
    }

    fn device(path: PathBuf) -> anyhow::Result<Self> {
        let file = fs::OpenOptions::new().write(true).open(&path);
        let file = file.with_context(|| format!("cannot write to {}", path.display()))?;
        // `-o /dev/tty` is a terminal as stdout may be.
        let device: Box<dyn Write> =
            if file.is_terminal() { Box::new(Safe::new(file, Colors::Escaped)) } else { Box::new(file) };
        Ok(Self { to: To::Device(path, device) })
    }

    fn file(path: PathBuf, replace: bool) -> anyhow::Result<Self> {
        interrupt::end_within(interrupt::SHORT_GRACE);
        let folder = folder_of(&path);
        let temp = part_file(&path).with_context(|| format!("cannot write {}", path.display()));
        let temp = if folder.is_dir() {
            temp
        } else {
            temp.hint(format!("create the folder {} first", folder.display()))
        };
        let temp = temp?;
        let listed = Scrap::new(temp.path());
        Ok(Self {
            to: To::File { file: BufWriter::with_capacity(1 << 16, temp), path, replace, _scrap: listed },
        })
    }
}

/// The place of a file that is not written through an [`Output`]: the file behind a link, free unless forced.
pub fn place(path: &Path, force: bool) -> anyhow::Result<PathBuf> {
    if path == Path::new("-") {
        return Err(anyhow!("this output cannot be written to stdout"))
            .hint("write to a file with `-o FILE`");
    }
    interrupt::end_within(interrupt::SHORT_GRACE);
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = folder_of(&path);
    match fs::metadata(&path) {
        Ok(meta) if meta.is_dir() => {
            Err(anyhow!("{} is a folder", path.display())).hint("give a file name in this folder")
        }
        Ok(meta) if !meta.is_file() => Err(anyhow!("{} is not a regular file", path.display())),
        Ok(_) if !force => Err(exists(&path)),
        Err(_) if !folder.is_dir() => Err(anyhow!("cannot write {}", path.display()))
            .hint(format!("create the folder {} first", folder.display())),
        _ => Ok(path),
    }
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl<'p> Output<'p> {
    /// The standard output, where no other was asked for.
    pub fn stdout(printer: &'p Printer) -> Self {
        Self { to: To::Stdout(printer.out()) }
    }
}

impl Output<'_> {
    /// Whether the data go to stdout.
    pub fn is_stdout(&self) -> bool {
        matches!(self.to, To::Stdout(_))
    }

    /// Writes out all that is buffered; a file gets its name only now.
    pub fn finish(self) -> anyhow::Result<()> {
        match self.to {
            To::Stdout(mut out) => Ok(out.flush()?),
            To::Device(path, mut file) => {
                file.flush().with_context(|| format!("cannot write to {}", path.display()))
            }
            To::File { path, file, replace, .. } => keep(&path, file, replace),
        }
    }
}

fn keep(path: &Path, file: BufWriter<NamedTempFile>, replace: bool) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let file = file.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot)?;
    file.as_file().sync_all().with_context(cannot)?;
    let kept = if replace { file.persist(path) } else { file.persist_noclobber(path) };
    match kept {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists(path)),
        Err(error) => Err(error.error).with_context(cannot),
    }
}

fn exists(path: &Path) -> anyhow::Error {
    anyhow!("{} already exists", path.display()).hint("`--force` replaces it")
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Stdout(out) => out.write(bytes),
            To::Device(_, file) => file.write(bytes),
            To::File { file, .. } => file.write(bytes),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.to {
            To::Stdout(out) => out.write_all(bytes),
            To::Device(_, file) => file.write_all(bytes),
            To::File { file, .. } => file.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Stdout(out) => out.flush(),
            To::Device(_, file) => file.flush(),
            To::File { file, .. } => file.flush(),
        }
    }
}

/// The file, or `stdout`.
impl fmt::Display for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.to {
            To::Stdout(_) => f.write_str("stdout"),
            To::Device(path, _) | To::File { path, .. } => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hint::hints;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("it is there");
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8")).collect()
    }

    #[test]
    fn a_file_appears_when_it_is_finished_and_not_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        let mut output = Output::create(&path, false).expect("new");
        output.write_all(b"whole").expect("writable");
        assert!(!path.exists());
        output.finish().expect("finishes");
        assert_eq!(fs::read(&path).expect("there"), b"whole");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn what_is_not_finished_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").expect("writable");
        let mut output = Output::create(&path, true).expect("forced");
        output.write_all(b"half").expect("writable");
        drop(output);
        assert_eq!(fs::read(&path).expect("there"), b"old");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_file_is_replaced_only_by_force() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        let late = Output::create(&path, false).expect("new");
        fs::write(&path, "old").expect("writable");
        for error in [Output::create(&path, false).err(), late.finish().err()] {
            let error = error.expect("it exists");
            assert_eq!(hints(&error), ["`--force` replaces it"]);
        }
        Output::create(&path, true).expect("forced").finish().expect("finishes");
        assert_eq!(fs::read(&path).expect("there"), b"");
    }

    #[test]
    fn places_that_take_no_file_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = Output::create(folder.path(), true).err().expect("a folder");
        assert_eq!(hints(&error), ["give a file name in this folder"]);
        let error = Output::create(&folder.path().join("no/a.txt"), true).err().expect("no folder");
        assert!(hints(&error)[0].starts_with("create the folder"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_links_are_followed() {
        let mut null = Output::create(Path::new("/dev/null"), false).expect("a device");
        null.write_all(b"x").expect("writable");
        null.finish().expect("finishes");
        let folder = tempfile::tempdir().expect("a folder");
        let (link, real) = (folder.path().join("link"), folder.path().join("real"));
        fs::write(&real, "old").expect("writable");
        std::os::unix::fs::symlink(&real, &link).expect("can be made");
        Output::create(&link, true).expect("forced").finish().expect("finishes");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read(&real).expect("there"), b"");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_the_file_as_far_as_the_umask_lets_them() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        Output::create(&ours, false).expect("new").finish().expect("finishes");
        fs::write(&plain, "").expect("writable");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
