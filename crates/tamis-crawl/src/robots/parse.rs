//! From the bytes of a `robots.txt` to what it says to one robot.

use std::borrow::Cow;

use super::line::Line;
use super::rules::{Rules, RulesBuilder};
use super::{MAX_BYTES, Robots, delay};

/// Longer lines are cut: eight times the longest address that browsers of old took, as in Google's parser.
const LONGEST_LINE: usize = 8 * 2083;

/// More are not kept; of 2,126 real files one names 1,036, the next 240.
const MAX_SITEMAPS: usize = 2_000;

/// Longer addresses of sitemaps are not kept.
const LONGEST_SITEMAP: usize = 2_048;

pub(super) fn parse(bytes: &[u8], agent: &str) -> Robots {
    let text = plain_text(whole_lines(bytes));
    let mut reading = Reading::new(agent);
    for line in text.split(|&byte| matches!(byte, b'\n' | b'\r')) {
        if let Some(line) = Line::read(&line[..line.len().min(LONGEST_LINE)]) {
            reading.take(line);
        }
    }
    reading.finish()
}

/// What is within the limit, without a line that is cut by it: half a rule would say something else.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    if bytes.len() <= MAX_BYTES {
        return bytes;
    }
    let read = &bytes[..MAX_BYTES];
    let end = memchr::memrchr2(b'\n', b'\r', read).unwrap_or(0);
    &read[..end]
}

/// Bytes of lines in ASCII and what goes beyond it in UTF-8. Zeros are dropped: they say nothing in UTF-8, and without
/// them UTF-16 that does not say so can be read, too.
fn plain_text(bytes: &[u8]) -> Cow<'_, [u8]> {
    let text = match bytes {
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(from_utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(from_utf16(rest, u16::from_be_bytes)),
        [0xEF, 0xBB, 0xBF, rest @ ..] | [0xEF, 0xBB, rest @ ..] | [0xEF, rest @ ..] => Cow::Borrowed(rest),
        _ => Cow::Borrowed(bytes),
    };
    if memchr::memchr(0, &text).is_none() {
        return text;
    }
    Cow::Owned(text.iter().copied().filter(|&byte| byte != 0).collect())
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.into_bytes()
}

/// Whom the lines at hand speak to.
#[derive(Debug, Clone, Copy, Default)]
struct Spoken {
    to_us: bool,
    to_all: bool,
}

/// A list of `User-agent` lines, which the first line of what it is for closes.
#[derive(Debug, Default)]
struct Heading {
    spoken: Spoken,
    is_closed: bool,
}

impl Heading {
    fn add(&mut self, named: Spoken) {
        if self.is_closed {
            *self = Self::default();
        }
        self.spoken.to_us |= named.to_us;
        self.spoken.to_all |= named.to_all;
    }

    fn close(&mut self) -> Spoken {
        self.is_closed = true;
        self.spoken
    }
}

/// What is said to a robot by its name, or to all that are not named.
#[derive(Default)]
struct Group {
    is_there: bool,
    rules: RulesBuilder,
    delay_ms: Option<u32>,
}

struct Reading<'a> {
    agent: &'a str,
    /// Whom rules are for. Other lines do not end the list (section 2.2.4).
    rules_heading: Heading,
    /// Whom delays are for: of `User-agent: a, Crawl-delay: 1, User-agent: b`, only `a`.
    delay_heading: Heading,
    ours: Group,
    everyones: Group,
    sitemaps: Vec<Box<str>>,
}

impl<'a> Reading<'a> {
    fn new(agent: &'a str) -> Self {
        Self {
            agent: agent.split('/').next().unwrap_or_default().trim(),
            rules_heading: Heading::default(),
            delay_heading: Heading::default(),
            ours: Group::default(),
            everyones: Group::default(),
            sitemaps: Vec::new(),
        }
    }

    fn take(&mut self, line: Line<'_>) {
        match line {
            Line::Agent(names) => self.agent_line(names),
            Line::Allow(pattern) => self.rule(pattern, true),
            Line::Disallow(pattern) => self.rule(pattern, false),
            Line::CrawlDelay(value) => self.delay(delay::crawl_delay_ms(value)),
            Line::RequestRate(value) => self.delay(delay::request_rate_ms(value)),
            Line::Sitemap(url) => self.sitemap(url),
        }
    }

    fn agent_line(&mut self, names: &[u8]) {
        let spoken = Spoken { to_us: is_named(names, self.agent), to_all: is_star(names) };
        self.rules_heading.add(spoken);
        self.delay_heading.add(spoken);
        self.ours.is_there |= spoken.to_us;
        self.everyones.is_there |= spoken.to_all;
    }

    fn rule(&mut self, pattern: &[u8], allow: bool) {
        self.delay_heading.close();
        let spoken = self.rules_heading.close();
        if spoken.to_us {
            self.ours.rules.push(pattern, allow);
        }
        // Rules for all are of no use once a group of ours has been seen.
        if spoken.to_all && !self.ours.is_there {
            self.everyones.rules.push(pattern, allow);
        }
    }

    fn delay(&mut self, delay_ms: Option<u32>) {
        let spoken = self.delay_heading.close();
        if spoken.to_us {
            self.ours.delay_ms = self.ours.delay_ms.max(delay_ms);
        }
        if spoken.to_all {
            self.everyones.delay_ms = self.everyones.delay_ms.max(delay_ms);
        }
    }

