//! What fuzzing found worth keeping, gone over again: the same checks as in the fuzz targets, on stable Rust.

use tamis_testkit::replay;

#[expect(unreachable_pub, reason = "the fuzz targets use it as a crate of its own")]
#[path = "../../../../fuzz/src/lib.rs"]
mod targets;

#[test]
fn archives_of_warc() {
    replay("warc", targets::archive::check);
}

#[test]
fn archives_of_arc() {
    replay("arc", targets::archive::check);
}

#[test]
fn http_messages() {
    replay("http", targets::http::check);
}

#[test]
fn indexes() {
    replay("cdx", targets::cdx::check);
}

#[test]
fn packages() {
    replay("wacz", targets::wacz::check);
}

#[test]
fn small_parsers() {
    replay("small", targets::small::check);
}
