//! Writes what fuzzing starts from: `cargo +nightly run --example seeds -- work`. All of it is made here.

use std::fs;
use std::path::Path;

use tamis_testkit::{ArchiveBuilder, Record, arc, http_response, member, warc09};

const GZIP: u8 = b'g';

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "work".into());
    for (target, seeds) in [
        ("warc", warc()),
        ("arc", arcs()),
        ("http", http()),
        ("small", small()),
        ("cdx", cdx()),
        ("wacz", wacz()),
        ("page", pages()),
        ("robots", robots()),
    ] {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder).expect("the folder can be made");
        for (n, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{n:03}")), seed).expect("the seed can be written");
        }
        println!("{target}: {} seeds", seeds.len());
    }
}

/// Records that are sound, and one for each way in which they are not.
fn records() -> Vec<Record> {
    let page = || Record::response("http://a.org/", http_response("text/html", "<p>a page</p>"));
    let sound = page().with_digests();
    vec![
        Record::warcinfo("a.warc"),
        Record::request("http://a.org/"),
        Record::resource("http://a.org/f", "text/plain", "text\r\nWARC/1.0 is a format\r\n"),
        Record::metadata("http://a.org/", "via: http://b.org/\r\n"),
        Record::revisit("http://a.org/", "HTTP/1.1 304 Not Modified\r\n\r\n", &sound),
        Record::conversion("http://a.org/", "text of a page"),
        Record::resource("http://a.org/e", "text/plain", ""),
        sound,
        page().version("WARC/1.1"),
        page().version("WARC/0.17"),
        page().version("WARC/9.9"),
        page().length_off_by(5),
        page().length_off_by(-5),
        page().length_off_by(100_000),
        page().raw_length("-1"),
        page().raw_length("99999999999999999999"),
        page().without("Content-Length"),
        page().ended_by(b""),
        page().ended_by(b"\r\n"),
        page().ended_by(b"\r\n\r\n\r\n"),
        page().lf_only(),
        page().folded("WARC-Target-URI"),
        page().with("WARC-Date", "soon"),
        page().with("WARC-Type", "strange"),
        page().field("WARC-Block-Digest", "sha1:AAAA").field("WARC-Payload-Digest", "sha256:00ff"),
        page().field("WARC-Segment-Number", "2").field("WARC-Segment-Origin-ID", "<urn:uuid:1>"),
    ]
}

fn warc() -> Vec<Vec<u8>> {
    let records = records();
    let last =
        Record::response("http://z.org/", http_response("text/html", "<p>the last</p>")).with_digests();
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for (n, record) in records.iter().enumerate() {
        let plain = [record.bytes(), last.bytes()].concat();
        let how = b"gGnclbtzTzg"[n % 11];
        seeds.push([&[0][..], &plain].concat());
        seeds.push(recipe(&[(how, &record.bytes()), (GZIP, &last.bytes())]));
    }
    let (a, b, c) = (&records[0].bytes(), &records[7].bytes(), &last.bytes());
    for how in *b"gGnclbtzTp" {
        seeds.push(recipe(&[(GZIP, a), (how, b), (GZIP, c)]));
        seeds.push(recipe(&[(b'z', a), (how, b), (b'z', c)]));
        seeds.push(recipe(&[(how, &[&a[..], b, c].concat())]));
    }
    seeds.push(recipe(&[(GZIP, a), (b'p', b"garbage"), (GZIP, b)]));
    seeds.push(recipe(&[(b'D', b), (b'd', a), (b'd', b), (b'd', c)]));
    seeds.push(recipe(&[(b'C', b), (b'd', a), (b'd', b)]));
    seeds.push(recipe(&[(b'd', a), (b'D', b), (b'd', b)]));
    seeds.push(recipe(&[(GZIP, &a[..40]), (GZIP, &a[40..]), (GZIP, c)]));
    seeds.push(recipe(&[(GZIP, &b[..b.len() - 10]), (b'z', &b[b.len() - 10..]), (GZIP, c)]));
    let inside = Record::resource("http://a.org/in.warc.gz", "application/gzip", member::gzip(b));
    seeds.push(recipe(&[(b'p', &inside.bytes()), (b'p', c)]));
    seeds.push(recipe(&[(GZIP, &inside.bytes()), (GZIP, c)]));
    for (n, times) in [1_u8, 30, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 255].into_iter().enumerate() {
        let how = b"gpzlpgtpzpgpp"[n];
        let block = [b"~#".to_vec(), vec![times]].concat();
        let head = |len: usize| {
            Record::resource("http://a.org/", "text/plain", "").raw_length(&len.to_string()).bytes()
        };
        for len in [usize::from(times) * 512, usize::from(times) * 512 + 100, 100] {
            let mut long = head(len);
            long.truncate(long.len() - 4);
            seeds.push(recipe(&[(how, &[&long[..], &block, b"\r\n\r\n"].concat()), (how, c)]));
        }
        seeds.push(recipe(&[(how, a), (b'p', &block), (how, c)]));
    }
    let (trained, samples) = {
        let samples: Vec<_> = (0..200)
            .map(|n| {
                Record::response(&format!("http://a/{n}"), http_response("text/html", format!("{n}"))).bytes()
            })
            .collect();
        (member::train_dictionary(&samples), samples)
    };
    let frame = member::dictionary_frame(&trained, member::Dictionary::Raw);
    let coded = member::zstd_with_dictionary(&samples[3], &trained);
    seeds.push([&[0][..], &frame, &coded].concat());
    seeds.push([&[0][..], &coded].concat());
    seeds.push([&[0][..], &ArchiveBuilder::new().gzip(&last).clipped_by(11).build()].concat());
    for make in [warc09::lower_case, warc09::with_fields, warc09::upper_case_padded, warc09::space_padded] {
        let message = b"HTTP/1.0 200 OK\r\n\r\npage";
        let two = [make("http://a.org/", message), make("http://b.org/", message)];
        seeds.push([&[0][..], &two.concat()].concat());
        seeds.push(recipe(&[(GZIP, &two[0]), (GZIP, &two[1])]));
    }
    seeds
}

