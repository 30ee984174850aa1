//! Reads treebanks in CoNLL-U.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tamis_words::tag::Tag;

/// A sentence with its tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tagged {
    /// The tokens as they are written.
    pub(crate) tokens: Vec<String>,
    /// Their tags.
    pub(crate) tags: Vec<Tag>,
    /// Whether nothing stands between a token and the next one.
    pub(crate) glued: Vec<bool>,
}

/// The sentences of a treebank. A tag that is none of ours is an error.
pub(crate) fn read(path: &Path) -> Result<Vec<Tagged>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.split("\n\n").filter(|part| !part.trim().is_empty()).map(sentence).collect()
}

fn sentence(lines: &str) -> Result<Tagged> {
    let mut read = Tagged { tokens: Vec::new(), tags: Vec::new(), glued: Vec::new() };
    for line in lines.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        // Comments, words of several tokens and words that were left out have other numbers or none.
        if fields.len() == 10 && fields[0].bytes().all(|byte| byte.is_ascii_digit()) {
            let tag = Tag::parse(fields[4]).with_context(|| format!("{line}: unknown tag {}", fields[4]))?;
            read.tokens.push(fields[1].to_owned());
            read.tags.push(tag);
            read.glued.push(fields[9].contains("SpaceAfter=No"));
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tokens_are_read() {
        let lines = "# text = Don't\n1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tDo\tdo\tAUX\tVB\t_\t0\t_\t_\tSpaceAfter=No\n\
                     1.1\tx\tx\tX\tXX\t_\t_\t_\t_\t_\n2\tn't\tnot\tPART\tRB\t_\t1\t_\t_\t_";
        let read = sentence(lines).expect("sound");
        assert_eq!(read.tokens, ["Do", "n't"]);
        assert_eq!(read.tags.iter().map(|tag| tag.as_str()).collect::<Vec<_>>(), ["VB", "RB"]);
        assert_eq!(read.glued, [true, false]);
    }
}
