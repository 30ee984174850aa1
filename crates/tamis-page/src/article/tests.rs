use super::*;

#[test]
fn markup_is_one_line() {
    let made = Article { html: "a\t\n\r\n\nb\nc\n".to_owned(), ..Article::default() };
    assert_eq!(made.to_string(), "U:\tT:\tF:\tC:\tH:a*NL*b*NL*c*NL*");
    assert_eq!(Article::parse("U:x\tH:a*NL*b").map(|read| read.html), Ok("a\nb".to_owned()));
}

#[test]
fn faults_are_named() {
    for (line, message) in [
        ("", "the line has no field `U:`"),
        ("U:a\tL:1:x:http://b", "field 2: `L:1:x:http://b` is not `L:start:length:address`"),
        ("U:a\tQ:::b", "field 2: `Q:::b` is not `Q:start:length:text`"),
        ("U:a\tG:much", "field 2: `G:much` is not `G:share:T or F:language:probability`"),
    ] {
        assert_eq!(Article::parse(line).map_err(|error| error.to_string()), Err(message.to_owned()));
    }
    let odd = Article::parse("X:1\tU:a\tno name\t").expect("it has an address");
    assert_eq!(odd.other, ["X:1", "no name"]);
}

#[test]
fn repair_moves_places_with_the_text() {
    let line = "U:http://a.example/\tC:der mann sagte ` grã¼ãÿe aus kã¶ln ' und ging nach mã¼nchen\tG:1:T:de:0.9\
                \tL:51:8:http://b.example/\tL:::http://c.example/\tQ:17:17:grã¼ãÿe aus kã¶ln";
    let mut old = Article::parse(line).expect("a line");
    let before: String = old.text.chars().skip(51).take(8).collect();
    assert_eq!(before, "mã¼nchen");
    old.repair(crate::date::Date::new(2009, 6, 1));
    let after = |place: Place| old.text.chars().skip(place.start).take(place.length).collect::<String>();
    assert_eq!(old.links[0].place.map(after).as_deref(), Some("münchen"));
    assert_eq!(after(old.quotes[0].place), old.quotes[0].text);
    assert!(old.quotes[0].text.ends_with("aus köln"), "{}", old.quotes[0].text);
}

#[test]
fn lost_characters_lower_the_share() {
    assert!(usable("M?nner und Fr?chte in K?ln") < 0.95);
    assert!((usable("Is it? Yes.") - 1.0).abs() < f32::EPSILON);
    assert!((usable("\u{FFFD}\u{FFFD}ab") - 0.5).abs() < f32::EPSILON);
}
