//! What archives are called in a collection.

/// Endings that a number goes before.
const KINDS: [&str; 5] = [".warc", ".arc", ".wet", ".wat", ".wacz"];

/// The name of a file as that of an archive: one that a shell, an index and a terminal take, and that is not hidden.
pub(super) fn plain(name: &str) -> String {
    let name = name.replace(|c: char| c.is_control() || matches!(c, '/' | '\\' | '#'), "_");
    match name.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None if name.is_empty() => "archive".to_owned(),
        None => name,
    }
}

/// The name with a number: `a-2.warc.gz`.
pub(super) fn numbered(name: &str, number: u32) -> String {
    if number < 2 {
        return name.to_owned();
    }
    let lower = name.to_ascii_lowercase();
    let at = KINDS.iter().filter_map(|kind| lower.find(kind)).min();
    let at = at.or_else(|| lower.rfind('.')).filter(|&at| at > 0).unwrap_or(name.len());
    format!("{}-{number}{}", &name[..at], &name[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_goes_before_the_ending() {
        for (name, expected) in [
            ("a.warc.gz", "a-2.warc.gz"),
            ("CC-1.2.WARC.wet.gz", "CC-1.2-2.WARC.wet.gz"),
            ("crawl", "crawl-2"),
            ("a.gz", "a-2.gz"),
            ("été.arc", "été-2.arc"),
            (".warc", ".warc-2"),
        ] {
            assert_eq!(numbered(name, 2), expected);
        }
        assert_eq!(numbered("a.warc", 1), "a.warc");
    }

    #[test]
    fn names_are_plain() {
        for (name, expected) in
            [("a.warc", "a.warc"), (".a.warc", "_a.warc"), ("a\u{1b}[0m#b\\c", "a_[0m_b_c"), ("", "archive")]
        {
            assert_eq!(plain(name), expected);
        }
    }
}
