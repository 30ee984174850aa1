//! Models of events, from learning to judging.

use proptest::prelude::*;
use tamis_page::date::Date;

use super::*;
use crate::page::LinkText;

fn page(url: &str, published: (i16, u8, u8), title: &str, text: &str) -> PageText {
    let published = Date::new(published.0, published.1, published.2);
    PageText {
        title: title.into(),
        text: text.into(),
        language: Some("en".into()),
        published,
        url: url.into(),
    }
}

fn about_the_flood() -> Vec<PageText> {
    vec![
        page(
            "http://a.org/1",
            (2023, 3, 14),
            "Flood in the Orvane valley",
            "On 14 March 2023 the river broke the dykes. In Orvane Bridge rescue boats brought people from flooded houses; the dam of Selmond held.",
        ),
        page(
            "http://b.org/2",
            (2023, 3, 15),
            "Dam near Orvane Bridge holds",
            "Engineers in Orvane Bridge opened the sluices of the dam as the flood rose on March 14, 2023. Rescue teams from Selmond took people from flooded streets.",
        ),
        page(
            "http://c.org/3",
            (2023, 3, 17),
            "After the flood",
            "The water falls, and people of Orvane Bridge return to flooded houses. Rescue boats are still near Selmond, where the dykes broke on 2023-03-14.",
        ),
    ]
}

fn learnt() -> Model {
    Model::learn(&about_the_flood(), &Capitalized, LearnOptions::default())
}

#[test]
fn a_model_has_what_the_pages_share() {
    let model = learnt();
    let terms: Vec<&str> = model.terms.iter().map(|term| &*term.term).collect();
    for term in ["flood", "flooded", "rescue", "dam", "dyke"] {
        assert!(terms.contains(&term), "{term} is missing in {terms:?}");
    }
    assert!(!terms.contains(&"the") && !terms.contains(&"engineer"), "{terms:?}");
    let names: Vec<&str> = model.names.iter().map(|name| &*name.name).collect();
    assert!(names.contains(&"Orvane Bridge") && names.contains(&"Selmond"), "{names:?}");
    assert_eq!(model.dates.len(), 1, "{:?}", model.dates);
    assert!(model.dates[0].day.to_string().starts_with("2023-03-14"), "{:?}", model.dates);
    assert!((0.2..0.6).contains(&model.threshold), "{}", model.threshold);
}

#[test]
fn the_event_comes_before_its_topic_and_that_before_the_rest() {
    let scorer = Scorer::new(&learnt());
    let event = page(
        "http://d.org/",
        (2023, 3, 16),
        "Orvane Bridge",
        "Rescue boats went through flooded Orvane Bridge and Selmond after the dykes and the dam gave way to the flood.",
    );
    let topic = page(
        "http://e.org/",
        (2011, 7, 2),
        "Flood in Karlin",
        "Rescue boats went through flooded Karlin and Brunn after the dykes and the dam gave way to the flood.",
    );
    let place = page(
        "http://f.org/",
        (2023, 3, 16),
        "Orvane Bridge fair",
        "The spring fair of Orvane Bridge had cakes, horses and a choir of Selmond that sang songs of sailors.",
    );
    let other = page(
        "http://g.org/",
        (2019, 1, 1),
        "Recipes",
        "Take flour, butter and sugar, and bake it for an hour.",
    );
    let judged = [&other, &place, &topic, &event].map(|page| scorer.score(page));
    let totals = judged.map(|score| score.total);
    assert!(totals.is_sorted(), "{judged:?}");
    assert_eq!(
        judged.map(|score| scorer.is_relevant(&score)),
        [false, false, false, true],
        "{judged:?} {}",
        scorer.model().threshold
    );
    assert!(judged[2].terms > judged[0].terms && judged[1].places > 0.9, "{judged:?}");
    assert!(judged[2].dates < Some(0.01) && judged[3].dates > Some(0.5), "{judged:?}");
}

