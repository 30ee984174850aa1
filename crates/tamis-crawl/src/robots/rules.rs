//! The rules of one robot, in little memory.

use super::pattern::{Escapes, matches, spell_path, spell_pattern};

/// Rules in the order in which they win: the longest pattern first, and of two as long, the one that allows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rules {
    text: Box<[u8]>,
    rules: Box<[Rule]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rule {
    start: u32,
    len: u16,
    /// Bytes of the pattern as it was written, with escapes where a request has them.
    priority: u16,
    allow: bool,
    to_end: bool,
}

/// Collects rules in the order of the file.
#[derive(Debug, Default)]
pub(super) struct RulesBuilder {
    text: Vec<u8>,
    rules: Vec<Rule>,
}

impl Rules {
    pub(super) fn disallow_all() -> Self {
        let mut builder = RulesBuilder::default();
        builder.push(b"/", false);
        builder.finish()
    }

    /// Whether the rule that wins allows a path; what no rule matches is allowed.
    ///
    /// What forbids is compared with all escapes undone that can be. What allows must be spelt like the path or like
    /// its plain form: an odd spelling of a permission is not stretched (Google does not stretch it either).
    pub(super) fn allow(&self, path: &[u8]) -> bool {
        if self.rules.is_empty() {
            return true;
        }
        let path = if path.is_empty() { b"/" } else { path };
        let plain = spell_path(path, Escapes::Undone);
        let written = memchr::memchr(b'%', path).map(|_| spell_path(path, Escapes::AsWritten));
        let written = written.filter(|written| *written != plain);
        let hits = |rule: &&Rule, path: &[u8]| matches(self.pattern(rule), rule.to_end, path);
        let winner = self.rules.iter().find(|rule| {
            hits(rule, &plain) || rule.allow && written.as_ref().is_some_and(|written| hits(rule, written))
        });
        winner.is_none_or(|rule| rule.allow)
    }

    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.text.len() + size_of_val(&*self.rules)
    }

    fn pattern(&self, rule: &Rule) -> &[u8] {
        &self.text[rule.start as usize..][..usize::from(rule.len)]
    }
}

impl RulesBuilder {
    /// Adds the rule of a line; an empty pattern is none.
    pub(super) fn push(&mut self, pattern: &[u8], allow: bool) {
        let pattern = without_origin(pattern);
        let Some(&first) = pattern.first() else { return };
        let rooted = [b"/", pattern].concat();
        let pattern = if matches!(first, b'/' | b'*') { pattern } else { &rooted };
        self.push_rooted(pattern, allow);
        if allow && let Some(folder) = folder_of_index(pattern) {
            self.push_rooted(&[folder, b"$"].concat(), true);
        }
    }

    fn push_rooted(&mut self, pattern: &[u8], allow: bool) {
        let (body, to_end) = match pattern.split_last() {
            Some((b'$', body)) => (body, true),
            _ => (pattern, false),
        };
        let start = self.text.len();
        let escapes = if allow { Escapes::AsWritten } else { Escapes::Undone };
        spell_pattern(body, escapes, &mut self.text);
        let written_len = pattern.iter().map(|&byte| if byte < 0x80 { 1 } else { 3 }).sum::<usize>();
        // What any tail may follow need not be said.
        if !to_end && self.text.len() > start && self.text.last() == Some(&b'*') {
            self.text.pop();
        }
        let (Ok(start), Ok(len)) = (u32::try_from(start), u16::try_from(self.text.len() - start)) else {
            self.text.truncate(start);
            return;
        };
        let priority = u16::try_from(written_len).unwrap_or(u16::MAX);
        self.rules.push(Rule { start, len, priority, allow, to_end });
    }

