//! Command lines as text that can be pasted into a shell.

use std::ffi::OsStr;

/// Joins the words of a command line, each quoted where a POSIX shell needs it.
pub fn join<S: AsRef<OsStr>>(words: impl IntoIterator<Item = S>) -> String {
    words.into_iter().map(|word| quote(&word.as_ref().to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c) || !c.is_ascii();
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_shell_would_change_is_quoted() {
        let words = ["tamis", "ls", "a b.warc", "*.warc.gz", "", "it's", "x=1", "été.warc", "$HOME"];
        assert_eq!(join(words), r"tamis ls 'a b.warc' '*.warc.gz' '' 'it'\''s' x=1 été.warc '$HOME'");
    }
}
