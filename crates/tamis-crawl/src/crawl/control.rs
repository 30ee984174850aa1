//! Control of a running crawl: a Unix socket in its collection that takes commands, a line of JSON each.
//!
//! The socket is the file [`FILE`], for its owner alone (mode 600). It is bound in a folder that nobody else can enter and then renamed,
//! so that there is no moment at which others could connect. Whoever holds the lock of the collection may replace it: one that a kill
//! left over has no listener.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener as BoundListener, UnixStream as BlockingStream};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;

use super::in_force::{Change, InForce};
use super::network::Network;
use crate::{Error, Result};

/// The name of the socket in a collection.
pub(super) const FILE: &str = "control";
/// Where it is made.
const PART: &str = ".control.part";
/// The longest command, and how long who connects may take for it.
const MOST_BYTES: u64 = 64 << 10;
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest path of a socket that all systems take.
const LONGEST_PATH: usize = 100;

/// What a running crawl can be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Command {
    /// Begin nothing new; what is in flight is finished.
    Pause,
    /// Go on.
    Resume,
    /// End; the crawl can go on later.
    Stop,
    /// Change what is in force.
    Set(Change),
    /// Only tell what is in force.
    Show,
}

/// What it answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Reply {
    /// Why the command was refused, if it was.
    pub error: Option<String>,
    /// What is in force now.
    pub in_force: InForce,
}

/// Why a crawl could not be told anything.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// There is no socket, or nobody listens at it.
    #[error("{}: no crawl is running", .0.display())]
    NotRunning(PathBuf),
    /// The name of the socket is something else.
    #[error("{}: is not a socket", .0.display())]
    NotASocket(PathBuf),
    /// The crawl refused the command.
    #[error("{0}")]
    Refused(String),
    /// It could not be reached, or its answer not be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The socket.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
}

/// Tells the crawl that runs in a collection something. Gives what is in force then.
pub fn control(collection: &Path, command: &Command) -> Result<InForce, ControlError> {
    let path = collection.join(FILE);
    let failed = |source: io::Error| match source.kind() {
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => ControlError::NotRunning(collection.into()),
        _ => ControlError::Io { path: path.clone(), source },
    };
    if !fs::symlink_metadata(&path).map_err(failed)?.file_type().is_socket() {
        return Err(ControlError::NotASocket(path));
    }
    let reply = with_short_path(collection, FILE, |short| ask(short, command)).map_err(failed)?;
    match reply.error {
        Some(error) => Err(ControlError::Refused(error)),
        None => Ok(reply.in_force),
    }
}

fn ask(path: &Path, command: &Command) -> io::Result<Reply> {
    let mut stream = BlockingStream::connect(path)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = serde_json::to_vec(command)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    let mut answer = Vec::new();
    BufReader::new(stream).take(1 << 20).read_until(b'\n', &mut answer)?;
    Ok(serde_json::from_slice(&answer)?)
}

/// The socket of a crawl that runs. Dropping it takes the file away.
pub(super) struct Socket {
    path: PathBuf,
    listener: UnixListener,
}

