//! What robots.txt files say, as data, as text and as an answer.
//!
//! The text is written from the data and the answers are computed from the data, so that nothing here depends on how
//! a crawler reads robots.txt.

use std::fmt::Write;

use super::World;
use super::dice::Dice;
use super::options::{Quirk, RobotsKind, SitemapKind};
use super::spot::{Spot, What};

/// The rules for some crawlers.
pub(super) struct Group {
    agents: &'static [&'static str],
    /// Whether a pattern allows or disallows.
    rules: &'static [(bool, &'static str)],
}

const EVERYTHING: &[Group] = &[Group { agents: &["*"], rules: &[] }];
const NOTHING: &[Group] = &[Group { agents: &["*"], rules: &[(false, "/")] }];
const SOME: &[Group] = &[
    Group { agents: &["badbot", "otherbot"], rules: &[(false, "/")] },
    Group {
        agents: &["*"],
        rules: &[
            (false, "/private/"),
            (true, "/private/open/"),
            (false, "/sport/*.html$"),
            (false, "/*?section=garden"),
        ],
    },
];
const NAMED: &[Group] = &[
    Group { agents: &["*"], rules: &[(false, "/opinion/")] },
    Group { agents: &["tamis"], rules: &[(false, "/archive/"), (true, "/archive/*0$")] },
];

/// The rules of a kind, once its file was read; `None` if it forbids everything by failing.
fn groups(kind: RobotsKind) -> Option<&'static [Group]> {
    match kind {
        RobotsKind::AllowAll | RobotsKind::CrawlDelay | RobotsKind::Missing | RobotsKind::Garbage => {
            Some(EVERYTHING)
        }
        RobotsKind::DisallowSome | RobotsKind::Moved => Some(SOME),
        RobotsKind::DisallowAll => Some(NOTHING),
        RobotsKind::Named => Some(NAMED),
        RobotsKind::ServerError => None,
    }
}

impl World {
    /// Whether a crawler of that product name may fetch a spot.
    pub(super) fn allows(&self, agent: &str, spot: Spot) -> bool {
        let host = &self.hosts[spot.host as usize];
        if matches!(host.quirk, Some(Quirk::NotHttp | Quirk::Stalls)) {
            return false;
        }
        let Some(groups) = groups(host.robots) else { return false };
        if groups.iter().all(|group| group.rules.is_empty()) {
            return true;
        }
        let mut path = String::new();
        self.write_path(spot.host, spot.what, &mut path);
        groups_allow(groups, agent, &path)
    }

    /// Whether a crawler of that product name may fetch a path of a host, whether it exists or not.
    pub(super) fn allows_path(&self, agent: &str, host: u32, path: &str) -> bool {
        groups(self.hosts[host as usize].robots).is_some_and(|groups| groups_allow(groups, agent, path))
    }

    /// The delay a host asks for.
    pub(super) fn crawl_delay_ms(&self, host: u32) -> u32 {
        if self.hosts[host as usize].robots == RobotsKind::CrawlDelay {
            self.options.crawl_delay_ms
        } else {
            0
        }
    }

    /// The text of a robots.txt that is one.
    pub(super) fn robots_text(&self, host: u32) -> Vec<u8> {
        let owner = &self.hosts[host as usize];
        if owner.robots == RobotsKind::Garbage {
            return garbage(self.options.seed, host);
        }
        let mut text = String::from("# The simulated web\n\n");
        for group in groups(owner.robots).unwrap_or_default() {
            write_group(group, self.crawl_delay_ms(host), &mut text);
        }
        if owner.sitemap != SitemapKind::None {
            let sitemap = self.url(Spot { host, old: false, what: What::Sitemap });
            let _ = writeln!(text, "Sitemap: {sitemap}");
        }
        text.into_bytes()
    }
}

fn write_group(group: &Group, delay_ms: u32, text: &mut String) {
    for agent in group.agents {
        let _ = writeln!(text, "User-agent: {agent}");
    }
    for (allow, pattern) in group.rules {
        let _ = writeln!(text, "{}: {pattern}", if *allow { "Allow" } else { "Disallow" });
    }
    if group.rules.is_empty() {
        text.push_str("Disallow:\n");
    }
    if delay_ms > 0 {
        let _ = writeln!(text, "Crawl-delay: {}", f64::from(delay_ms) / 1000.0);
    }
    text.push('\n');
}

/// Bytes without a line that could be a rule.
fn garbage(seed: u64, host: u32) -> Vec<u8> {
    let mut dice = Dice::new(seed, &[5, u64::from(host)]);
    (0..300).map(|_| dice.roll() as u8).filter(|byte| !matches!(byte, b':' | b'\n' | b'\r')).collect()
}

/// RFC 9309, section 2.2: the group that names the crawler, or else that of all; there the longest match, and of two
/// as long the one that allows.
fn groups_allow(groups: &[Group], agent: &str, path: &str) -> bool {
    let named =
        |name: &str| groups.iter().find(|group| group.agents.iter().any(|a| a.eq_ignore_ascii_case(name)));
    let Some(group) = named(agent).or_else(|| named("*")) else { return true };
    let matching = group.rules.iter().filter(|(_, pattern)| matches(pattern, path));
    matching.max_by_key(|(allow, pattern)| (pattern.len(), *allow)).is_none_or(|(allow, _)| *allow)
}

pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, whole) = pattern.strip_suffix('$').map_or((pattern, false), |start| (start, true));
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return !whole || rest.is_empty() };
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    if whole { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, path, expected) in [
            ("/", "/a", true),
            ("/a", "/b", false),
            ("/a$", "/a", true),
            ("/a$", "/ab", false),
            ("/*.php", "/x/y.php?z", true),
            ("/*.php$", "/x/y.php?z", false),
            ("/a*b*c$", "/a1b2c3c", true),
            ("/a*b*c$", "/a1c", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn the_group_of_the_crawler_and_the_longest_rule_decide() {
        for (groups, agent, path, expected) in [
            (SOME, "tamis", "/private/1", false),
            (SOME, "tamis", "/private/open/1", true),
            (SOME, "BadBot", "/x", false),
            (SOME, "tamis", "/sport/all/7.html", false),
            (SOME, "tamis", "/view?section=garden&item=3", false),
            (NAMED, "tamis", "/archive/7", false),
            (NAMED, "tamis", "/archive/70", true),
            (NAMED, "tamis", "/opinion/7", true),
            (NAMED, "wget", "/opinion/7", false),
            (NOTHING, "tamis", "/", false),
            (EVERYTHING, "tamis", "/", true),
        ] {
            assert_eq!(groups_allow(groups, agent, path), expected, "{agent} {path}");
        }
    }
}
