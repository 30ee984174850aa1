//! The server: a loop of connections, with limits, until it is told to stop.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, HttpBody};
use http::{HeaderMap, HeaderValue, Request, Response, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tamis_replay::page::Origin;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};
use tower_service::Service;

use crate::access_log::{AccessLog, Line};
use crate::failure::Failure;
use crate::guard::Access;
use crate::shelf::Shelf;
use crate::work::Work;
use crate::{Error, replay, routes};

/// How a server works.
pub struct Options {
    /// Where it listens; port 0 is any that is free.
    pub address: SocketAddr,
    /// Who may ask.
    pub access: Access,
    /// The file that gets a line per request.
    pub access_log: Option<PathBuf>,
    /// How much it does at once.
    pub limits: Limits,
    /// How often it looks for new archives.
    pub refresh: Duration,
    /// Gets what is wrong with archives, a line each.
    pub say: Box<dyn Fn(&str) + Send + Sync>,
}

/// How much a server does at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections. More wait to be accepted.
    pub connections: usize,
    /// Requests that read archives or indexes. Each takes what [`tamis_archive::Reader`] does, at most some 10 MiB, and half a MiB that
    /// waits for the client.
    pub lookups: usize,
    /// Requests that wait for their turn to read. More are answered with 503.
    pub waiting: usize,
    /// How long the head of a request may take, and a connection may idle.
    pub head: Duration,
    /// The largest head of a request in bytes.
    pub head_bytes: usize,
    /// How long responses may take after the server is told to stop.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            lookups: 64,
            waiting: 4096,
            head: Duration::from_secs(10),
            head_bytes: 64 << 10,
            stop: Duration::from_secs(5),
        }
    }
}

/// A server that listens, and does not answer yet.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    refresh: Duration,
}

/// What all requests share.
pub(crate) struct App {
    pub(crate) shelves: Vec<Shelf>,
    pub(crate) work: Work,
    pub(crate) say: Box<dyn Fn(&str) + Send + Sync>,
    pub(crate) port: u16,
    /// Whether browsers can replay: hosts below `localhost` are of this machine, and know no token.
    pub(crate) replays: bool,
    access: Access,
    log: Option<AccessLog>,
    limits: Limits,
}

/// The policy of the interface: its own style and forms, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

impl Server {
    /// Listens. Nothing is read yet.
    pub fn bind(options: Options, shelves: Vec<Shelf>) -> Result<Self, Error> {
        let error = |source| Error::Listen { address: options.address, source };
        let log = options.access_log.as_deref().map(AccessLog::open).transpose()?;
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        runtime.enable_all().max_blocking_threads(options.limits.lookups + 1);
        let runtime = runtime.build().map_err(error)?;
        let listen = || {
            let _inside = runtime.enter();
            let socket = if options.address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
            socket.set_reuseaddr(true)?;
            socket.bind(options.address)?;
            socket.listen(4096)
        };
        let listener = listen().map_err(error)?;
        let address = listener.local_addr().map_err(error)?;
        let Options { access, limits, say, refresh, .. } = options;
        let work = Work::new(limits.lookups, limits.waiting);
        let replays = address.ip().is_loopback() && access.token.is_none();
        let app = Arc::new(App { shelves, work, say, port: address.port(), replays, access, log, limits });
        Ok(Self { runtime, listener, address, app, refresh })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `is_stopped`, which is asked ten times a second. Then no connection is accepted any more, and responses that have begun
    /// are ended.
    pub fn run(self, is_stopped: impl Fn() -> bool + Send + Sync) {
        let Self { runtime, listener, app, refresh, .. } = self;
        let is_over = AtomicBool::new(false);
        std::thread::scope(|threads| {
            threads.spawn(|| keep_fresh(&app, refresh, &is_over));
            runtime.block_on(serve(listener, app.clone(), &is_stopped));
            is_over.store(true, Ordering::Relaxed);
        });
        // What still reads for clients that have gone.
        runtime.shutdown_timeout(Duration::from_millis(500));
    }
}

/// Reads the shelves, and looks for what is new.
fn keep_fresh(app: &App, every: Duration, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        app.shelves.iter().for_each(|shelf| shelf.refresh(&*app.say));
        let until = Instant::now() + every;
        while Instant::now() < until && !is_over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50).min(every));
        }
    }
}

