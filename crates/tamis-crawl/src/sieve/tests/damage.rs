//! Files that are not what was written.

use std::fs;

use super::*;

/// A sieve with some URLs that are decided, and some that are not, all brought to the disk.
fn made(kind: SieveKind) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let options = SieveOptions { durability: Durability::Power, ..options(100_000) };
    let mut sieve = open(kind, folder.path(), options).expect("opens");
    offer_all(&mut *sieve, &many(100));
    sieve.flush().expect("flushes");
    offer_all(&mut *sieve, &many(200));
    sieve.settle(Durability::Power).expect("settles");
    folder
}

fn files(kind: SieveKind) -> &'static [&'static str] {
    match kind {
        SieveKind::Mercator | SieveKind::Offline => &["urls", "seen", "offered"],
        _ => &["urls"],
    }
}

/// Opens the sieve, decides what is left, and reads the log.
fn use_all(kind: SieveKind, folder: &Path) -> Result<usize> {
    let mut sieve = open(kind, folder, options(100_000))?;
    sieve.flush()?;
    let (mut cursor, mut urls) = (sieve.log().cursor(UrlId::FIRST), 0);
    while cursor.next_url()?.is_some() {
        urls += 1;
    }
    Ok(urls)
}

fn change(path: &Path, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("reads");
    change(&mut bytes);
    fs::write(path, bytes).expect("writes");
}

fn each_file(check: impl Fn(SieveKind, &Path, &Path)) {
    for kind in SieveKind::ALL {
        for file in files(kind) {
            let folder = made(kind);
            check(kind, folder.path(), &folder.path().join(file));
        }
    }
}

#[test]
fn another_byte_anywhere_is_found() {
    for kind in SieveKind::ALL {
        for file in files(kind) {
            let folder = made(kind);
            let path = folder.path().join(file);
            let sound = fs::read(&path).expect("reads");
            // The store of `lsm` is not made to be opened a hundred times.
            let step = if kind == SieveKind::Lsm { 499 } else { 83 };
            for at in (0..sound.len()).step_by(step) {
                let other = tempfile::tempdir().expect("a folder");
                kill::copy_folder(folder.path(), other.path());
                change(&other.path().join(file), |bytes| bytes[at] ^= 0x10);
                let outcome = use_all(kind, other.path());
                let found = matches!(outcome, Err(Error::Damaged { .. } | Error::Version { .. }));
                assert!(found, "{kind}: {file} at {at}: {outcome:?}");
            }
        }
    }
}

#[test]
fn a_newer_version_is_named() {
    each_file(|kind, folder, path| {
        change(path, |bytes| bytes[8] = 9);
        let error = use_all(kind, folder).expect_err("unknown");
        let name = path.display();
        assert_eq!(error.to_string(), format!("{name}: format version 9; this tamis reads up to 1"));
        assert_eq!(error.hint(), Some("use the newer tamis that wrote it"));
    });
}

#[test]
fn a_file_that_lost_its_end_is_found() {
    each_file(|kind, folder, path| {
        for kept in [0.1, 0.5, 0.9] {
            let other = tempfile::tempdir().expect("a folder");
            kill::copy_folder(folder, other.path());
            let file = other.path().join(path.file_name().expect("a name"));
            change(&file, |bytes| bytes.truncate((bytes.len() as f64 * kept) as usize));
            let outcome = use_all(kind, other.path());
            assert!(
                matches!(outcome, Err(Error::Damaged { .. })),
                "{kind}: {} {kept}: {outcome:?}",
                path.display()
            );
        }
    });
}

#[test]
fn a_log_without_its_signatures_is_not_cut() {
    for kind in [SieveKind::Mercator, SieveKind::Offline] {
        let folder = made(kind);
        fs::remove_file(folder.path().join("seen")).expect("removes");
        let before = fs::metadata(folder.path().join("urls")).expect("is there").len();
        let error = use_all(kind, folder.path()).expect_err("missing");
        assert!(error.to_string().ends_with("the file is missing, but URLs were committed"), "{error}");
        assert_eq!(fs::metadata(folder.path().join("urls")).expect("is there").len(), before);
    }
}

#[test]
fn the_sieve_of_a_folder_stays_what_it_is() {
    for kind in SieveKind::ALL {
        let folder = made(kind);
        for other in SieveKind::ALL.into_iter().filter(|&other| other != kind) {
            let error = use_all(other, folder.path()).expect_err("another kind");
            assert!(matches!(error, Error::Kind { found, asked, .. } if found == kind && asked == other));
            assert!(error.hint().is_some());
        }
        use_all(kind, folder.path()).expect("still sound");
    }
}

/// What a failing machine may leave behind what was brought to the disk.
#[test]
fn garbage_behind_what_is_on_disk_is_cut_and_counted() {
    for kind in [SieveKind::Memory, SieveKind::Bloom, SieveKind::Lsm] {
        let folder = made(kind);
        change(&folder.path().join("urls"), |bytes| bytes.extend([0; 5000]));
        let sieve = reopen(kind, folder.path(), 100_000);
        assert_eq!(sieve.stats().cut_bytes, 5000, "{kind}");
        check(kind, &*sieve, &oracle(&many(200)), "zeros");
    }
}

#[test]
fn files_of_version_1_are_read() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sieve/fixtures");
    for kind in [SieveKind::Memory, SieveKind::Offline, SieveKind::Mercator] {
        let folder = tempfile::tempdir().expect("a folder");
        kill::copy_folder(&fixtures.join(format!("{kind}-1")), folder.path());
        let mut sieve = reopen(kind, folder.path(), 100_000);
        sieve.flush().expect("flushes");
        check(kind, &*sieve, &oracle(&many(30)), "an old folder");
    }
}