#[test]
fn days_that_are_not_named_say_nothing() {
    let scorer = Scorer::new(&learnt());
    let mut event = about_the_flood().remove(1);
    event.text = event.text.replace("on March 14, 2023", "");
    let dated = scorer.score(&event).total;
    event.published = None;
    let undated = scorer.score(&event);
    assert_eq!(undated.dates, None);
    assert!(undated.total > 0.9 * dated, "{undated:?} {dated}");
}

#[test]
fn links_promise_by_what_they_say() {
    let scorer = Scorer::new(&learnt());
    let link = |anchor: &str, around: &str| LinkText { anchor: anchor.into(), around: around.into() };
    let plain = "http://x.org/a/17";
    let hopes = [
        scorer.hope(&link("imprint", ""), plain, 0.0),
        scorer.hope(&link("imprint", ""), plain, 0.3),
        scorer.hope(&link("more", "rescue boats in flooded houses"), plain, 0.3),
        scorer.hope(&link("Rescue in flooded Orvane Bridge", "rescue boats in flooded houses"), plain, 0.3),
        scorer.hope(
            &link("Rescue in flooded Orvane Bridge", "rescue boats in flooded houses"),
            "http://x.org/2023/03/14/orvane-bridge-flood",
            0.5,
        ),
    ];
    assert!(hopes.is_sorted_by(|one, other| one < other), "{hopes:?}");
    assert!(hopes[0] < 0.05 && hopes[4] > 0.8, "{hopes:?}");
}

#[test]
fn hope_falls_with_each_irrelevant_page() {
    let scorer = Scorer::new(&learnt());
    let relevant = Relevance { total: 1.0, ..Relevance::default() };
    let nothing = Relevance::default();
    let mut hope = scorer.handed_on(&relevant, 0.0);
    for step in 0..6 {
        let next = scorer.handed_on(&nothing, hope);
        assert!(next > 0.0 && next < 0.6 * hope, "step {step}: {next} after {hope}");
        hope = next;
    }
    assert!(
        scorer.handed_on(&nothing, 1.0) < scorer.handed_on(&relevant, 1.0),
        "a promise that was not kept"
    );
}

#[test]
fn nothing_is_learnt_from_nothing() {
    for pages in [vec![], vec![PageText::default()], vec![PageText::of_text("the and of")]] {
        let model = Model::learn(&pages, &Capitalized, LearnOptions::default());
        assert!(model.terms.is_empty() && model.names.is_empty() && model.dates.is_empty(), "{model:?}");
        let score = model.score(&about_the_flood()[0]);
        assert_eq!((score.total, score.terms), (0.0, 0.0));
    }
}

#[test]
fn an_own_tagger_says_what_is_a_place() {
    struct Places;
    impl Entities for Places {
        fn each(&self, text: &str, found: &mut dyn FnMut(&str, NameKind)) {
            text.match_indices("Selmond").for_each(|(_, name)| found(name, NameKind::Place));
        }
    }
    let model = Model::learn(&about_the_flood(), &Places, LearnOptions::default());
    assert_eq!(model.names, [Name { name: "Selmond".into(), kind: NameKind::Place, weight: 1.0 }]);
}

/// Pages with the same words, each in another place or all in one, each so many days behind the one before.
fn fires(places: [&str; 5], days_between: i32) -> Vec<PageText> {
    let first = Date::new(2019, 1, 5).expect("a day").unix_days();
    let fire = |(at, place): (usize, &str)| PageText {
        title: "Warehouse fire".into(),
        text: format!(
            "Firemen fought a warehouse fire near {place} for hours. Smoke stood over {place}, and windows had to be shut."
        ),
        language: Some("en".into()),
        published: Date::from_unix_days(first + days_between * at as i32),
        url: format!("http://{at}.org/"),
    };
    places.into_iter().enumerate().map(fire).collect()
}

fn learnt_of(pages: &[PageText]) -> Model {
    Model::learn(pages, &Capitalized, LearnOptions::default())
}

