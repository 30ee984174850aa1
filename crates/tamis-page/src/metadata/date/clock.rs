//! Times of day.

use super::Time;
use super::cursor::Cursor;
use super::token::{Kind, Token};

/// The time of day behind a date.
pub(super) fn time(cursor: &mut Cursor<'_, '_>) -> Option<Time> {
    let start = cursor.at;
    let found = read_time(cursor);
    if found.is_none() {
        cursor.at = start;
    }
    found
}

fn read_time(cursor: &mut Cursor<'_, '_>) -> Option<Time> {
    // Between day and time stand at most `, um` or `日（月）`.
    for _ in 0..5 {
        if cursor.peek()?.is_number() {
            break;
        }
        cursor.at += 1;
    }
    let mut hour = cursor.number(1..=2)?;
    let mark = cursor.mark(&[":", "h", "H", ".", "時", "点", "시"])?;
    let minute = cursor.number(2..=2)?;
    let mut second = 0;
    if cursor.peek().is_some_and(|next| next.is(mark))
        && cursor.peek_at(1).is_some_and(|next| next.digits() == 2)
    {
        second = cursor.peek_at(1)?.value;
        cursor.at += 2;
        if cursor.peek().is_some_and(|next| next.is(".")) && cursor.peek_at(1).is_some_and(Token::is_number) {
            cursor.at += 2;
        }
    }
    let half =
        cursor.peek().filter(|token| token.kind == Kind::Word).map(|token| token.text.to_ascii_lowercase());
    match half.as_deref() {
        Some("pm" | "p") if hour < 12 => hour += 12,
        Some("am" | "a") if hour == 12 => hour = 0,
        _ => {}
    }
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let offset_minutes = offset(cursor);
    Some(Time { hour: hour as u8, minute: minute as u8, second: second.min(59) as u8, offset_minutes })
}

/// `Z`, `UTC`, `+02:00`, `+0200`.
fn offset(cursor: &mut Cursor<'_, '_>) -> Option<i16> {
    let token = cursor.next()?;
    match token.text {
        "Z" | "z" | "UTC" | "GMT" => return Some(0),
        "+" | "-" | "−" => {}
        _ => return None,
    }
    let hours = cursor.peek()?;
    let minutes = match hours.digits() {
        4 => hours.value / 100 * 60 + hours.value % 100,
        2 => {
            let tail = cursor.peek_at(1).filter(|next| next.is(":")).and(cursor.peek_at(2));
            hours.value * 60 + tail.filter(|tail| tail.digits() == 2).map_or(0, |tail| tail.value)
        }
        _ => return None,
    };
    let minutes = i16::try_from(minutes).ok().filter(|&minutes| minutes <= 14 * 60)?;
    Some(if token.is("+") { minutes } else { -minutes })
}
