//! Whole pages, and any bytes.

use std::io::Write;

use proptest::prelude::*;

use super::*;

fn read(html: &str, options: Options) -> PageFacts {
    read_with(&[("content-type", "text/html")], 200, html.as_bytes(), options)
}

fn read_with(fields: &[(&str, &str)], status: u16, body: &[u8], options: Options) -> PageFacts {
    let address = Address::parse("https://site.example/dir/page.html?q=1").expect("an address");
    let head = HttpHead::response(status, fields);
    let mut reader = PageReader::new(options);
    let body = reader.decode(&head, body, 0);
    reader.read(&Exchange { address: &address, head: &head, body: &body })
}

fn shown(facts: &PageFacts) -> Vec<String> {
    let show = |link: &Link| {
        format!("{:?} {}", link.kind, link.address.as_str().replace("https://site.example", ""))
    };
    facts.links.iter().map(show).collect()
}

const EVERYTHING: Options =
    Options { requisites: true, link_texts: true, page_text: true, most_bytes: 1 << 20, most_links: 1000 };

#[test]
fn links_to_pages_in_their_order() {
    let html = "<base href=/base/><link rel='stylesheet' href=s.css><link rel=canonical href=/c><link rel='Next' href=n>
        <link rel=alternate hreflang=de href=/de/><link rel=preconnect href=//cdn.example>
        <a href='x.html#f'>X</a><a href=x.html>again</a><a href='/a&amp;b'></a><area href=/map><img src=/i.png>
        <iframe src=f.html></iframe><iframe data-src=lazy.html src=''></iframe><a href='mailto:a@b'></a><a href=javascript:x></a>
        <script>'<a href=no>'</script><!-- <a href=no> --><template><a href=/t></a></template>
        <meta http-equiv=Refresh content='3; url=/later'><form action=/no></form><a name=no></a>";
    let expected = [
        "Canonical /c",
        "Series /base/n",
        "Alternate /de/",
        "Anchor /base/x.html",
        "Anchor /a&b",
        "Anchor /map",
        "Frame /base/f.html",
        "Frame /base/lazy.html",
        "Anchor /t",
        "Refresh /later",
    ];
    let facts = read(html, Options::default());
    assert_eq!(shown(&facts), expected);
    assert_eq!(facts.canonical.as_ref().map(Address::path_and_query), Some("/c"));
}

#[test]
fn a_chunk_that_ends_within_a_link_leaves_nothing_in_it() {
    let fields = [("content-type", "text/html"), ("transfer-encoding", "chunked")];
    let body = b"b\r\n<a href=/lo\r\n8\r\nng>x</a>\r\n0\r\n\r\n";
    assert_eq!(shown(&read_with(&fields, 200, body, Options::default())), ["Anchor /long"]);
}

#[test]
fn what_a_page_loads_is_given_if_asked_for() {
    let html = "<style>@import 'a.css'; b { background: url(bg.png) }</style><link rel=icon href=/i.ico>
        <body background=/b.gif><p style='background:url(&quot;p.png&quot;)'><img src=1.png srcset='2.png 2x, 3.png 3x'>
        <picture><source srcset=4.png></picture><video src=v.mp4 poster=v.png></video><script src=//cdn.example/x.js></script>
        <link rel=preload as=font href=f.woff2><object data=o.swf></object><a href=1.png>to the image</a>";
    let expected = [
        "Style /dir/a.css",
        "Image /dir/bg.png",
        "Image /i.ico",
        "Image /b.gif",
        "Image /dir/p.png",
        "Anchor /dir/1.png",
        "Image /dir/2.png",
        "Image /dir/3.png",
        "Image /dir/4.png",
        "Media /dir/v.mp4",
        "Image /dir/v.png",
        "Script https://cdn.example/x.js",
        "Media /dir/f.woff2",
        "Media /dir/o.swf",
    ];
    assert_eq!(shown(&read(html, EVERYTHING)), expected);
    let sheet = read_with(&[("content-type", "text/css")], 200, b"@import url(x.css);", EVERYTHING);
    assert_eq!(shown(&sheet), ["Style /dir/x.css"]);
}

