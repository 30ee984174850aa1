//! Dates in the fields of HTTP (RFC 9110 section 5.6.7).

use tamis_page::date::Date;

const MONTHS: &[u8; 36] = b"janfebmaraprmayjunjulaugsepoctnovdec";

/// Milliseconds since 1970 of a date in any of the three forms that HTTP has had:
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. Zones are those of
/// e-mail, which feeds write: `+0100`, `EST`; a date before 1970 is none.
pub fn http_date_ms(text: &str) -> Option<u64> {
    let mut found = Found::default();
    let behind_day_name = text.split_once(',').map_or(text, |(_, rest)| rest);
    for (at, word) in behind_day_name.split_ascii_whitespace().take(8).enumerate() {
        found.word(word, at)?;
    }
    found.moment_ms()
}

#[derive(Default)]
struct Found {
    day: Option<u8>,
    month: Option<u8>,
    year: Option<i16>,
    seconds: Option<i64>,
    zone_minutes: i64,
}

impl Found {
    /// Takes a word for what it looks like; none where it looks like nothing of a date.
    fn word(&mut self, word: &str, at: usize) -> Option<()> {
        if word.contains(':') {
            self.seconds = Some(clock_seconds(word)?);
        } else if self.seconds.is_some() && self.year.is_some() {
            self.zone_minutes = zone_minutes(word);
        } else if word.matches('-').count() == 2 {
            word.split('-').try_for_each(|part| self.part(part))?;
        } else if self.part(word).is_none() && at > 0 {
            return None;
        }
        Some(())
    }

    fn part(&mut self, part: &str) -> Option<()> {
        if let Some(month) = month_of(part) {
            self.month = Some(month);
        } else if self.day.is_none() {
            self.day = Some(part.parse().ok()?);
        } else {
            self.year = Some(year_of(part)?);
        }
        Some(())
    }

    fn moment_ms(self) -> Option<u64> {
        let days = i64::from(Date::new(self.year?, self.month?, self.day?)?.unix_days());
        let seconds = days * 86_400 + self.seconds? - self.zone_minutes * 60;
        u64::try_from(seconds).ok()?.checked_mul(1_000)
    }
}

fn month_of(word: &str) -> Option<u8> {
    let start = word.as_bytes().get(..3)?.to_ascii_lowercase();
    let at = MONTHS.chunks_exact(3).position(|month| month == start)?;
    Some(at as u8 + 1)
}

/// Two digits are of this century below 70.
fn year_of(digits: &str) -> Option<i16> {
    let year: i16 = digits.parse().ok()?;
    match digits.len() {
        2 => Some(if year < 70 { year + 2_000 } else { year + 1_900 }),
        4 => Some(year),
        _ => None,
    }
}

fn clock_seconds(clock: &str) -> Option<i64> {
    let mut parts = clock.split(':').map(|part| part.parse::<u8>().ok());
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = parts.next().unwrap_or(Some(0))?;
    let is_sound = hours < 24 && minutes < 60 && seconds <= 60 && parts.next().is_none();
    is_sound.then(|| i64::from(hours) * 3_600 + i64::from(minutes) * 60 + i64::from(seconds))
}

fn zone_minutes(zone: &str) -> i64 {
    let hours = |n: i64| n * 60;
    match zone.to_ascii_uppercase().as_str() {
        "EDT" => hours(-4),
        "EST" | "CDT" => hours(-5),
        "CST" | "MDT" => hours(-6),
        "MST" | "PDT" => hours(-7),
        "PST" => hours(-8),
        other => numeric_zone(other).unwrap_or(0),
    }
}

fn numeric_zone(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = zone.get(1..5).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let number: i64 = digits.parse().ok()?;
    Some(sign * (number / 100 * 60 + number % 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_and_what_feeds_write() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 94 09:49:37 +0100",
            "Sun, 06 Nov 1994 03:49:37 EST",
        ] {
            assert_eq!(http_date_ms(text), Some(784_111_777_000), "{text}");
        }
        assert_eq!(http_date_ms("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "120",
            "Sun",
            "Sun, 31 Feb 2020 00:00:00 GMT",
            "Sun, 06 Nov 1994",
            "Sun, 06 Nov 1994 25:00:00 GMT",
            "Sun, 06 Nov 19945 08:49:37 GMT",
            "1 1 1 1 1 1",
            "Thu, 01 Jan 1960 00:00:00 GMT",
            "x, y z",
            ":::",
        ] {
            assert_eq!(http_date_ms(text), None, "{text}");
        }
    }
}
