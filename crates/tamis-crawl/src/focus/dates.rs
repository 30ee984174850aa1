//! The days that a text names.

use tamis_page::date::Date;

/// A span of days: one, or a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Days {
    /// The first, in days since 1970-01-01.
    pub first: i32,
    /// The last.
    pub last: i32,
}

/// Days of a text that are kept: a calendar is no event.
const MOST: usize = 400;

/// The months in languages that write dates with them; three letters or more of one are enough.
const MONTHS: [&str; 12] = [
    "january januar janvier enero gennaio janeiro januari stycznia января",
    "february februar février fevrier febrero febbraio fevereiro februari lutego февраля",
    "march märz maerz mars marzo março marco maart marca марта",
    "april avril abril aprile kwietnia апреля",
    "may mai mayo maggio maio mei maja мая",
    "june juni juin junio giugno junho czerwca июня",
    "july juli juillet julio luglio julho lipca июля",
    "august août aout agosto augustus sierpnia августа",
    "september septembre septiembre settembre setembro września сентября",
    "october oktober octobre octubre ottobre outubro października октября",
    "november novembre noviembre novembro listopada ноября",
    "december dezember décembre decembre diciembre dicembre dezembro grudnia декабря",
];

/// Words that are a month with a capital letter only.
const COMMON: [&str; 6] = ["may", "mar", "set", "out", "sep", "march"];

impl Days {
    /// One day.
    pub fn day(date: Date) -> Self {
        Self { first: date.unix_days(), last: date.unix_days() }
    }

    /// How many days lie between a day and these.
    pub(super) fn distance(self, day: i32) -> u32 {
        (self.first - day).max(day - self.last).max(0).unsigned_abs()
    }
}

/// The days that a text names, each once, in order of time: `2017-08-25`, `25 August 2017`, `August 25, 2017`, `25.8.2017`, `8/25/2017` where
/// only one reading is a date, `August 2017`. Years alone are too long to tell an event by.
pub(super) fn find(text: &str) -> Vec<Days> {
    let tokens: Vec<Token<'_>> = Tokens { text, at: 0 }.collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() && found.len() < MOST {
        match date_at(&tokens[at..]) {
            Some((days, used)) => {
                found.push(days);
                at += used;
            }
            None => at += 1,
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Number { value: u32, digits: usize },
    Word(&'t str),
    Mark(char),
}

struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    /// The next number, word or mark; of white space nothing.
    fn next(&mut self) -> Option<Token<'t>> {
        let rest = self.text[self.at..].trim_start();
        let first = rest.chars().next()?;
        let is_same: fn(char) -> bool = match first {
            _ if first.is_ascii_digit() => |c| c.is_ascii_digit(),
            _ if first.is_alphabetic() => char::is_alphabetic,
            _ => |_| false,
        };
        let end = rest.find(|c| !is_same(c)).unwrap_or(rest.len()).max(first.len_utf8());
        self.at = self.text.len() - rest.len() + end;
        let said = &rest[..end];
        Some(match said.parse() {
            Ok(value) if first.is_ascii_digit() && end <= 4 => Token::Number { value, digits: end },
            _ if first.is_alphabetic() => Token::Word(said),
            // Nobody's day has so many digits.
            _ if first.is_ascii_digit() => Token::Mark('0'),
            _ => Token::Mark(first),
        })
    }
}

