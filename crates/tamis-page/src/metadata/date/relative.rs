//! "2 hours ago", "vor 3 Tagen", "昨天": dates that count from the day of fetching.

use super::token::{Kind, Token};
use super::{Date, Moment};

/// The day that a short text names relative to the day the page was fetched.
pub(super) fn parse(tokens: &[Token<'_>], fetched: Date) -> Option<Moment> {
    if tokens.len() > 8 {
        return None;
    }
    let days = counted(tokens).or_else(|| named(tokens))?;
    Date::from_unix_days(fetched.unix_days().checked_sub(days)?).map(Moment::day)
}

/// A number with a unit, where some word says that it lies in the past.
fn counted(tokens: &[Token<'_>]) -> Option<i32> {
    tokens.iter().any(|token| AGO.iter().any(|ago| token.text.eq_ignore_ascii_case(ago))).then_some(())?;
    let at = tokens.iter().position(|token| matches!(token.digits(), 1..=3))?;
    let unit = tokens[at + 1..].iter().find(|token| token.kind == Kind::Word)?.text.to_lowercase();
    let length = UNITS.iter().find(|(names, _)| names.contains(&unit.as_str()))?.1;
    i32::try_from(tokens[at].value).ok()?.checked_mul(length)
}

fn named(tokens: &[Token<'_>]) -> Option<i32> {
    let first = tokens.iter().find(|token| token.kind == Kind::Word)?.text.to_lowercase();
    NAMED.iter().find(|(names, _)| names.contains(&first.as_str())).map(|(_, days)| *days)
}

#[rustfmt::skip]
const AGO: &[&str] = &[
    "ago", "vor", "hace", "il", "fa", "há", "geleden", "temu", "назад", "тому", "önce", "sedan", "siden", "sitten", "前", "전", "před", "lalu", "πριν",
];

/// Units in days; what is shorter than a day is none.
#[rustfmt::skip]
const UNITS: &[(&[&str], i32)] = &[
    (&[
        "second", "seconds", "sec", "secs", "s", "minute", "minutes", "min", "mins", "m", "hour", "hours",
        "h", "hr", "hrs", "sekunden", "minuten", "stunde", "stunden", "std", "seconde", "secondes", "heure",
        "heures", "segundos", "minuto", "minutos", "hora", "horas", "secondi", "minuti", "ora", "ore", "uur",
        "minut", "godzin", "godziny", "godzinę", "минут", "минуты", "часов", "часа", "час", "dakika", "saat",
        "minuter", "timmar", "timmar", "timer", "tuntia", "秒", "分", "小", "時", "시", "분", "jam", "menit",
    ], 0),
    (&[
        "day", "days", "d", "tag", "tagen", "tage", "jour", "jours", "día", "días", "dia", "dias", "giorno",
        "giorni", "dag", "dagen", "dzień", "dni", "день", "дня", "дней", "днів", "gün", "dagar", "dage",
        "päivää", "日", "天", "일", "hari",
    ], 1),
    (&[
        "week", "weeks", "w", "woche", "wochen", "semaine", "semaines", "semana", "semanas", "settimana",
        "settimane", "weken", "tydzień", "tygodnie", "неделю", "недели", "недель", "hafta", "veckor", "uger",
        "周", "週", "주",
    ], 7),
];

#[rustfmt::skip]
const NAMED: &[(&[&str], i32)] = &[
    (&[
        "today", "heute", "hoy", "oggi", "hoje", "vandaag", "dziś", "dzisiaj", "сегодня", "сьогодні", "bugün",
        "idag", "tänään", "dnes", "ma", "azi",
    ], 0),
    (&[
        "yesterday", "gestern", "hier", "ayer", "ieri", "ontem", "gisteren", "wczoraj", "вчера", "вчора",
        "dün", "igår", "eilen", "včera", "tegnap",
    ], 1),
];

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn days_are_counted_back() {
        let fetched = Date::new(2024, 3, 1).expect("a day");
        for (text, expected) in [
            ("2 hours ago", "2024-03-01"),
            ("Updated 3 days ago", "2024-02-27"),
            ("vor 2 Wochen", "2024-02-16"),
            ("il y a 1 jour", "2024-02-29"),
            ("hace 4 horas", "2024-03-01"),
            ("2天前", "2024-02-28"),
            ("3시간 전", "2024-03-01"),
            ("Yesterday, 10:11", "2024-02-29"),
            ("gestern", "2024-02-29"),
        ] {
            assert_eq!(
                parse(&tokens(text), fetched).map(|m| m.to_string()).as_deref(),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn numbers_alone_lie_not_in_the_past() {
        let fetched = Date::new(2024, 3, 1).expect("a day");
        for text in
            ["5 days", "ago", "30 min read", "the 3 days that shook the world were some while ago in fact"]
        {
            assert_eq!(parse(&tokens(text), fetched), None, "{text}");
        }
    }
}