fn arcs() -> Vec<Vec<u8>> {
    let message = http_response("text/html", "<p>a page</p>");
    let one = arc::record("http://a.org/", "text/html", &message);
    let two = arc::record("http://b.org/a b", "text/html; charset=x", b"no HTTP\n\nat all\n");
    let mut seeds = Vec::new();
    for info in
        [arc::version_block_1_0("a.arc"), arc::version_block_1_1("a.arc"), arc::version_block_2_0("a.arc")]
    {
        let ten = arc::record_2("http://a.org/", "text/html", 200, &message);
        for middle in [&one, &two, &ten] {
            seeds.push([&[0][..], &info, middle, &one].concat());
            seeds.push(recipe(&[(GZIP, &info), (GZIP, middle), (GZIP, &two)]));
            seeds.push(recipe(&[(b'z', &info), (b'c', middle), (b'z', &two)]));
        }
        seeds.push(recipe(&[(GZIP, &[&info[..], &one, &two].concat())]));
        for bytes in [-3, 3, 500] {
            let wrong = arc::record_off_by("http://c.org/", "text/plain", &message, bytes);
            seeds.push([&[0][..], &info, &wrong, &one].concat());
            seeds.push(recipe(&[(GZIP, &info), (GZIP, &wrong), (GZIP, &one)]));
        }
    }
    seeds.push([&[0][..], b"http://a.org/ 20031219215023 63.241.16.130 text/plain 3\nabc\n", &one].concat());
    seeds.push([&[0][..], b"http://a.org/ None 200009180023002953 - 3\nabc", &one].concat());
    seeds.push([&[0][..], &one, &records()[7].bytes(), &two].concat());
    seeds
}

fn http() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let heads = [
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n",
        "HTTP/1.1 200\r\nContent-Encoding: br\r\n\r\n",
        "HTTP/2 200\nContent-Encoding: zstd\n\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip, br\r\n\r\n",
        "HTTP/1.1 301 Moved\r\nLocation: /x\r\n folded\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a.org\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "Content-Type: text/plain\r\n\r\n",
        "HTTP/1.0 200 OK",
        "<html>no head</html>",
    ];
    let bodies: [&[u8]; 4] = [
        b"hello",
        b"",
        b"5\r\nhello\r\n3;x=y\r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
        b"<p>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</p>",
    ];
    for (n, head) in heads.iter().enumerate() {
        for (m, body) in bodies.iter().enumerate() {
            let control = [0x00, 0x10, 0x11, 0x12, 0x13, 0x62, 0x40, 0x2d][(n + m) % 8];
            seeds.push([&[control, (7 * m) as u8][..], head.as_bytes(), body].concat());
        }
    }
    seeds
}

