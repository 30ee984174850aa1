//! Dates as people and machines write them.

use super::clock::time;
use super::cursor::{Cursor, full_year};
use super::month::month;
use super::token::{Kind, Token, tokens};
use super::{Date, Moment, Precision, Time, relative};

/// What `5/6/2019` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The fifth of June.
    DayFirst,
    /// May the sixth.
    MonthFirst,
}

/// Reads dates that a page of this language and time may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    /// What two small numbers mean.
    pub(crate) order: Order,
    /// No page is older.
    pub(crate) earliest: Date,
    /// No page is younger.
    pub(crate) latest: Date,
    /// The day that "yesterday" is counted from.
    pub(crate) fetched: Option<Date>,
}

/// Longer texts are not dates; what comes later is not looked at.
const WINDOW: usize = 400;

impl Reader {
    /// The first plausible date in a text.
    pub(crate) fn first(&self, text: &str) -> Option<Moment> {
        let tokens = tokens(window(text));
        (0..tokens.len()).find_map(|at| self.at(&tokens, at).map(|(moment, _)| moment))
    }

    /// All plausible dates in a text, in order.
    pub(crate) fn all(&self, text: &str, mut found: impl FnMut(Moment)) {
        let tokens = tokens(text);
        let mut at = 0;
        while at < tokens.len() {
            match self.at(&tokens, at) {
                Some((moment, used)) => {
                    found(moment);
                    at += used.max(1);
                }
                None => at += 1,
            }
        }
    }

    /// The date of a text that is said to be one: relative ones ("2 hours ago") and seconds since 1970 count, too.
    pub(crate) fn value(&self, text: &str) -> Option<Moment> {
        let text = window(text.trim());
        self.first(text).or_else(|| self.epoch(text)).or_else(|| {
            relative::parse(&tokens(text), self.fetched?).filter(|moment| self.is_plausible(moment.date))
        })
    }

    /// Whether a page may be of that day.
    pub(crate) fn is_plausible(&self, date: Date) -> bool {
        (self.earliest..=self.latest).contains(&date)
    }

    /// The year as a moment, if it is plausible.
    pub(crate) fn year(&self, year: i16) -> Option<Moment> {
        let date = Date::new(year, 1, 1)?;
        (self.earliest.year()..=self.latest.year()).contains(&year).then_some(Moment {
            date,
            precision: Precision::Year,
            time: None,
        })
    }

    /// Seconds or milliseconds since 1970.
    fn epoch(&self, text: &str) -> Option<Moment> {
        let digits = text.split(['.', ',']).next()?;
        let number: i64 = digits.parse().ok()?;
        let seconds = match digits.len() {
            9 | 10 => number,
            12 | 13 => number / 1000,
            _ => return None,
        };
        let date = Date::from_unix_days(i32::try_from(seconds.div_euclid(86_400)).ok()?)?;
        let of_day = seconds.rem_euclid(86_400);
        let time = Time {
            hour: (of_day / 3600) as u8,
            minute: (of_day / 60 % 60) as u8,
            second: (of_day % 60) as u8,
            offset_minutes: Some(0),
        };
        self.is_plausible(date).then_some(Moment { date, precision: Precision::Day, time: Some(time) })
    }

