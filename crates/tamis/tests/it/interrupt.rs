//! Ctrl-C.

#[cfg(unix)]
#[test]
fn the_first_interrupt_only_raises_a_flag() {
    use std::process::{self, Command};
    use std::thread;
    use std::time::Duration;

    use tamis::interrupt;

    interrupt::watch();
    // Otherwise the other tests of this process would be ended some seconds later.
    interrupt::watch_to_the_end();
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

#[cfg(target_os = "linux")]
#[test]
fn a_query_ends_within_a_second_wherever_it_is() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    use std::{fs, thread};

    use tamis_testkit::{ArchiveBuilder, Record, http_response};

    let record = Record::response("http://a.example/", http_response("text/html", "<p>some text"));
    let archive = ArchiveBuilder::new().gzip(&record).build();
    for sql in [
        // One call for one row, which takes minutes.
        "select levenshtein(repeat(url, 20000), repeat(url, 20001)) from pages",
        // The same while the query is planned.
        "select levenshtein(repeat('abc', 200000), repeat('bca', 200001))",
        // Many batches.
        "select count(*) from generate_series(1, 100000000000000)",
        "select a.value from generate_series(1, 1000000) a cross join generate_series(1, 100000000) b",
    ] {
        for signal in ["-INT", "-TERM"] {
            let scene = crate::scene().file("a.warc.gz", &archive).file("tmp/keep", "");
            let temp = scene.folder().join("tmp");
            // Tests that run in the background ignore signals, and what they start inherits that.
            let mut child = Command::new("env")
                .args(["--default-signal", env!("CARGO_BIN_EXE_tamis"), "query", "a.warc.gz", sql])
                .args(["-o", "tmp/out.csv"])
                .current_dir(scene.folder())
                .env("TMPDIR", &temp)
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts");
            let begun = Instant::now();
            while fs::read_dir(&temp).expect("there").count() < 2 && begun.elapsed() < Duration::from_secs(20)
            {
                thread::sleep(Duration::from_millis(5));
            }
            thread::sleep(Duration::from_millis(500));
            assert_eq!(child.try_wait().expect("it runs"), None, "{sql} is still running");
            let sent =
                Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
            assert!(sent.success());
            let begun = Instant::now();
            let ended = child.wait_with_output().expect("it ends");
            let took = begun.elapsed();
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert_eq!(ended.status.code(), Some(130), "{sql}: {said}");
            // A second, and what a busy machine takes besides.
            assert!(took < Duration::from_secs(3), "{sql}: {took:?}");
            assert!(said.contains("interrupted; to resume: "), "{sql}: {said}");
            assert_eq!(scene.files(), ["a.warc.gz", "tmp/keep"], "{sql}");
        }
    }
}

/// A gzip member of 8 MB that decodes to 8 GiB: a record, and no more line ends.
#[cfg(target_os = "linux")]
fn bomb() -> Vec<u8> {
    use flate2::{Compress, Compression, FlushCompress};

    let mut deflate = Compress::new(Compression::best(), false);
    let mut piece = |bytes: &[u8]| {
        let mut out = Vec::with_capacity(1 << 20);
        deflate.compress_vec(bytes, &mut out, FlushCompress::Full).expect("room for it");
        out
    };
    let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
        WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n\
        Content-Type: application/http;msgtype=response\r\nContent-Length: 8000000000\r\n\r\n\
        HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let start = piece(head.as_bytes());
    // A full flush forgets what was before, so the same bytes can follow each other.
    let zeros = piece(&vec![0_u8; 1 << 20]);
    let mut member = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    member.extend(start);
    (0..8 << 10).for_each(|_| member.extend(&zeros));
    member
}

/// They looked up between two records only, and a record made to deceive has no end.
#[cfg(target_os = "linux")]
#[test]
fn a_record_without_an_end_keeps_no_command_from_ending() {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    let scene = crate::scene().file("a.warc.gz", bomb());
    assert_eq!(scene.run("new eclipse").code, Some(0));
    for (line, most_secs) in [
        (&["warc", "index", "a.warc.gz", "-o", "a.cdxj"][..], 1),
        (&["warc", "convert", "a.warc.gz", "-o", "b.warc"], 1),
        (&["import", "eclipse", "a.warc.gz"], 3),
    ] {
        // Tests that run in the background ignore signals, and what they start inherits that.
        let mut child = Command::new("env")
            .args(["--default-signal", env!("CARGO_BIN_EXE_tamis")])
            .args(line)
            .current_dir(scene.folder())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        thread::sleep(Duration::from_secs(1));
        assert_eq!(child.try_wait().expect("it runs"), None, "{line:?} is still reading");
        let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let begun = Instant::now();
        let ended = child.wait_with_output().expect("it ends");
        let took = begun.elapsed();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(130), "{line:?}: {said}");
        // What a busy machine takes besides: reading all of it took a minute there.
        assert!(took < Duration::from_secs(most_secs + 15), "{line:?}: {took:?}");
        // `import` copies an archive before it reads the records: a whole copy may be there, in no list, for the next import.
        for name in ["a.cdxj", "b.warc", "eclipse/index/a.warc.gz.cdxj"] {
            assert!(!scene.folder().join(name).exists(), "{line:?}: {name} is half done");
        }
    }
    let status = scene.run("status eclipse");
    assert!(matches!(status.code, Some(0 | 1)), "the collection is sound but for the copy: {status}");
}
