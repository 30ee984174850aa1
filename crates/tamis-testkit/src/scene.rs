//! Whole commands: what they are given, and all they said, kept in a file.
//!
//! A snapshot is a text file with the command line, the exit code, stdout and stderr. To write what is said now as
//! what shall be said: `TAMIS_SNAPSHOTS=update cargo test`, and look at the difference before committing it.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::diff::diff;

/// A folder of its own, a program, and what it is given.
///
/// The program sees no environment but `PATH`, and `HOME` in a folder of its own, so that nothing of the machine or
/// its user gets into the answer.
pub struct Scene {
    program: PathBuf,
    snapshots: PathBuf,
    folder: TempDir,
    environment: BTreeMap<String, String>,
    stdin: Vec<u8>,
    update: bool,
}

/// What a program said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// The bytes on stdout.
    pub stdout: Vec<u8>,
    /// The bytes on stderr.
    pub stderr: Vec<u8>,
}

impl Scene {
    /// An empty folder for a program. `snapshots` is where the expectations are.
    ///
    /// # Panics
    /// If there is no place for a folder.
    pub fn new(program: impl Into<PathBuf>, snapshots: impl Into<PathBuf>) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let home = folder.path().join("home").display().to_string();
        let path = env::var("PATH").unwrap_or_default();
        let update = env::var("TAMIS_SNAPSHOTS").is_ok_and(|value| value == "update");
        let environment = [("HOME".to_owned(), home), ("PATH".to_owned(), path)].into();
        Self {
            program: program.into(),
            snapshots: snapshots.into(),
            folder,
            environment,
            stdin: Vec::new(),
            update,
        }
    }

    /// Puts a file into the folder, and the folders above it. It was last changed at [`crate::DATE`].
    ///
    /// # Panics
    /// If it cannot be written.
    #[must_use]
    pub fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(&path)).expect("the folder can be made");
        fs::write(&path, bytes).expect("the file can be written");
        let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(1_709_210_096);
        let file = fs::File::options().write(true).open(path).expect("it was just written");
        file.set_modified(changed).expect("its time can be set");
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// Gives the program something to read.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// The folder, to look at what a command left there.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The names of all files below the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        list(self.folder(), "", &mut files);
        files.sort();
        files
    }

    /// Runs a command line; the words are parted by blanks, `'…'` holds blanks.
    ///
    /// # Panics
    /// If the program cannot be started.
    pub fn run(&self, line: &str) -> Ran {
        let mut command = self.command(line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let input = self.stdin.clone();
        // In a thread, or a program that answers before it has read all would wait for us for ever. One that reads
        // nothing closes the pipe, which is no fault.
        let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().expect("the program ends");
        feeding.join().expect("feeding does not panic");
        Ran::from(output)
    }

    /// Runs a command line whose stdout nobody reads.
    ///
    /// # Panics
    /// If the program cannot be started.
    pub fn run_with_closed_pipe(&self, line: &str) -> Ran {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let output =
            self.command(line).stdin(Stdio::null()).stdout(writer).output().expect("the program starts");
        Ran::from(output)
    }

    /// Runs a command line and compares all it said with the snapshot of this name.
    ///
    /// # Panics
    /// If they differ.
    #[track_caller]
    pub fn check(&self, name: &str, line: &str) -> Ran {
        let ran = self.run(line);
        let said = self.settled(&format!("{}\n{ran}", format!("$ tamis {line}").trim_end()));
        self.compare(name, &said);
        ran
    }

    /// The text with the folder named `[DIR]`, so that it is the same in each run.
    pub fn settled(&self, text: &str) -> String {
        text.replace(&self.folder().display().to_string(), "[DIR]")
            .replace(concat!("tamis ", env!("CARGO_PKG_VERSION")), "tamis [VERSION]")
    }

    #[track_caller]
    fn compare(&self, name: &str, said: &str) {
        let path = self.snapshots.join(format!("{name}.txt"));
        let kept = fs::read_to_string(&path).unwrap_or_default();
        if said == kept {
            return;
        }
        if self.update {
            fs::create_dir_all(&self.snapshots).expect("the folder can be made");
            fs::write(&path, said).expect("the snapshot can be written");
            return;
        }
        let (path, difference) = (path.display(), diff(&kept, said));
        panic!("{path} differs (-kept +said); if it is right, run with TAMIS_SNAPSHOTS=update\n{difference}");
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words(line)).current_dir(self.folder()).env_clear().envs(&self.environment);
        command
    }
}

impl From<Output> for Ran {
    fn from(Output { status, stdout, stderr }: Output) -> Self {
        Self { code: status.code(), stdout, stderr }
    }
}

/// The form of a snapshot.
impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = self.code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
        writeln!(f, "exit: {code}")?;
        for (name, bytes) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !bytes.is_empty() {
                write!(f, "--- {name}\n{}", visible(bytes))?;
            }
        }
        Ok(())
    }
}

/// The bytes as text in which nothing hides: control characters and broken UTF-8 are written as escapes, and so is a
/// missing line end.
fn visible(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => text.push('\n'),
                c if c.is_control() => text.extend(c.escape_default()),
                c => text.push(c),
            }
        }
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    if !text.ends_with('\n') {
        text.push_str("[no line end]\n");
    }
    text
}

/// Splits a command line at blanks outside of single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn list(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell() -> Scene {
        Scene { update: false, ..Scene::new("sh", tempfile::tempdir().expect("a folder").keep()) }
    }

    #[test]
    fn a_program_sees_only_what_the_scene_gives_it() {
        let scene = shell().file("a/b.txt", "x").stdin("from stdin").env("COLOUR", "blue");
        let ran = scene.run("-c 'cat; cat a/b.txt; echo $COLOUR $USER; echo problem >&2; exit 3'");
        let expected =
            Ran { code: Some(3), stdout: b"from stdinxblue\n".into(), stderr: b"problem\n".into() };
        assert_eq!(ran, expected);
        assert_eq!(scene.files(), ["a/b.txt"]);
    }

    #[test]
    fn a_large_input_that_is_not_read_blocks_nothing() {
        assert_eq!(shell().stdin(vec![b'x'; 1 << 20]).run("-c true").code, Some(0));
    }

    #[test]
    fn a_snapshot_that_differs_fails_with_the_difference() {
        let scene = shell();
        fs::write(scene.snapshots.join("x.txt"), "$ tamis -c 'echo b'\nexit: 0\n--- stdout\na\n")
            .expect("writable");
        let failed =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scene.check("x", "-c 'echo b'")));
        let message = failed.expect_err("it differs").downcast::<String>().expect("a message");
        assert!(message.ends_with(" --- stdout\n-a\n+b\n"), "{message}");
        fs::write(scene.snapshots.join("x.txt"), "$ tamis -c 'echo a'\nexit: 0\n--- stdout\na\n")
            .expect("writable");
        scene.check("x", "-c 'echo a'");
    }

    #[test]
    fn nothing_hides_in_a_snapshot() {
        assert_eq!(visible(b"a\tb\r\nc\x1b[0m\xff\xc3\xa9"), "a\\tb\\r\nc\\u{1b}[0m\\xffé[no line end]\n");
    }

    #[test]
    fn command_lines_are_split_as_a_shell_would() {
        assert_eq!(words("warc ls 'a b.warc' '' x'y z'"), ["warc", "ls", "a b.warc", "", "xy z"]);
    }
}
