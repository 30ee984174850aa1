use std::collections::HashMap;

use super::*;

const SPACE_BYTES: usize = 64 << 20;

/// So many words, some of which are others.
fn text(seed: u64, words: u64, changed: u64) -> Vec<u8> {
    let word = |at: u64| {
        let seed = if at % 400 < changed { seed + 1_000_000 } else { seed };
        format!("w{}", (seed * 7919 + at).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40)
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ").into_bytes()
}

fn document(id: u64, text: &[u8]) -> Document {
    let digest = xxhash_rust::xxh3::xxh3_128(text);
    let sketches = (text.len() >= 200).then(|| Text::of(text));
    Document { id, digest, len_bytes: text.len() as u64, date: 1000 - id as i64, text: sketches }
}

fn cluster(
    folder: &Path,
    settings: Settings,
    memory_bytes: usize,
    pages: &[Document],
) -> HashMap<u64, Member> {
    let space = Space { folder: std::env::temp_dir(), memory_bytes };
    let mut clusterer = Clusterer::open(folder, settings, &space).expect("the index opens");
    for page in pages {
        clusterer.add(page).expect("it is added");
    }
    let mut members = HashMap::new();
    let mut found = |member: Member| {
        assert!(members.insert(member.id, member).is_none(), "each page once");
        Ok(())
    };
    clusterer.finish(None, &mut found).expect("they are clustered");
    members
}

fn near(jaccard: f64) -> Settings {
    Settings { near: Near::MinHash { jaccard }, keep: Keep::First }
}

/// 300 texts, each with a copy and a version in which 10 of 400 words are others.
fn planted() -> Vec<Document> {
    let versions = |seed: u64| [text(seed, 400, 0), text(seed, 400, 0), text(seed, 400, 10)];
    (0..300).flat_map(versions).zip(0..).map(|(text, id)| document(id, &text)).collect()
}

#[test]
fn copies_and_near_copies_are_found_and_the_first_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let members = cluster(folder.path(), near(0.8), SPACE_BYTES, &planted());
    assert_eq!(members.len(), 900);
    for (id, member) in &members {
        let expected = [Relation::Kept, Relation::Exact, Relation::Near][(id % 3) as usize];
        assert_eq!((member.relation, member.kept), (expected, id - id % 3), "{id}");
        assert!(member.similarity >= 0.8 && member.reason == Reason::Asked(Keep::First));
    }
}

#[test]
fn simhash_finds_them_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings { near: Near::SimHash { most_bits: 3 }, keep: Keep::First };
    let members = cluster(folder.path(), settings, SPACE_BYTES, &planted());
    let near = members.values().filter(|member| member.relation == Relation::Near).count();
    assert!(near > 60, "{near} of 300");
    assert!(
        members
            .values()
            .all(|member| member.kept == member.id - member.id % 3 || member.relation == Relation::Kept)
    );
}

#[test]
fn what_is_worth_keeping_is_kept() {
    let pages = [document(1, &text(5, 400, 0)), document(2, &text(5, 410, 0)), document(3, &text(5, 405, 0))];
    for (keep, kept) in [(Keep::First, 1), (Keep::Oldest, 3), (Keep::Longest, 2)] {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings { keep, ..near(0.8) };
        let members = cluster(folder.path(), settings, SPACE_BYTES, &pages);
        assert!(
            members.values().all(|member| member.kept == kept && member.reason == Reason::Asked(keep)),
            "{keep:?}"
        );
    }
}

#[test]
fn memory_makes_no_difference() {
    let mut results = [SPACE_BYTES, 1 << 20, 100_000].map(|memory_bytes| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut members: Vec<(u64, u64)> = cluster(folder.path(), near(0.8), memory_bytes, &planted())
            .values()
            .map(|member| (member.id, member.kept))
            .collect();
        members.sort_unstable();
        members
    });
    let first = std::mem::take(&mut results[0]);
    assert!(results[1..].iter().all(|result| *result == first));
}

#[test]
fn later_pages_are_held_against_those_that_were_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = planted();
    for (round, part) in pages.chunks(100).enumerate() {
        let again: Vec<Document> =
            part.iter().map(|page| Document { id: page.id + 10_000, len_bytes: 1 << 40, ..*page }).collect();
        let before = cluster(folder.path(), Settings { keep: Keep::Longest, ..near(0.8) }, SPACE_BYTES, part);
        let after =
            cluster(folder.path(), Settings { keep: Keep::Longest, ..near(0.8) }, SPACE_BYTES, &again);
        for member in after.values() {
            assert_eq!(
                member.relation == Relation::Near,
                before[&(member.id - 10_000)].relation == Relation::Near
            );
            assert!(member.kept < 10_000 && member.reason == Reason::Before, "{round}: {member:?}");
        }
    }
    let space = Space { folder: std::env::temp_dir(), memory_bytes: SPACE_BYTES };
    assert_eq!(Clusterer::open(folder.path(), near(0.8), &space).expect("it opens").kept(), 300);
}

#[test]
fn a_run_that_was_given_up_leaves_the_index_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = planted();
    cluster(folder.path(), near(0.8), SPACE_BYTES, &pages[..300]);
    let space = Space { folder: std::env::temp_dir(), memory_bytes: 1 << 20 };
    let mut clusterer = Clusterer::open(folder.path(), near(0.8), &space).expect("it opens");
    for page in &pages {
        clusterer.add(page).expect("it is added");
    }
    let mut left = 700;
    let failed = clusterer.finish(None, &mut |_| {
        left -= 1;
        if left == 0 { Err(io::Error::other("enough")) } else { Ok(()) }
    });
    assert_eq!(failed.expect_err("it was given up").to_string(), "enough");
    assert_eq!(Clusterer::open(folder.path(), near(0.8), &space).expect("it opens").kept(), 100);
    let members = cluster(folder.path(), near(0.8), SPACE_BYTES, &pages);
    assert_eq!(members.values().filter(|member| member.relation == Relation::Kept).count(), 200);
}

#[test]
fn an_exact_similarity_decides_if_there_is_one() {
    let pages = planted();
    for (similarity, clusters) in [(0.79, 600), (0.81, 300)] {
        let folder = tempfile::tempdir().expect("a folder");
        let space = Space { folder: std::env::temp_dir(), memory_bytes: SPACE_BYTES };
        let mut clusterer = Clusterer::open(folder.path(), near(0.8), &space).expect("it opens");
        for page in &pages {
            clusterer.add(page).expect("it is added");
        }
        let mut kept = 0;
        let mut exact = |_, _| Ok(similarity);
        let mut found = |member: Member| {
            kept += u32::from(member.relation == Relation::Kept);
            Ok(())
        };
        clusterer.finish(Some(&mut exact), &mut found).expect("they are clustered");
        assert_eq!(kept, clusters);
    }
}

#[test]
fn an_index_of_another_kind_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    cluster(folder.path(), near(0.8), SPACE_BYTES, &planted()[..3]);
    let space = Space { folder: std::env::temp_dir(), memory_bytes: SPACE_BYTES };
    let error = Clusterer::open(folder.path(), near(0.5), &space).err().expect("it is refused");
    assert!(error.to_string().contains("made with `minhash of 6 rows`"), "{error}");
}

#[test]
fn pages_without_text_are_judged_by_their_digest() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = [document(0, b"one"), document(1, b"two"), document(2, b"one")];
    let members = cluster(folder.path(), near(0.5), SPACE_BYTES, &pages);
    assert_eq!((members[&1].relation, members[&2].relation), (Relation::Kept, Relation::Exact));
}