#[test]
fn names_and_days_count_as_far_as_pages_agree_in_them() {
    let one = learnt_of(&fires(["Selmond"; 5], 1));
    assert!(one.parts.places > one.parts.terms && one.parts.dates > 0.1, "{:?}", one.parts);
    let many = learnt_of(&fires(["Selmond", "Karlin", "Brunn", "Orvane", "Tessin"], 2_000));
    assert_eq!((many.parts.places, many.parts.dates), (0.0, 0.0), "{many:?}");
    let elsewhere = &fires(["Nowhere"; 5], 1)[0];
    assert!(one.score(elsewhere).total < one.threshold, "{:?}", one.score(elsewhere));
    assert!(many.score(elsewhere).total >= many.threshold, "{:?}", many.score(elsewhere));
}

#[test]
fn the_threshold_is_what_pages_reach_by_the_others() {
    let alike = fires(["Selmond"; 5], 1);
    let mut mixed = alike.clone();
    mixed[3].text =
        "Rescue teams looked for survivors in Selmond on Monday while engineers inspected bridges.".into();
    mixed[4].text =
        "In Selmond insurers reckon with claims of millions, and the mayor asked for help.".into();
    let [alike, mixed] = [&alike, &mixed].map(|pages| learnt_of(pages));
    assert!(alike.threshold > 0.5, "{alike:?}");
    assert!(mixed.threshold < 0.9 * alike.threshold, "{mixed:?}");
}

#[test]
fn an_event_of_years_has_wide_days() {
    let short = learnt_of(&fires(["Selmond"; 5], 2));
    let long = learnt_of(&fires(["Selmond"; 5], 150));
    assert!(short.dates.len() == 1 && short.dates[0].spread_days < 10, "{:?}", short.dates);
    assert!(!long.dates.is_empty() && long.dates[0].spread_days > 100, "{:?}", long.dates);
}

#[test]
fn a_name_in_passing_counts_for_less() {
    let scorer = Scorer::new(&learnt());
    let filler = "Bread is baked and eaten every day. ".repeat(60);
    let early = PageText::of_text(&format!("In Orvane Bridge it rained. {filler}"));
    let late = PageText::of_text(&format!("{filler} In Orvane Bridge it rained."));
    let often = PageText::of_text(&format!("{filler} Orvane Bridge, Orvane Bridge and Orvane Bridge."));
    let [early, late, often] = [early, late, often].map(|page| scorer.score(&page).places);
    assert!((late - 0.5 * early).abs() < 1e-9 && (often - early).abs() < 1e-9, "{early} {late} {often}");
}

#[test]
fn the_same_pages_make_the_same_bytes() {
    let first = learnt().to_toml();
    for _ in 0..5 {
        assert_eq!(learnt().to_toml(), first);
    }
}

proptest! {
    #[test]
    fn scores_lie_between_0_and_1(text in ".{0,200}", title in ".{0,40}", url in ".{0,40}", hope in 0.0..1.0_f64) {
        let scorer = Scorer::new(&learnt());
        let page = PageText { title, text: format!("{text} flood Orvane Bridge"), url: url.clone(), ..PageText::default() };
        let score = scorer.score(&page);
        for value in [score.total, score.terms, score.places, score.dates.unwrap_or(0.0)] {
            prop_assert!((0.0..=1.0).contains(&value), "{:?}", score);
        }
        let link = LinkText { anchor: text.clone(), around: text };
        let hope = scorer.hope(&link, &url, scorer.handed_on(&score, hope));
        prop_assert!((0.0..=1.0).contains(&hope));
    }

    #[test]
    fn any_bytes_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..2000), kind in "text/(html|plain)") {
        let page = PageText::read(&bytes, Some(&kind), "http://x.org/");
        let model = Model::learn(&[page.clone(), page.clone()], &Capitalized, LearnOptions::default());
        prop_assert!((0.0..=1.0).contains(&model.score(&page).total));
    }
}
