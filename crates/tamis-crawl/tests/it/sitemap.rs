//! Sitemaps and feeds that crawler-commons tests with.

use std::fs::File;
use std::io::BufReader;

use tamis_crawl::sitemap::{Format, Kind, Limits, read};

#[test]
fn files_of_crawler_commons() {
    let Some(folder) = tamis_testkit::real_data("robots/crawler-commons/resources") else { return };
    for (file, format, entries, first) in [
        ("sitemaps/atom.xml", Format::Atom, 1, "http://example.org/2003/12/13/atom03"),
        ("sitemaps/sitemap-with-bom.txt", Format::List, 2, "http://www.domain.com/page1.html"),
        ("sitemaps/sitemap.txt", Format::List, 2, "http://www.domain.com/page1.html"),
        ("sitemaps/sitemap.txt.gz", Format::List, 5, "http://www.example.com/"),
        ("sitemaps/sitemap.badns.xml", Format::UrlSet, 2, "http://www.example.com/1"),
        ("sitemaps/sitemap.ns.xml", Format::UrlSet, 2, "http://www.example.com/1"),
        ("sitemaps/xmlSitemap.gz", Format::UrlSet, 5, "http://www.example.com/"),
        (
            "sitemaps/extension/hebdenbridgetimes-articles-sitemap.xml",
            Format::UrlSet,
            74,
            "http://www.hebdenbridgetimes.co.uk/news/local/video-tour-de-yorkshire-in-calderdale-1-7242580",
        ),
        (
            "sitemaps/extension/sitemap-images.xml",
            Format::UrlSet,
            1,
            "http://www.example.com/images/some_image_landing_page.html",
        ),
        ("sitemaps/extension/sitemap-links.xml", Format::UrlSet, 3, "http://www.example.com/english/"),
        (
            "sitemaps/extension/sitemap-mobile.xml",
            Format::UrlSet,
            3,
            "http://www.example.com/mobile-friendly-1/",
        ),
        ("rss/feed.rss", Format::Rss, 4, "https://www.example.com/blog/post/1"),
        ("rss/xmlRss_pubDate.xml", Format::Rss, 7, "http://www.example.com/article_1"),
    ] {
        let file_input = BufReader::new(File::open(folder.join(file)).expect(file));
        let mut found = Vec::new();
        let summary = read(file_input, Limits::default(), |entry| found.push(entry.loc.to_owned()));
        assert_eq!((summary.format, summary.entries), (format, entries), "{file}: {found:?}");
        assert_eq!(found.first().map(String::as_str), Some(first), "{file}");
        assert!(!summary.is_cut && !summary.is_damaged, "{file}: {summary:?}");
    }
}

#[test]
fn an_index_without_loc_leads_on() {
    let Some(folder) = tamis_testkit::real_data("robots/crawler-commons/resources/sitemaps") else { return };
    let input = BufReader::new(File::open(folder.join("sitemap.index.xml")).expect("the index"));
    let (mut found, mut kinds) = (Vec::new(), Vec::new());
    let summary = read(input, Limits::default(), |entry| {
        found.push(entry.loc.to_owned());
        kinds.push(entry.kind);
    });
    assert_eq!(summary.format, Format::Index);
    assert!(found.len() > 10 && kinds.iter().all(|&kind| kind == Kind::Sitemap), "{found:?}");
    assert_eq!(found[0], "https://example.com/sitemap.jss?portalCode=10260&lang=en");
}
