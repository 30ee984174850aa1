//! `tamis serve` as a user meets it: the address on stdout, packages and packs as they are, Ctrl-C.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use crate::scene;

/// A server in a scene's folder.
struct Served {
    child: Child,
    address: String,
    path: String,
}

impl Served {
    fn start(scene: &Scene, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.arg("serve").args(arguments).args(["--listen", "127.0.0.1:0", "--refresh", "1"]);
        command.current_dir(scene.folder()).env("HOME", scene.folder()).env_remove("TAMIS_CONFIG");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        out.read_line(&mut line).expect("it prints its address");
        let rest = line.trim().strip_prefix("http://").expect("an address").to_owned();
        let (address, path) = rest.split_once('/').expect("a path");
        Self { child, address: address.to_owned(), path: format!("/{path}") }
    }

    /// The status and the body.
    fn get(&self, path: &str) -> (u16, String) {
        let until = Instant::now() + Duration::from_mins(1);
        loop {
            let mut stream = TcpStream::connect(&self.address).expect("it listens");
            let request = format!("GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address);
            stream.write_all(request.as_bytes()).expect("it takes it");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("it answers");
            let (head, body) = text.split_once("\r\n\r\n").expect("a head");
            let status = head[9..12].parse().expect("a status");
            if status != 503 || Instant::now() > until {
                return (status, body.to_owned());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends it by Ctrl-C. Its exit code, and what it said on stderr.
    fn stop(mut self) -> (Option<i32>, String) {
        let sent =
            Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let code = self.child.wait().expect("it ends").code();
        let mut said = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
        (code, said)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn archive() -> Vec<u8> {
    let page = |url: &str, text: &str| {
        Record::response(url, http_response("text/html", text))
            .with_digests()
            .with("WARC-Date", "2014-01-01T00:00:00Z")
    };
    ArchiveBuilder::new()
        .gzip(&page("http://example.org/", "one"))
        .gzip(&page("http://example.org/b", "two"))
        .build()
}

#[test]
fn archives_packs_packages_and_collections_give_the_same() {
    let scene = scene().file("a.warc.gz", archive());
    for line in [
        "pack a.warc.gz -o a.pack",
        "warc wacz create a.warc.gz -o a.wacz",
        "new events",
        "import events a.warc.gz",
    ] {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(0), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    for (input, name) in [("a.warc.gz", "a"), ("a.pack", "a"), ("a.wacz", "a"), ("events", "events")] {
        let served = Served::start(&scene, &[input]);
        let (status, lines) =
            served.get(&format!("/c/{name}/cdx?url=example.org/*&fl=url,timestamp&output=text"));
        let expected = "http://example.org/ 20140101000000\nhttp://example.org/b 20140101000000\n";
        assert_eq!((status, &*lines), (200, expected), "{input}");
        let bytes = served.get(&format!("/c/{name}/web/20140101000000id_/http://example.org/b"));
        assert_eq!(bytes, (200, "two".to_owned()), "{input}");
        assert!(served.get("/").1.contains(&format!("href=\"/c/{name}\"")), "{input}");
        let (code, said) = served.stop();
        assert_eq!(code, Some(0), "{input}: {said}");
    }
}

#[test]
fn a_server_beyond_loopback_has_a_token() {
    let scene =
        scene().file("a.warc.gz", archive()).file("token", "0123456789abcdef\n").file("short", "0123");
    let served = Served::start(&scene, &["a.warc.gz", "--token-file", "token"]);
    assert_eq!((served.get("/").0, served.path.as_str()), (401, "/"));
    assert_eq!(served.get("/?token=0123456789abcdef").0, 303);
    drop(served);
    scene.check("serve-short-token", "serve a.warc.gz --token-file short");
}

#[test]
fn what_cannot_be_served_is_refused() {
    let scene = scene();
    scene.check("serve-missing", "serve gone.warc.gz");
    scene.check("serve-stdin", "serve -");
    scene.check("serve-none", "serve");
    scene.check("serve-address", "serve . --listen localhost");
    scene.check("serve-help", "serve --help");
}
