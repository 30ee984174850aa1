use proptest::prelude::*;

use super::*;

fn country(phrase: &str, context: &Context) -> Option<&'static str> {
    resolve(phrase, context).map(|place| place.country)
}

#[test]
fn the_likeliest_reading_comes_first() {
    for (phrase, code, kind) in [
        ("London", "GB", Kind::City),
        ("Paris", "FR", Kind::City),
        ("Springfield", "US", Kind::City),
        ("Texas", "US", Kind::Region),
        ("Bavaria", "DE", Kind::Region),
        ("France", "FR", Kind::Country),
        ("the Netherlands", "NL", Kind::Country),
        ("USA", "US", Kind::Country),
        ("U.S.", "US", Kind::Country),
        ("UK", "GB", Kind::Country),
        ("Deutschland", "DE", Kind::Country),
        ("New York", "US", Kind::City),
        ("Oklahoma", "US", Kind::Region),
        ("Quebec", "CA", Kind::Region),
        ("St. Louis", "US", Kind::City),
        ("Sao Paulo", "BR", Kind::City),
        ("ZÜRICH", "CH", Kind::City),
        ("Munich", "DE", Kind::City),
        ("Москва", "RU", Kind::City),
        ("東京", "JP", Kind::City),
        ("Ulm", "DE", Kind::City),
        ("Mexico", "MX", Kind::Country),
        ("Paris, Texas", "US", Kind::City),
        ("Paris, TX", "US", Kind::City),
        ("London, Ontario, Canada", "CA", Kind::City),
        ("London, Nowhere", "GB", Kind::City),
    ] {
        let place = resolve(phrase, &Context::default()).unwrap_or_else(|| panic!("{phrase} is known"));
        assert_eq!((place.country, place.kind), (code, kind), "{phrase}: {place:?}");
    }
}

#[test]
fn words_and_unknown_names_are_no_places() {
    let wider = ["Europe", "ASIA", "South America", "the West", "West"];
    for phrase in ["us", "in", "", " ", ",", "Xyzzyville", "\u{1}tx", "TX", "\u{1}"].into_iter().chain(wider)
    {
        assert_eq!(resolve(phrase, &Context::default()), None, "{phrase:?}");
    }
}

#[test]
fn a_context_speaks_for_its_country() {
    let none = Context::default();
    assert_eq!(country("Birmingham", &none), Some("GB"));
    assert_eq!(country("Birmingham", &Context::of_names(["Alabama", "Atlanta"])), Some("US"));
    assert_eq!(country("Georgia", &none), Some("GE"));
    assert_eq!(country("Georgia", &Context::of_names(["Atlanta", "Savannah", "Florida"])), Some("US"));
    assert_eq!(country("Córdoba", &none.clone().with_country("ES")), Some("ES"));
    assert_eq!(country("Córdoba", &none.with_country("ar")), Some("AR"));
}

#[test]
fn confidence_is_shared_among_the_readings() {
    let found = readings("Springfield", &Context::default());
    assert!(found.len() > 3, "{found:?}");
    assert!(found.is_sorted_by(|one, other| one.confidence >= other.confidence));
    let sum: f32 = found.iter().map(|place| place.confidence).sum();
    assert!(sum < 1.0 && found[0].confidence < 0.7, "{found:?}");
    let sure = resolve("Tokyo", &Context::default()).expect("a place");
    assert!(sure.confidence > 0.9, "{sure:?}");
}

#[test]
fn places_are_where_they_are() {
    for (phrase, latitude, longitude) in [
        ("Tokyo", 35.69, 139.69),
        ("Cape Town", -33.93, 18.42),
        ("Honolulu", 21.31, -157.86),
        ("Iceland", 65.0, -18.0),
    ] {
        let place = resolve(phrase, &Context::default()).expect("a place");
        assert!((place.latitude - latitude).abs() < 0.02, "{place:?}");
        assert!((place.longitude - longitude).abs() < 0.02, "{place:?}");
    }
}

#[test]
fn a_damaged_model_is_none() {
    for bytes in
        [&b""[..], &MAGIC, b"tamispl\x01\x01\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\0\0\0\0\0\0\0\0\0\0"]
    {
        assert!(Model::read(bytes).is_none());
    }
}

#[test]
fn hostile_names_take_linear_time() {
    for piece in ["a", "\u{301}", ",", "Paris, "] {
        let name = piece.repeat((10 << 20) / piece.len());
        assert_eq!(resolve(&name, &Context::default()), None);
        assert!(normal(&name).len() <= name.len());
    }
}

proptest! {
    #[test]
    fn any_name_may_be_looked_up(name in "\\PC{0,20}|[A-Z][a-z]{1,6}(, [A-Z][a-z]{0,6}){0,3}") {
        for place in readings(&name, &Context::of_names([name.as_str()])) {
            prop_assert!(place.confidence > 0.0 && place.confidence < 1.0);
            prop_assert!(place.country.len() == 2);
        }
    }
}
