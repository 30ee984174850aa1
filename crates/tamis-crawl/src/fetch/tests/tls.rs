//! Certificates of all kinds.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::super::tls::Tls;
use super::super::{
    CertificateCheck, CertificateFault, Connection, CookieLimits, Exchange, Failure, FetchConfig, Protocols,
    Verify,
};
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
    for (host, root, fault) in [
        ("a.example", None, CertificateFault::SelfSigned),
        ("b.example", Some(&*pem), CertificateFault::OtherHost),
    ] {
        let check = judged(host, Verify::ArchiveAnyway, root);
        assert_eq!(check, Ok(CertificateCheck::Invalid(fault)), "{host}");
    }
}

/// An authority, and its certificate in PEM.
fn authority(name: &str) -> (Issuer<'static, KeyPair>, String) {
    let key = KeyPair::generate().expect("a key");
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    let pem = params.self_signed(&key).expect("a certificate").pem();
    (Issuer::new(params, key), pem)
}

#[test]
fn each_certificate_fault_has_its_reason() {
    let (known, pem) = authority("known");
    let (unknown, _) = authority("unknown");
    let key = KeyPair::generate().expect("a key");
    let params = || CertificateParams::new(vec!["a.example".to_owned()]).expect("a name");
    let with = |change: &dyn Fn(&mut CertificateParams)| {
        let mut params = params();
        change(&mut params);
        params.signed_by(&key, &known).expect("a certificate").der().clone()
    };
    let authority_too = |params: &mut CertificateParams| {
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    };
    let mut own_authority = params();
    authority_too(&mut own_authority);
    let tls = Tls::new(Verify::ArchiveAnyway, Protocols::Http1, Some(pem.as_bytes())).expect("roots");
    let host = ServerName::try_from("a.example").expect("a name");
    let cases: [(&str, CertificateDer<'_>); 9] = [
        ("valid", with(&|_| {})),
        ("failed (expired)", with(&|params| params.not_after = date_time_ymd(2020, 1, 1))),
        ("failed (not-yet-valid)", with(&|params| params.not_before = date_time_ymd(2999, 1, 1))),
        (
            "failed (other-purpose)",
            with(&|params| params.extended_key_usages = vec![rcgen::ExtendedKeyUsagePurpose::ClientAuth]),
        ),
        ("failed (other-purpose)", with(&authority_too)),
        ("failed (unknown-issuer)", params().signed_by(&key, &unknown).expect("a certificate").der().clone()),
        ("failed (self-signed)", params().self_signed(&key).expect("a certificate").der().clone()),
        ("failed (self-signed)", own_authority.self_signed(&key).expect("a certificate").der().clone()),
        ("failed (unreadable)", CertificateDer::from(b"no certificate".to_vec())),
    ];
    for (expected, certificate) in cases {
        assert_eq!(tls.check(&host, std::slice::from_ref(&certificate)).to_string(), expected);
    }
    let elsewhere = ServerName::try_from("b.example").expect("a name");
    assert_eq!(tls.check(&elsewhere, &[with(&|_| {})]).to_string(), "failed (other-host)");
    assert_eq!(tls.check(&host, &[]).to_string(), "failed (missing)");
}

/// Shows a certificate and signs with a key of another kind.
#[derive(Debug)]
struct Stolen(Arc<CertifiedKey>);

impl ResolvesServerCert for Stolen {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}

#[test]
fn a_certificate_without_its_key_is_never_valid() {
    let (issuer, pem) = authority("known");
    let params = CertificateParams::new(vec!["a.example".to_owned()]).expect("a name");
    let own = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).expect("a key");
    let certificate = params.signed_by(&own, &issuer).expect("a certificate").der().clone();
    for kind in [&rcgen::PKCS_ED25519, &rcgen::PKCS_ECDSA_P256_SHA256, &rcgen::PKCS_ECDSA_P384_SHA384] {
        let thief = KeyPair::generate_for(kind).expect("a key");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(thief.serialize_der()));
        let key = ring::sign::any_supported_type(&key).expect("a key");
        let stolen = Stolen(Arc::new(CertifiedKey::new(vec![certificate.clone()], key)));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(stolen));
        let at =
            serve_tls(TlsAcceptor::from(Arc::new(config)), b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        for verify in [Verify::ArchiveAnyway, Verify::Strict] {
            let found = get(at, "a.example", verify, Some(&pem)).map(|exchange| exchange.tls.clone());
            assert_eq!(found, Err(Failure::Certificate), "{kind:?} {verify:?}");
        }
    }
}

#[test]
fn cookies_and_credentials_go_only_to_servers_with_a_valid_certificate() {
    let answer = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=good; Path=/\r\nContent-Length: 0\r\n\r\n";
    let forged = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=forged; Path=/\r\nSet-Cookie: b=forged; Path=/\r\nContent-Length: 0\r\n\r\n";
    let (pem, acceptor) = certificate("a.example", &[]);
    let good = serve_tls(acceptor, answer);
    let impostor = serve_tls(certificate("a.example", &[]).1, forged);
    let mut options = options(LIMITS);
    options.extra_roots_pem = Some(pem.into_bytes());
    options.cookies = Some(CookieLimits::default());
    options.extra_headers.push(("Authorization".to_owned(), "Basic c2VjcmV0".to_owned()));
    let config = FetchConfig::new(&options).expect("sound options");
    let address = Address::parse("https://a.example/").expect("an address");
    let asked = |at| {
        run(async {
            let mut connection = Connection::open(&address, at, &config).await?;
            // The second request has the cookies that the first response set.
            connection.get(&address).await?;
            connection.get(&address).await
        })
        .map(|exchange| String::from_utf8_lossy(&exchange.request).to_ascii_lowercase())
        .expect("an answer")
    };
    let before = asked(impostor);
    assert!(!before.contains("cookie:") && !before.contains("authorization:"), "{before}");
    assert_eq!(config.changed_cookies(), None, "nothing of it is kept");
    for _ in 0..2 {
        let request = asked(good);
        assert!(request.contains("cookie: a=good\r\n"), "{request}");
        // It was sent, and is for the server alone.
        assert!(request.contains("authorization: (withheld)\r\n"), "{request}");
        let request = asked(impostor);
        assert!(!request.contains("cookie:") && !request.contains("authorization:"), "{request}");
    }
    let kept = config.changed_cookies().expect("those of the good server");
    assert!(kept.contains("\tgood\t") && !kept.contains("forged"), "{kept}");
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
