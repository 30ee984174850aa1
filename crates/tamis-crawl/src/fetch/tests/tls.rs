//! Certificates of all kinds.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::super::{CertificateCheck, Connection, Exchange, Failure, FetchConfig, Verify};
use super::server::{LIMITS, options, run, serve};
use crate::address::Address;

/// A certificate for this host, signed by itself, and what a server needs to show it.
pub(super) fn certificate(host: &str, alpn: &[&[u8]]) -> (String, TlsAcceptor) {
    let made = rcgen::generate_simple_self_signed([host.to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key)
        })
        .expect("a certificate and its key");
    config.alpn_protocols = alpn.iter().map(|name| name.to_vec()).collect();
    (made.cert.pem(), TlsAcceptor::from(Arc::new(config)))
}

/// Answers every request on every connection in the same way.
fn serve_tls(acceptor: TlsAcceptor, answer: &'static [u8]) -> SocketAddr {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let at = listener.local_addr().expect("a bound port");
    listener.set_nonblocking(true).expect("a socket");
    thread::spawn(move || {
        run(async move {
            let listener = TcpListener::from_std(listener).expect("a socket");
            while let Ok((stream, _)) = listener.accept().await {
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let mut buffer = [0; 4096];
                while stream.read(&mut buffer).await.is_ok_and(|len| len > 0) {
                    if stream.write_all(answer).await.is_err() {
                        break;
                    }
                }
            }
        });
    });
    at
}

fn get(at: SocketAddr, host: &str, verify: Verify, root: Option<&str>) -> Result<Exchange, Failure> {
    let mut options = options(LIMITS);
    (options.verify, options.extra_roots_pem) = (verify, root.map(|pem| pem.as_bytes().to_vec()));
    let config = FetchConfig::new(&options).expect("sound options");
    let address = Address::parse(&format!("https://{host}/")).expect("an address");
    run(async {
        let mut connection = Connection::open(&address, at, &config).await?;
        connection.get(&address).await?;
        connection.get(&address).await
    })
}

#[test]
fn certificates_are_judged_and_noted() {
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    let (pem, acceptor) = certificate("a.example", &[]);
    let at = serve_tls(acceptor, answer);
    let judged = |host, verify, root| {
        get(at, host, verify, root).map(|exchange| {
            assert_eq!(exchange.response, answer);
            let info = exchange.tls.as_ref().expect("TLS").as_ref().clone();
            assert_eq!(
                (info.version, info.cipher.starts_with("TLS_AES")),
                ("tls/1.3", true),
                "{}",
                info.cipher
            );
            info.certificate
        })
    };
    assert_eq!(judged("a.example", Verify::Strict, Some(&pem)), Ok(CertificateCheck::Valid));
    assert_eq!(judged("a.example", Verify::ArchiveAnyway, Some(&pem)), Ok(CertificateCheck::Valid));
    assert_eq!(judged("a.example", Verify::Strict, None), Err(Failure::Certificate));
    assert_eq!(judged("b.example", Verify::Strict, Some(&pem)), Err(Failure::Certificate));
    for (host, root) in [("a.example", None), ("b.example", Some(&*pem))] {
        let check = judged(host, Verify::ArchiveAnyway, root).expect("archived anyway");
        assert!(matches!(&check, CertificateCheck::Invalid(why) if !why.is_empty()), "{check:?}");
    }
}

#[test]
fn servers_that_do_not_speak_tls() {
    let plain = super::server::serve_once("HTTP/1.1 400 Bad Request\r\n\r\n");
    let result = get(plain, "a.example", Verify::ArchiveAnyway, None).map(|_| ());
    assert!(matches!(result, Err(Failure::Tls | Failure::TlsTimeout)), "{result:?}");
    let stalled = serve(|stream| {
        thread::sleep(std::time::Duration::from_mins(1));
        drop(stream);
    });
    let result = get(stalled, "a.example", Verify::ArchiveAnyway, None).map(|_| ());
    assert_eq!(result, Err(Failure::TlsTimeout));
}
