//! A world on real sockets, all of them in 127.0.0.0/8.

use std::collections::HashMap;
use std::fmt::Write;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;

use super::audit::{Audit, AuditRules, asked, audit};
use super::connection::Connection;
use super::log::Log;
use super::spot::Spot;
use super::tls::Authority;
use super::{Reach, World, coding, host};

/// How a world is served.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// How many threads; each has its share of the addresses.
    pub threads: usize,
    /// The port on every address; 0 is one that is free. It speaks TLS with clients that do.
    pub port: u16,
    /// Another port on every address, such as 443 beside 80 for clients that cannot be told a port.
    pub second_port: Option<u16>,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self { threads: 1, port: 0, second_port: None }
    }
}

/// A world that is being served, until this is dropped.
pub struct Running {
    shared: Arc<Shared>,
    ports: Vec<SocketAddr>,
    threads: Vec<(oneshot::Sender<()>, JoinHandle<()>)>,
}

/// What all connections know.
pub(super) struct Shared {
    pub(super) world: Arc<World>,
    pub(super) acceptor: TlsAcceptor,
    authority: Arc<Authority>,
    log: Mutex<Log>,
    /// How often a page was asked for that refuses at first: the only state of the world.
    asked: Mutex<HashMap<Spot, u32>>,
    pub(super) connections: AtomicU64,
    open: AtomicUsize,
    most_open: AtomicUsize,
    clock: Instant,
    bomb: OnceLock<Vec<u8>>,
}

/// More than any test has in flight to one address; the default of 128 makes bursts wait a second.
const BACKLOG: u32 = 4096;

/// Serves a world. It listens on as many addresses as the world has, and nowhere but in 127.0.0.0/8.
pub fn serve(world: Arc<World>, options: &ServeOptions) -> io::Result<Running> {
    let authority = Arc::new(Authority::new(Arc::clone(&world))?);
    let shared = Arc::new(Shared {
        acceptor: authority.acceptor()?,
        authority,
        world,
        log: Mutex::default(),
        asked: Mutex::default(),
        connections: AtomicU64::new(0),
        open: AtomicUsize::new(0),
        most_open: AtomicUsize::new(0),
        clock: Instant::now(),
        bomb: OnceLock::new(),
    });
    let mut running = Running { shared, ports: Vec::new(), threads: Vec::new() };
    running.listen(options)?;
    Ok(running)
}

impl Running {
    /// The world that is served.
    pub fn world(&self) -> &Arc<World> {
        &self.shared.world
    }

    /// Where a host listens, for both schemes.
    pub fn resolve(&self, host: &str) -> Option<SocketAddr> {
        let index = self.shared.world.host_index(host)?;
        self.ports.get(self.shared.world.hosts[index as usize].address as usize).copied()
    }

    /// A line `address:port host` for every host.
    pub fn hosts_file(&self) -> String {
        let mut lines = String::new();
        for host in self.shared.world.hosts() {
            if let Some(address) = self.resolve(host) {
                let _ = writeln!(lines, "{address} {host}");
            }
        }
        lines
    }

    /// The certificate of the authority that signed all others, as PEM.
    pub fn ca_pem(&self) -> &str {
        &self.shared.authority.pem
    }

    /// What clients have done so far, judged by the rules.
    pub fn audit(&self, rules: &AuditRules) -> Audit {
        // A copy, so that nobody waits while it is looked at.
        let log = self.shared.log().clone();
        let mut found = audit(&self.shared.world, &log, rules);
        found.connections = self.shared.connections.load(Ordering::Relaxed);
        found.most_connections = self.shared.most_open.load(Ordering::Relaxed) as u64;
        found
    }

    /// Every URL that clients have asked for, in the form of what the [oracle](super::oracle()) says they should have.
    pub fn asked(&self) -> Reach {
        asked(&self.shared.world, &self.shared.log())
    }

    fn listen(&mut self, options: &ServeOptions) -> io::Result<()> {
        let addresses = 1 + self.shared.world.hosts.iter().map(|host| host.address).max().unwrap_or(0);
        let threads = options.threads.clamp(1, 64) as u32;
        self.ports = vec![SocketAddr::from(([127, 0, 0, 1], 0)); addresses as usize];
        for thread in 0..threads {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            for index in (thread..addresses).step_by(threads as usize) {
                self.listen_on(&runtime, index, options)?;
            }
            let (stop, stopped) = oneshot::channel();
            let run = move || {
                let _ = runtime.block_on(stopped);
                runtime.shutdown_timeout(Duration::ZERO);
            };
            self.threads.push((stop, thread::Builder::new().name("simulated web".to_owned()).spawn(run)?));
        }
        Ok(())
    }

    fn listen_on(&mut self, runtime: &Runtime, index: u32, options: &ServeOptions) -> io::Result<()> {
        let _context = runtime.enter();
        let address = host::address(index);
        let listener = bind(address, options.port)?;
        self.ports[index as usize] = listener.local_addr()?;
        runtime.spawn(accept(Arc::clone(&self.shared), listener, index));
        if let Some(port) = options.second_port {
            runtime.spawn(accept(Arc::clone(&self.shared), bind(address, port)?, index));
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for (stop, thread) in self.threads.drain(..) {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}

impl Shared {
    pub(super) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often a spot was asked for before.
    pub(super) fn asked_before(&self, spot: Spot) -> u32 {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let count = asked.entry(spot).or_default();
        *count += 1;
        *count - 1
    }

    pub(super) fn micros(&self, at: Instant) -> u64 {
        at.duration_since(self.clock).as_micros() as u64
    }

    pub(super) fn bomb(&self) -> &[u8] {
        self.bomb.get_or_init(|| coding::gzip_bomb(self.world.options.bomb_bytes))
    }

    fn opened(&self) {
        let open = self.open.fetch_add(1, Ordering::Relaxed) + 1;
        self.most_open.fetch_max(open, Ordering::Relaxed);
    }

    fn closed(&self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

fn bind(address: Ipv4Addr, port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((address, port)))?;
    socket.listen(BACKLOG)
}

async fn accept(shared: Arc<Shared>, listener: TcpListener, address: u32) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(connection(Arc::clone(&shared), stream, address));
            }
            // Out of descriptors: some are closed soon.
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// The first byte of a TLS handshake; no method of HTTP begins with it.
const HANDSHAKE: u8 = 0x16;

async fn connection(shared: Arc<Shared>, stream: TcpStream, address: u32) {
    shared.opened();
    // What goes wrong with a connection is seen by the client; the server has no one to tell.
    let _ = converse(&shared, stream, address).await;
    shared.closed();
}

async fn converse(shared: &Shared, stream: TcpStream, address: u32) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut first = [0];
    stream.peek(&mut first).await?;
    if first[0] == HANDSHAKE {
        let stream = shared.acceptor.accept(stream).await?;
        Connection::new(shared, stream, address, true).run().await
    } else {
        Connection::new(shared, stream, address, false).run().await
    }
}
