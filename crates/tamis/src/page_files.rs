//! HTML files as archives of one record.

use std::path::Path;

use tamis_archive::Source;
use url::Url;

/// An HTML file as an archive with one `resource` record.
pub(crate) fn source(path: &Path, _url: Option<&Url>) -> Source {
    Source::File(path.to_owned())
}
