//! The commands over archives, on archives made for them.

mod cat;
mod check;
mod convert;
mod extract;
mod get;
mod index;
mod ls;
mod repair;
mod stats;
mod wacz;

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response, member};

use crate::scene;

/// A page that a server compressed and sent in chunks.
fn coded_page() -> Vec<u8> {
    let gzipped = member::gzip(b"<p>coded</p>");
    let mut message =
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n\
        Transfer-Encoding: chunked\r\n\r\n"
            .to_vec();
    message.extend(format!("{:x}\r\n", gzipped.len()).bytes());
    message.extend(gzipped);
    message.extend(b"\r\n0\r\n\r\n");
    message
}

/// Every kind of record, the same in each archive but for its compression.
fn records() -> [Record; 8] {
    let page =
        Record::response("http://example.org/", http_response("text/html", "<p>page</p>")).with_digests();
    [
        Record::warcinfo("a.warc.gz"),
        Record::request("http://example.org/"),
        page.clone(),
        Record::response("http://example.org/coded?q=1", coded_page()),
        Record::response(
            "http://b.example/lost",
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n\r\nno such page",
        ),
        Record::revisit("http://example.org/", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", &page)
            .with("WARC-Date", "2024-03-01T00:00:00Z"),
        Record::resource("file:///tmp/shot.png", "image/png", b"\x89PNG\r\n\x1a\n"),
        Record::metadata("http://example.org/", "fetchTimeMs: 12\r\n"),
    ]
}

fn gzip_archive() -> Vec<u8> {
    records().iter().fold(ArchiveBuilder::new(), ArchiveBuilder::gzip).build()
}

fn plain_archive() -> Vec<u8> {
    records().iter().fold(ArchiveBuilder::new(), ArchiveBuilder::plain).build()
}

/// A sound archive in two forms, one with damage in the middle, one cut at its end, and an empty one.
fn archives() -> Scene {
    let [info, request, page, ..] = records();
    let damaged =
        ArchiveBuilder::new().gzip(&info).part(&member::gzip_bad_data(&request.bytes())).gzip(&page).build();
    let cut = ArchiveBuilder::new().gzip(&info).gzip(&page).clipped_by(30).build();
    scene()
        .file("a.warc.gz", gzip_archive())
        .file("b.warc", plain_archive())
        .file("damaged.warc.gz", damaged)
        .file("cut.warc.gz", cut)
        .file("empty.warc", "")
}

/// Many pages, so that there are several pieces to read: what is in them does not compress.
fn large_archive() -> Vec<u8> {
    let mut state = 1_u64;
    let mut noise = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let mut archive = ArchiveBuilder::new();
    for n in 0..40 {
        let body: Vec<u8> = (0..200_000).flat_map(|_| noise().to_le_bytes()).collect();
        let url = format!("http://host{}.example/{n}", n % 7);
        archive = archive.plain(&Record::response(&url, http_response("application/octet-stream", body)));
    }
    archive.build()
}