    fn sitemap(&mut self, url: &[u8]) {
        if url.is_empty() || url.len() > LONGEST_SITEMAP || self.sitemaps.len() >= MAX_SITEMAPS {
            return;
        }
        let url = String::from_utf8_lossy(url).into_owned().into_boxed_str();
        if !self.sitemaps.contains(&url) {
            self.sitemaps.push(url);
        }
    }

    fn finish(self) -> Robots {
        let group = if self.ours.is_there { self.ours } else { self.everyones };
        let rules: Rules = group.rules.finish();
        Robots { rules, delay_ms: group.delay_ms, sitemaps: self.sitemaps.into() }
    }
}

/// Whether one of the names is the robot's, up to what cannot be of a product token. RFC 9309 has no digits in one, and
/// Google stops at them; but there are robots whose names have some, and `bot2` is not `bot1`.
fn is_named(names: &[u8], agent: &str) -> bool {
    names.split(|&byte| byte == b',').any(|name| {
        let name = name.trim_ascii_start();
        let end = name.iter().position(|&byte| !is_of_token(byte)).unwrap_or(name.len());
        end > 0 && name[..end].eq_ignore_ascii_case(agent.as_bytes())
    })
}

fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn is_star(names: &[u8]) -> bool {
    matches!(names, [b'*'] | [b'*', b' ' | b'\t' | b',', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str, agent: &str, paths: &[(&str, bool)]) {
        let robots = Robots::parse(text.as_bytes(), agent);
        for &(path, allowed) in paths {
            assert_eq!(robots.allows(path), allowed, "{agent} {path} in {text:?}");
        }
    }

    #[test]
    fn groups_of_one_robot_are_merged_and_go_before_those_of_all() {
        let text = "user-agent: *\ndisallow: /all\n\nuser-agent: a\ndisallow: /1\n\nuser-agent: b\nuser-agent: A\n\
                    sitemap: /s\ndisallow: /2\nuser-agent: *\ndisallow: /more";
        paths(text, "a", &[("/1", false), ("/2", false), ("/all", true)]);
        paths(text, "b/1.0", &[("/1", true), ("/2", false), ("/all", true)]);
        paths(text, "c", &[("/1", true), ("/all", false), ("/more", false)]);
        assert_eq!(&*Robots::parse(text.as_bytes(), "c").sitemaps()[0], "/s");
    }

    #[test]
    fn names_are_whole_tokens_in_any_case() {
        for (names, agent, expected) in [
            ("Bot1", "bot1", true),
            ("bot2", "bot", false),
            ("bot/1.0", "bot", true),
            ("bot bar", "bot", true),
            ("bot bar", "bot bar", false),
            ("one, Two", "two", true),
            ("", "", false),
            ("*", "bot", false),
        ] {
            assert_eq!(is_named(names.as_bytes(), agent), expected, "{names} {agent}");
        }
    }

    #[test]
    fn a_delay_is_for_the_robots_named_before_it() {
        let text =
            "User-agent: a\rCrawl-delay: 10\rUser-agent: b\rCrawl-delay: 20\rUser-agent: *\rDisallow:/x\r";
        for (agent, delay) in [("a", Some(10_000)), ("b", Some(20_000)), ("c", None)] {
            let robots = Robots::parse(text.as_bytes(), agent);
            assert_eq!(robots.crawl_delay_ms(), delay, "{agent}");
            assert!(!robots.allows("/x"), "rules go to all who are named before them");
        }
    }

    #[test]
    fn any_encoding_and_line_end() {
        let text = "user-agent: *\r\ndisallow: /ü\rdisallow: /b\n";
        let little: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> =
            [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
        let marked = ["\u{FEFF}", text].concat().into_bytes();
        let half_marked = [&[0xEF, 0xBB], text.as_bytes()].concat();
        for bytes in [text.as_bytes(), &little, &big, &marked, &half_marked] {
            let robots = Robots::parse(bytes, "a");
            assert!(!robots.allows("/b") && !robots.allows("/%C3%BC") && robots.allows("/"), "{bytes:x?}");
        }
        let unmarked: Vec<u8> =
            "user-agent: *\ndisallow: /b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(!Robots::parse(&unmarked, "a").allows("/b"));
    }

    #[test]
    fn a_line_that_the_limit_cuts_is_left_out() {
        let head = "user-agent: *\ndisallow: /a\n";
        let mut text = format!("{head}#{}\n", "x".repeat(MAX_BYTES - head.len() - 2 - "disallow: /".len()));
        text.push_str("disallow: /bcd\n");
        paths(&text, "a", &[("/a", false), ("/b", true), ("/bcd", true), ("/", true)]);
    }

    #[test]
    fn sitemaps_are_listed_once_and_not_without_end() {
        let many: Vec<_> = (0..3_000).map(|n| format!("sitemap: /{n}\nsitemap: /{n}\n")).collect();
        let many = many.concat();
        let mut robots = Robots::parse(many.as_bytes(), "a");
        assert_eq!(robots.sitemaps().len(), MAX_SITEMAPS);
        assert_eq!(robots.take_sitemaps().len(), MAX_SITEMAPS);
        assert_eq!(robots, Robots::allow_all());
    }
}
