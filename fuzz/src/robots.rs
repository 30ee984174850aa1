//! What sites say to crawlers, and what people say of a crawl. The tests of `tamis-crawl` include this file, too.

use std::io::BufReader;

use tamis_crawl::Address;
use tamis_crawl::robots::{Directives, LONGEST_DELAY_MS, LONGEST_RETRY_MS, Robots, retry_after_ms};
use tamis_crawl::scope::{Growth, Scope, ScopeOptions};
use tamis_crawl::sitemap::{Limits, read};
use tamis_page::date::Date;

/// The first byte says what the rest is read as.
pub fn check(data: &[u8]) {
    let Some((&how, bytes)) = data.split_first() else { return };
    match how & 3 {
        0 => check_robots(bytes),
        1 => check_scope(&String::from_utf8_lossy(bytes)),
        2 => check_sitemap(bytes, usize::from(how >> 2) + 1),
        _ => check_fields(&String::from_utf8_lossy(bytes)),
    }
}

/// A file whose last line is a path.
fn check_robots(bytes: &[u8]) {
    let end = bytes.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
    let (file, path) = bytes.split_at(end);
    let path = String::from_utf8_lossy(path);
    let path = path.trim();
    let robots = Robots::parse(file, "tamis");
    let allowed = robots.allows(path);
    assert!(robots.allows("/robots.txt"), "the file itself may be read");
    assert!(robots.crawl_delay_ms() <= Some(LONGEST_DELAY_MS));
    assert!(robots.heap_bytes() <= 32 * file.len() + 64, "{} of {}", robots.heap_bytes(), file.len());
    assert_eq!(Robots::parse(file, "TAMIS/1.0"), robots, "the case and version of a name are nothing");
    if file.starts_with(b"user-agent") {
        let with_more = [file, b"\n# a note\n\nunknown: x\n"].concat();
        assert_eq!(
            Robots::parse(&with_more, "tamis").allows(path),
            allowed,
            "what says nothing changes nothing"
        );
    }
}

/// Options, an empty line, and addresses.
fn check_scope(text: &str) {
    let (options, urls) = text.split_once("\n\n").unwrap_or((text, ""));
    let Ok(options) = options.parse::<ScopeOptions>() else { return };
    let written = options.to_string();
    let again: ScopeOptions = written.parse().expect("what was written can be read");
    assert_eq!(again.to_string(), written);
    let addresses: Vec<_> = urls.lines().filter_map(Address::parse).collect();
    let today = Date::new(2024, 2, 29).expect("a day");
    let scope = Scope::new(options, &addresses[..addresses.len().min(1)], today);
    let mut growth = Growth::new(scope.options());
    for pair in addresses.windows(2) {
        let clean = scope.clean(pair[1].clone());
        assert_eq!(scope.clean(clean.clone()), clean, "once is enough");
        let verdict = scope.decide(&clean, 3, Some(&pair[0]));
        let said = scope.explain(&clean, 3, Some(&pair[0]));
        assert_eq!(said.starts_with("taken: "), verdict.is_take(), "{said}");
        growth.admit(&clean);
    }
}

fn check_sitemap(bytes: &[u8], window: usize) {
    let limits = Limits { max_entries: 100, max_bytes: 100_000 };
    let (mut whole, mut trickled) = (Vec::new(), Vec::new());
    let summary = read(bytes, limits, |entry| whole.push(format!("{entry:?}")));
    let other = read(BufReader::with_capacity(window, bytes), limits, |entry| {
        assert!(!entry.loc.is_empty() && entry.loc.trim() == entry.loc);
        trickled.push(format!("{entry:?}"));
    });
    assert!(whole.len() == summary.entries && summary.entries <= limits.max_entries);
    // How far broken gzip is read depends on the pieces.
    if !(bytes.starts_with(&[0x1F, 0x8B]) && summary.is_damaged && other.is_damaged) {
        assert_eq!((whole, summary), (trickled, other), "the same in pieces of any size");
    }
}

fn check_fields(text: &str) {
    assert!(retry_after_ms(text, 784_111_770_000).is_none_or(|wait_ms| wait_ms <= LONGEST_RETRY_MS));
    let header = Directives::of_header(text, "tamis");
    let with_other = Directives::of_header(&format!("{text}, otherbot: none"), "tamis");
    assert_eq!(header, with_other, "what is for others is not for us");
    let _ = Directives::of_meta("robots", text, "tamis");
}
