use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;

use super::*;
use crate::Error;

/// The files below a folder with their bytes.
type Files = BTreeMap<String, String>;

fn files_below(folder: &Path) -> Files {
    let mut files = Files::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(
                files_below(&path).into_iter().map(|(below, text)| (format!("{name}/{below}"), text)),
            );
        } else {
            files.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
    files
}

fn line(url: &str, archive: &str, languages: &str) -> String {
    format!(
        r#"a)/ 2019 {{"url": "{url}", "filename": "{archive}", "charset": "UTF-8", "languages": "{languages}"}}"#
    )
}

/// Lines in no order, some twice, some bad, over archives of two folders.
fn many_lines(count: u64) -> Vec<String> {
    let mut random = 7_u64;
    let mut draw = |of: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % of
    };
    (0..count)
        .map(|_| match draw(20) {
            0 => "no line".into(),
            1 => String::new(),
            _ => {
                let url = format!("http://host-{}.example/{}", draw(50), "x".repeat(draw(60) as usize));
                line(
                    &url,
                    &format!("s/{}/a-{:05}.warc.gz", draw(2), draw(9)),
                    ["eng", "deu,fra", ""][draw(3) as usize],
                )
            }
        })
        .collect()
}

/// The same lines as three files: plain, in gzip members, and in zstd.
fn stored(folder: &Path, lines: &[String]) -> Vec<PathBuf> {
    let text = |lines: &[String]| lines.join("\n") + "\n";
    let third = lines.len() / 3;
    let mut members = Vec::new();
    for part in lines[third..2 * third].chunks(30) {
        let mut encoder = flate2::write::GzEncoder::new(&mut members, flate2::Compression::fast());
        encoder.write_all(text(part).as_bytes()).unwrap();
        encoder.finish().unwrap();
    }
    let zstd = zstd::encode_all(text(&lines[2 * third..]).as_bytes(), 1).unwrap();
    let files = [("a.cdxj", text(&lines[..third]).into_bytes()), ("b.gz", members), ("c.zst", zstd)];
    files.map(|(name, bytes)| fs::write(folder.join(name), bytes).map(|()| folder.join(name)).unwrap()).into()
}

/// The slow, obvious way: all in memory, one folder of the archives having a number of its own.
fn naive(lines: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let mut archives: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines {
        let Some((_, json)) = line.split_once("2019 ") else { continue };
        let json: BTreeMap<String, String> = serde_json::from_str(json).unwrap();
        let row = format!("{}\t{}\t{}\n", json["url"], json["languages"], json["charset"]);
        archives.entry(json["filename"].clone()).or_default().insert(row);
    }
    archives
}

fn run(inputs: &[PathBuf], output: &Path, break_at: Option<u64>) -> Result<InfoReport> {
    let mut steps = 0;
    // The least that is used: many runs come of few lines, and two are merged at once.
    write_info_files(inputs, output, &InfoOptions { memory_bytes: 0 }, |_| {
        steps += 1;
        if Some(steps) == break_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

#[test]
fn the_line_of_the_reference_is_turned_round() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("cdx-00000");
    let text = r#"1,102,30,163)/modules/mylinks/... 20190218011538 {"url":"http://163.30.102.1/modules/mylinks/...", "mime": "text/html", "mime-detected": "text/html", "status": "200", "digest": "3LTEADYEETRMLYCNYW652S3ED700FLHE", "length": "7990", "offset": "605284", "filename": ".../segments/...-00001.warc.gz", "charset": "UTF-8", "languages": "zho,eng"}
a)/ 2012 {"url": "http://a/\t\u00e9", "status": "404", "filename": ".../segments/...-00001.warc.gz"}
what is this
"#;
    fs::write(&index, text).unwrap();
    let output = folder.path().join("info");
    let report = run(std::slice::from_ref(&index), &output, None).unwrap();
    let expected = "http://163.30.102.1/modules/mylinks/...\tzho,eng\tUTF-8\nhttp://a/%09\u{e9}\t\t\n";
    let list = "info-00001.info\t.../segments/...-00001.warc.gz\t2\t71\n";
    assert_eq!(
        files_below(&output),
        [("archives.tsv", list), ("info-00001.info", expected)]
            .map(|(name, text)| (name.into(), text.into()))
            .into()
    );
    assert_eq!(
        (report.lines, report.rows, report.rows_written, report.files, report.bad_lines),
        (3, 2, 2, 1, 1)
    );
    let told = report.kept_bad_lines[0].to_string();
    assert!(told.ends_with("cdx-00000: line 3: no JSON after key and timestamp"), "{told}");
}

#[test]
fn files_are_those_of_the_obvious_way() {
    let folder = tempfile::tempdir().unwrap();
    // About 100 bytes each: several times the least memory.
    let lines = many_lines(25_000);
    let output = folder.path().join("out");
    let report = run(&stored(folder.path(), &lines), &output, None).unwrap();
    let expected = naive(&lines);
    let mut files = files_below(&output);
    let list = files.remove(LISTING).unwrap();
    assert_eq!(
        (files.len(), report.files as usize, list.lines().count()),
        (expected.len(), expected.len(), expected.len())
    );
    for listed in list.lines() {
        let [name, archive, rows, bytes] = listed.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{listed}")
        };
        let rows_of: Vec<&str> = expected[archive].iter().map(String::as_str).collect();
        assert_eq!(files[name], rows_of.concat(), "{name}");
        assert_eq!((rows, bytes), (&*rows_of.len().to_string(), &*files[name].len().to_string()));
        assert_eq!(name, format!("by-path/{archive}.info"), "both folders have archives of this name");
    }
    let bad = lines.iter().filter(|line| *line == "no line").count() as u64;
    assert_eq!((report.lines, report.bad_lines), (lines.len() as u64, bad));
    assert_eq!(report.kept_bad_lines.len(), 1000);
}

