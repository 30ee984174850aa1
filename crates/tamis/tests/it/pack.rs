//! `tamis pack`, `tamis unpack`, and packs as inputs.

use std::fs;

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use crate::scene;

fn archive() -> Vec<u8> {
    let page = |number: usize| {
        let text =
            format!("<title>Page {number}</title><p>{}</p>", "the same words on every page ".repeat(20));
        Record::response(
            &format!("http://{}.example/{number}", ["b", "a", "c"][number % 3]),
            http_response("text/html", text),
        )
    };
    (0..30)
        .fold(ArchiveBuilder::new().gzip(&Record::warcinfo("a.warc.gz")), |builder, number| {
            builder.gzip(&page(number))
        })
        .build()
}

fn packed(profile: &str) -> Scene {
    let scene = scene().file("a.warc.gz", archive());
    let ran = scene.run(&format!("pack a.warc.gz --profile {profile}"));
    assert_eq!(ran.code, Some(0), "{ran}");
    scene
}

#[test]
fn every_byte_comes_back() {
    for profile in ["fast", "default", "archive", "record"] {
        let scene = packed(profile);
        let ran = scene.run("unpack a.warc.gz.pack -o back.warc.gz");
        assert_eq!(ran.code, Some(0), "{ran}");
        assert!(fs::read(scene.folder().join("back.warc.gz")).expect("there") == archive(), "{profile}");
        assert!(scene.run("unpack a.warc.gz.pack -o -").stdout == archive(), "{profile}");
    }
}

#[test]
fn a_pack_is_read_like_an_archive() {
    let scene = packed("default");
    let ask = |input: &str, query: &str| scene.run(&format!("query {input} '{query}' --format csv")).stdout;
    for query in [
        "select url, title, text, digest from pages order by url",
        "select host, count(*) as n from pages group by host",
    ] {
        assert_eq!(ask("a.warc.gz.pack", query), ask("a.warc.gz", query), "{query}");
    }
    let listed = String::from_utf8(scene.run("warc ls a.warc.gz.pack").stdout).expect("UTF-8");
    assert_eq!(listed.lines().count(), 31);
    let listed = scene.run("query a.warc.gz.pack 'select offset, url from pages' --format csv").stdout;
    let listed = String::from_utf8(listed).expect("UTF-8");
    let offset = listed.lines().find_map(|line| line.strip_suffix(",http://c.example/2")).expect("a row");
    let got = String::from_utf8(scene.run(&format!("warc cat a.warc.gz.pack --offset {offset}")).stdout)
        .expect("UTF-8");
    assert!(got.contains("<title>Page 2</title>"), "{got}");
}

#[test]
fn members_of_an_unknown_encoder_are_read_too() {
    // A stored block of deflate between others: what no compressor would write.
    let record =
        Record::response("http://odd.example/", http_response("text/html", "<title>Odd</title><p>odd"))
            .bytes();
    let (len, crc) = (record.len() as u16, crc32fast::hash(&record));
    let mut member = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0xff, 0xff, 1];
    member.extend([len.to_le_bytes(), (!len).to_le_bytes()].as_flattened());
    member.extend([&record[..], &crc.to_le_bytes(), &u32::from(len).to_le_bytes()].concat());
    let bytes = [archive(), member].concat();
    let scene = scene().file("a.warc.gz", &bytes);
    assert_eq!(scene.run("pack a.warc.gz").code, Some(0));
    assert!(scene.run("unpack a.warc.gz.pack -o -").stdout == bytes);
    let found = scene.run("query a.warc.gz.pack 'select count(*) as n from pages' --format csv").stdout;
    assert_eq!(String::from_utf8_lossy(&found), "n\n31\n");
}

#[test]
fn records_go_into_an_ordinary_archive_in_the_new_order() {
    let scene = scene().file("a.warc.gz", archive());
    let ran = scene.run("pack a.warc.gz --warc --order url -o ordered.warc.gz");
    assert_eq!(ran.code, Some(0), "{ran}");
    let urls =
        String::from_utf8(scene.run("query ordered.warc.gz 'select host from pages' --format csv").stdout)
            .expect("UTF-8");
    let hosts: Vec<&str> = urls.lines().skip(1).collect();
    assert!(hosts.is_sorted() && hosts.len() == 30, "{hosts:?}");
    assert_eq!(scene.run("warc check ordered.warc.gz").code, Some(0));
}

#[test]
fn what_is_no_archive_is_not_packed() {
    let scene = packed("fast").file("notes.txt", "just text\n");
    for (line, expected) in [
        ("pack notes.txt -o new.pack", "notes.txt: not an archive: no record found"),
        ("pack a.warc.gz.pack -o new.pack", "a.warc.gz.pack: already a pack"),
        ("pack a.warc.gz -o -", "a pack cannot be written to stdout"),
    ] {
        let ran = scene.run(line);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.code == Some(2) && said.contains(expected), "{ran}");
        assert!(!scene.folder().join("new.pack").exists() && !scene.folder().join("-").exists());
    }
}