fn small() -> Vec<Vec<u8>> {
    let texts: [(u8, &[&str]); 4] = [
        (
            0,
            &[
                "2008-04-30T20:48:25Z",
                "20080430204825",
                "2008",
                "2008-04",
                "2016-02-29T23:59:60.123456789+01:30",
                "2008-04-30 20:48",
                "20080430204825123",
                "9999-12-31T23:59:59-23:59",
                "0000-01-01T00:00:00+23:59",
            ],
        ),
        (
            1,
            &[
                "sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS",
                "SHA-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "md5:1B2M2Y8AsgTpgAmY7PhCfg==",
                "urn:sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS",
                "d41d8cd98f00b204e9800998ecf8427e",
            ],
        ),
        (2, &["A: b\r\nC:d\r\n e\r\n\r\n", "a:b\nno colon\n c\n: x\n", " first\r\nA : b \r\n"]),
        (
            3,
            &[
                "http://www.example.org/A/../b/?b&a=1&jsessionid=0123456789abcdef0123456789abcdef#x",
                "https://user:pass@EXAMPLE.org:443//a%2fb%zz;sid=1?",
                "dns:example.org",
                "filedesc://a.arc",
                "http://bücher.example/ä?ö",
                "http://0x7f.1/",
                "http://[::1%25a]:80/",
                "screenshot:http://a.org/",
                "  http:\\\\a.org\\b\t",
            ],
        ),
    ];
    let seed = |control: u8, text: &str| [&[control][..], text.as_bytes()].concat();
    texts.iter().flat_map(|(control, texts)| texts.iter().map(move |text| seed(*control, text))).collect()
}

fn cdx() -> Vec<Vec<u8>> {
    let cdxj = concat!(
        "org,a)/ 20240229123456 {\"url\": \"http://a.org/\", \"mime\": \"text/html\", \"status\": \"200\", ",
        "\"digest\": \"sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS\", \"length\": \"120\", \"offset\": \"7\", ",
        "\"filename\": \"a.warc.gz\"}\n",
        "org,a,b)/x?y=1 2024 {\"url\": \"http://b.a.org/x?y=1\", \"method\": \"POST\"}\n",
    );
    let cdx = concat!(
        " CDX N b a m s k r M S V g\n",
        "org,a)/ 20240229123456 http://a.org/ text/html 200 CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS - - 120 7 a.warc.gz\n",
        "org,a)/b 20240229123457 http://a.org/b warc/revisit - 3 http://c/ A 1 2 a.warc.gz\n",
    );
    let nine = "org,a)/ 20240229123456 http://a.org/ text/html 200 AAAA - 7 a.arc.gz\n";
    let tabs = "org,a)/ 20240229123456\ta.gz\t0\t100\t1\norg,b)/ 2024\ta.gz\t100\t50\t2\n";
    let json = concat!(
        "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"a.gz\"}\n",
        "org,a)/ 20240229123456 {\"offset\": 0, \"length\": 100}\n",
    );
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for lines in [cdxj, cdx, nine, tabs, json] {
        seeds.push([&[0][..], lines.as_bytes()].concat());
        for query in ["a.org/", "*.a.org", "a.org/*", "http://b.a.org/x?y=1"] {
            seeds.push([&[2][..], query.as_bytes(), b"\n", lines.as_bytes()].concat());
            seeds.push(
                [&[1][..], query.as_bytes(), b"~~~", lines.as_bytes(), b"~~~", cdxj.as_bytes(), b"~~~a\ta"]
                    .concat(),
            );
        }
    }
    for request in [
        "application/x-www-form-urlencoded\na=1&b=%20c+d",
        "application/json\n{\"a\": [1, true, null, {\"b\": \"c\"}], \"d\": 1.5e3}",
        "text/plain\nnot json",
        "multipart/form-data; boundary=xx\n--xx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--xx--\r\n",
        "application/octet-stream\n\0\u{1}",
    ] {
        seeds.push([&[3][..], request.as_bytes()].concat());
    }
    seeds
}