    /// The date that starts at this token, and how many tokens it takes.
    fn at(&self, tokens: &[Token<'_>], at: usize) -> Option<(Moment, usize)> {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let mut cursor = Cursor { tokens, at };
        let (date, precision) = match tokens[at].kind {
            Kind::Mark => return None,
            Kind::Word => self.month_first(&mut cursor)?,
            Kind::Number => {
                if is_inside_number(&tokens[at], before) {
                    return None;
                }
                self.numbered(&mut cursor)?
            }
        };
        if !self.is_plausible(date) && !self.is_plausible_part(date, precision) {
            return None;
        }
        let time = if precision == Precision::Day { time(&mut cursor) } else { None };
        Some((Moment { date, precision, time }, cursor.at - at))
    }

    /// The first of the month or year may lie before the earliest day.
    fn is_plausible_part(&self, date: Date, precision: Precision) -> bool {
        let key = |date: Date| (date.year(), if precision == Precision::Month { date.month() } else { 1 });
        precision < Precision::Day && (key(self.earliest)..=key(self.latest)).contains(&key(date))
    }

    /// A date that starts with a number.
    fn numbered(&self, cursor: &mut Cursor<'_, '_>) -> Option<(Date, Precision)> {
        let first = cursor.next()?;
        match first.digits() {
            4 => year_first(first.value, cursor),
            8 => Some((compact(first.value)?, Precision::Day)),
            12 => Some((compact(first.value / 10_000)?, Precision::Day)),
            14 => Some((compact(first.value / 1_000_000)?, Precision::Day)),
            1 | 2 => self
                .try_at(cursor, |reader, cursor| reader.all_numbers(first.value, cursor))
                .or_else(|| day_first(first.value, cursor)),
            _ => None,
        }
    }

    /// Runs a reading; a failed one leaves the cursor where it was.
    fn try_at<T>(
        &self,
        cursor: &mut Cursor<'_, '_>,
        read: impl FnOnce(&Reader, &mut Cursor<'_, '_>) -> Option<T>,
    ) -> Option<T> {
        let at = cursor.at;
        let found = read(self, cursor);
        if found.is_none() {
            cursor.at = at;
        }
        found
    }

    /// `6.5.2019`, `5/6/19`.
    fn all_numbers(&self, first: u64, cursor: &mut Cursor<'_, '_>) -> Option<(Date, Precision)> {
        let mark = cursor.mark(&[".", "/", "-", "|", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2044}"])?;
        let second = cursor.number(1..=2)?;
        cursor.skip(mark).then_some(())?;
        let year = cursor.peek().filter(|token| matches!(token.digits(), 2 | 4))?;
        let short = year.digits() == 2;
        // `12.10.18:30` and `1.2.10.4` are no dates.
        if short
            && cursor
                .peek_at(1)
                .is_some_and(|next| !next.spaced && matches!(next.text, ":" | "." | "-" | "/" | "%"))
            && cursor.peek_at(2).is_some_and(Token::is_number)
        {
            return None;
        }
        let year = full_year(year.value, year.digits())?;
        cursor.at += 1;
        let (day, month) = self.sort(first, second, mark);
        Some((Date::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)?, Precision::Day))
    }

    /// Which of two numbers is the day, and which the month.
    fn sort(&self, first: u64, second: u64, mark: &str) -> (u64, u64) {
        let month_first = if first > 12 {
            false
        } else if second > 12 {
            true
        } else {
            mark != "." && self.order == Order::MonthFirst
        };
        if month_first { (second, first) } else { (first, second) }
    }

    /// `May 6, 2019`, `May 6th 2019`, `May 2019`, `Mon May 06 10:11:12 +0000 2019`.
    fn month_first(&self, cursor: &mut Cursor<'_, '_>) -> Option<(Date, Precision)> {
        let word = cursor.next()?;
        let month = month(word.text)?;
        cursor.skip_marks(&[".", "-", "/", ","]);
        if let Some(found) = self.try_at(cursor, |_, cursor| {
            let day = cursor.number(1..=2)?;
            cursor.skip_ordinal();
            cursor.skip_marks(&[",", ".", "-", "/"]);
            let year = cursor.year(false).or_else(|| cursor.year_behind_time())?;
            Date::new(year, month, u8::try_from(day).ok()?)
        }) {
            return Some((found, Precision::Day));
        }
        cursor.skip_small_words();
        let year = cursor.year(false)?;
        Some((Date::new(year, month, 1)?, Precision::Month))
    }
}

/// `6 May 2019`, `6. Mai 2019`, `6 de mayo de 2019`, `6th of May '19`.
fn day_first(day: u64, cursor: &mut Cursor<'_, '_>) -> Option<(Date, Precision)> {
    cursor.skip_ordinal();
    cursor.skip_small_words();
    let month = month(cursor.peek().filter(|token| token.kind == Kind::Word)?.text)?;
    cursor.at += 1;
    cursor.skip_marks(&[".", ",", "-", "/", "'", "’", "‘"]);
    cursor.skip_small_words();
    cursor.skip_marks(&["'", "’", "‘"]);
    let year = cursor.year(true)?;
    Some((Date::new(year, month, u8::try_from(day).ok()?)?, Precision::Day))
}

/// `2019-05-06`, `2019年5月6日`, `2019. május 6.`, `2019-05`.
fn year_first(year: u64, cursor: &mut Cursor<'_, '_>) -> Option<(Date, Precision)> {
    let year = full_year(year, 4)?;
    let part = |number: u64| u8::try_from(number).ok();
    if cursor.mark(&["年", "년"]).is_some() {
        let month = part(cursor.number(1..=2)?)?;
        cursor.mark(&["月", "월"])?;
        let Some(day) = cursor.number(1..=2) else {
            return Some((Date::new(year, month, 1)?, Precision::Month));
        };
        return Some((Date::new(year, month, part(day)?)?, Precision::Day));
    }
    let mark = cursor.mark(&["-", "/", ".", "_", "\u{2010}", "\u{2011}", "\u{2013}"]);
    if let (Some(mark), Some(number)) = (mark, cursor.number(1..=2)) {
        let month = part(number)?;
        if cursor.skip(mark) {
            let day = cursor.number(1..=2)?;
            // Some write the day before the month even then.
            return Date::new(year, month, part(day)?)
                .or_else(|| Date::new(year, part(day)?, month))
                .map(|date| (date, Precision::Day));
        }
        let whole = matches!(mark, "-" | "/") && cursor.peek().is_none_or(|next| next.spaced);
        return whole.then_some((Date::new(year, month, 1)?, Precision::Month));
    }
    cursor.skip_small_words();
    let month = month(cursor.peek().filter(|token| token.kind == Kind::Word)?.text)?;
    cursor.at += 1;
    cursor.skip_marks(&["-", ".", "/"]);
    let day = part(cursor.number(1..=2)?)?;
    if cursor.peek().is_some_and(|next| next.is(":")) {
        return None;
    }
    Some((Date::new(year, month, day)?, Precision::Day))
}

/// `20190506`.
fn compact(number: u64) -> Option<Date> {
    let year = i16::try_from(number / 10_000).ok()?;
    Date::new(year, (number / 100 % 100) as u8, (number % 100) as u8)
}

/// A number right behind a letter, a decimal point or a minus is part of something else.
fn is_inside_number(token: &Token<'_>, before: Option<&Token<'_>>) -> bool {
    before.is_some_and(|before| {
        !token.spaced
            && ((before.kind == Kind::Word && before.text.is_ascii() && token.digits() < 4)
                || matches!(before.text, "$" | "€" | "£" | "#" | "@"))
    })
}

fn window(text: &str) -> &str {
    &text[..text.floor_char_boundary(WINDOW)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(order: Order) -> Reader {
        let date = |year| Date::new(year, 1, 1).expect("a day");
        Reader { order, earliest: date(1995), latest: date(2030), fetched: Date::new(2024, 3, 1) }
    }

    fn read(text: &str) -> String {
        reader(Order::DayFirst).value(text).map_or(String::new(), |moment| moment.to_string())
    }

    #[test]
    fn machines_write_dates() {
        for (text, expected) in [
            ("2019-05-06", "2019-05-06"),
            ("2019-05-06T10:11:12Z", "2019-05-06T10:11:12Z"),
            ("2019-05-06T10:11:12.345+02:00", "2019-05-06T10:11:12+02:00"),
            ("2019-05-06 10:11:12 -0430", "2019-05-06T10:11:12-04:30"),
            ("20190506", "2019-05-06"),
            ("20190506T1011", "2019-05-06"),
            ("20190506101112", "2019-05-06"),
            ("Mon, 06 May 2019 10:11:12 GMT", "2019-05-06T10:11:12Z"),
            ("Mon May 06 10:11:12 +0000 2019", "2019-05-06"),
            ("1557136800", "2019-05-06T10:00:00Z"),
            ("1557136800000", "2019-05-06T10:00:00Z"),
            ("2019-05", "2019-05"),
            ("2019/5/6", "2019-05-06"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn people_write_dates_in_many_languages() {
        for text in [
            "May 6, 2019",
            "Posted on May 6th, 2019 by Ann",
            "6th of May 2019",
            "6 May '19",
            "06.05.2019",
            "6. 5. 2019",
            "06.05.19",
            "Montag, 6. Mai 2019",
            "lundi 6 mai 2019",
            "6 de mayo de 2019",
            "6 maggio 2019",
            "6 de maio de 2019",
            "6 mei 2019",
            "6 maja 2019 r.",
            "6 мая 2019 г.",
            "6 Mayıs 2019",
            "6. května 2019",
            "2019. május 6.",
            "2019 m. gegužės 6 d.",
            "2019年5月6日（月）",
            "2019년 5월 6일",
            "6 พฤษภาคม 2562",
            "6-May-2019",
            "2019 May 6",
        ] {
            assert_eq!(read(text), "2019-05-06", "{text}");
        }
    }

    #[test]
    fn times_of_day_are_kept() {
        assert_eq!(read("6 May 2019, 3:04 pm"), "2019-05-06T15:04:00");
        assert_eq!(read("06.05.2019 um 15.04 Uhr"), "2019-05-06T15:04:00");
        assert_eq!(read("6 mai 2019 à 15h04"), "2019-05-06T15:04:00");
        assert_eq!(read("2019年5月6日 15時04分"), "2019-05-06T15:04:00");
    }

    #[test]
    fn the_order_decides_where_the_numbers_do_not() {
        let us = |text: &str| reader(Order::MonthFirst).first(text).map(|moment| moment.to_string());
        assert_eq!(us("5/6/2019").as_deref(), Some("2019-05-06"));
        assert_eq!(us("13/6/2019").as_deref(), Some("2019-06-13"));
        assert_eq!(us("5.6.2019").as_deref(), Some("2019-06-05"));
        assert_eq!(read("5/6/2019"), "2019-06-05");
        assert_eq!(read("5/16/2019"), "2019-05-16");
    }

    #[test]
    fn numbers_that_are_no_dates_are_left_alone() {
        for text in [
            "",
            "2019",
            "1.2.3",
            "v1.2.2019a",
            "10:11:12",
            "192.168.10.20",
            "31.02.2019",
            "6 May",
            "1066-10-14",
            "2077-01-01",
            "call 0171 2019",
        ] {
            assert_eq!(read(text), "", "{text}");
        }
    }

    #[test]
    fn all_dates_of_a_text_are_found_in_order() {
        let mut found = Vec::new();
        reader(Order::DayFirst)
            .all("from 1 May 2019 to 3.5.2019, or June 2019", |moment| found.push(moment.to_string()));
        assert_eq!(found, ["2019-05-01", "2019-05-03", "2019-06"]);
    }
}
