//! `tamis dedup`.

use tamis_testkit::{ArchiveBuilder, Record, Scene, arc, http_response};

use crate::scene;

const TEXT: &str = "A sieve is a frame with a cloth of hair or wire, and what falls through it is fine. In the kitchen it \
    parts flour from bran; at the river it parts gold from sand, and patience from haste. Nobody has ever seen a sieve in a \
    hurry, and those who shake it too much find all of the stones in the bread of the next morning.";

fn page(text: &str) -> Vec<u8> {
    http_response(
        "text/html",
        format!("<title>Sieves</title><article><h1>Sieves</h1><p>{text}</p></article>"),
    )
}

fn archive(pages: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let add = |builder: ArchiveBuilder, (url, page): &(&str, Vec<u8>)| {
        builder.gzip(&Record::response(url, page.clone()).with_digests())
    };
    pages.iter().fold(ArchiveBuilder::new(), add).build()
}

/// Of each kind one: the same bytes, nearly the same text, another text.
fn archives() -> Scene {
    let other = TEXT.split(' ').rev().collect::<Vec<_>>().join(" ");
    let near = TEXT.replace("hurry", "haste");
    scene()
        .file(
            "a.warc.gz",
            archive(&[("http://a.example/1", page(TEXT)), ("http://a.example/2", page(&other))]),
        )
        .file(
            "b.warc.gz",
            archive(&[("http://b.example/same", page(TEXT)), ("http://b.example/near", page(&near))]),
        )
}

const LIST: &str = "--format csv";

#[test]
fn duplicates_of_archives_are_told() {
    let scene = archives();
    scene.check("dedup", "dedup a.warc.gz b.warc.gz");
    scene.check("dedup-list", &format!("dedup a.warc.gz b.warc.gz {LIST}"));
    scene.check("dedup-exact", "dedup a.warc.gz b.warc.gz --near none");
    scene.check("dedup-none", "dedup a.warc.gz");
}

#[test]
fn the_table_of_duplicates_is_there_once_they_were_looked_for() {
    let scene = archives();
    scene.check("dedup-no-table", "query a.warc.gz 'select count(*) from duplicates'");
    for line in ["new c", "import c a.warc.gz", "dedup c --near simhash:2", "import c b.warc.gz"] {
        assert_eq!(scene.run(line).code, Some(0), "{line}");
    }
    let again = scene.run("dedup c");
    assert_eq!(again.code, Some(0), "the rule of before holds: {again}");
}