/// The date that begins here, and how many tokens it has.
fn date_at(tokens: &[Token<'_>]) -> Option<(Days, usize)> {
    match tokens.first()? {
        Token::Number { .. } => numbered(tokens).or_else(|| day_first(tokens)),
        Token::Word(word) => month_first(month(word)?, word, tokens),
        Token::Mark(_) => None,
    }
}

/// `2017-08-25`, `2017/8/25`, `25.8.2017`, `25/8/2017`, `8/25/2017`.
fn numbered(tokens: &[Token<'_>]) -> Option<(Days, usize)> {
    let &[
        Token::Number { value: one, digits },
        Token::Mark(mark),
        Token::Number { value: two, .. },
        Token::Mark(again),
        Token::Number { value: three, digits: last },
        ..,
    ] = tokens
    else {
        return None;
    };
    if mark != again || !matches!(mark, '-' | '/' | '.') {
        return None;
    }
    let date = match (digits, last) {
        (4, 1 | 2) => date(one, two, three),
        (1 | 2, 4) if mark == '/' => match (date(three, two, one), date(three, one, two)) {
            (Some(date), None) | (None, Some(date)) => Some(date),
            (one, other) if one == other => one,
            _ => None,
        },
        (1 | 2, 4) => date(three, two, one),
        _ => None,
    };
    Some((Days::day(date?), 5))
}

/// `25 August 2017`, `25. August 2017`, `25 de agosto de 2017`, `25th of August, 2017`.
fn day_first(tokens: &[Token<'_>]) -> Option<(Days, usize)> {
    let &Token::Number { value: day, digits: 1 | 2 } = tokens.first()? else { return None };
    let at = skip(tokens, 1, &["de", "of", "st", "nd", "rd", "th"], &['.']);
    let Token::Word(word) = tokens.get(at)? else { return None };
    let month = month(word)?;
    let at = skip(tokens, at + 1, &["de", "del", "of"], &['.', ',']);
    let &Token::Number { value: year, digits: 4 } = tokens.get(at)? else { return None };
    Some((Days::day(date(year, month.into(), day)?), at + 1))
}

/// `August 25, 2017`, `August 25th 2017`, `August 2017`.
fn month_first(month: u8, word: &str, tokens: &[Token<'_>]) -> Option<(Days, usize)> {
    let at = skip(tokens, 1, &["de"], &['.', ',']);
    let &Token::Number { value, digits } = tokens.get(at)? else { return None };
    if digits == 4 {
        // In the midst of a sentence `may` is seldom a month.
        let is_month = word.chars().next().is_some_and(char::is_uppercase) || !COMMON.contains(&word);
        let first = date(value, month.into(), 1).filter(|_| is_month)?.unix_days();
        let last = (27..31)
            .rev()
            .find(|more| Date::from_unix_days(first + more).is_some_and(|date| date.month() == month));
        return Some((Days { first, last: first + last.unwrap_or(27) }, at + 1));
    }
    let behind = skip(tokens, at + 1, &["st", "nd", "rd", "th"], &[',']);
    let &Token::Number { value: year, digits: 4 } = tokens.get(behind)? else { return None };
    Some((Days::day(date(year, month.into(), value)?), behind + 1))
}

/// Skips at most two small words or marks.
fn skip(tokens: &[Token<'_>], at: usize, words: &[&str], marks: &[char]) -> usize {
    let is_small = |token: &Token<'_>| match token {
        Token::Word(word) => words.contains(word),
        Token::Mark(mark) => marks.contains(mark),
        Token::Number { .. } => false,
    };
    at + tokens.iter().skip(at).take(2).take_while(|token| is_small(token)).count()
}

fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    // Older days are history, later ones mistakes.
    let year = i16::try_from(year).ok().filter(|year| (1900..2100).contains(year))?;
    Date::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
}

/// The month that a word names.
fn month(word: &str) -> Option<u8> {
    if !(3..=24).contains(&word.len()) {
        return None;
    }
    let word = word.to_lowercase();
    let mut months = (1..).zip(&MONTHS);
    months.find(|(_, names)| names.split(' ').any(|name| name.starts_with(&word))).map(|(month, _)| month)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let show = |days: &Days| {
            let [first, last] =
                [days.first, days.last].map(|day| Date::from_unix_days(day).expect("a day").to_string());
            if first == last { first } else { format!("{first}..{last}") }
        };
        find(text).iter().map(show).collect()
    }

    #[test]
    fn dates_as_people_write_them() {
        for (text, expected) in [
            ("on 2017-08-25 it", vec!["2017-08-25"]),
            ("/news/2017/08/25/storm", vec!["2017-08-25"]),
            ("am 25. August 2017, in", vec!["2017-08-25"]),
            ("el 25 de agosto de 2017", vec!["2017-08-25"]),
            ("August 25th, 2017 and Aug. 26, 2017", vec!["2017-08-25", "2017-08-26"]),
            ("25.8.2017", vec!["2017-08-25"]),
            ("8/25/2017 or 25/8/2017", vec!["2017-08-25"]),
            ("5/6/2017 is which", vec![]),
            ("5/5/2017 is clear", vec!["2017-05-05"]),
            ("since August 2017", vec!["2017-08-01..2017-08-31"]),
            ("in Februar 2016", vec!["2016-02-01..2016-02-29"]),
            ("25 августа 2017", vec!["2017-08-25"]),
            ("31 Quintember 2017, 2017, 12, 1.2.3", vec![]),
            ("it may 2017 people", vec![]),
            ("call 0123 2017-08-251234", vec![]),
            ("10 January 2020 10 January 2020", vec!["2020-01-10"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn a_calendar_ends_somewhere_and_nothing_panics() {
        let days = (0..20_000).filter_map(Date::from_unix_days).map(|date| format!("{date}\n"));
        assert_eq!(find(&days.collect::<String>()).len(), MOST);
        for text in
            ["1", "1.", "é", "99999999999999999999", "August", "25 August", "August 25,", "\u{300}2-2-"]
        {
            assert!(find(text).is_empty(), "{text}");
        }
    }
}
