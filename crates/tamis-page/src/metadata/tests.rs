//! Whole pages, made up.

use proptest::prelude::*;

use super::*;
use crate::html::parse;

fn read_page(page: &str, url: &str) -> Metadata {
    read(&parse(page), Url::parse(url).ok().as_ref(), Date::new(2024, 3, 1), Search::Whole)
}

fn published(page: &str) -> String {
    read_page(page, "").published.map_or(String::new(), |found| format!("{} {}", found.value, found.rule))
}

fn authors(page: &str) -> Vec<String> {
    read_page(page, "").authors.into_iter().map(|found| found.value).collect()
}

#[test]
fn a_page_with_everything_is_read() {
    let page = r#"<html lang="en_us"><head><title>A ship at sea | The Site</title>
        <link rel=canonical href="/ship"><base href="https://example.org/a/">
        <meta property="og:site_name" content="The Site"><meta property="og:image" content="ship.jpg">
        <meta name=description content="On a  ship."><meta name=keywords content="ships, sea,Ships">
        <meta property="article:modified_time" content="2019-05-07T10:11:12+02:00">
        <script type="application/ld+json">{"@type":"NewsArticle","headline":"A ship at sea","datePublished":"2019-05-06",
        "author":{"@type":"Person","name":"Ann Lee"},"publisher":{"name":"Example Press"}}</script></head>
        <body><h1>A ship at sea</h1><p>Text.</p><footer>© 2010–2019 Example Inc. All rights reserved.</footer>"#;
    let found = read_page(page, "https://www.example.org/a/ship");
    let text =
        |found: &Option<Found<String>>| found.as_ref().map(|found| format!("{} {}", found.value, found.rule));
    assert_eq!(text(&found.title).as_deref(), Some("A ship at sea heading"));
    assert_eq!(found.authors, [Found::new("Ann Lee".to_owned(), Rule::JsonLd)]);
    assert_eq!(text(&found.publisher).as_deref(), Some("Example Press json-ld"));
    assert_eq!(text(&found.site_name).as_deref(), Some("The Site opengraph"));
    assert_eq!(text(&found.organization).as_deref(), Some("Example Inc. copyright"));
    assert_eq!(text(&found.language).as_deref(), Some("en-US lang"));
    assert_eq!(text(&found.description).as_deref(), Some("On a ship. meta"));
    assert_eq!(found.published.map(|found| found.value.to_string()).as_deref(), Some("2019-05-06"));
    assert_eq!(
        found.modified.map(|found| found.value.to_string()).as_deref(),
        Some("2019-05-07T10:11:12+02:00")
    );
    assert_eq!(found.keywords.iter().map(|word| word.value.as_str()).collect::<Vec<_>>(), ["ships", "sea"]);
    assert_eq!(
        found.canonical.map(|found| found.value.to_string()).as_deref(),
        Some("https://example.org/ship")
    );
    assert_eq!(
        found.image.map(|found| found.value.to_string()).as_deref(),
        Some("https://example.org/a/ship.jpg")
    );
}

#[test]
fn what_is_stated_is_the_same_however_much_is_searched() {
    let page = r#"<html lang=en><title>A ship at sea | The Site</title><meta name=author content="Ann Lee">
        <meta name=keywords content="ships"><h1 itemprop=headline class=title>A ship at sea</h1>
        <p class=date>6 May 2019 <footer>© 2019 Example Inc.</footer>"#;
    let whole = read_page(page, "");
    assert!(!whole.authors.is_empty() && whole.published.is_some() && whole.organization.is_some());
    let stated =
        Metadata { authors: Vec::new(), organization: None, published: None, modified: None, ..whole };
    assert_eq!(read(&parse(page), None, Date::new(2024, 3, 1), Search::Stated), stated);
}

#[test]
fn a_page_without_anything_is_read() {
    assert_eq!(read_page("", ""), Metadata::default());
    assert_eq!(read_page("<p>Hello", ""), Metadata::default());
}

#[test]
fn dates_are_found_by_the_best_rule() {
    for (page, expected) in [
        (
            "<meta property='article:published_time' content='2019-05-06'><time datetime=2018-01-01>",
            "2019-05-06 opengraph",
        ),
        ("<h1>A ship</h1><time datetime=2019-05-06>Monday</time>", "2019-05-06 time"),
        ("<h1>A ship</h1><time datetime='2024-02-29'>yesterday</time>", "2024-02-29 time"),
        ("<h1>A ship</h1><span class=post-date>6. Mai 2019</span>", "2019-05-06 class"),
        ("<h1>A ship</h1><span class=date>2 days ago</span>", "2024-02-28 class"),
        ("<h1>A ship</h1><p>6 May 2019</p>", "2019-05-06 text"),
        (
            "<h1>A ship</h1><div class=comments><time>1 May 2019</time></div><p>Posted: 6 May 2019</p>",
            "2019-05-06 text",
        ),
        ("<p>Sailed 1 May 2018.</p><p>Published: <b>6 May 2019</b></p>", "2019-05-06 text"),
        (
            "<script>var page = {\"publishedAt\":\"2019-05-06T10:00:00Z\"}</script><p>A ship",
            "2019-05-06T10:00:00Z text",
        ),
        ("<p>© 2011-2019 Example", "2019 copyright"),
        ("<span itemprop=datePublished content=2019-05-06></span>", "2019-05-06 microdata"),
        ("<span property='dc:issued' content=2019-05-06></span>", "2019-05-06 rdfa"),
        ("<meta property='article:published_time' content='2031-05-06'>", ""),
        ("<p>In 1999 there were 12 ships.", ""),
    ] {
        assert_eq!(published(page), expected, "{page}");
    }
}