/// The page that is kept was the one whose record was stored in more bytes, so it depended on the compression.
#[test]
fn the_longest_page_is_the_same_however_records_are_stored() {
    let image = |url: &str, header: &str| {
        let content_type = format!("image/png\r\nX-Id: {header}");
        Record::response(url, http_response(&content_type, b"\x89PNG the same picture")).with_digests()
    };
    let noise: Vec<String> =
        (0..40_u32).map(|at| format!("{:08x}", at.wrapping_mul(2_654_435_761))).collect();
    let noise = noise.concat();
    let records =
        [image("http://a.example/first", &noise), image("http://a.example/second", &"a".repeat(2000))];
    let plain = records.iter().fold(ArchiveBuilder::new(), ArchiveBuilder::plain).build();
    let gzip = records.iter().fold(ArchiveBuilder::new(), ArchiveBuilder::gzip).build();
    let scene = scene().file("plain.warc", plain).file("gzip.warc.gz", gzip);
    for archive in ["plain.warc", "gzip.warc.gz"] {
        let ran = scene.run(&format!("dedup {archive} --keep longest --format jsonl"));
        let rows = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(rows.contains(r#""kept_url":"http://a.example/first""#), "{archive}: {ran}");
        assert_eq!(rows.lines().count(), 1, "{archive}: {ran}");
    }
}

#[test]
fn rules_that_are_none_are_refused() {
    let scene = archives();
    scene.check("dedup-bad-rule", "dedup a.warc.gz --near fuzzy");
    scene.check("dedup-bad-keep", "dedup a.warc.gz --keep best");
}

#[test]
fn status_says_what_was_compared_and_what_was_not() {
    let scene = archives();
    let status = |expected: &[&str], code: i32| {
        let ran = scene.run("status c");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(expected.iter().all(|part| said.contains(part)), "{expected:?}: {said}");
        assert_eq!(ran.code, Some(code), "{said}");
    };
    scene.run("new c");
    scene.run("import c a.warc.gz");
    status(&["dedup not run yet", "2 captures not compared yet; `tamis dedup c` compares them"], 0);
    scene.run("dedup c");
    scene.run("import c b.warc.gz");
    status(&["2 pages compared: 0 exact duplicates, 0 near duplicates", "2 captures not compared yet"], 0);
    scene.run("dedup c");
    status(&["4 pages compared: 1 exact duplicate, 1 near duplicate\n"], 0);
    let jsonl = String::from_utf8_lossy(&scene.run("status c --format jsonl").stdout).into_owned();
    assert!(
        jsonl.contains(
            r#"{"captures_not_compared":0,"exact":1,"kept":2,"kind":"duplicates","near":1,"pages":4}"#
        ),
        "{jsonl}"
    );
    let manifest = scene.folder().join("c/dedup/_manifest.json");
    let text = std::fs::read_to_string(&manifest).expect("written");
    std::fs::write(&manifest, text.replace("\"exact\": 1", "\"exact\": 0")).expect("writable");
    status(&["to fix", "_manifest.json: wrong checksum; `tamis dedup c --redo` finds duplicates again"], 1);
    std::fs::remove_file(&manifest).expect("removable");
    status(&["to fix", "it is missing", "tamis dedup c --redo"], 1);
}

#[test]
fn a_collection_compares_new_archives_with_what_is_kept() {
    let scene = archives();
    let rows = |query: &str| {
        String::from_utf8(scene.run(&format!("query c '{query}' --format csv")).stdout).expect("UTF-8")
    };
    scene.run("new c");
    scene.run("import c a.warc.gz");
    scene.check("dedup-collection", "dedup c");
    scene.run("import c b.warc.gz");
    scene.check("dedup-collection-more", "dedup c");
    scene.check("dedup-collection-again", "dedup c");
    scene.check("dedup-collection-other-rule", "dedup c --near simhash:3");
    let kept = rows("select url from pages where duplicate_of is null");
    assert_eq!(kept, "url\nhttp://a.example/1\nhttp://a.example/2\n");
    let found =
        rows("select url, duplicate_kind, similarity = 1 as same from pages where duplicate_of is not null");
    assert_eq!(
        found,
        "url,duplicate_kind,same\nhttp://b.example/same,exact,true\nhttp://b.example/near,near,false\n"
    );
    assert_eq!(
        rows("select kept_url, why, count(*) as n from duplicates group by kept_url, why"),
        "kept_url,why,n\nhttp://a.example/1,kept before,2\n"
    );
    // All at once gives the same.
    scene.run("dedup c --redo");
    assert_eq!(rows("select url from pages where duplicate_of is null"), kept);
}

/// Its captures counted as compared, so later answers were silently wrong.
#[test]
fn an_archive_that_is_missing_is_not_compared_and_not_taken_for_compared() {
    let scene = archives();
    for line in ["new c", "import c a.warc.gz", "import c b.warc.gz --reference"] {
        assert_eq!(scene.run(line).code, Some(0), "{line}");
    }
    let (there, away) = (scene.folder().join("b.warc.gz"), scene.folder().join("away"));
    std::fs::rename(&there, &away).expect("movable");
    let ran = scene.run("dedup c");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.code == Some(2) && said.contains("b.warc.gz is missing; skipped"), "{ran}");
    std::fs::rename(&away, &there).expect("movable");
    let asked = "query c 'select url from pages where duplicate_of is not null' --format csv";
    let ran = scene.run(asked);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.code == Some(2) && said.contains("2 captures of 1 archive not compared yet"), "{ran}");
    assert_eq!(scene.run("dedup c").code, Some(0));
    let ran = scene.run(asked);
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "url\nhttp://b.example/same\nhttp://b.example/near\n");
}