    /// The rules as they are asked, without those that say what another has said.
    pub(super) fn finish(self) -> Rules {
        let Self { text, mut rules } = self;
        let pattern = |rule: &Rule| &text[rule.start as usize..][..usize::from(rule.len)];
        rules.sort_by(|a, b| {
            let by_weight = (b.priority, b.allow, b.to_end).cmp(&(a.priority, a.allow, a.to_end));
            by_weight.then_with(|| pattern(a).cmp(pattern(b)))
        });
        rules.dedup_by(|a, b| {
            (a.allow, a.to_end, a.priority) == (b.allow, b.to_end, b.priority) && pattern(a) == pattern(b)
        });
        let mut packed = Vec::with_capacity(text.len());
        for rule in &mut rules {
            let start = packed.len() as u32;
            packed.extend_from_slice(pattern(rule));
            rule.start = start;
        }
        Rules { text: packed.into(), rules: rules.into() }
    }
}

/// The path of a pattern that is written as a whole address. One that means all of a host is dropped: in real files
/// it is another host (`Disallow: https://staging.example.org/*`), and would close this one.
fn without_origin(pattern: &[u8]) -> &[u8] {
    let schemes: [&[u8]; 2] = [b"http://", b"https://"];
    let scheme = schemes
        .iter()
        .find(|scheme| pattern.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let Some(scheme) = scheme else { return pattern };
    let rest = &pattern[scheme.len()..];
    let path = memchr::memchr(b'/', rest).map_or(&[][..], |slash| &rest[slash..]);
    if path.iter().all(|byte| matches!(byte, b'/' | b'*' | b'$')) { &[] } else { path }
}

/// The folder of a pattern that allows its index: who may read `/a/index.html` may read `/a/`, as Google has it.
fn folder_of_index(pattern: &[u8]) -> Option<&[u8]> {
    let slash = memchr::memrchr(b'/', pattern)?;
    pattern[slash..].starts_with(b"/index.htm").then(|| &pattern[..=slash])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(patterns: &[&str]) -> Rules {
        let mut builder = RulesBuilder::default();
        for pattern in patterns {
            let (sign, pattern) = pattern.split_at(1);
            builder.push(pattern.as_bytes(), sign == "+");
        }
        builder.finish()
    }

    #[test]
    fn the_longest_pattern_wins_and_permission_wins_ties() {
        for (patterns, path, expected) in [
            (&["-/x/page", "+/x/"][..], "/x/page", false),
            (&["+/x/page", "-/x/"], "/x/page", true),
            (&["-/x", "+/x"], "/x", true),
            (&["+/page", "-/*.html"], "/page.html", false),
            (&["-/", "+/$"], "/", true),
            (&["-/", "+/$"], "/a", false),
            (&["-/", "+/$"], "", true),
            (&["-/", "+/a/index.html"], "/a/", true),
            (&["-/", "+/a/index.html"], "/a/b", false),
            (&["-", "+"], "/", true),
            (&["-fish"], "/fish", false),
            (&["-https://a.example/fish"], "/fish", false),
            (&["-https://a.example"], "/fish", true),
            (&["-https://staging.a.example/*"], "/fish", true),
            (&["-/a$b"], "/a$bc", false),
            (&["-/a%2Ab"], "/a*b", false),
            (&["-/%62"], "/b", false),
            (&["-/b"], "/%62", false),
            (&["-/", "+/%62"], "/b", false),
            (&["-/", "+/%62"], "/%62", true),
            (&["-/", "+/~a"], "/%7ea", true),
        ] {
            assert_eq!(rules(patterns).allow(path.as_bytes()), expected, "{patterns:?} {path}");
        }
    }

    #[test]
    fn what_is_said_twice_is_kept_once() {
        let twice = rules(&["-/a", "-/b", "-/a", "+/a"]);
        assert_eq!(twice.len(), 3);
        assert_eq!(twice.text.len(), 6);
    }

    #[test]
    fn many_wildcards_take_no_longer_than_they_must() {
        let pattern = format!("-/{}", "*a".repeat(2_000));
        let path = format!("/{}", "a".repeat(1_999));
        assert!(rules(&[&pattern]).allow(path.as_bytes()));
        assert!(!rules(&[&pattern]).allow(format!("{path}a").as_bytes()));
    }
}