async fn serve(listener: TcpListener, app: Arc<App>, is_stopped: &(dyn Fn() -> bool + Send + Sync)) {
    let router = routes::router(app.clone());
    let connections = Arc::new(Semaphore::new(app.limits.connections));
    let (stop, stopping) = watch::channel(false);
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    loop {
        let accept = async {
            let permit = connections.clone().acquire_owned().await.ok()?;
            Some((permit, listener.accept().await))
        };
        tokio::select! {
            accepted = accept => match accepted {
                Some((permit, Ok((stream, peer)))) => {
                    let connection = connect(stream, peer, app.clone(), router.clone(), stopping.clone());
                    tokio::spawn(async move {
                        connection.await;
                        drop(permit);
                    });
                }
                // No file descriptors are left, or the client has gone: it may be better in a moment.
                Some((_, Err(_))) => tokio::time::sleep(Duration::from_millis(20)).await,
                None => break,
            },
            _ = tick.tick() => if is_stopped() { break },
        }
    }
    drop(listener);
    let _ = stop.send(true);
    let all = u32::try_from(app.limits.connections).unwrap_or(u32::MAX);
    // Each connection gives its permit back as it ends.
    let _ = tokio::time::timeout(app.limits.stop, connections.acquire_many(all)).await;
}

async fn connect(
    stream: TcpStream,
    peer: SocketAddr,
    app: Arc<App>,
    router: Router,
    mut stopping: watch::Receiver<bool>,
) {
    // Small answers are not held back for more.
    let _ = stream.set_nodelay(true);
    let limits = app.limits;
    let service = service_fn(move |request| {
        let (app, router) = (app.clone(), router.clone());
        async move { Ok::<_, Infallible>(answer(&app, router, peer, request).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(limits.head_bytes);
    let connection = http.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    tokio::select! {
        // What breaks a connection is the client's.
        _ = connection.as_mut() => return,
        _ = stopping.wait_for(|stop| *stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

async fn answer(
    app: &Arc<App>,
    router: Router,
    peer: SocketAddr,
    request: Request<Incoming>,
) -> Response<Body> {
    let started = Instant::now();
    let (method, uri, headers) = (request.method().clone(), request.uri().clone(), request.headers().clone());
    let response = match replayed(app, &headers) {
        Some(origin) => replay(app, origin, request).await,
        None => interface(app, router, request).await,
    };
    if let Some(log) = &app.log {
        let (status, bytes) = (response.status().as_u16(), response.body().size_hint().exact());
        log.add(&Line {
            peer,
            method: &method,
            uri: &uri,
            headers: &headers,
            status,
            bytes,
            took: started.elapsed(),
        });
    }
    response
}

/// The archived origin that a request names, if this server replays.
fn replayed(app: &App, headers: &HeaderMap) -> Option<Origin> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    Origin::parse(host).filter(|origin| app.replays && hosts.next().is_none() && origin.site.port == app.port)
}

async fn replay(app: &Arc<App>, origin: Origin, request: Request<Incoming>) -> Response<Body> {
    let site = origin.site.clone();
    let (parts, body) = request.into_parts();
    let answered = replay::answer(app, origin, parts, Body::new(body)).await;
    let mut response = answered.unwrap_or_else(Failure::into_response);
    replay::protect(&mut response, &site);
    response
}

async fn interface(app: &App, mut router: Router, request: Request<Incoming>) -> Response<Body> {
    let mut response = match app.access.check(&request) {
        Ok(Some(response)) => response,
        Ok(None) => match router.call(request.map(Body::new)).await {
            Ok(response) => response,
            Err(never) => match never {},
        },
        Err(failure) => failure.into_response(),
    };
    protect(&mut response);
    response
}

/// Adds the headers that keep pages of strangers out.
fn protect(response: &mut Response<Body>) {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}
