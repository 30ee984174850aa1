//! The time of a tweet, in the ways it is written.

use tamis_archive::Timestamp;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Reads `Mon Dec 02 14:16:05 +0000 2019`, ISO 8601, or seconds or milliseconds since 1970.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim().trim_matches('"');
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return parse_words(text).or_else(|| Timestamp::parse(text.as_bytes()));
    }
    match text.len() {
        10 => Timestamp::from_unix(text.parse().ok()?, 0),
        13 => {
            let millis: u32 = text[10..].parse().ok()?;
            Timestamp::from_unix(text[..10].parse().ok()?, millis * 1_000_000)
        }
        _ => Timestamp::parse(text.as_bytes()),
    }
}

fn parse_words(text: &str) -> Option<Timestamp> {
    let mut words = text.split_ascii_whitespace();
    let (_weekday, month, day) = (words.next()?, words.next()?, words.next()?);
    let (clock, zone, year) = (words.next()?, words.next()?, words.next()?);
    let month = MONTHS.iter().position(|&name| name == month)? + 1;
    let (hours, minutes) = zone.split_at_checked(3)?;
    Timestamp::parse(format!("{year}-{month:02}-{day:0>2}T{clock}{hours}:{minutes}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_all_their_forms() {
        for (text, expected) in [
            ("Mon Dec 02 14:16:05 +0000 2019", Some("20191202141605")),
            ("Mon Dec 02 14:16:05 +0130 2019", Some("20191202124605")),
            ("2022-10-28T13:47:25.000Z", Some("20221028134725")),
            ("2022-10-28 13:47:25+00:00", Some("20221028134725")),
            ("1575296165", Some("20191202141605")),
            ("1512112320", Some("20171201071200")),
            ("1575296165123", Some("20191202141605")),
            ("20191202141605", Some("20191202141605")),
            ("Mon Dec 02 14:16:05 é 2019", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(parse(text).map(|time| time.digits()).as_deref(), expected, "{text}");
        }
    }
}