#[test]
fn a_day_in_the_address_comes_first_and_a_month_leads_to_the_day() {
    let day = |page: &str, url: &str| read_page(page, url).published.map(|found| found.value.to_string());
    let utc = "<meta property='article:published_time' content='2019-05-05T23:10:00Z'>";
    assert_eq!(day(utc, "https://example.org/2019/05/06/ship").as_deref(), Some("2019-05-06"));
    let dates = "<p>Built in March, on 1.3.2018, and launched on the 6.5.2019 at noon.";
    assert_eq!(day(dates, "https://example.org/2019/05/ship").as_deref(), Some("2019-05-06"));
    assert_eq!(day("<p>A ship", "https://example.org/2019/05/ship").as_deref(), Some("2019-05"));
}

#[test]
fn small_numbers_are_read_as_the_language_has_them() {
    for (language, expected) in
        [("en-US", "2019-05-06 class"), ("en-GB", "2019-06-05 class"), ("fr", "2019-06-05 class")]
    {
        let page = format!("<html lang={language}><h1>A ship</h1><span class=date>5/6/2019</span>");
        assert_eq!(published(&page), expected, "{language}");
    }
}

#[test]
fn authors_are_found_by_the_best_rule() {
    for (page, expected) in [
        ("<meta name=author content='Ann Lee, Bo Day'>", vec!["Ann Lee", "Bo Day"]),
        (
            "<h1>A ship</h1><span class=byline>By <a>Ann Lee</a> and <a>Bo Day</a></span>",
            vec!["Ann Lee", "Bo Day"],
        ),
        ("<h1>A ship</h1><p>Von Ann Lee</p>", vec!["Ann Lee"]),
        ("<h1>A ship</h1><p>By <a href=x>Ann Lee</a>", vec!["Ann Lee"]),
        ("<div itemprop=author><span itemprop=name>Ann Lee</span> joined 2011</div>", vec!["Ann Lee"]),
        (
            "<a rel=author>Ann Lee</a><div class=comments><a rel=author>Bo Day</a></div><p>Text",
            vec!["Ann Lee"],
        ),
        ("<meta property='article:author' content='https://example.org/ann'>", vec![]),
        ("<meta name=author content=admin>", vec![]),
        (
            "<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Day, Bo'>",
            vec!["Ann Lee", "Bo Day"],
        ),
    ] {
        assert_eq!(authors(page), expected, "{page}");
    }
}

#[test]
fn the_site_is_author_only_if_nobody_else_is() {
    let meta = "<meta property=og:site_name content='The Site'><meta name=author content='The Site'>";
    assert_eq!(authors(meta), ["The Site"]);
    assert_eq!(authors(&format!("{meta}<h1>A ship</h1><span class=author>Ann Lee</span>")), ["Ann Lee"]);
}

#[test]
fn the_title_is_the_heading_or_what_is_stated() {
    for (page, expected) in [
        ("<title>A ship at sea - Site</title><h1>A ship at sea</h1>", "A ship at sea"),
        (
            "<title>x</title><meta property=og:title content='A ship at sea'><h1>NEWS A ship at sea</h1>",
            "A ship at sea",
        ),
        ("<meta property=og:site_name content=Site><title>A ship - Site</title><h1>Site</h1>", "A ship"),
        ("<title>Ships</title>", "Ships"),
        ("<svg><title>Arrow</title></svg><title>Ships</title>", "Ships"),
        ("<h1>A ship</h1>", "A ship"),
    ] {
        let title = read_page(page, "").title.map(|found| found.value);
        assert_eq!(title.as_deref(), Some(expected), "{page}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_page_is_too_strange(page in r#"(<(h1|title|time|p|meta|div|span|a|script)( (class|name|content|itemprop|rel|property|datetime|type)="?(author|date|by|©|[0-9]{1,4}[-/.]|application/ld\+json|article:published_time|ß|İ)*"?)*>|</(h1|p|script)>|[0-9]{1,4}[-./: ]|May|мая|年|月|©|By |Von |[\[\]{}":,]|\PC){0,80}"#) {
        read_page(&page, "https://example.org/2019/5/x");
    }

    #[test]
    fn no_text_breaks_the_readers(text in r"(\PC|[0-9]|©|İ|By |[-–|,.;:/]){0,60}") {
        people::people(&text);
        organization::owner(&text);
        organization::years(&text);
        let reader = reader(None, "en", Date::new(2024, 3, 1));
        reader.value(&text);
        reader.all(&text, |_| {});
    }
}
