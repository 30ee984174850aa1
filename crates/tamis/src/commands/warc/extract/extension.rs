//! Extensions by media type, for names that have none.

/// The usual extension of a media type.
pub(super) fn of(mime: &str) -> Option<&'static str> {
    let found = EXTENSIONS.binary_search_by_key(&mime, |(known, _)| known).ok();
    found.map(|at| EXTENSIONS[at].1)
}

/// Sorted by media type.
const EXTENSIONS: [(&str, &str); 49] = [
    ("application/atom+xml", "atom"),
    ("application/epub+zip", "epub"),
    ("application/gzip", "gz"),
    ("application/java-archive", "jar"),
    ("application/javascript", "js"),
    ("application/json", "json"),
    ("application/ld+json", "json"),
    ("application/manifest+json", "json"),
    ("application/msword", "doc"),
    ("application/pdf", "pdf"),
    ("application/rss+xml", "rss"),
    ("application/rtf", "rtf"),
    ("application/vnd.ms-excel", "xls"),
    ("application/vnd.ms-powerpoint", "ppt"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/wasm", "wasm"),
    ("application/x-gzip", "gz"),
    ("application/x-javascript", "js"),
    ("application/x-shockwave-flash", "swf"),
    ("application/xhtml+xml", "xhtml"),
    ("application/xml", "xml"),
    ("application/zip", "zip"),
    ("audio/mp4", "m4a"),
    ("audio/mpeg", "mp3"),
    ("audio/ogg", "ogg"),
    ("font/woff", "woff"),
    ("font/woff2", "woff2"),
    ("image/avif", "avif"),
    ("image/bmp", "bmp"),
    ("image/gif", "gif"),
    ("image/jpeg", "jpg"),
    ("image/jpg", "jpg"),
    ("image/png", "png"),
    ("image/svg+xml", "svg"),
    ("image/tiff", "tif"),
    ("image/vnd.microsoft.icon", "ico"),
    ("image/webp", "webp"),
    ("image/x-icon", "ico"),
    ("text/calendar", "ics"),
    ("text/css", "css"),
    ("text/csv", "csv"),
    ("text/html", "html"),
    ("text/javascript", "js"),
    ("text/markdown", "md"),
    ("text/plain", "txt"),
    ("text/xml", "xml"),
    ("video/mp4", "mp4"),
    ("video/webm", "webm"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(EXTENSIONS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!((of("text/html"), of("text/x-none")), (Some("html"), None));
    }
}