impl Socket {
    /// Begins to listen. A socket that a kill left is replaced; anything else of that name is an error.
    pub(super) fn open(collection: &Path) -> Result<Self> {
        let path = collection.join(FILE);
        let failed = |source| Error::io(&path, source);
        match fs::symlink_metadata(&path) {
            Ok(meta) if meta.file_type().is_socket() => fs::remove_file(&path).map_err(failed)?,
            Ok(_) => {
                return Err(failed(io::Error::other("is not a socket, and a crawl needs the name for one")));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let listener = bind(collection).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        Ok(Self { listener: UnixListener::from_std(listener).map_err(failed)?, path })
    }

    /// Takes one command after the other, as long as it is polled.
    pub(super) async fn serve(self, network: Rc<Network>) {
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            // Who stalls holds up nobody but those who come after, and not for long.
            let _ = timeout(PATIENCE, answer(stream, &network)).await;
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // What is left is replaced by the next crawl.
        let _ = fs::remove_file(&self.path);
    }
}

async fn answer(stream: UnixStream, network: &Network) -> io::Result<()> {
    let (input, mut output) = stream.into_split();
    let mut line = Vec::new();
    tokio::io::BufReader::new(input.take(MOST_BYTES)).read_until(b'\n', &mut line).await?;
    let told = serde_json::from_slice::<Command>(&line).map_err(|error| format!("not a command: {error}"));
    let error = told.and_then(|command| network.obey(&command)).err();
    let reply = Reply { error, in_force: network.in_force() };
    let mut said = serde_json::to_vec(&reply)?;
    said.push(b'\n');
    output.write_all(&said).await
}

fn bind(collection: &Path) -> io::Result<BoundListener> {
    let folder = collection.join(PART);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    DirBuilder::new().mode(0o700).create(&folder)?;
    let made = folder.join(FILE);
    let bound = with_short_path(&folder, FILE, |short| BoundListener::bind(short)).and_then(|listener| {
        fs::set_permissions(&made, Permissions::from_mode(0o600))?;
        fs::rename(&made, collection.join(FILE))?;
        Ok(listener)
    });
    fs::remove_dir_all(&folder)?;
    bound
}

/// Paths of sockets have some hundred bytes at most: a longer one is reached through its open folder.
fn with_short_path<T>(folder: &Path, name: &str, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let path = folder.join(name);
    if path.as_os_str().len() <= LONGEST_PATH || !Path::new("/proc/self/fd").exists() {
        return act(&path);
    }
    let open = fs::File::open(folder)?;
    let descriptor = std::os::fd::AsRawFd::as_raw_fd(&open);
    act(&Path::new("/proc/self/fd").join(descriptor.to_string()).join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_lines_of_json() {
        for (line, command) in [
            (r#"{"do":"pause"}"#, Command::Pause),
            (r#"{"do":"set","delay_ms":5}"#, Command::Set(Change { delay_ms: Some(5), ..Change::default() })),
        ] {
            assert_eq!(serde_json::from_str::<Command>(line).expect(line), command);
        }
        for line in [r#"{"do":"fly"}"#, r#"{"do":"set","wings":2}"#, "", "[]"] {
            assert!(serde_json::from_str::<Command>(line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_socket_is_private_follows_no_link_and_replaces_a_stale_one() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let _entered = runtime.enter();
        let folder = tempfile::tempdir().expect("a folder");
        // Longer than the path of a socket can be.
        let collection = folder.path().join("c".repeat(120));
        fs::create_dir(&collection).expect("made");
        let path = collection.join(FILE);
        assert!(matches!(control(&collection, &Command::Show), Err(ControlError::NotRunning(_))));
        let socket = Socket::open(&collection).expect("listens");
        let mode = fs::symlink_metadata(&path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode, fs::read_dir(&collection).expect("a folder").count()), (0o600, 1));
        // As a kill leaves it.
        std::mem::forget(socket);
        let again = Socket::open(&collection).expect("replaces it");
        drop(again);
        assert!(!path.exists());
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), &path).expect("made");
        let error = Socket::open(&collection).err().expect("a link").to_string();
        assert!(error.contains("is not a socket"), "{error}");
        assert!(matches!(control(&collection, &Command::Show), Err(ControlError::NotASocket(_))));
        fs::remove_file(&path).expect("removed");
        fs::write(&path, "mine").expect("written");
        assert!(Socket::open(&collection).is_err());
        assert_eq!(fs::read(&path).expect("there"), b"mine");
    }

    #[test]
    fn nobody_listens_at_a_stale_socket() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(bind(folder.path()).expect("listens"));
        assert!(matches!(control(folder.path(), &Command::Show), Err(ControlError::NotRunning(_))));
    }
}
