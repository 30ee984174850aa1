//! Info files in a process that is killed again and again.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use tamis_archive::cdx::info::{InfoOptions, write_info_files};

/// The folder of the work, for the process that is killed.
const FOLDER: &str = "TAMIS_TEST_INFO_FOLDER";

fn index(folder: &Path) -> Vec<PathBuf> {
    let mut random = 1_u64;
    let write = |file: u32| {
        let mut text = String::new();
        for line in 0..15_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (url, archive) = ((random >> 40) % 5000, (random >> 20) % 300);
            let json = format!(r#"{{"url": "http://a/{url}", "filename": "a-{archive:05}.warc.gz"}}"#);
            writeln!(text, "a)/ 2019 {}", if line % 999 == 0 { "bad" } else { &json }).expect("memory");
        }
        let path = folder.join(format!("cdx-{file:05}"));
        fs::write(&path, text).expect("writable");
        path
    };
    (0..3).map(write).collect()
}

fn work(folder: &Path, output: &str) -> String {
    let inputs: Vec<PathBuf> = (0..3).map(|file| folder.join(format!("cdx-{file:05}"))).collect();
    let options = InfoOptions { memory_bytes: 128 << 10 };
    let report = write_info_files(&inputs, &folder.join(output), &options, |_| ControlFlow::Continue(()));
    format!("{:?}", report.expect("is written"))
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().map(OsStr::to_string_lossy).unwrap_or_default().into_owned();
    entries.map(|path| (name(&path), fs::read(&path).unwrap_or_default())).collect()
}

/// Not a test of its own: it is what the test below starts and kills.
#[test]
#[ignore = "is started by another test"]
fn work_until_killed() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        work(Path::new(&folder), "killed");
    }
}

#[test]
fn a_process_that_is_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    index(folder.path());
    let whole = work(folder.path(), "whole");
    let mut kills = 0;
    // Longer each time, so that it comes to an end on a slow machine, too.
    for wait_ms in (20..).step_by(15) {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "info_files::work_until_killed", "--ignored"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        thread::sleep(Duration::from_millis(wait_ms));
        let is_done = child.try_wait().expect("is ours").is_some();
        child.kill().expect("is ours");
        let status = child.wait().expect("is ours");
        if is_done {
            assert!(status.success());
            break;
        }
        kills += 1;
        // Killed between its last write and its end: there is nothing to go on with.
        let output = folder.path().join("killed");
        if output.join("archives.tsv").exists() && !output.join(".info-work").exists() {
            break;
        }
    }
    assert!(kills > 0);
    assert_eq!(files(&folder.path().join("killed")), files(&folder.path().join("whole")));
    assert!(whole.contains("files: 300") && whole.contains("bad_lines: 48"), "{whole}");
}
