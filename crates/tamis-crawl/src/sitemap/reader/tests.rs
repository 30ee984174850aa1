use std::io::Write;

use super::*;

type Found = Vec<(String, Kind, Option<u64>, Option<f32>)>;

fn found_within(bytes: &[u8], limits: Limits) -> (Found, Summary) {
    let mut found = Vec::new();
    let summary = read(bytes, limits, |entry| {
        found.push((entry.loc.to_owned(), entry.kind, entry.lastmod_ms, entry.priority));
    });
    (found, summary)
}

fn found(bytes: &[u8]) -> (Found, Summary) {
    found_within(bytes, Limits::default())
}

fn locs(text: &str) -> Vec<String> {
    found(text.as_bytes()).0.into_iter().map(|(loc, ..)| loc).collect()
}

const URLSET: &str = r#"<?xml version="1.0"?><!-- <url><loc>http://no/</loc></url> -->
<urlset xmlns="x"><url><loc> http://a/?b=1&amp;c=2
</loc><lastmod>2005-01-01</lastmod><priority>0.8</priority><changefreq>daily</changefreq>
<image:image><image:loc>http://a/i.png</image:loc></image:image></url>
<url><priority>7</priority><loc><![CDATA[http://a/2?x&y]]></loc></url></urlset>"#;

#[test]
fn pages_with_what_is_said_of_them() {
    let (entries, summary) = found(URLSET.as_bytes());
    let expected = vec![
        ("http://a/?b=1&c=2".to_owned(), Kind::Page, Some(1_104_537_600_000), Some(0.8)),
        ("http://a/2?x&y".to_owned(), Kind::Page, None, None),
    ];
    assert_eq!(entries, expected);
    assert_eq!(summary, Summary { format: Format::UrlSet, entries: 2, ..Summary::default() });
}

#[test]
fn the_same_in_every_wrapping() {
    let expected = found(URLSET.as_bytes()).0;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(URLSET.as_bytes()).expect("memory takes all");
    let gzip = gzip.finish().expect("memory takes all");
    let little: Vec<u8> = format!("\u{FEFF}{URLSET}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = format!("\u{FEFF}{URLSET}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = format!("\u{FEFF}\n {URLSET}").into_bytes();
    let prefixed = URLSET.replace("<url", "<s:url").replace("</url", "</s:url");
    let prefixed = ["loc", "lastmod", "priority"].iter().fold(prefixed, |text, name| {
        text.replace(&format!("<{name}"), &format!("<s:{name}"))
            .replace(&format!("</{name}"), &format!("</s:{name}"))
    });
    for bytes in [&gzip, &little, &big, &marked, prefixed.as_bytes()] {
        assert_eq!(found(bytes).0, expected, "{}", String::from_utf8_lossy(bytes));
    }
    for bytes in [URLSET.as_bytes(), &gzip, &little] {
        let trickled = std::io::BufReader::with_capacity(1, bytes);
        let mut locs = Vec::new();
        let summary = read(trickled, Limits::default(), |entry| locs.push(entry.loc.to_owned()));
        assert_eq!((summary, locs.len()), (found(bytes).1, 2));
    }
}

#[test]
fn indexes_lead_to_sitemaps() {
    let text = "<sitemapindex><sitemap><loc>http://a/1.xml</loc></sitemap><sitemap>\nhttp://a/2.xml?b&amp;c\n</sitemap>\
                </sitemapindex>";
    let (entries, summary) = found(text.as_bytes());
    let kinds: Vec<_> = entries.iter().map(|(loc, kind, ..)| (loc.as_str(), *kind)).collect();
    assert_eq!(kinds, [("http://a/1.xml", Kind::Sitemap), ("http://a/2.xml?b&c", Kind::Sitemap)]);
    assert_eq!(summary.format, Format::Index);
}

#[test]
fn feeds() {
    let rss = "<rss><channel><link>http://a/</link><item><title>t</title><link>http://a/1</link>\
               <pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate></item></channel></rss>";
    let (entries, summary) = found(rss.as_bytes());
    assert_eq!(entries, [("http://a/1".to_owned(), Kind::Page, Some(784_111_777_000), None)]);
    assert_eq!(summary.format, Format::Rss);
    let atom = "<feed><link href='http://a/'/><entry><link rel='edit' href='http://a/e'/>\
                <link href='http://a/1'/><updated>2003-12-13T18:30:02Z</updated></entry></feed>";
    let (entries, summary) = found(atom.as_bytes());
    assert_eq!(entries, [("http://a/1".to_owned(), Kind::Page, Some(1_071_340_202_000), None)]);
    assert_eq!(summary.format, Format::Atom);
}

#[test]
fn plain_lists() {
    let text = "\u{FEFF}http://a/1\r\nhttps://a/2\n\n# note\nHTTP://a/3 \nftp://a/4\nhttp://a/5";
    assert_eq!(locs(text), ["http://a/1", "https://a/2", "HTTP://a/3", "http://a/5"]);
}

#[test]
fn damage_costs_what_is_damaged_and_no_more() {
    for (text, expected) in [
        (
            "<urlset><url><loc>http://a/1</loc><url><loc>http://a/2</loc></url>",
            &["http://a/1", "http://a/2"][..],
        ),
        ("<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/", &["http://a/1"]),
        ("<urlset><url><loc>http://a/1</urlset>", &["http://a/1"]),
        ("<urlset><url><loc>a b</loc></url><url><loc/></url><url></url><url><loc>/1</loc></url>", &["/1"]),
        ("<urlset><url><loc>http://a/1</loc><loc>http://a/2</loc></url></urlset>", &["http://a/1"]),
        ("<URLSET><URL><LOC>http://a/1</LOC></URL></URLSET>", &["http://a/1"]),
        ("<urlset><url><loc>http://a/<!-- x -->1</loc></url></urlset>", &["http://a/1"]),
        ("<html><body>404</body></html>", &[]),
        ("<urlset", &[]),
        ("<!", &[]),
        ("<![CDATA[", &[]),
        ("<", &[]),
        ("", &[]),
    ] {
        assert_eq!(locs(text), expected, "{text}");
    }
    let cut = found("<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/".as_bytes()).1;
    assert!(cut.is_damaged && !cut.is_cut);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let many: Vec<_> = (0..1_000).map(|n| format!("http://a/{}\n", n * 7_919 % 1_000)).collect();
    let many = many.concat();
    gzip.write_all(many.as_bytes()).expect("memory takes all");
    let gzip = gzip.finish().expect("memory takes all");
    let (entries, summary) = found(&gzip[..gzip.len() / 2]);
    assert!(summary.is_damaged && !entries.is_empty() && entries.len() < 1_000);
    assert!(entries.iter().all(|(loc, ..)| many.contains(&format!("{loc}\n"))));
}

#[test]
fn limits_end_the_reading() {
    let many: Vec<_> = (0..100).map(|n| format!("<url><loc>http://a/{n:04}</loc></url>")).collect();
    let text = format!("<urlset>{}</urlset>", many.concat());
    let few = Limits { max_entries: 10, ..Limits::default() };
    let (entries, summary) = found_within(text.as_bytes(), few);
    assert_eq!((entries.len(), summary.entries, summary.is_cut), (10, 10, true));
    let short = Limits { max_bytes: 200, ..Limits::default() };
    let (entries, summary) = found_within(text.as_bytes(), short);
    assert_eq!((entries.len(), summary.is_cut), (5, true));
    let long = format!(
        "<urlset><url><loc>http://a/{}</loc></url><url><loc>http://a/1</loc></url>",
        "x".repeat(99_999)
    );
    assert_eq!(locs(&long), ["http://a/1"]);
    let comment = format!("<urlset><!-- {} --><url><loc>http://a/1</loc></url>", "x>".repeat(99_999));
    assert_eq!(locs(&comment), ["http://a/1"]);
}
