//! The words of texts as columns.

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use crate::scene;

const TEXT: &str = "Angela Merkel enjoys the old town of Paris. She met Barack Obama in Chicago, and both of them said that this \
    bullshit has to end. The leaves of the trees were falling, and the children went home. Reporters of the New York Times had \
    waited for hours, but nobody spoke to them before the evening, when the meeting was over and the doors were opened.";

fn archive() -> Scene {
    let page = http_response(
        "text/html; charset=utf-8",
        format!("<html lang=en><title>A meeting</title><article><h1>A meeting</h1><p>{TEXT}</p></article>"),
    );
    let record = Record::response("http://a.example/1", page).with_digests();
    scene().file("a.warc.gz", ArchiveBuilder::new().gzip(&record).build())
}

#[test]
fn words_have_their_places_tags_stems_and_lemmas() {
    let scene = archive();
    for (name, columns) in [
        ("words-tokens", "tokens[1:12] as tokens, sentences[1:2] as sentences, text_language"),
        ("words-stems", "stems[4:6] as stems, porter_stems[4:6] as porter, lemmas[4:6] as lemmas"),
        ("words-pos", "pos[1:8] as pos"),
        ("words-masked", "masked_text"),
        ("words-names", "people, organizations"),
        ("words-places", "locations"),
        ("words-keywords", "cardinality(own_keywords) as keywords, events, relevance"),
    ] {
        scene.check(name, &format!("query a.warc.gz 'select {columns} from pages' --format jsonl"));
    }
}

#[test]
fn the_rows_of_the_reference_have_words_with_commas() {
    let scene = archive();
    let ran = scene.run("clean a.warc.gz --format tsv");
    let rows = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(rows.contains("She:PRP,met:VBD,Barack:NNP"), "{rows}");
    assert!(rows.contains("\tAngela Merkel,Barack Obama\t"), "{rows}");
}

#[test]
fn a_place_in_the_text_is_what_stands_there() {
    let scene = archive();
    let query = "select count(*) as wrong from (select text, unnest(tokens) as t from pages) \
                 where substr(text, get_field(t, $$start$$) + 1, get_field(t, $$length$$)) <> get_field(t, $$text$$) and get_field(t, $$text$$) <> $${profanity}$$";
    let ran = scene.run(&format!("query a.warc.gz '{query}' --format csv"));
    assert_eq!(String::from_utf8_lossy(&ran.stdout).trim().replace('\n', " "), "wrong 0", "{ran}");
}

#[test]
fn article_lines_go_out_and_come_back() {
    let scene = archive();
    let ran = scene.run("clean a.warc.gz --format article -o a.article");
    assert_eq!(ran.code, Some(0), "{ran}");
    let again = scene.run("clean a.article --format article -o b.article");
    assert_eq!(again.code, Some(0), "{again}");
    let read = |name: &str| std::fs::read(scene.folder().join(name)).expect("it was written");
    assert_eq!(read("a.article"), read("b.article"));
    let rows = scene.run("clean a.article --format jsonl");
    assert!(String::from_utf8_lossy(&rows.stdout).contains("\"title\":\"A meeting\""), "{rows}");
    let scene = scene.file("bad.article", "U:http://a.example/\tT:A\nno address\tT:B\n");
    scene.check("article-bad", "clean bad.article --format jsonl");
}