#[test]
fn nofollow_of_a_link_counts_if_every_link_says_it() {
    let facts =
        read("<a rel='ugc NoFollow' href=a>A</a><a rel=nofollow href=b></a><a href=b></a>", EVERYTHING);
    assert_eq!(facts.links.iter().map(|link| link.nofollow).collect::<Vec<_>>(), [true, false]);
    assert!(!facts.nofollow);
}

#[test]
fn directives_for_the_whole_page() {
    let facts =
        read("<meta name=Robots content='NOINDEX, nofollow'><meta name=googlebot content=none>", EVERYTHING);
    assert!(facts.nofollow);
    assert_eq!(facts.robots.len(), 2);
    for (tag, nofollow) in
        [("noindex", false), ("none", true), ("otherbot: nofollow", false), ("noindex,nofollow", true)]
    {
        let facts = read_with(&[("x-robots-tag", tag)], 200, b"", EVERYTHING);
        assert_eq!(facts.nofollow, nofollow, "{tag}");
    }
}

#[test]
fn texts_of_links() {
    let html =
        "<a href=1> two\n <b>words</b> </a><a href=2><img alt=image></a><a href=3 title=label></a><a href=4>";
    let facts = read(&format!("{html}{}</a>", "é".repeat(1000)), EVERYTHING);
    let anchors: Vec<&str> =
        facts.links.iter().filter_map(|link| Some(&*link.text.as_ref()?.anchor)).collect();
    assert_eq!(anchors[..3], ["two words", "image", "label"]);
    assert_eq!(anchors[3], "é".repeat(128));
    assert_eq!(read(html, Options::default()).links[0].text, None);
}

#[test]
fn redirects_lead_on() {
    for (status, expected) in [(301, &["Redirect /moved"][..]), (308, &["Redirect /moved"]), (200, &[])] {
        let facts = read_with(&[("location", "/moved#x")], status, b"", EVERYTHING);
        assert_eq!(shown(&facts), expected, "{status}");
    }
}

#[test]
fn coded_bodies_are_decoded_within_limits() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all("<a href=x>x</a>".repeat(100_000).as_bytes()).expect("memory takes all");
    let body = encoder.finish().expect("memory takes all");
    let fields = [("content-type", "text/html"), ("content-encoding", "gzip")];
    let facts = read_with(&fields, 200, &body, EVERYTHING);
    assert_eq!((facts.links.len(), facts.is_whole), (1, false));
    let facts =
        read_with(&fields, 200, &body[..body.len() / 2], Options { most_bytes: 10 << 20, ..EVERYTHING });
    assert_eq!((facts.links.len(), facts.is_whole), (1, false));
    assert!(read_with(&fields[..1], 200, b"<a href=x>", EVERYTHING).is_whole);
}

#[test]
fn links_beyond_the_most_are_counted() {
    let html = (0..30).map(|at| format!("<a href=/{at}>")).collect::<Vec<_>>().concat();
    let facts = read(&html, Options { most_links: 10, ..Options::default() });
    assert_eq!((facts.links.len(), facts.links_left_out), (10, 20));
}

#[test]
fn markup_scripts_hidden_parts_and_numbers_are_no_text() {
    let plain = "one two three four";
    let expected = read_with(&[("content-type", "text/plain")], 200, plain.as_bytes(), EVERYTHING).text;
    for html in [
        "<p>One <b>two</b></p><ul><li>three<li>four</ul>",
        "<title>t</title><p>one two<br>three<script>x</script><div hidden>no</div><td>four 5 <style>no</style>",
        "<div>One</div>two<div>th<i>ree</i></div>&#102;our, 12 May 2026",
    ] {
        assert_eq!(read(html, EVERYTHING).text, expected, "{html}");
    }
    assert_ne!(read("<p>one two three five", EVERYTHING).text, expected);
}

#[test]
fn other_sorts_have_no_text_and_no_links() {
    let facts = read_with(&[("content-type", "image/png")], 200, b"<a href=x>", EVERYTHING);
    assert_eq!((facts.sort, facts.links.len(), facts.text), (Sort::Other, 0, None));
}

