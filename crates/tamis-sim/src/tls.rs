//! Certificates: one authority for the whole world, and a certificate for each host when it is first asked for.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{ServerConfig, crypto::CryptoProvider};

use super::World;
use super::options::Quirk;

/// The authority, and what it has signed.
pub(super) struct Authority {
    world: Arc<World>,
    issuer: Issuer<'static, KeyPair>,
    /// One key for all hosts: making one takes longer than signing.
    key: KeyPair,
    provider: Arc<CryptoProvider>,
    pub(super) pem: String,
    made: Mutex<HashMap<String, Arc<CertifiedKey>>>,
}

impl Authority {
    pub(super) fn new(world: Arc<World>) -> io::Result<Self> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let mut params = CertificateParams::new(Vec::new()).map_err(io::Error::other)?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.distinguished_name.push(DnType::CommonName, "The simulated web");
        let pem = params.self_signed(&key).map_err(io::Error::other)?.pem();
        Ok(Self {
            world,
            issuer: Issuer::new(params, key),
            key: KeyPair::generate().map_err(io::Error::other)?,
            provider: Arc::new(ring::default_provider()),
            pem,
            made: Mutex::default(),
        })
    }

    /// What speaks TLS with these certificates.
    pub(super) fn acceptor(self: &Arc<Self>) -> io::Result<TlsAcceptor> {
        let config = ServerConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        let mut config = config.with_no_client_auth().with_cert_resolver(Arc::clone(self) as _);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    fn certify(&self, host: &str) -> Option<Arc<CertifiedKey>> {
        let wrong = self.world.quirk(host) == Some(Quirk::BadCertificate);
        let name = if wrong { "someone-else.example" } else { host };
        let params = CertificateParams::new(vec![name.to_owned()]).ok()?;
        let certificate = params.signed_by(&self.key, &self.issuer).ok()?;
        let chain = vec![CertificateDer::from(certificate.der().to_vec())];
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.serialize_der()));
        CertifiedKey::from_der(chain, key, &self.provider).ok().map(Arc::new)
    }
}

impl ResolvesServerCert for Authority {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let host = hello.server_name()?;
        self.world.host_index(host)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = made.get(host) {
            return Some(Arc::clone(key));
        }
        let key = self.certify(host)?;
        made.insert(host.to_owned(), Arc::clone(&key));
        Some(key)
    }
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}
