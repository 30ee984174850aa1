//! The difference of two texts, line by line.

/// Lines that are only in the old text with `-`, only in the new with `+`, in both with a blank.
///
/// By the table of longest common subsequences: quadratic, which is fine for what a command says.
pub(crate) fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = common_lengths(&old, &new);
    let (mut i, mut j) = (0, 0);
    let mut text = String::new();
    let mut push = |sign: char, line: &str| text.extend([&*sign.to_string(), line, "\n"]);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            push(' ', old[i]);
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            push('-', old[i]);
            i += 1;
        } else {
            push('+', new[j]);
            j += 1;
        }
    }
    text
}

/// How many lines the rests from `i` and `j` on have in common.
fn common_lengths(old: &[&str], new: &[&str]) -> Vec<Vec<usize>> {
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let longer = common[i + 1][j].max(common[i][j + 1]);
            common[i][j] = if old[i] == new[j] { common[i + 1][j + 1] + 1 } else { longer };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_have_stays_and_the_rest_is_signed() {
        assert_eq!(diff("a\nb\nc\n", "a\nx\nc\nd\n"), " a\n-b\n+x\n c\n+d\n");
        assert_eq!(diff("", "a\n"), "+a\n");
        assert_eq!(diff("a\n", ""), "-a\n");
    }
}
