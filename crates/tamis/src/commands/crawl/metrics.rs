//! Figures for Prometheus, in its text format, on request.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use tamis_crawl::crawl::{Progress, Snapshot};

/// Who asks gets so long to ask.
const PATIENCE: Duration = Duration::from_secs(2);

/// A small server that lives as long as this.
pub(super) struct Metrics {
    at: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Metrics {
    /// Listens at an address, one caller after the other.
    pub(super) fn serve(at: SocketAddr, progress: Arc<Progress>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(at).with_context(|| format!("cannot listen on {at}"))?;
        let at = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            for caller in listener.incoming() {
                if stopping.load(Ordering::Relaxed) {
                    return;
                }
                if let Ok(caller) = caller {
                    // A caller that hangs up is no concern of the crawl's.
                    let _ = answer(caller, &progress.snapshot());
                }
            }
        });
        Ok(Self { at, stop, thread: Some(thread) })
    }
}

impl Drop for Metrics {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Wakes the thread from waiting for a caller.
        let _ = TcpStream::connect_timeout(&self.at, PATIENCE);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(mut caller: TcpStream, snapshot: &Snapshot) -> std::io::Result<()> {
    caller.set_read_timeout(Some(PATIENCE))?;
    caller.set_write_timeout(Some(PATIENCE))?;
    let mut request = [0; 2048];
    let len = caller.read(&mut request)?;
    let is_asked = request[..len].starts_with(b"GET /metrics") || request[..len].starts_with(b"GET / ");
    let (status, body) = if is_asked { ("200 OK", text(snapshot)) } else { ("404 Not Found", String::new()) };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    caller.write_all(head.as_bytes())?;
    caller.write_all(body.as_bytes())
}

fn text(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    let sums = serde_json::to_value(&snapshot.sums).unwrap_or_default();
    for (name, value) in sums.as_object().into_iter().flatten() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "# TYPE tamis_crawl_{name}_total counter\ntamis_crawl_{name}_total {value}");
    }
    let bench = serde_json::to_value(&snapshot.bench).unwrap_or_default();
    for (name, value) in bench.as_object().into_iter().flatten() {
        let _ = writeln!(out, "# TYPE tamis_crawl_{name} gauge\ntamis_crawl_{name} {value}");
    }
    for (metric, label, counts) in [
        ("answers", "class", &snapshot.outcomes),
        ("failures", "kind", &snapshot.failures),
        ("links_refused", "reason", &snapshot.refused),
        ("left_out", "limit", &snapshot.left_out),
        ("read_in_part", "what", &snapshot.cut),
        ("unverified", "fault", &snapshot.unverified),
    ] {
        let _ = writeln!(out, "# TYPE tamis_crawl_{metric}_total counter");
        for (name, value) in counts {
            let _ = writeln!(out, "tamis_crawl_{metric}_total{{{label}=\"{name}\"}} {value}");
        }
    }
    out
}
