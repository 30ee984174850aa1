//! Packages of any bytes: never a panic, and what lies in one as it is is what reading gives.
//!
//! If bit 0 of the first byte is set, the rest is a recipe: files behind `~~~`, each a name, a line end and its bytes.

use std::cell::RefCell;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tamis_archive::http::DecodeLimits;
use tamis_archive::wacz::{DataPackage, PageLines, Wacz, validate};
use tempfile::NamedTempFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{archive, recipe};

const LIMITS: DecodeLimits = DecodeLimits { max_output_bytes: 100_000, max_ratio: 100 };

/// Reads the bytes as a package, as its description, and as its pages.
pub fn check(data: &[u8]) {
    let Some((&control, rest)) = data.split_first() else { return };
    let made = (control & 1 == 1).then(|| package(rest, control & 2 != 0)).flatten();
    let bytes = made.as_deref().unwrap_or(rest);
    if let Ok(package) = DataPackage::parse(rest) {
        let _ = package.text("title");
    }
    let pages = PageLines::new(rest);
    assert!(pages.count() <= rest.len(), "a page has a line");
    check_entries(bytes);
    check_validation(bytes);
}

fn check_entries(bytes: &[u8]) {
    let Ok(mut wacz) = Wacz::new(Path::new("-"), Cursor::new(bytes)) else { return };
    drop(wacz.data_package());
    for entry in wacz.entries().to_vec() {
        let range = wacz.range(&entry.name).ok().flatten();
        assert!(range.is_none() || entry.is_stored, "what is compressed lies nowhere");
        let mut read = Vec::new();
        let is_read = wacz
            .read(&entry.name)
            .is_ok_and(|file| file.take(LIMITS.max_output_bytes).read_to_end(&mut read).is_ok());
        let is_first = wacz.entry(&entry.name) == Some(&entry);
        if let Some(range) = range.filter(|_| is_read && is_first) {
            assert_eq!(bytes[range.start as usize..range.end as usize], read, "{}", entry.name);
        }
        if let Ok(pages) = wacz.pages(&entry.name) {
            let _ = pages.take(1000).count();
        }
    }
    let _ = (wacz.warcs().count(), wacz.indexes().count(), wacz.page_lists().count());
}

fn check_validation(bytes: &[u8]) {
    thread_local! {
        static FILE: RefCell<NamedTempFile> = RefCell::new(archive::new_file());
    }
    FILE.with_borrow_mut(|file| {
        let inner = file.as_file_mut();
        inner.set_len(0).expect("the file can be emptied");
        inner.seek(SeekFrom::Start(0)).expect("the file has a start");
        inner.write_all(bytes).expect("the file takes bytes");
        if let Ok(report) = validate(file.path(), LIMITS) {
            let texts: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
            assert!(report.is_valid() || !texts.is_empty());
        }
    });
}

/// The package that a recipe asks for. None where two files have one name.
#[must_use]
pub fn package(recipe: &[u8], deflated: bool) -> Option<Vec<u8>> {
    let method = if deflated { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let options = SimpleFileOptions::default().compression_method(method);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for part in recipe::parts(recipe) {
        let at = part.iter().position(|&byte| byte == b'\n').unwrap_or(part.len());
        let (name, content) = part.split_at(at);
        zip.start_file(String::from_utf8_lossy(name), options).ok()?;
        zip.write_all(content.get(1..).unwrap_or_default()).expect("memory takes all");
    }
    Some(zip.finish().ok()?.into_inner())
}
