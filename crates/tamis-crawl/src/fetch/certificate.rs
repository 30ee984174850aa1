//! What the check of a certificate found.

use std::fmt;

use rustls::pki_types::CertificateDer;
use rustls::{CertificateError, Error, OtherError};
use webpki::EndEntityCert;

/// The outcome of the check of a server's certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CertificateCheck {
    /// Valid for this host at this time, and issued under a trusted root.
    Valid,
    /// Not valid, and why.
    Invalid(CertificateFault),
}

/// Why a certificate is not valid. Each has a short [`CertificateFault::name`] to count by. Of several the one that is found first counts:
/// dates and purpose, then the issuer, then the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CertificateFault {
    /// The server showed none.
    Missing,
    /// It cannot be read.
    Unreadable,
    /// It, or one of its issuers, has expired.
    Expired,
    /// It, or one of its issuers, is not valid yet.
    NotYetValid,
    /// It is not for servers.
    OtherPurpose,
    /// It issued itself.
    SelfSigned,
    /// No trusted root leads to it.
    UnknownIssuer,
    /// One of its signatures is wrong.
    BadSignature,
    /// It is for other hosts.
    OtherHost,
    /// Anything else, such as a signature by an algorithm that nobody should use any more.
    Other,
}

impl CertificateCheck {
    /// The outcome that a verifier states for the certificate of a server.
    pub(super) fn of<T>(verified: Result<T, Error>, certificate: &CertificateDer<'_>) -> Self {
        match verified {
            Ok(_) => Self::Valid,
            Err(Error::InvalidCertificate(error)) => Self::Invalid(CertificateFault::of(&error, certificate)),
            Err(_) => Self::Invalid(CertificateFault::Other),
        }
    }

    /// What is wrong, if anything is.
    pub fn fault(self) -> Option<CertificateFault> {
        match self {
            Self::Valid => None,
            Self::Invalid(fault) => Some(fault),
        }
    }
}

impl fmt::Display for CertificateCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Valid => f.write_str("valid"),
            Self::Invalid(fault) => write!(f, "failed ({fault})"),
        }
    }
}

impl CertificateFault {
    /// A short name that does not change between versions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::Expired => "expired",
            Self::NotYetValid => "not-yet-valid",
            Self::OtherPurpose => "other-purpose",
            Self::SelfSigned => "self-signed",
            Self::UnknownIssuer => "unknown-issuer",
            Self::BadSignature => "bad-signature",
            Self::OtherHost => "other-host",
            Self::Other => "other",
        }
    }

    fn of(error: &CertificateError, certificate: &CertificateDer<'_>) -> Self {
        use CertificateError as E;
        match error {
            E::BadEncoding => Self::Unreadable,
            E::Expired | E::ExpiredContext { .. } => Self::Expired,
            E::NotValidYet | E::NotValidYetContext { .. } => Self::NotYetValid,
            E::InvalidPurpose | E::InvalidPurposeContext { .. } => Self::OtherPurpose,
            E::UnknownIssuer if is_own_issuer(certificate) => Self::SelfSigned,
            E::UnknownIssuer => Self::UnknownIssuer,
            E::BadSignature => Self::BadSignature,
            E::NotValidForName | E::NotValidForNameContext { .. } => Self::OtherHost,
            E::Other(OtherError(cause)) => match cause.downcast_ref() {
                // What `openssl req -x509` makes is an authority, too.
                Some(webpki::Error::CaUsedAsEndEntity) if is_own_issuer(certificate) => Self::SelfSigned,
                Some(webpki::Error::CaUsedAsEndEntity) => Self::OtherPurpose,
                _ if !is_readable(certificate) => Self::Unreadable,
                _ => Self::Other,
            },
            _ => Self::Other,
        }
    }
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether a certificate can be read at all; one that cannot, such as one of version 1, never passes the check.
pub(super) fn is_readable(certificate: &CertificateDer<'_>) -> bool {
    EndEntityCert::try_from(certificate).is_ok()
}

fn is_own_issuer(certificate: &CertificateDer<'_>) -> bool {
    EndEntityCert::try_from(certificate).is_ok_and(|read| read.issuer() == read.subject())
}
