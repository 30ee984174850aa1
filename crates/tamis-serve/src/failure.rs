//! What goes wrong with one request.

use std::fmt;

use axum::body::Body;
use http::header::{ALLOW, CONTENT_RANGE, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};
use tamis_archive::Error as ArchiveError;

use crate::shelf::Absent;

/// What goes wrong with one request, by its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    BadRequest(String),
    /// Not without the token.
    Unauthorized,
    NotFound(String),
    Method,
    /// The host is not one of this server.
    Misdirected(String),
    /// The part of the representation does not exist; it has this many bytes.
    Range(u64),
    /// Too much is going on, or the archives are still being read.
    Busy(String),
    /// The archive is damaged, missing or not what its index says.
    Archive(String),
}

impl Failure {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Misdirected(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::Range(_) => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Archive(_) => StatusCode::BAD_GATEWAY,
        }
    }

    /// What is wrong, for a person.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::BadRequest(why)
            | Self::NotFound(why)
            | Self::Misdirected(why)
            | Self::Busy(why)
            | Self::Archive(why) => why.clone(),
            Self::Unauthorized => {
                "this server needs its token: open the address with `?token=…` that it printed at its start, or send \
                 `Authorization: Bearer …`"
                    .to_owned()
            }
            Self::Method => "this server only answers GET and HEAD".to_owned(),
            Self::Range(len) => format!("the capture has {len} bytes"),
        }
    }

    /// The headers that its status asks for.
    pub(crate) fn add_headers(&self, response: &mut Response<Body>) {
        let headers = response.headers_mut();
        match self {
            Self::Method => drop(headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD"))),
            Self::Busy(_) => drop(headers.insert(RETRY_AFTER, HeaderValue::from_static("2"))),
            Self::Unauthorized => {
                headers.insert(http::header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Self::Range(len) => {
                if let Ok(value) = HeaderValue::try_from(format!("bytes */{len}")) {
                    headers.insert(CONTENT_RANGE, value);
                }
            }
            _ => {}
        }
    }

    /// The response, as text.
    pub(crate) fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.message() + "\n"));
        *response.status_mut() = self.status();
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        self.add_headers(&mut response);
        response
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Failure {}

impl From<Absent> for Failure {
    fn from(absent: Absent) -> Self {
        match absent {
            Absent::Preparing => Self::Busy("the archives are being read; try again in a moment".to_owned()),
            Absent::Failed(why) => Self::Archive(why),
        }
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Interrupted => Self::Busy("the server is stopping".to_owned()),
            other => Self::Archive(other.to_string()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Archive(error.to_string())
    }
}
