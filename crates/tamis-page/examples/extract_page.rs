//! Extract a page: title, date, main text and links of an HTML file.
//!
//!     cargo run -p tamis-page --example extract_page -- page.html https://example.org/page.html

use tamis_page::page::{self, Capture, Options, Page};
use tamis_page::status::Origin;
use url::Url;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (path, url) = (arguments.next().expect("a file"), arguments.next());
    let html = std::fs::read(&path).expect("a file that can be read");
    print!("{}", describe(&extract(&html, url.as_deref())));
}

/// Reads the page. Any bytes are a page, so this cannot fail.
pub(crate) fn extract(html: &[u8], url: Option<&str>) -> Page {
    // Links and metadata are read relative to the URL.
    let url = url.and_then(|url| Url::parse(url).ok());
    let capture = Capture {
        bytes: html,
        content_type: Some("text/html"),
        http_status: None,
        url: url.as_ref(),
        fetched: None,
        origin: Origin::Archived,
    };
    page::read(&capture, Options::default())
}

/// The parts that one looks at first.
pub(crate) fn describe(page: &Page) -> String {
    let meta = &page.metadata;
    let title = meta.title.as_ref().map_or("-", |title| title.value.as_str());
    // Each value knows the rule that found it.
    let date =
        meta.published.as_ref().map_or("-".to_owned(), |date| format!("{} ({:?})", date.value, date.rule));
    format!("title: {title}\ndate: {date}\n\n{}\n", page.content.main.text)
}
