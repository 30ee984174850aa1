//! Indexes of other tools lead to their records.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use tamis_archive::captures::{CaptureOptions, Captures, Payload};
use tamis_archive::cdx::{Index, MatchType, Query};
use tamis_archive::{Error, ScanOptions, Source};

use crate::data::unpacked;

fn captures(index: &Path, archives: &[&str], folder: &Path) -> Captures {
    let options = CaptureOptions { scan: ScanOptions::default(), sort_folder: std::env::temp_dir() };
    let mut captures = Captures::new(options);
    let sources = archives.iter().map(|name| ((*name).to_owned(), Source::file(folder.join(name))));
    captures.add_indexed(Index::open([index]).expect("an index"), sources);
    captures
}

#[test]
fn every_line_of_an_index_leads_to_its_record() {
    let Some(root) = unpacked("warc/pywb") else { return };
    for (index, archive, count) in [
        ("cdxj/iana.cdxj", "iana.warc.gz", 171),
        ("cdx/iana.cdx", "iana.warc.gz", 171),
        ("cdxj/dupes.cdxj", "dupes.warc.gz", 12),
        ("cdx/dupes.cdx", "dupes.warc.gz", 12),
        ("cdxj/example.cdxj", "example.warc.gz", 3),
        ("cdx/example.cdx", "example.warc.gz", 3),
        ("cdxj/example-no-digest.cdxj", "example.warc.gz", 3),
        ("cdxj/example2.cdxj", "example2.warc.gz", 1),
        ("cdx/httpbin-resource.cdxj", "httpbin-resource.warc.gz", 1),
    ] {
        let captures = captures(&root.join(index), &[archive], &root.join("warcs"));
        let mut watch = |_: tamis_archive::captures::Event<'_>| ControlFlow::Continue(());
        let mut read = 0;
        for url in ["com", "org"] {
            let query = Query { match_type: MatchType::Domain, url: url.into(), ..Query::default() };
            let mut listing = captures.list(&query, &mut watch).expect(index);
            while let Some(capture) = listing.next_capture().expect(index) {
                let taken = captures.read(&capture, |mut record| {
                    record.body.read_to_end(&mut Vec::new()).map_err(Error::io(archive))
                });
                taken.unwrap_or_else(|error| panic!("{index}: {error}"));
                read += 1;
            }
        }
        assert_eq!(read, count, "{index}");
    }
}

#[test]
fn a_revisit_of_another_url_is_resolved_in_another_archive() {
    let Some(root) = unpacked("warc/pywb") else { return };
    let archives = ["example-url-agnostic-orig.warc.gz", "example-url-agnostic-revisit.warc.gz"];
    let captures = captures(&root.join("cdxj/url-agnost-example.cdxj"), &archives, &root.join("warcs"));
    let mut watch = |_: tamis_archive::captures::Event<'_>| ControlFlow::Continue(());
    let found = captures.nearest(&Query::exact("http://test@example.com/"), &mut watch).expect("it looks");
    let capture = found.capture.expect("a capture");
    let payload = captures.payload(&capture, &mut watch).expect("it looks");
    let Payload::Of(original) = payload else { panic!("{payload:?}") };
    assert_eq!(original.entry.filename, archives[0]);
    assert!(captures.read(&original, |_| Ok::<_, Error>(())).is_ok());
}