#[test]
fn what_is_damaged_is_named() {
    let scene = packed("default");
    scene.check("unpack-exists", "unpack a.warc.gz.pack");
    scene.check("pack-exists", "pack a.warc.gz");
    scene.check("unpack-no-pack", "unpack a.warc.gz -o b");
    let path = scene.folder().join("a.warc.gz.pack");
    assert_eq!(scene.run("unpack a.warc.gz.pack --check").code, Some(0));
    let mut bytes = fs::read(&path).expect("there");
    let middle = bytes.len() / 3;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("writable");
    let ran = scene.run("unpack a.warc.gz.pack --check");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert_ne!(scene.run("unpack a.warc.gz.pack -o b").code, Some(0));
    assert!(!scene.folder().join("b").exists(), "nothing that is wrong is left behind");
}

#[test]
fn no_pack_is_called_sound_in_which_a_bit_is_flipped() {
    let scene = packed("fast");
    let path = scene.folder().join("a.warc.gz.pack");
    let whole = fs::read(&path).expect("there");
    assert_eq!(scene.run("warc check a.warc.gz.pack").code, Some(0));
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, bytes).expect("writable");
        let ran = scene.run("warc check a.warc.gz.pack");
        assert_eq!(ran.code, Some(1), "byte {at} of {}: {ran}", whole.len());
    }
}

#[test]
fn a_record_of_a_damaged_block_is_told_when_it_is_asked_for() {
    let scene = packed("record");
    let listed = String::from_utf8(scene.run("warc ls a.warc.gz.pack --format jsonl").stdout).expect("UTF-8");
    let offset = |line: &str| {
        let rest = line.split_once("\"offset\":").expect("an offset").1;
        rest.trim_start().chars().take_while(char::is_ascii_digit).collect::<String>()
    };
    let offsets: Vec<String> = listed.lines().map(offset).collect();
    let path = scene.folder().join("a.warc.gz.pack");
    let mut bytes = fs::read(&path).expect("there");
    // In the payload of the first block, which stands behind the header.
    bytes[60] ^= 1;
    fs::write(&path, bytes).expect("writable");
    let ran = scene.run(&format!("warc cat a.warc.gz.pack --offset {}", offsets[0]));
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.code == Some(2) && said.contains("block 0 at offset 16: damaged"), "{ran}");
    assert!(!said.contains("no record begins"), "{ran}");
    let ran = scene.run(&format!("warc cat a.warc.gz.pack --offset {}", offsets[3]));
    assert_eq!(ran.code, Some(0), "{ran}");
}

#[test]
fn a_pack_on_standard_input_is_unpacked() {
    let scene = packed("fast");
    let bytes = fs::read(scene.folder().join("a.warc.gz.pack")).expect("there");
    let scene = scene.stdin(bytes);
    let ran = scene.run("unpack - -o back.warc.gz");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(fs::read(scene.folder().join("back.warc.gz")).expect("there") == archive());
    let ran = scene.run("unpack -");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.code == Some(2) && said.contains("give the archive's path with -o"), "{ran}");
}

/// A package whose archive is not compressed gave a pack without most of its records, with exit code 0.
#[test]
fn a_pack_of_a_package_has_all_its_records_or_is_refused() {
    let record = |at: usize| {
        Record::response(
            &format!("http://a.example/{at}"),
            http_response("text/html", format!("<p>Page {at}")),
        )
    };
    let gzip = (0..20).fold(ArchiveBuilder::new(), |builder, at| builder.gzip(&record(at))).build();
    let plain = (0..20).fold(ArchiveBuilder::new(), |builder, at| builder.plain(&record(at))).build();
    let scene = scene().file("gzip.warc.gz", gzip).file("plain.warc", plain);
    for name in ["gzip.warc.gz", "plain.warc"] {
        assert_eq!(scene.run(&format!("warc wacz create {name} -o {name}.wacz")).code, Some(0), "{name}");
        let packed = scene.run(&format!("pack {name}.wacz -o {name}.pack --profile fast"));
        let said = String::from_utf8_lossy(&packed.stderr).into_owned();
        if packed.code == Some(2) {
            assert!(
                said.contains("the package has 20 records") || said.contains("no record found"),
                "{packed}"
            );
            continue;
        }
        assert_eq!(packed.code, Some(0), "{packed}");
        let ran = scene.run(&format!("query {name}.pack 'select count(*) from pages' --format csv"));
        assert!(String::from_utf8_lossy(&ran.stdout).contains("20"), "{name}: {ran}");
    }
}
