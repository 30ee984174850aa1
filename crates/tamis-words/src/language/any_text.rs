//! Every detector takes every text.

use proptest::prelude::*;

use super::{Cld2, Detect, Words};

fn check(detector: &dyn Detect, text: &str) {
    let answer = detector.detect(text);
    assert!(answer.counts.is_sorted_by(|one, next| one.1 >= next.1), "the largest first: {answer:?}");
    assert!(
        answer.counts.iter().map(|it| u64::from(it.1)).sum::<u64>() <= u64::from(answer.total),
        "{answer:?}"
    );
    assert!(answer.languages.iter().all(|it| answer.counts.iter().any(|count| count.0 == *it)), "{answer:?}");
    let mut end = 0;
    for span in detector.spans(text) {
        assert!(
            span.range.start >= end && text.get(span.range.clone()).is_some_and(|it| !it.is_empty()),
            "{span:?}"
        );
        end = span.range.end;
    }
}

proptest! {
    #[test]
    fn any_text_has_an_answer(
        text in prop_oneof![
            any::<String>(),
            "(?s)(.|[\\x00-\\x1F]|[a-z ]{1,9}|[ぁ-龥]{1,9}|[а-я ]{1,9}|<[a-z]{0,3}|&[a-z]{0,4};?|\u{FFFE}|\u{10FFFF}){0,200}",
        ],
        times in 1_usize..60,
    ) {
        let text = text.repeat(times);
        for detector in [Words::built_in() as &dyn Detect, &Cld2::default()] {
            check(detector, &text);
        }
    }
}
