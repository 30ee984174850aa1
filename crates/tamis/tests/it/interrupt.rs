//! Ctrl-C.

#[cfg(unix)]
#[test]
fn the_first_interrupt_only_raises_a_flag() {
    use std::process::{self, Command};
    use std::thread;
    use std::time::Duration;

    use tamis::interrupt;

    interrupt::watch();
    interrupt::watch();
    assert_eq!(interrupt::check(), Ok(()));
    let sent = Command::new("kill").args(["-INT", &process::id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let raised = (0..500).any(|_| {
        thread::sleep(Duration::from_millis(10));
        interrupt::requested()
    });
    assert!(raised, "the flag is raised within five seconds");
    assert_eq!(interrupt::check(), Err(interrupt::Interrupted::default()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_writes_to_stdout_ends_with_a_word() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    // Tests that run in the background ignore signals, and what they start inherits that.
    let mut child = Command::new("env")
        .args(["--default-signal", env!("CARGO_BIN_EXE_tamis"), "warc", "cat", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    // More than a pipe holds: once all is taken, the program reads, and so its handler is set.
    let record = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1000000\r\n\r\n";
    stdin.write_all(record).and_then(|()| stdin.write_all(&vec![b'x'; 200_000])).expect("it reads");
    thread::sleep(Duration::from_millis(50));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let status = child.wait().expect("it ends");
    let mut said = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    assert_eq!((status.code(), said.as_str()), (Some(130), "interrupted\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_query_that_is_interrupted_leaves_nothing_behind() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    use std::{fs, thread};

    use tamis_testkit::{ArchiveBuilder, Record, http_response};

    let page = "<p>A page with some text of its own, and more of it than one would read.".repeat(3000);
    let record = Record::response("http://a.example/", http_response("text/html", &page));
    let archive = (0..400).fold(ArchiveBuilder::new(), |archive, _| archive.gzip(&record)).build();
    let scene = crate::scene().file("a.warc.gz", archive).file("tmp/keep", "");
    let temp = scene.folder().join("tmp");
    let entries = || fs::read_dir(&temp).expect("there").count();
    // Tests that run in the background ignore signals, and what they start inherits that.
    let mut child = Command::new("env")
        .args(["--default-signal", env!("CARGO_BIN_EXE_tamis"), "query", "a.warc.gz"])
        .args(["select max(text), max(full_text) from pages", "-o", "tmp/out.csv"])
        .current_dir(scene.folder())
        .env("TMPDIR", &temp)
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    while entries() < 2 && begun.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(entries(), 1, "all but what was there is gone");
}
