//! TLS, and what certificates are worth to an archive.

use std::fmt;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::certificate::{CertificateCheck, CertificateFault, is_readable};
use super::config::{ConfigError, Protocols};
use super::failure::Failure;

/// What to do about certificates that are not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verify {
    /// Fetch all the same, and note in [`TlsInfo::certificate`] what is wrong.
    ///
    /// An archive keeps what was served. Certificates are expired, self-signed or for another name at many small
    /// sites that nobody looks after any more, which are those in most need of being kept. Cookies and credentials are
    /// not sent there. So do Heritrix and wget in the hands of archives, and so does this by default.
    #[default]
    ArchiveAnyway,
    /// Fail with [`Failure::Certificate`].
    Strict,
}

/// What a connection agreed upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsInfo {
    /// In the words of `WARC-Protocol`: `tls/1.3`.
    pub version: &'static str,
    /// In the words of `WARC-Cipher-Suite`: `TLS_AES_128_GCM_SHA256`.
    pub cipher: String,
    /// The outcome of the check of the server's certificate.
    pub certificate: CertificateCheck,
}

/// What is needed to speak TLS, made once.
#[derive(Clone)]
pub(super) struct Tls {
    connector: TlsConnector,
    verifier: Arc<WebPkiServerVerifier>,
    verify: Verify,
}

/// A stream, what was agreed upon, and whether HTTP/2 is to be spoken.
pub(super) struct Agreed {
    pub(super) stream: TlsStream<TcpStream>,
    pub(super) info: TlsInfo,
    pub(super) is_http2: bool,
}

impl Tls {
    /// Trusts the roots that browsers trust, and those of `extra_roots_pem`.
    pub(super) fn new(
        verify: Verify,
        protocols: Protocols,
        extra_roots_pem: Option<&[u8]>,
    ) -> Result<Self, ConfigError> {
        let provider = Arc::new(ring::default_provider());
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        if let Some(pem) = extra_roots_pem {
            add_roots(pem, &mut roots)?;
        }
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
            .build()
            .map_err(|error| ConfigError::Root(error.to_string()))?;
        let mut config = client_config(&verifier, verify, provider)?;
        config.alpn_protocols = match protocols {
            Protocols::Http1 => vec![b"http/1.1".to_vec()],
            Protocols::Http2 => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        };
        Ok(Self { connector: TlsConnector::from(Arc::new(config)), verifier, verify })
    }

    /// Agrees on TLS with the server of this host.
    pub(super) async fn agree(&self, host: &str, stream: TcpStream) -> Result<Agreed, Failure> {
        let host = host.trim_matches(['[', ']']);
        let name = ServerName::try_from(host.to_owned()).map_err(|_| Failure::Tls)?;
        let stream = self.connector.connect(name.clone(), stream).await.map_err(|error| {
            let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<Error>());
            if matches!(cause, Some(Error::InvalidCertificate(_))) {
                Failure::Certificate
            } else {
                Failure::Tls
            }
        })?;
        let (_, connection) = stream.get_ref();
        let certificate = match self.verify {
            Verify::Strict => CertificateCheck::Valid,
            // Once the connection stands, so that sessions that are resumed are checked, too.
            Verify::ArchiveAnyway => self.check(&name, connection.peer_certificates().unwrap_or_default()),
        };
        let is_http2 = connection.alpn_protocol() == Some(b"h2");
        let info = TlsInfo { version: version_of(connection), cipher: cipher_of(connection), certificate };
        Ok(Agreed { stream, info, is_http2 })
    }

    /// Checks what a server showed: its certificate, then those of its issuers.
    pub(super) fn check(&self, name: &ServerName<'_>, chain: &[CertificateDer<'_>]) -> CertificateCheck {
        let [first, others @ ..] = chain else {
            return CertificateCheck::Invalid(CertificateFault::Missing);
        };
        let verified = self.verifier.verify_server_cert(first, others, name, &[], UnixTime::now());
        CertificateCheck::of(verified, first)
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("verify", &self.verify).finish_non_exhaustive()
    }
}

fn add_roots(pem: &[u8], roots: &mut RootCertStore) -> Result<(), ConfigError> {
    let known = roots.len();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| ConfigError::Root(error.to_string()))?;
        roots.add(certificate).map_err(|error| ConfigError::Root(error.to_string()))?;
    }
    if roots.len() == known {
        return Err(ConfigError::Root("no certificate in PEM".to_owned()));
    }
    Ok(())
}

fn client_config(
    verifier: &Arc<WebPkiServerVerifier>,
    verify: Verify,
    provider: Arc<CryptoProvider>,
) -> Result<ClientConfig, ConfigError> {
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ConfigError::Root(error.to_string()))?;
    let config = match verify {
        Verify::Strict => builder.with_webpki_verifier(Arc::clone(verifier)),
        Verify::ArchiveAnyway => {
            let lenient = Arc::new(AnyCertificate { verifier: Arc::clone(verifier) });
            builder.dangerous().with_custom_certificate_verifier(lenient)
        }
    };
    Ok(config.with_no_client_auth())
}

fn version_of(connection: &ClientConnection) -> &'static str {
    match connection.protocol_version() {
        Some(rustls::ProtocolVersion::TLSv1_2) => "tls/1.2",
        Some(rustls::ProtocolVersion::TLSv1_3) => "tls/1.3",
        _ => "tls",
    }
}

/// The name that IANA has for the suite; rustls puts the version of TLS in those of TLS 1.3.
fn cipher_of(connection: &ClientConnection) -> String {
    let name = connection.negotiated_cipher_suite().and_then(|suite| suite.suite().as_str());
    name.unwrap_or_default().replacen("TLS13_", "TLS_", 1)
}

/// Lets any certificate pass; [`Tls::check`] checks it afterwards. That the server holds its key is checked all the
/// same, so that a certificate that is found valid is the server's own.
#[derive(Debug)]
struct AnyCertificate {
    verifier: Arc<WebPkiServerVerifier>,
}

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        unless_unreadable(certificate, self.verifier.verify_tls12_signature(message, certificate, signed))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        unless_unreadable(certificate, self.verifier.verify_tls13_signature(message, certificate, signed))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}

/// No signature can be checked with a certificate that cannot be read, and such a certificate fails the check afterwards. Nothing
/// else passes: a signature by another kind of key than the certificate's would make a stolen certificate look valid.
fn unless_unreadable(
    certificate: &CertificateDer<'_>,
    checked: Result<HandshakeSignatureValid, Error>,
) -> Result<HandshakeSignatureValid, Error> {
    if is_readable(certificate) { checked } else { Ok(HandshakeSignatureValid::assertion()) }
}
