//! Pages for people: whole without JavaScript, readable on a phone, in light and dark.

mod audit;
mod bar;
mod calendar;
mod captures;
mod collections;

use axum::body::Body;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Response};
use maud::{DOCTYPE, Markup, html};

use crate::failure::Failure;

pub(crate) use audit::audit;
pub(crate) use bar::{bar, script as bar_script};
pub(crate) use captures::{captures, look_up};
pub(crate) use collections::{collection, home};

/// The style of all pages.
pub(crate) fn style() -> Response<Body> {
    let mut response = Response::new(Body::from(include_str!("style.css")));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8"));
    response
}

/// A page that says what went wrong.
pub(crate) fn failed(failure: &Failure) -> Response<Body> {
    let title = failure.status().canonical_reason().unwrap_or("Error");
    let body = html! {
        h1 { (title) }
        p { (failure.message()) }
        p { a href="/" { "All collections" } }
    };
    let mut response = page(title, None, &body);
    *response.status_mut() = failure.status();
    failure.add_headers(&mut response);
    response
}

/// A page, with the way back to its collection.
fn page(title: &str, collection: Option<&str>, body: &Markup) -> Response<Body> {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – tamis" }
                link rel="stylesheet" href="/style.css";
            }
            body {
                header {
                    a.brand href="/" { "tamis" }
                    @if let Some(name) = collection {
                        a href={ "/c/" (crate::uri::escaped(name)) } { (name) }
                    }
                }
                main { (body) }
            }
        }
    };
    let mut response = Response::new(Body::from(markup.into_string()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

/// Notes about what look-ups may miss.
fn notes(notes: &[String]) -> Markup {
    html! {
        @if !notes.is_empty() {
            div.note role="note" {
                strong { "Incomplete." }
                ul { @for note in notes.iter().take(10) { li { (note) } } }
                @if notes.len() > 10 { p { "… and " (notes.len() - 10) " more" } }
            }
        }
    }
}

/// A number with its thousands apart.
fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in bytes for a person.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in UNITS {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{value:.1} {unit}") }
}

/// Digits of an index as a date: `2014-01-26 20:06:24`. What is no moment stays as it is.
fn date(digits: &str) -> String {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || digits.len() < 4 {
        return digits.to_owned();
    }
    let mut text = String::new();
    for (range, before) in [(0..4, ""), (4..6, "-"), (6..8, "-"), (8..10, " "), (10..12, ":"), (12..14, ":")]
    {
        let Some(part) = digits.get(range) else { break };
        text.push_str(before);
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sizes_and_dates_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 1023, 1024, 5 << 20, 3 << 40].map(size),
            ["0 B", "1023 B", "1.0 KiB", "5.0 MiB", "3.0 TiB"]
        );
        for (digits, text) in [
            ("20140126200624", "2014-01-26 20:06:24"),
            ("20140126200624123", "2014-01-26 20:06:24"),
            ("2014", "2014"),
            ("201401", "2014-01"),
            ("-", "-"),
            ("é234", "é234"),
        ] {
            assert_eq!(date(digits), text);
        }
    }
}