#[test]
fn a_job_that_is_stopped_anywhere_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = stored(folder.path(), &many_lines(3000));
    let whole = folder.path().join("whole");
    let expected = (run(&inputs, &whole, None).unwrap(), files_below(&whole));
    // Stopped once at each step, going on to the end; then stopped at the first step, the second, the third, …
    let mut stops = 0;
    for at in 1.. {
        let output = folder.path().join(format!("once-{at}"));
        let stopped = run(&inputs, &output, Some(at));
        if stopped.is_ok() {
            break;
        }
        assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
        // What a process that was killed would have left.
        fs::write(output.join(".info-work/part"), "half").unwrap();
        fs::write(output.join(".info-work/999.run"), "half").unwrap();
        assert_eq!((run(&inputs, &output, None).unwrap(), files_below(&output)), expected, "stopped at {at}");
        stops = at;
    }
    assert!(stops > 20, "{stops}");
    let output = folder.path().join("again");
    let report = (1..).find_map(|at| run(&inputs, &output, Some(at)).ok()).unwrap();
    assert_eq!((report, files_below(&output)), expected);
}

#[test]
fn a_file_that_lost_bytes_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = stored(folder.path(), &many_lines(3000));
    let whole = folder.path().join("whole");
    run(&inputs, &whole, None).unwrap();
    let output = folder.path().join("out");
    let mut files = 0;
    let stopped = write_info_files(&inputs, &output, &InfoOptions::default(), |progress| {
        files = if let Progress::Writing { files, .. } = progress { files } else { 0 };
        if files == 12 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(stopped, Err(Error::Interrupted)) && files == 12);
    let list = fs::read_to_string(output.join(".info-work/listing")).unwrap();
    let fifth = list.lines().nth(4).and_then(|line| line.split('\t').next()).unwrap();
    fs::write(output.join(fifth), "").unwrap();
    run(&inputs, &output, None).unwrap();
    assert_eq!(files_below(&output), files_below(&whole));
}

#[test]
fn work_goes_on_with_the_same_inputs_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, output) = (stored(folder.path(), &many_lines(3000)), folder.path().join("out"));
    assert!(matches!(run(&inputs, &output, Some(1)), Err(Error::Interrupted)));
    let told = |inputs: &[PathBuf]| {
        let error = run(inputs, &output, None).unwrap_err();
        (error.to_string(), error.hint().unwrap_or_default().to_owned())
    };
    let (why, hint) = told(&inputs[..2]);
    assert!(why.ends_with("this output was started with 3 inputs, not with 2"), "{why}");
    assert_eq!(hint, "give the same inputs to resume, or another output to start over");
    let (why, _) = told(&[inputs[1].clone(), inputs[0].clone(), inputs[2].clone()]);
    assert!(why.contains("a.cdxj, not with "), "{why}");
    let text = fs::read(&inputs[0]).unwrap();
    fs::write(&inputs[0], [&text[..], b"\n"].concat()).unwrap();
    let (why, _) = told(&inputs);
    assert!(why.ends_with("a.cdxj has changed since this output was started"), "{why}");
}

#[test]
fn files_of_other_work_are_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = stored(folder.path(), &many_lines(300));
    let output = folder.path().join("out");
    run(&inputs, &output, None).unwrap();
    let before = files_below(&output);
    let error = run(&inputs, &output, None).unwrap_err();
    assert!(error.to_string().contains("and no unfinished run to resume"), "{error}");
    assert!(error.hint().is_some());
    assert_eq!(files_below(&output), before);
}

#[test]
fn one_process_at_a_time_works_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, output) = (stored(folder.path(), &many_lines(300)), folder.path().join("out"));
    let mut told = None;
    let report = write_info_files(&inputs, &output, &InfoOptions::default(), |_| {
        told.get_or_insert_with(|| run(&inputs, &output, None).unwrap_err().to_string());
        ControlFlow::Continue(())
    });
    assert!(report.is_ok() && told.unwrap().ends_with("another process is writing to it"));
}

#[test]
fn too_many_archives_for_the_memory_are_told_and_more_memory_helps() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> =
        (0..2000).map(|n| line("http://a/", &format!("{n}-{}.warc", "x".repeat(60)), "")).collect();
    let (inputs, output) = (stored(folder.path(), &lines), folder.path().join("out"));
    let error = run(&inputs, &output, None).unwrap_err();
    assert_eq!(error.hint(), Some("raise the memory limit and run the command again; it resumes"), "{error}");
    let report =
        write_info_files(&inputs, &output, &InfoOptions::default(), |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((report.files, report.rows_written), (2000, 2000));
}

#[test]
fn an_index_without_lines_gives_an_empty_list() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("empty");
    fs::write(&index, "").unwrap();
    let output = folder.path().join("out");
    let report = run(&[index], &output, None).unwrap();
    assert_eq!(
        (report, files_below(&output)),
        (InfoReport::default(), [(LISTING.into(), String::new())].into())
    );
    assert!(run(&[folder.path().join("absent")], &output, None).is_err());
    assert!(
        run(&[folder.path().into()], &output, None)
            .unwrap_err()
            .to_string()
            .contains("is not a regular file")
    );
}