fn wacz() -> Vec<Vec<u8>> {
    let package = concat!(
        "datapackage.json\n{\"profile\": \"data-package\", \"wacz_version\": \"1.1.1\", \"title\": \"a\", \"resources\": [",
        "{\"name\": \"pages.jsonl\", \"path\": \"pages/pages.jsonl\", \"hash\": ",
        "\"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\", \"bytes\": 0}]}",
    );
    let pages = concat!(
        "pages/pages.jsonl\n{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All\"}\n",
        "{\"id\": \"1\", \"url\": \"http://a.org/\", \"ts\": \"2024-02-29T12:34:56Z\", \"title\": \"a\"}\n",
        "{\"url\": 1}\n",
    );
    let digest = "datapackage-digest.json\n{\"path\": \"datapackage.json\", \"hash\": \"sha256:00\"}";
    let index = "indexes/index.cdxj\norg,a)/ 20240229123456 {}\n";
    let warc = "archive/a.warc\nWARC/1.0\r\n\r\n";
    let all = [package, pages, digest, index, warc];
    let together = |parts: &[&str]| parts.join("~~~").into_bytes();
    let mut seeds = Vec::new();
    for control in [1, 3] {
        seeds.push([vec![control], together(&all)].concat());
        seeds.push([vec![control], together(&[package, "../../x\ny"])].concat());
        seeds.extend(all.map(|part| [&[control][..], part.as_bytes()].concat()));
    }
    seeds.extend(all.map(|part| [b"\0", part.split_once('\n').unwrap_or_default().1.as_bytes()].concat()));
    for deflated in [false, true] {
        let bytes = tamis_fuzz::wacz::package(&together(&all[1..]), deflated).unwrap_or_default();
        seeds.push([&[0][..], &bytes].concat());
    }
    seeds
}

fn recipe(parts: &[(u8, &[u8])]) -> Vec<u8> {
    let mut seed = vec![1];
    for (n, (how, bytes)) in parts.iter().enumerate() {
        seed.extend(if n == 0 { &b""[..] } else { b"~~~" });
        seed.push(*how);
        seed.extend(*bytes);
    }
    seed
}

/// Pages of several kinds, each read in several ways.
fn pages() -> Vec<Vec<u8>> {
    const PAGES: [&str; 8] = [
        "<!doctype html><html lang=de><meta charset=utf-8><title>Ein Titel | Blatt</title><nav><a href=/>Anfang</a></nav><article class=entry-content><h1>Ein Titel</h1><p class=byline>Von Eva Muster, 6. Mai 2019</p><p>Ein Satz, der lang genug ist, um als Text zu gelten, und noch einer. „So ist es“, sagte sie.<p>Und ein <a href='b.html#x'>Verweis</a> darin.</article><div class=comments><p>Ich bin anderer Meinung.</div><footer>\u{A9} 2019 Muster GmbH</footer>",
        "<table><tr><td>1<td>2<tr><th>3</table><ul><li>a<li><a href=//b.org>b</a></ul><pre>x\n y</pre>",
        "<script type='application/ld+json'>{\"@graph\":[{\"@type\":\"NewsArticle\",\"headline\":\"T\",\"author\":[{\"name\":\"A B\"}],\"datePublished\":\"2019-05-06T10:00:00+02:00\"}]}</script><p>Text",
        "<p>M\u{C3}\u{A4}nner, Fr\u{C3}\u{BC}hst\u{C3}\u{BC}ck und Gr\u{C3}\u{BC}\u{C3}\u{178}e: \u{C3}\u{BC}ber Stra\u{C3}\u{178}en gehen.",
        "<svg><title>a</title><foreignObject><p>b</foreignObject></svg><noscript><p>c</noscript><template><p>d</template>",
        "<img srcset='a.png 1x, b.png 2x'><form action=/s><input name=q></form><iframe src=x></iframe><base href=http://b.org/><meta http-equiv=refresh content='1; url=/y'>",
        "<a href=1><div>x</a>y</div><b><p>z</b></p><h2><a href=/1>One</a></h2><p>Some words of it.<h2><a href=/2>Two</a></h2><p>Words.<h2><a href=/3>Three</a></h2>",
        "<p>4\" x 4\" is no quote, but \"this is\", 'so is this', \u{AB}\u{A0}et ceci\u{A0}\u{BB}, \u{300C}\u{3053}\u{308C}\u{300D}. See www.example.org/a(b), or http://c.org.",
    ];
    let ways = [0x00, 0x0D, 0x4E, 0x71, 0xFF];
    PAGES.iter().flat_map(|page| ways.map(|way| [&[way], page.as_bytes()].concat())).collect()
}

