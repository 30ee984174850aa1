//! `srcset` and `imagesrcset`: several URLs in one attribute.

use super::Site;

/// Maps the absolute URLs of the candidates, as HTML parses them. None if there is none.
pub(super) fn rewrite(text: &str, site: &Site) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut is_changed) = (text, false);
    loop {
        let url = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        out.push_str(&rest[..rest.len() - url.len()]);
        if url.is_empty() {
            return is_changed.then_some(out);
        }
        let end = url.find(|c: char| c.is_ascii_whitespace()).unwrap_or(url.len());
        let candidate = url[..end].trim_end_matches(',');
        let mapped = site.map(candidate);
        is_changed |= mapped.is_some();
        out.push_str(mapped.as_deref().unwrap_or(candidate));
        rest = &url[candidate.len()..];
        if candidate.len() == end {
            let end = descriptors_end(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
}

/// Where the descriptors after a URL end: at a comma outside of brackets.
fn descriptors_end(text: &str) -> usize {
    let mut is_inside = false;
    for (at, c) in text.char_indices() {
        match c {
            '(' => is_inside = true,
            ')' => is_inside = false,
            ',' if !is_inside => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_candidate_is_mapped() {
        let site = Site { timestamp: "20200101000000".into(), collection: 1, port: 80 };
        let to = "http://a.t20200101000000.c1.localhost:80";
        for (text, expected) in [
            ("http://a/x", Some(format!("{to}/x"))),
            ("http://a/x 1x, http://a/y 2x", Some(format!("{to}/x 1x, {to}/y 2x"))),
            ("x 1x,//a/y,z 3x", Some(format!("x 1x,{to}/y,z 3x"))),
            (" http://a/x,y 1x", Some(format!(" {to}/x,y 1x"))),
            ("http://a/x, http://a/y", Some(format!("{to}/x, {to}/y"))),
            ("x (a, http://a/), http://a/y", Some(format!("x (a, http://a/), {to}/y"))),
            ("x 1x, y 2x", None),
            (",,", None),
            ("", None),
        ] {
            assert_eq!(rewrite(text, &site), expected, "{text}");
        }
    }
}
