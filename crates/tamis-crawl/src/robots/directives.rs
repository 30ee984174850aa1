//! What single pages ask of robots, in `X-Robots-Tag` and in `<meta name="robots">`.

use std::ops::BitOr;

/// What a page asks. Several headers and elements add up, by `|`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Directives {
    /// Its links are not to be followed.
    pub nofollow: bool,
    /// It is not to be found by a search.
    pub noindex: bool,
    /// No copy of it is to be shown.
    pub noarchive: bool,
}

/// Directives with a value, whose colon does not end the name of a robot.
const WITH_VALUE: &[&str] = &["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

impl Directives {
    /// Reads one field `X-Robots-Tag` for the robot with this product token. `otherbot: noindex, nofollow` is for that
    /// robot up to the next name.
    pub fn of_header(value: &str, agent: &str) -> Self {
        let (mut found, mut is_for_us) = (Self::default(), true);
        for part in value.split(',') {
            let word = match part.split_once(':') {
                Some((name, word)) if !is_directive_with_value(name) => {
                    is_for_us = is_for(name.trim(), agent);
                    word
                }
                _ => part,
            };
            if is_for_us {
                found = found | Self::of_word(word.trim());
            }
        }
        found
    }

    /// Reads an element `<meta>` for the robot with this product token.
    pub fn of_meta(name: &str, content: &str, agent: &str) -> Self {
        if !is_for(name.trim(), agent) {
            return Self::default();
        }
        // Commas are the rule, but blanks and semicolons are found, too.
        let words = content.split(|c: char| c == ',' || c == ';' || c.is_whitespace());
        words.map(Self::of_word).fold(Self::default(), Self::bitor)
    }

    fn of_word(word: &str) -> Self {
        let is = |known: &str| word.eq_ignore_ascii_case(known);
        let none = is("none");
        Self { nofollow: none || is("nofollow"), noindex: none || is("noindex"), noarchive: is("noarchive") }
    }
}

impl BitOr for Directives {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            nofollow: self.nofollow | other.nofollow,
            noindex: self.noindex | other.noindex,
            noarchive: self.noarchive | other.noarchive,
        }
    }
}

fn is_directive_with_value(name: &str) -> bool {
    WITH_VALUE.iter().any(|known| name.trim().eq_ignore_ascii_case(known))
}

fn is_for(name: &str, agent: &str) -> bool {
    name.eq_ignore_ascii_case("robots") || name == "*" || name.eq_ignore_ascii_case(agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Directives = Directives { nofollow: false, noindex: false, noarchive: false };
    const NOFOLLOW: Directives = Directives { nofollow: true, ..NOTHING };
    const NOINDEX: Directives = Directives { noindex: true, ..NOTHING };
    const BOTH: Directives = Directives { nofollow: true, noindex: true, noarchive: false };

    #[test]
    fn headers_may_name_robots() {
        for (value, expected) in [
            ("noindex", NOINDEX),
            ("NoIndex , NOFOLLOW", BOTH),
            ("none", BOTH),
            ("noarchive", Directives { noarchive: true, ..NOTHING }),
            ("otherbot: noindex, nofollow", NOTHING),
            ("otherbot: noindex, tamis: nofollow", NOFOLLOW),
            ("nofollow, otherbot: noindex", NOFOLLOW),
            ("unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow", NOFOLLOW),
            ("max-snippet:-1, noindex", NOINDEX),
            ("all", NOTHING),
            ("", NOTHING),
        ] {
            assert_eq!(Directives::of_header(value, "tamis"), expected, "{value}");
        }
    }

    #[test]
    fn elements_are_for_all_robots_or_one() {
        for (name, content, expected) in [
            ("robots", "noindex,nofollow", BOTH),
            ("ROBOTS", "index nofollow", NOFOLLOW),
            ("Tamis", "none", BOTH),
            ("googlebot", "none", NOTHING),
            ("description", "nofollow", NOTHING),
            ("robots", "", NOTHING),
        ] {
            assert_eq!(Directives::of_meta(name, content, "tamis"), expected, "{name} {content}");
        }
    }
}