/// All captures of a compressed member had the verdict, and the computed columns, of one of them.
#[test]
fn captures_that_share_a_compressed_member_are_told_apart() {
    let other = TEXT.split(' ').rev().collect::<Vec<_>>().join(" ");
    let pages =
        [("http://s.example/1", &other[..]), ("http://s.example/2", TEXT), ("http://s.example/3", &other)];
    let records = pages.map(|(url, text)| Record::response(url, page(text)).with_digests());
    let scene = archives().file("solid.warc.gz", ArchiveBuilder::new().gzip_shared(&records).build());
    for line in ["new c", "import c a.warc.gz solid.warc.gz", "clean c --columns url", "dedup c"] {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(0), "{line}: {ran}");
    }
    let rows = |sql: &str| {
        let ran = scene.run(&format!("query c '{sql}' --format csv"));
        assert_eq!(ran.code, Some(0), "{ran}");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let ids = rows("select id, url, duplicate_of from pages where file = $$solid.warc.gz$$");
    let of_a = rows("select id from pages where file = $$a.warc.gz$$");
    let of_a: Vec<&str> = of_a.lines().skip(1).collect();
    assert_eq!(
        ids,
        format!(
            "id,url,duplicate_of\nsolid.warc.gz:0,http://s.example/1,{1}\nsolid.warc.gz:0+1,http://s.example/2,{0}\n\
             solid.warc.gz:0+2,http://s.example/3,{1}\n",
            of_a[0], of_a[1]
        )
    );
    let joined = rows("select p.url from pages p join duplicates d on p.id = d.id order by p.url");
    assert_eq!(joined, "url\nhttp://s.example/1\nhttp://s.example/2\nhttp://s.example/3\n");
    // The URL is kept, the source is not.
    let sound = rows(
        "select html like $$%parts flour from bran%$$ as sound from pages where url = $$http://s.example/2$$",
    );
    assert_eq!(sound, "sound\ntrue\n");
}

/// Captures that nobody compared are in no row of the table, so what it lacks looked like what is unique.
#[test]
fn the_table_of_duplicates_says_what_was_not_compared() {
    let scene = archives();
    for line in ["new c", "import c a.warc.gz", "dedup c", "import c b.warc.gz"] {
        assert_eq!(scene.run(line).code, Some(0), "{line}");
    }
    let asked = "select url from captures where id not in (select id from duplicates)";
    let ran = scene.run(&format!("query c '{asked}' --format csv"));
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.code == Some(2) && said.contains("2 captures not compared yet"), "{ran}");
    let ran = scene.run("query c b.warc.gz 'select count(*) from duplicates' --format csv");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.code == Some(2) && said.contains("1 archive not in a collection"), "{ran}");
    // A word in a text is no table.
    assert_eq!(scene.run("query c 'select $$duplicates$$' --format csv").code, Some(0));
    let ran = scene.run("report c --force");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.code == Some(2) && said.contains("2 captures not compared yet"), "{ran}");
    assert_eq!(scene.run("dedup c").code, Some(0));
    assert_eq!(scene.run(&format!("query c '{asked}' --format csv")).code, Some(0));
}

/// An ARC states no digests, so the second copy of each record was kept.
#[test]
fn copies_of_an_arc_are_exact_duplicates() {
    let arc: Vec<u8> = arc::version_block_1_0("a.arc")
        .into_iter()
        .chain((0..5).flat_map(|at| {
            let body = format!("<p>{at} {TEXT}</p>");
            arc::record(&format!("http://a.example/{at}"), "text/html", &http_response("text/html", body))
        }))
        .collect();
    let scene = scene().file("a.arc", &arc).file("b.arc", &arc);
    let ran = scene.run("dedup a.arc b.arc --near none --format csv");
    let rows = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert_eq!(rows.lines().filter(|line| line.contains("exact")).count(), 5, "{ran}");
    let digests = |line: &str| scene.run(line).stdout;
    let stated = digests("query a.arc 'select digest from pages order by url' --format csv");
    let index = String::from_utf8_lossy(&digests("warc index a.arc")).into_owned();
    for digest in String::from_utf8_lossy(&stated).lines().skip(1) {
        assert!(index.contains(digest.trim_start_matches("sha1:")), "{digest}: {index}");
    }
}
