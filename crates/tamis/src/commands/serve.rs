//! `tamis serve`: collections and archives over HTTP, for browsers and for programs.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use tamis_archive::{Door, Source};
use tamis_collection::Collection;
use tamis_serve::{Access, Error, Files, Limits, Options, Server, Shelf, Stock};

use super::open_collection::open as open_collection;
use crate::hint::WithHint;
use crate::inputs::{self, Input, InputArgs, Wanted};
use crate::interrupt;
use crate::outcome::Outcome;
use crate::packages;
use crate::session::Session;

/// The arguments of `tamis serve`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Each collection is served under its id, all other inputs together under the name of the file, or as \
    `archives` if there are several. Collections and packs are searched by their own indexes. Other archives are read once at the \
    start, and an index of them is made in a temporary file: about 300 bytes per capture. `tamis import` keeps an index. New archives \
    are served without a restart.\n\n\
    The address is printed once the server listens; look-ups are answered with 503 while archives are being read. Ctrl-C ends \
    the server after the responses that have begun.\n\n\
    Browsers replay pages under hosts below localhost, such as www.example.com.t20200101000000.c1.localhost:8080. Where a token is \
    needed, they are shown the source of pages instead.\n\n\
    Everybody who uses this machine can read what is served. Addresses other than loopback need a token: that of --token-file, or one \
    that is made and printed with the address.\n\nExamples:\n  \
    tamis serve eclipse/\n  \
    tamis serve crawl/*.warc.gz --listen 127.0.0.1:9000\n  \
    tamis serve eclipse/ --listen 0.0.0.0:8080 --host archive.example --token-file token.txt"
)]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    /// Listen on this IP address and port; port 0 is any that is free
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Also answer under this host name
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Ask clients for the token in FILE
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Append a line per request to FILE, in the Combined Log Format
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,
    /// Look for new archives every N seconds
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    refresh: u64,
}

/// Serves.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let shelves = shelves(args.inputs.arguments(), session)?;
    let token = token(args)?;
    let is_made = token.is_some() && args.token_file.is_none();
    // More messages than this in a moment are of no use to anybody.
    let (sender, messages) = mpsc::sync_channel::<String>(100);
    let options = Options {
        address: args.listen,
        access: Access { hosts: args.host.clone(), token: token.clone() },
        access_log: args.access_log.clone(),
        limits: Limits::default(),
        refresh: Duration::from_secs(args.refresh),
        say: Box::new(move |text| drop(sender.try_send(text.to_owned()))),
    };
    let server = Server::bind(options, shelves).map_err(explain)?;
    let address = server.address();
    let path = token.filter(|_| is_made).map(|token| format!("?token={token}")).unwrap_or_default();
    let mut out = session.printer.out();
    writeln!(out, "http://{address}/{path}")?;
    out.flush()?;
    drop(out);
    interrupt::watch();
    std::thread::scope(|threads| {
        threads.spawn(|| server.run(interrupt::requested));
        say_once(&messages, session);
    });
    Ok(Outcome::Done)
}

/// Says each message once, until the server ends.
fn say_once(messages: &mpsc::Receiver<String>, session: &Session) {
    const MOST: usize = 1000;
    let mut said = HashSet::new();
    for message in messages {
        if said.len() < MOST && said.insert(message.clone()) {
            session.printer.warn(message);
        }
    }
}

/// What is served under which name: collections, and all other inputs as one.
fn shelves(arguments: &[OsString], session: &Session) -> anyhow::Result<Vec<Shelf>> {
    let (mut stocks, mut others) = (Vec::new(), Vec::new());
    for argument in arguments {
        let path = Path::new(argument);
        if Collection::is_one(path) {
            let collection = open_collection(path, session)?;
            let stock = Stock::Collection { path: path.to_owned(), door: session.door.clone() };
            stocks.push((collection.about().id.clone(), stock));
        } else if argument == "-" {
            return Err(anyhow!("a server reads its archives again and again, and stdin can be read once"))
                .hint("save the archive to a file");
        } else {
            others.push(argument.clone());
        }
    }
    if !others.is_empty() {
        let name = name_of(&others);
        let archives = Archives { arguments: others, door: session.door.clone() };
        check(&archives, session)?;
        stocks.push((name, Stock::Files(Box::new(archives))));
    }
    let mut taken = HashSet::new();
    let shelf = |(name, stock): (String, Stock)| {
        let mut free = name.clone();
        for number in 2.. {
            if taken.insert(free.clone()) {
                break;
            }
            free = format!("{name}-{number}");
        }
        Shelf::new(free, stock, std::env::temp_dir())
    };
    Ok(stocks.into_iter().map(shelf).collect())
}

/// The name of one file without its endings, or a word for several.
fn name_of(arguments: &[OsString]) -> String {
    let [one] = arguments else { return "archives".to_owned() };
    let name = Path::new(one).file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    if stem.is_empty() || inputs::is_glob(Path::new(one)) { "archives".to_owned() } else { stem.to_owned() }
}

/// Says which inputs are not there. Refuses to serve none, unless archives may still appear in a folder.
fn check(archives: &Archives, session: &Session) -> anyhow::Result<()> {
    let (inputs, problems) = inputs::expand(&archives.arguments, Wanted::Archives)?;
    for problem in &problems {
        session.printer.error(problem);
    }
    if inputs.list.is_empty() && !archives.arguments.iter().any(|argument| Path::new(argument).is_dir()) {
        return Err(anyhow!("there is nothing to serve"));
    }
    Ok(())
}

/// The token that clients need: that of the file, or a new one where others can reach the server.
fn token(args: &Args) -> anyhow::Result<Option<String>> {
    const MIN_LEN: usize = 16;
    let Some(path) = &args.token_file else {
        let is_open = !args.listen.ip().is_loopback();
        return is_open.then(new_token).transpose();
    };
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let token = text.trim();
    let is_plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    if token.len() < MIN_LEN || !is_plain {
        return Err(anyhow!("{}: not a token", path.display()))
            .hint(format!("a token has at least {MIN_LEN} letters, digits, `-`, `.`, `_` or `~`"));
    }
    Ok(Some(token.to_owned()))
}

fn new_token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("no random bytes for a token: {error}"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

fn explain(error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::Listen { source, .. } if source.kind() == std::io::ErrorKind::AddrInUse => {
            "another program listens there; `--listen 127.0.0.1:0` takes a free port"
        }
        Error::Listen { source, .. } if source.kind() == std::io::ErrorKind::PermissionDenied => {
            "ports below 1024 are for the administrator"
        }
        _ => return anyhow!(error),
    };
    anyhow!(error).hint(hint)
}

/// Archives by the arguments that name them.
struct Archives {
    arguments: Vec<OsString>,
    door: Door,
}

impl Files for Archives {
    fn list(&self) -> (Vec<PathBuf>, Vec<String>) {
        match inputs::expand(&self.arguments, Wanted::Archives) {
            Ok((inputs, problems)) => {
                let file = |input| match input {
                    Input::File(path) => Some(path),
                    Input::Stdin => None,
                };
                (inputs.list.into_iter().filter_map(file).collect(), texts(&problems))
            }
            Err(error) => (Vec::new(), texts(&[error])),
        }
    }

    fn open(&self, path: &Path) -> (Vec<Source>, Vec<String>) {
        if !packages::is_package(path) {
            return (vec![self.door.source(path)], Vec::new());
        }
        let contents = packages::contents(path);
        (contents.sources, texts(&contents.problems))
    }
}

fn texts(problems: &[anyhow::Error]) -> Vec<String> {
    problems.iter().map(|problem| format!("{problem:#}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_called_by_their_file() {
        for (arguments, name) in [
            (&["x/crawl.warc.gz"][..], "crawl"),
            (&["eclipse.wacz"], "eclipse"),
            (&["folder/"], "folder"),
            (&["a.warc", "b.warc"], "archives"),
            (&["*.warc.gz"], "archives"),
            (&[".hidden"], "archives"),
        ] {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            assert_eq!(name_of(&arguments), name);
        }
    }

    #[test]
    fn new_tokens_are_long_and_never_the_same() {
        let tokens: HashSet<String> = (0..100).map(|_| new_token().expect("random bytes")).collect();
        assert_eq!(tokens.len(), 100);
        assert!(tokens.iter().all(|token| token.len() == 32));
    }
}
