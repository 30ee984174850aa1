//! A small client: one connection a request, no more of HTTP than it has to know.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use url::Url;

use crate::Running;

/// What came back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Got {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Got {
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// Fetches a URL.
pub(super) fn get(running: &Running, url: &str) -> io::Result<Got> {
    let raw = raw(running, url, "Accept-Encoding: gzip, br, zstd\r\nConnection: close\r\n", usize::MAX)?;
    read_answer(&raw).ok_or_else(|| io::Error::other("no answer"))
}

/// The bytes that come back, until the end, an error after some bytes, or `most` of them.
pub(super) fn raw(running: &Running, url: &str, fields: &str, most: usize) -> io::Result<Vec<u8>> {
    let url = Url::parse(url).expect("a URL");
    let host = url.host_str().expect("a host");
    let address = running.resolve(host).ok_or(io::ErrorKind::NotFound)?;
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_millis(1500)))?;
    let target = &url[url::Position::BeforePath..];
    let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n");
    if url.scheme() == "https" {
        exchange(tls(running, host, stream)?, &request, most)
    } else {
        exchange(stream, &request, most)
    }
}

fn exchange(mut stream: impl Read + Write, request: &str, most: usize) -> io::Result<Vec<u8>> {
    stream.write_all(request.as_bytes())?;
    let mut out = Vec::new();
    let mut buffer = [0; 16_000];
    while out.len() < most {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => out.extend_from_slice(&buffer[..read]),
            Err(error) if out.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    Ok(out)
}

fn tls(
    running: &Running,
    host: &str,
    stream: TcpStream,
) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let mut roots = RootCertStore::empty();
    let ca = CertificateDer::from_pem_slice(running.ca_pem().as_bytes()).map_err(io::Error::other)?;
    roots.add(ca).map_err(io::Error::other)?;
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let connection = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
    Ok(StreamOwned::new(connection, stream))
}

pub(super) fn read_answer(raw: &[u8]) -> Option<Got> {
    let at = raw.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(raw[..at].to_vec()).ok()?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let mut got = Got { status, head, body: raw[at + 4..].to_vec() };
    if got.field("Transfer-Encoding") == Some("chunked") {
        got.body = unchunk(&got.body)?;
    } else if let Some(len) = got.field("Content-Length").and_then(|len| len.parse::<usize>().ok()) {
        (got.body.len() == len).then_some(())?;
    }
    got.body = match got.field("Content-Encoding") {
        Some("gzip") => decode(flate2::read::GzDecoder::new(&got.body[..]))?,
        Some("br") => decode(brotli_decompressor::Decompressor::new(&got.body[..], 4096))?,
        Some("zstd") => zstd::decode_all(&got.body[..]).ok()?,
        _ => got.body,
    };
    Some(got)
}

pub(super) fn decode(mut reader: impl Read) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    reader.read_to_end(&mut out).ok()?;
    Some(out)
}

fn unchunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    loop {
        let line = rest.windows(2).position(|two| two == b"\r\n")?;
        let len = usize::from_str_radix(std::str::from_utf8(&rest[..line]).ok()?, 16).ok()?;
        rest = &rest[line + 2..];
        if len == 0 {
            return Some(out);
        }
        out.extend_from_slice(rest.get(..len)?);
        rest = rest.get(len + 2..)?;
    }
}