/// Markup that the rules turn on, whole and broken.
fn markup() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: &[&[u8]] = &[
        b"<a href=",
        b"'",
        b"\"",
        b">",
        b"</a>",
        b"<base href=",
        b"<meta name=robots content=",
        b"<style>",
        b"url(",
        b"@import ",
        b"<img srcset=",
        b"<!--",
        b"-->",
        b"<script>",
        b"</script>",
        b"&amp;",
        b"&#x;",
        b"x",
        b" ",
        b",",
        b"//",
        b"http://",
        b"\xFF",
        b"\0",
        b"\xC3\xA9",
        b"12 May",
        b"<svg>",
        b"<![CDATA[",
        b"<link rel=next href=",
        b"<meta http-equiv=refresh content=0;url=",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_read(
        body in markup(),
        content_type in prop::sample::select(&["text/html", "text/html; charset=utf-16", "text/plain", "text/css", "text/xml", ""][..]),
        coding in prop::sample::select(&["", "gzip", "br", "zstd, deflate", "\r\nx"][..]),
        location in "[ -~]{0,10}",
    ) {
        let fields = [("content-type", content_type), ("content-encoding", coding), ("location", &location)];
        let facts = read_with(&fields, 302, &body, EVERYTHING);
        for (at, link) in facts.links.iter().enumerate() {
            let parsed = Address::parse(link.address.as_str());
            prop_assert_eq!(parsed.as_ref(), Some(&link.address));
            prop_assert!(facts.links[..at].iter().all(|other| other.address != link.address));
        }
    }
}

#[test]
fn each_kind_of_requisite_is_found() {
    let options = Options { requisites: true, ..Options::default() };
    for (html, expected) in [
        ("<svg><image href=a.png></svg>", &["Image /dir/a.png"][..]),
        (
            "<svg><image xlink:href=a.png /><use href=b.svg#c /><use href='#own'/></svg>",
            &["Image /dir/a.png", "Image /dir/b.svg"],
        ),
        (
            "<p style=\"background: image-set('a.png' 1x, url(b.png) 2x)\">",
            &["Image /dir/a.png", "Image /dir/b.png"],
        ),
        (
            "<iframe srcdoc=\"<a href=b>x</a><img src=a.png>\"></iframe>",
            &["Anchor /dir/b", "Image /dir/a.png"],
        ),
        ("<iframe srcdoc=\"<iframe srcdoc='<img src=a.png>'></iframe>\"></iframe>", &["Image /dir/a.png"]),
        ("<script type=module>import a from './a.js'</script>", &["Script /dir/a.js"]),
        (
            "<script>import('./a.js')</script><script type=text/template>import './no.js'</script>",
            &["Script /dir/a.js"],
        ),
        (
            "<script type=importmap>{\"imports\":{\"x\":\"/x.js\",\"y/\":\"/y/\"}}</script><script type=module>import 'x';import 'y/z.js'</script>",
            &["Script /x.js", "Script /y/z.js"],
        ),
        ("<link rel=manifest href=m.json>", &["Media /dir/m.json"]),
        (
            "<style>@import 'a.css'; @font-face { src: url(f.woff2) }</style>",
            &["Style /dir/a.css", "Media /dir/f.woff2"],
        ),
    ] {
        assert_eq!(shown(&read(html, options)), expected, "{html}");
        let pages: Vec<_> = expected.iter().copied().filter(|link| link.starts_with("Anchor")).collect();
        let without = shown(&read(html, Options::default()));
        assert!(without.is_empty() || without == pages, "{html}: {without:?}");
    }
    for (kind, body, expected) in [
        (
            "text/css",
            "@import url('a.css'); b { src: url(f.woff) }",
            &["Style /dir/a.css", "Media /dir/f.woff"][..],
        ),
        (
            "application/javascript",
            "import './a.js'; export * from '../b.js'; import 'bare'",
            &["Script /dir/a.js", "Script /b.js"],
        ),
        ("application/manifest+json", "{\"icons\":[{\"src\":\"i.png\"}]}", &["Image /dir/i.png"]),
    ] {
        let facts = read_with(&[("content-type", kind)], 200, body.as_bytes(), options);
        assert_eq!(
            (shown(&facts), facts.text),
            (expected.iter().map(|&link| link.to_owned()).collect(), None),
            "{kind}"
        );
        assert!(
            read_with(&[("content-type", kind)], 200, body.as_bytes(), Options::default()).links.is_empty()
        );
    }
}
