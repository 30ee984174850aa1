//! A connection to one server, for one request after the other.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http_body_util::Empty;
use hyper::header::{AUTHORIZATION, COOKIE, HOST, HeaderValue, PROXY_AUTHORIZATION};
use hyper::{HeaderMap, Request, Uri};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::certificate::CertificateCheck;
use super::config::FetchConfig;
use super::credentials::{Credentials, withhold};
use super::exchange::{Exchange, Taken};
use super::failure::Failure;
use super::http1::Http1;
use super::http2::Http2;
use super::ports;
use super::proxy::{Proxy, origin_form};
use super::stream::Stream;
use super::tls::TlsInfo;
use super::watch::Watch;
use crate::address::{Address, Scheme};

/// A connection to the server of one origin.
pub struct Connection {
    origin: Box<str>,
    to: SocketAddr,
    config: FetchConfig,
    fields: HeaderMap,
    speaker: Speaker,
    watch: Watch,
    tls: Option<Arc<TlsInfo>>,
    exchanges: u32,
    /// From a request until its answer was read: a connection that was left in between is of no more use.
    is_busy: bool,
    /// Whether requests have the whole URL, for a proxy.
    has_whole_urls: bool,
}

/// What is spoken.
enum Speaker {
    Http1(Http1),
    Http2(Http2),
}

impl Connection {
    /// Connects to a server, for requests to the origin of `address`.
    ///
    /// The address connected to is checked here, whoever resolved it: [`Failure::AddressRefused`]. So is the port, that of the URL and
    /// that connected to: [`Failure::PortRefused`].
    pub async fn open(address: &Address, to: SocketAddr, config: &FetchConfig) -> Result<Self, Failure> {
        if !config.may_connect(address.host(), to.ip()) {
            return Err(Failure::AddressRefused);
        }
        if !ports::is_allowed(address.port()) || !ports::is_allowed(to.port()) {
            return Err(Failure::PortRefused);
        }
        let limits = config.limits();
        let stream = timeout(Duration::from_millis(limits.connect_ms), connect(address, to, config))
            .await
            .map_err(|_| Failure::ConnectTimeout)??;
        // A request is one write; to wait for more to send would only delay it. An error shows at the first write.
        let _ = stream.set_nodelay(true);
        let (speaker, tls) = match address.scheme() {
            Scheme::Http => {
                let http1 =
                    Http1::open(Stream::Plain(stream), limits, config.throttle(), config.spool()).await?;
                (Speaker::Http1(http1), None)
            }
            Scheme::Https => {
                timeout(Duration::from_millis(limits.tls_ms), secure(address.host(), stream, config))
                    .await
                    .map_err(|_| Failure::TlsTimeout)??
            }
        };
        let fields = fields_of(address, &speaker, tls.as_deref(), config)?;
        Ok(Self {
            origin: address.origin().into(),
            to,
            config: config.clone(),
            fields,
            speaker,
            watch: Watch::new(*limits),
            tls,
            exchanges: 0,
            is_busy: false,
            has_whole_urls: config.proxy().is_some_and(|proxy| proxy.takes_whole_urls(address)),
        })
    }

    /// Asks for an address of the connection's origin. Redirects are answers like others.
    ///
    /// [`Failure::may_retry_at_once`] tells that the server had closed this connection before it took notice.
    pub async fn get(&mut self, address: &Address) -> Result<Exchange, Failure> {
        self.get_with(address, &HeaderMap::new()).await
    }

    /// The same with fields of this request alone: conditions, as of RFC 9110, section 13.1.
    pub async fn get_with(&mut self, address: &Address, fields: &HeaderMap) -> Result<Exchange, Failure> {
        if address.origin() != &*self.origin {
            return Err(Failure::BadRequest);
        }
        if !self.is_open() {
            return Err(self.closed());
        }
        let mut request = self.request(address)?;
        request.headers_mut().extend(fields.clone());
        self.watch.begin();
        self.is_busy = true;
        let mut taken = self.speak(request).await?;
        if self.has_whole_urls {
            origin_form(&mut taken.request, address);
        }
        if self.fields.contains_key(AUTHORIZATION) {
            withhold(&mut taken.request);
        }
        self.is_busy = false;
        let cut = taken.cut(self.config.limits().max_body_bytes).inspect_err(|_| self.close())?;
        // What was sent behind an answer would be taken for the next one; and 101 ends HTTP on this connection.
        if cut.has_surplus || cut.status == 101 {
            self.close();
        }
        self.exchanges += 1;
        if let Some(jar) = self.config.cookies().filter(|_| keeps_secrets(self.tls.as_deref())) {
            jar.learn(address, &cut.head);
        }
        let mut exchange = Exchange::new(address.clone(), self.to.ip(), taken, cut, self.watch.times());
        exchange.tls.clone_from(&self.tls);
        Ok(exchange)
    }

    /// Adds fields to all requests, in the place of others of their names, and who asks. Credentials are left out where cookies are,
    /// too, and where there is no TLS unless they may go without.
    #[must_use]
    pub fn with_own(mut self, fields: &HeaderMap, auth: Option<&Credentials>) -> Self {
        for (name, value) in fields {
            self.fields.insert(name, value.clone());
        }
        let auth = auth.and_then(|auth| auth.value(self.tls.is_some()));
        if let Some(value) = auth {
            self.fields.insert(AUTHORIZATION, value.clone());
        }
        if !keeps_secrets(self.tls.as_deref()) {
            self.fields.remove(AUTHORIZATION);
            self.fields.remove(PROXY_AUTHORIZATION);
        }
        self
    }

