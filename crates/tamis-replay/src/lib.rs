//! What a replay server answers, as pure functions: no sockets, no files, no clock.
//!
//! - [`cdx`] has the semantics of CDX servers: parameters, filters, collapsing, order, pages and output formats of pywb,
//!   OutbackCDX and the Internet Archive.
//! - [`memento`] has those of RFC 7089: datetimes, links and TimeMaps.
//! - [`place`] reads the part of a path that names a capture: `20140101000000id_/http://example.org/`.
//! - [`headers`] says which headers of an archived response are sent on, and under which name.
//! - [`page`] says where the URLs of a page lead in a browser, and rewrites HTML and style sheets.
//! - [`range`] reads `Range`.

pub mod cdx;
pub mod headers;
pub mod memento;
pub mod page;
pub mod place;
pub mod range;
