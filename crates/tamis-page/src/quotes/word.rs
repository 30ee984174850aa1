//! What the words beside a mark say: apostrophes and measures are no quotation marks.

/// Words that an apostrophe starts, without it; those of tokenised English (`do n't`, `Bob 's`) and Dutch among them.
const ELISIONS: &[&str] = &[
    "s", "t", "d", "m", "n", "k", "re", "ve", "ll", "em", "tis", "twas", "twere", "twill", "twould", "til",
    "cause", "bout", "cuz", "cos", "coz", "nuff", "neath", "kay",
];
/// Longer words are none of these, and numbers no measures: looks stay short whatever the text.
const LONGEST: usize = 12;

/// Whether the text starts as a word does that an apostrophe shortens: `'tis`, `'90s`.
pub(super) fn is_elision(behind: &str) -> bool {
    let word: String = behind.chars().take(LONGEST).take_while(|c| c.is_alphanumeric()).collect();
    let quoted = behind[word.len()..].starts_with(['\'', '’']);
    let digits = word.trim_end_matches('s');
    let is_year = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit());
    let is_and = word.eq_ignore_ascii_case("n");
    is_and || (!quoted && (is_year || ELISIONS.iter().any(|known| word.eq_ignore_ascii_case(known))))
}

/// Whether an apostrophe between these may be that of an owner in the plural, or of a letter left out: `dogs' bones`.
pub(super) fn is_possessive(before: &str, behind: &str) -> bool {
    let is_plural = before.ends_with(['s', 'S', 'z', 'x']) || before.ends_with("in");
    let mut behind = behind.chars();
    is_plural && behind.next() == Some(' ') && behind.next().is_some_and(char::is_alphabetic)
}

/// Whether the mark between these is one of feet, inches, minutes or seconds: `4" x 4"`, `5'10"`, `5' 10"`.
pub(super) fn is_measure(before: &str, behind: &str, glyph: char) -> bool {
    let Some(rest) = without_number(before) else { return false };
    let behind = behind.trim_start();
    if is_number_next(
        behind.strip_prefix(['x', 'X', '×', '*']).or_else(|| behind.strip_prefix("by ")).unwrap_or(""),
    ) {
        return true;
    }
    let rest = rest.trim_end();
    let is_double = matches!(glyph, '"' | '”' | super::mark::APOSTROPHES);
    let factor = rest.strip_suffix(['x', 'X', '×']).or_else(|| rest.strip_suffix(" by")).unwrap_or("");
    let follows_feet =
        |text: &str| text.strip_suffix(['\'', '’', '′']).is_some_and(|feet| without_number(feet).is_some());
    let follows_inches = |text: &str| {
        let text = text.trim_end();
        let number = text.strip_suffix("''").or_else(|| text.strip_suffix(['\'', '’', '′', '"', '”', '″']));
        number.is_some_and(|number| without_number(number).is_some())
    };
    let starts_inches = !is_double && is_number_next(behind) && measure_ends(behind);
    (is_double && follows_feet(rest)) || follows_inches(factor) || starts_inches
}

/// What stands before a number, which may have a fraction, at the end of the text.
fn without_number(text: &str) -> Option<&str> {
    let (rest, number) = split_number(text)?;
    let is_fraction = number.contains('/');
    Some(is_fraction.then(|| split_number(rest)).flatten().map_or(rest, |(rest, _)| rest))
}

fn split_number(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_suffix(' ').unwrap_or(text);
    let part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '/' | '-' | '½' | '¼' | '¾');
    let start = text.char_indices().rev().take(LONGEST).take_while(|&(_, c)| part(c)).last()?.0;
    let number = &text[start..];
    number.ends_with(|c: char| c.is_ascii_digit() || "½¼¾".contains(c)).then_some((&text[..start], number))
}

fn is_number_next(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the number at the start ends in inches.
fn measure_ends(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    rest.trim_start().starts_with(['"', '”', '″']) || rest.trim_start().starts_with("''")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_words_are_known() {
        for (behind, elision) in [
            ("tis true", true),
            ("Twas", true),
            ("90s music", true),
            ("68 it", true),
            ("1990 was", false),
            ("n' roll", true),
            ("cause' is", false),
            ("big girl'", false),
            ("s avonds", true),
            ("", false),
        ] {
            assert_eq!(is_elision(behind), elision, "{behind}");
        }
    }

    #[test]
    fn measures_are_known() {
        for (before, behind, glyph, measure) in [
            ("4", " x 4", '"', true),
            ("4\" x 4", " and", '"', true),
            ("4\"x8", "", '"', true),
            ("4 '' x 4 ", " and", super::super::mark::APOSTROPHES, true),
            ("5", "10\"", '\'', true),
            ("5'10", "", '"', true),
            ("5' 10 1/2", "", '"', true),
            ("2½", " by 3", '"', true),
            ("I was 5", " he said", '"', false),
            ("x", " x 4", '"', false),
            ("", "", '"', false),
            ("I am 6", ", you 5\"", '\'', false),
        ] {
            assert_eq!(is_measure(before, behind, glyph), measure, "{before}{glyph}{behind}");
        }
    }

    #[test]
    fn plurals_may_own() {
        assert!(is_possessive("the dogs", " bones"));
        assert!(is_possessive("goin", " home"));
        assert!(!is_possessive("the dog", " bones"));
        assert!(!is_possessive("the dogs", ", bones"));
    }
}
