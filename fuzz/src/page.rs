//! Any bytes as a page, and any line as an article. The tests of `tamis-page` include this file, too.

use tamis_page::article::Article;
use tamis_page::metadata::Date;
use tamis_page::page::{Capture, Options, Page, read};
use tamis_page::status::Origin;
use url::Url;

/// The first byte says how the rest is read.
pub fn check(data: &[u8]) {
    let Some((&how, bytes)) = data.split_first() else { return };
    let url = Url::parse("http://a.example/b/c?d#e").ok();
    let capture = Capture {
        bytes,
        content_type: [
            None,
            Some("text/html; charset=utf-8"),
            Some("text/html; charset=gbk"),
            Some("text/plain"),
        ][usize::from(how & 3)],
        http_status: (how & 4 != 0).then_some(200),
        url: url.as_ref().filter(|_| how & 8 != 0),
        fetched: Date::new(2010, 7, 20).filter(|_| how & 16 != 0),
        origin: if how & 32 == 0 { Origin::Archived } else { Origin::Fetched },
    };
    let page = read(&capture, Options { repair: how & 64 != 0, full_text: true });
    check_page(&page);
    check_article(&String::from_utf8_lossy(bytes));
}

fn check_page(page: &Page) {
    let (main, full) = (&page.content.main, &page.content.full);
    assert_eq!(main.text.is_empty(), full.text.is_empty(), "a page with text has main text");
    let chars = main.text.chars().count();
    let mut before = 0;
    for placed in &main.placed {
        assert!(before <= placed.start && placed.start < placed.end, "texts follow each other");
        before = placed.end;
    }
    assert!(before as usize <= chars, "texts lie in the main text");
    for (link, place) in page.links.iter().zip(page.link_positions()) {
        assert!(Url::parse(link.url()).is_ok(), "{} is absolute", link.url());
        assert!(
            place.is_none_or(|place| (place.start + place.length) as usize <= chars),
            "links lie in the main text"
        );
    }
    for quote in page.quotes() {
        let said: String = main.text.chars().skip(quote.start).take(quote.length).collect();
        assert_eq!(said, quote.text, "quotes are where they say");
    }
}

fn check_article(line: &str) {
    let Ok(mut article) = Article::parse(line) else { return };
    let again = article.to_string();
    let second = Article::parse(&again).expect("what was written is read");
    assert_eq!(second.to_string(), again, "and written the same");
    article.repair(None);
    let _ = article.to_string();
}