    /// Whether another request can be sent, as far as is known: a server may close at any time.
    pub fn is_open(&self) -> bool {
        let is_open = match &self.speaker {
            Speaker::Http1(http1) => http1.is_open(),
            Speaker::Http2(http2) => http2.is_open(),
        };
        is_open && !self.is_busy
    }

    /// Whether another request can be sent, after a look at what the server did since the last one: it may have closed the connection,
    /// or sent what nobody asked for. Does not wait.
    pub async fn is_still_open(&mut self) -> bool {
        match &mut self.speaker {
            Speaker::Http1(http1) => http1.settle().await,
            Speaker::Http2(http2) => http2.settle().await,
        }
        self.is_open()
    }

    /// Scheme, host and port that it was opened for.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Where it goes.
    pub fn to(&self) -> SocketAddr {
        self.to
    }

    /// How many answers it gave.
    pub fn exchanges(&self) -> u32 {
        self.exchanges
    }

    async fn speak(&mut self, request: Request<Empty<Bytes>>) -> Result<Taken, Failure> {
        let (watch, limits) = (&mut self.watch, self.config.limits());
        let taken = match &mut self.speaker {
            Speaker::Http1(http1) => http1.exchange(request, watch, limits).await,
            Speaker::Http2(http2) => http2.exchange(request, watch, limits).await,
        };
        taken.map_err(|failure| if failure == Failure::NoAnswer { self.closed() } else { failure })
    }

    /// What it means that there was no byte of an answer.
    fn closed(&self) -> Failure {
        if self.exchanges > 0 { Failure::Stale } else { Failure::NoAnswer }
    }

    fn close(&mut self) {
        match &mut self.speaker {
            Speaker::Http1(http1) => http1.close(),
            Speaker::Http2(http2) => http2.close(),
        }
    }

    fn request(&self, address: &Address) -> Result<Request<Empty<Bytes>>, Failure> {
        let target = match &self.speaker {
            Speaker::Http1(_) if self.has_whole_urls => address.as_str(),
            Speaker::Http1(_) => address.path_and_query(),
            Speaker::Http2(_) => address.as_str(),
        };
        let mut request = Request::new(Empty::new());
        *request.uri_mut() = target.parse::<Uri>().map_err(|_| Failure::BadRequest)?;
        *request.headers_mut() = self.fields.clone();
        if keeps_secrets(self.tls.as_deref())
            && let Some(value) = self.config.cookies_for(address, now_s())
        {
            request.headers_mut().insert(COOKIE, value);
        }
        // Behind all fields of others' making: it is for the proxy alone.
        if self.has_whole_urls
            && let Some(value) = self.config.proxy().and_then(Proxy::authorization)
        {
            request.headers_mut().insert(PROXY_AUTHORIZATION, value);
        }
        Ok(request)
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("origin", &self.origin)
            .field("to", &self.to)
            .field("exchanges", &self.exchanges)
            .finish_non_exhaustive()
    }
}

async fn connect(address: &Address, to: SocketAddr, config: &FetchConfig) -> Result<TcpStream, Failure> {
    match config.proxy() {
        Some(proxy) => proxy.connect(address, to).await,
        None => TcpStream::connect(to).await.map_err(|error| Failure::of_connect(&error)),
    }
}

fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

async fn secure(
    host: &str,
    stream: TcpStream,
    config: &FetchConfig,
) -> Result<(Speaker, Option<Arc<TlsInfo>>), Failure> {
    let agreed = config.tls().agree(host, stream).await?;
    let stream = Stream::Tls(Box::new(agreed.stream));
    let speaker = if agreed.is_http2 {
        Speaker::Http2(Http2::open(stream, config.limits(), config.throttle(), config.spool()).await?)
    } else {
        Speaker::Http1(Http1::open(stream, config.limits(), config.throttle(), config.spool()).await?)
    };
    Ok((speaker, Some(Arc::new(agreed.info))))
}

/// The fields of all requests over this connection. HTTP/2 has the host in the address.
fn fields_of(
    address: &Address,
    speaker: &Speaker,
    tls: Option<&TlsInfo>,
    config: &FetchConfig,
) -> Result<HeaderMap, Failure> {
    let mut fields = HeaderMap::with_capacity(config.fields().len() + 2);
    if matches!(speaker, Speaker::Http1(_)) {
        let host = HeaderValue::from_str(address.authority()).map_err(|_| Failure::BadRequest)?;
        fields.insert(HOST, host);
    }
    fields.extend(config.fields().clone());
    if !keeps_secrets(tls) {
        fields.remove(AUTHORIZATION);
        fields.remove(PROXY_AUTHORIZATION);
    }
    Ok(fields)
}

/// Whether cookies and credentials may go over a connection: not if its server showed a certificate that failed the check, since it
/// may be anybody. What it sets may be anybody's, too. Without TLS there is nothing to check, and `Secure` cookies are not sent.
fn keeps_secrets(tls: Option<&TlsInfo>) -> bool {
    tls.is_none_or(|tls| tls.certificate == CertificateCheck::Valid)
}