/// Files for robots, scopes, sitemaps and fields; the first byte says which.
fn robots() -> Vec<Vec<u8>> {
    const ROBOTS: [&str; 6] = [
        "user-agent: *\ndisallow: /a\nallow: /a/b$\ncrawl-delay: 2.5\nsitemap: http://a.org/s.xml\n/a/b",
        "user-agent: tamis\nuseragent: other, third\nDisalow: /*.php$\nallow: /%7Ea*b\nrequest-rate: 1/5m\n/~axb",
        "\u{FEFF}user-agent tamis/1.0 # us\r\ndisallow: fish\rallow: http://a.org/x/index.html\n\nuser-agent: *\n/x/",
        "u\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0\n\0d\0i\0s\0a\0l\0l\0o\0w\0:\0/\0\n\0\n/",
        "user-agent: *\ndisallow: /*a*b*c*$\ndisallow: /a$b\ndisallow: /\u{30C4}\n/a*%2a%24",
        "user-agent: a\ncrawl-delay: 1\nuser-agent: tamis\ncrawl-delay: 99999999999\ndisallow:\n/",
    ];
    const SCOPES: [&str; 3] = [
        "scope host\ninclude domain:b.org depth:2\nexclude regex:\\.zip$\nmax-depth 3\n\nhttp://a.org/\nhttp://www.a.org/x/x/x\nhttp://b.org/y.zip",
        "scope prefix\nexclude surt:(org,a,)/p\nschemes https\noutlinks yes\nsessions refuse\ntrap max-parameters off\n\nhttps://a.org/q/\nhttps://a.org/q/2031/05/;jsessionid=1\nhttps://a.org/(S(lit3py55t21z5v55vlm25s55))/?a=1&a=1&a=1",
        "scope any\nmax-pages-per-host 2\ntrap max-orders-per-query 1\n\nhttp://a.org/cal?year=2031&b=2&c=3\nhttp://a.org/?b=2&a=1\nhttp://a.org/?a=1&b=2\nhttp://a.org/2024-05-06/",
    ];
    const SITEMAPS: [&str; 6] = [
        "<?xml version='1.0'?><!-- c --><urlset><url><loc>http://a.org/?b&amp;c</loc><lastmod>2005-01-01</lastmod><priority>0.8</priority></url><url><loc><![CDATA[http://a.org/2]]></loc><image:loc>http://a.org/3</image:loc>",
        "<s:sitemapindex><s:sitemap>http://a.org/1.xml</s:sitemap><s:sitemap><s:loc>/2.xml</s:loc></s:sitemap></s:sitemapindex>",
        "<rss><channel><link>http://a.org/</link><item><link>http://a.org/1</link><pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate></item></channel></rss>",
        "<feed><entry><link rel=edit href='/e'/><link href=\"http://a.org/1\"/><updated>2003-12-13T18:30:02Z</updated></entry></feed>",
        "\u{FEFF}http://a.org/1\r\nhttps://a.org/2\n# x\nftp://a.org/3",
        "<!DOCTYPE html><html><url><loc>no</loc>",
    ];
    const FIELDS: [&str; 5] = [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 +0100",
        "Sun Nov  6 08:49:37 1994",
        "120",
        "otherbot: noindex, tamis: nofollow, unavailable_after: 25 Jun 2010 15:00:00 PST, none",
    ];
    let kinds: [(u8, &[&str]); 4] = [(0, &ROBOTS), (1, &SCOPES), (2, &SITEMAPS), (3, &FIELDS)];
    let texts =
        kinds.into_iter().flat_map(|(kind, texts)| texts.iter().map(move |text| (kind, text.as_bytes())));
    let mut seeds: Vec<_> = texts.map(|(kind, text)| [&[kind], text].concat()).collect();
    for text in SITEMAPS {
        seeds.push([&[2], &*member::gzip(text.as_bytes())].concat());
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        seeds.push([&[2, 0xFF, 0xFE], &*utf16].concat());
    }
    seeds
}
