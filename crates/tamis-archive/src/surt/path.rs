//! `.` and `..` in paths.

/// The path with `.` and `..` resolved as browsers do (also spelled `%2e`), everything else as it was.
///
/// `special` takes a backslash for a slash, as in the schemes that browsers know. A path that does not begin with a slash stays.
pub fn resolve_dots(path: &[u8], special: bool) -> Vec<u8> {
    let is_slash = |byte: &u8| *byte == b'/' || (special && *byte == b'\\');
    if !path.first().is_some_and(is_slash) {
        return path.to_vec();
    }
    // Each kept segment with the slash before it; `open` is a slash that waits for its segment.
    let mut kept: Vec<(u8, &[u8])> = Vec::new();
    let mut open = None;
    let mut rest = path;
    while let Some((&slash, tail)) = rest.split_first() {
        let len = tail.iter().position(is_slash).unwrap_or(tail.len());
        let segment = &tail[..len];
        rest = &tail[len..];
        let slash = open.take().unwrap_or(slash);
        match dots(segment) {
            0 => kept.push((slash, segment)),
            1 => open = Some(slash),
            _ => open = Some(kept.pop().map_or(slash, |(before, _)| before)),
        }
    }
    let mut out = Vec::with_capacity(path.len());
    for (slash, segment) in kept {
        out.push(slash);
        out.extend_from_slice(segment);
    }
    out.extend(open);
    out
}

/// How many dots a segment consists of: 1 or 2, else 0.
fn dots(mut segment: &[u8]) -> usize {
    let mut count = 0;
    while let Some(rest) = without_dot(segment) {
        segment = rest;
        count += 1;
    }
    if segment.is_empty() && count <= 2 { count } else { 0 }
}

fn without_dot(segment: &[u8]) -> Option<&[u8]> {
    match segment {
        [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved() {
        for (path, expected) in [
            ("/", "/"),
            ("/..", "/"),
            ("/foo/.", "/foo/"),
            ("/foo/..", "/"),
            ("//..//", "//"),
            ("/a/b/../../../c", "/c"),
            ("/a/%2E%2e/b", "/b"),
            ("/.../", "/.../"),
            ("a/../b", "a/../b"),
            ("/a\\..\\b", "/b"),
            ("/a/..\\b", "/b"),
        ] {
            assert_eq!(String::from_utf8_lossy(&resolve_dots(path.as_bytes(), true)), expected, "{path}");
        }
        assert_eq!(resolve_dots(b"/a\\..\\b", false), b"/a\\..\\b");
    }
}
