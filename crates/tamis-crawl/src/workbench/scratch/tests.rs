use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

fn entries(ids: std::ops::Range<u64>) -> Vec<Entry> {
    ids.map(|id| Entry { id, score: id as f32 }).collect()
}

fn pop(scratch: &mut Scratch, chain: &mut Chain, most: usize) -> Vec<u64> {
    let mut popped = Vec::new();
    scratch.pop_front(chain, most, &mut popped).expect("the file is whole");
    popped.iter().map(|entry| entry.id).collect()
}

proptest! {
    #[test]
    fn chains_are_queues_that_share_a_file(
        steps in prop::collection::vec((0..4_u8, 0..3_usize, 1..120_u64), 0..150)
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut scratch = Scratch::create(&folder.path().join("scratch")).expect("a file");
        let mut chains = [Chain::default(); 3];
        let mut oracles = [const { VecDeque::new() }; 3];
        let mut id = 0;
        for (step, which, count) in steps {
            let (chain, oracle) = (&mut chains[which], &mut oracles[which]);
            let new = id..id + count;
            match step {
                0 => {
                    scratch.push_back(chain, &entries(new.clone())).expect("written");
                    oracle.extend(new);
                }
                1 => {
                    scratch.push_front(chain, &entries(new.clone())).expect("written");
                    new.rev().for_each(|id| oracle.push_front(id));
                }
                2 if count < 10 => {
                    scratch.clear(chain);
                    oracle.clear();
                }
                _ => {
                    let popped = pop(&mut scratch, chain, count as usize);
                    prop_assert!(!popped.is_empty() || oracle.is_empty());
                    let expected: Vec<u64> = oracle.drain(..popped.len()).collect();
                    prop_assert_eq!(popped, expected);
                }
            }
            id += count;
            prop_assert_eq!(chain.len(), oracle.len() as u64);
            if count % 7 == 0 {
                scratch.flush().expect("written");
            }
        }
        for (mut chain, oracle) in chains.into_iter().zip(oracles) {
            let mut rest = Vec::new();
            while !chain.is_empty() {
                rest.extend(pop(&mut scratch, &mut chain, 50));
            }
            prop_assert_eq!(rest, Vec::from(oracle));
        }
        prop_assert_eq!((scratch.live, scratch.len_bytes()), (0, 0));
    }
}

#[test]
fn chunks_of_dropped_and_emptied_chains_are_used_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut scratch = Scratch::create(&folder.path().join("scratch")).expect("a file");
    let mut stays = Chain::default();
    scratch.push_back(&mut stays, &entries(0..1)).expect("written");
    let mut largest = 0;
    for round in 0..20 {
        let mut chain = Chain::default();
        scratch.push_back(&mut chain, &entries(0..100_000)).expect("written");
        if round % 2 == 0 {
            scratch.clear(&mut chain);
        }
        while !chain.is_empty() {
            pop(&mut scratch, &mut chain, 50);
        }
        largest = largest.max(scratch.len_bytes());
    }
    assert_eq!(largest, (100_000_usize.div_ceil(CHUNK_ENTRIES) as u64 + 1) * CHUNK as u64);
}

#[test]
fn a_file_cut_short_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scratch");
    let mut scratch = Scratch::create(&path).expect("a file");
    let mut chain = Chain::default();
    scratch.push_back(&mut chain, &entries(0..1_000)).expect("written");
    scratch.flush().expect("written");
    File::options().write(true).open(&path).expect("a file").set_len(700).expect("cut");
    assert_eq!(pop(&mut scratch, &mut chain, 50), (0..42).collect::<Vec<u64>>());
    let error = scratch.pop_front(&mut chain, 50, &mut Vec::new()).expect_err("there is no more");
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    assert_eq!(chain.len(), 958, "an error loses nothing");
}

#[test]
fn a_file_written_over_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scratch");
    let mut scratch = Scratch::create(&path).expect("a file");
    let mut chain = Chain::default();
    scratch.push_back(&mut chain, &entries(0..1_000)).expect("written");
    scratch.flush().expect("written");
    std::fs::write(&path, vec![0xff; CHUNK * 30]).expect("written over");
    let error = scratch.pop_front(&mut chain, 50, &mut Vec::new()).expect_err("no such chunk");
    assert!(error.to_string().starts_with("the queue overflow is damaged"), "{error}");
    scratch.clear(&mut chain);
    let mut other = Chain::default();
    scratch.push_back(&mut other, &entries(0..1_000)).expect("all was free, so the file begins anew");
}
