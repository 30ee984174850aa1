//! What a trap looks like, from one address alone.

pub(super) mod calendar;
mod options;
mod path;
mod query;

pub use options::TrapOptions;

use super::verdict::Trap;
use crate::Address;

/// What makes an address look like one of endlessly many, in this year.
pub(super) fn find(address: &Address, options: &TrapOptions, year: i16) -> Option<Trap> {
    if address.as_str().len() > options.max_address_bytes as usize {
        return Some(Trap::Long);
    }
    let path_and_query = address.path_and_query();
    let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    let window = calendar::Window::new(options, year);
    path::find(path, options, window).or_else(|| query::find(query, options, window))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traps_are_seen_and_pages_are_not() {
        let (long, deep) = ("a".repeat(3_000), "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z");
        let many = (0..60).map(|n| format!("p{n}={n}&")).collect::<Vec<_>>().concat();
        for (path, expected) in [
            (format!("/{long}"), Some(Trap::Long)),
            (deep.to_owned(), Some(Trap::DeepPath)),
            ("/a/b/a/b/a/b/".to_owned(), Some(Trap::RepeatedSegments)),
            ("/x/a/a/a/a/".to_owned(), Some(Trap::RepeatedSegments)),
            ("/en/docs/a.html".to_owned(), None),
            ("/a/a/".to_owned(), None),
            ("/2024/05/06/title".to_owned(), None),
            ("/events/2031/05".to_owned(), Some(Trap::Calendar)),
            ("/events/1931/05".to_owned(), None),
            ("/newspaper/1931/05".to_owned(), None),
            ("/cal?year=2031&month=5".to_owned(), Some(Trap::Calendar)),
            ("/cal?date=1931-05-01".to_owned(), None),
            ("/cal?date=2023-05-01".to_owned(), None),
            (format!("/s?{many}"), Some(Trap::ManyParameters)),
            ("/s?a=1&a=1&a=1&a=1".to_owned(), Some(Trap::RepeatedParameter)),
            ("/s?a=1&amp;b=2&amp;c=3&amp;d=4".to_owned(), None),
            ("/articles/2110/05/news".to_owned(), None),
            ("/s?c=1&c=2&c=3&c=4".to_owned(), None),
            ("/s?q=a&page=2".to_owned(), None),
        ] {
            let address = Address::parse(&format!("http://x.org{path}")).expect("an address");
            assert_eq!(find(&address, &TrapOptions::default(), 2024), expected, "{path}");
        }
    }
}
