//! Session ids in paths and queries: two visits to one page that differ in nothing else shall have one key.
//!
//! Index keys remove exactly the ids that the Internet Archive's canonicaliser does ([`strip_path`], [`strip_query`]); the
//! aggressive canonicalisation knows more of them ([`strip_path_aggressively`], [`is_session_parameter`]). All of it
//! is linear in the length of the input.

/// The path without the last `/(S(24 characters))/` and the last `/(24 characters)/` before a name in `.aspx`.
pub(super) fn strip_path(mut path: Vec<u8>) -> Vec<u8> {
    for is_id in [is_lettered_id, is_bare_id] {
        if let Some((start, end)) = last_aspx_id(&path, is_id) {
            path.drain(start..end);
        }
    }
    path
}

/// The path without all such segments where it ends in `.aspx`, and without `;jsessionid=…` at its end.
pub(super) fn strip_path_aggressively(path: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(path.len());
    let is_aspx = path.ends_with(b".aspx");
    for (at, segment) in path.split_inclusive(|&byte| byte == b'/').enumerate() {
        let is_id = |name: &[u8]| is_lettered_id(name) || is_bare_id(name);
        if !(is_aspx && at > 0 && segment.strip_suffix(b"/").is_some_and(is_id)) {
            out.extend_from_slice(segment);
        }
    }
    if let Some(at) = out.len().checked_sub(b";jsessionid=".len() + 32)
        && out[at..].strip_prefix(b";jsessionid=").is_some_and(is_lower_alnum)
    {
        out.truncate(at);
    }
    out
}

/// The query without the last `jsessionid=`, `phpsessid=`, `sid=`, `ASPSESSIONID…=` and `cfid=…&cftoken=…`, in any case
/// of letters, where the value has the usual length. An id is found wherever it stands, not only behind `&`.
pub(super) fn strip_query(mut query: Vec<u8>) -> Vec<u8> {
    for name in [&b"jsessionid"[..], b"phpsessid", b"sid"] {
        if let Some(id) = last_id(&query, name) {
            remove_parameter(&mut query, id);
        }
    }
    for last in [last_asp_id, last_cfid] {
        if let Some(id) = last(&query) {
            remove_parameter(&mut query, id);
        }
    }
    query
}

/// Whether a query parameter (in lower case) is a session id, whatever the length of its value from a minimum on.
pub(super) fn is_session_parameter(parameter: &[u8]) -> bool {
    let Some(equals) = memchr::memchr(b'=', parameter) else { return false };
    let (name, value) = (&parameter[..equals], &parameter[equals + 1..]);
    match name {
        b"jsessionid" => value.len() >= 10 && value.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'$'),
        b"sessionid" | b"phpsessid" | b"sid" => value.len() >= 16 && is_alnum(value),
        [b'a', b's', b'p', b's', b'e', b's', b's', b'i', b'o', b'n', b'i', b'd', tail @ ..] => {
            tail.len() == 8 && is_alpha(tail) && value.len() >= 16 && is_alnum(value)
        }
        _ => false,
    }
}

/// Whether two neighbouring query parameters (in lower case) are the session id of `ColdFusion`.
pub(super) fn is_cold_fusion_pair(first: &[u8], second: &[u8]) -> bool {
    let (Some(id), Some(token)) = (first.strip_prefix(b"cfid="), second.strip_prefix(b"cftoken=")) else {
        return false;
    };
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    !id.is_empty() && id.iter().all(u8::is_ascii_digit) && !token.is_empty() && token.iter().all(is_token)
}

/// `(S(24 characters))`, with one or more lettered groups.
fn is_lettered_id(segment: &[u8]) -> bool {
    let Some(groups) = segment.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")")) else {
        return false;
    };
    let is_group = |group: &[u8]| matches!(group, [letter, b'(', id @ .., b')'] if letter.is_ascii_alphabetic() && is_alnum(id));
    !groups.is_empty() && groups.len().is_multiple_of(27) && groups.chunks_exact(27).all(is_group)
}

/// `(24 characters)`.
fn is_bare_id(segment: &[u8]) -> bool {
    matches!(segment, [b'(', id @ .., b')'] if id.len() == 24 && is_alnum(id))
}

/// The last segment that is an id and is followed by a `.aspx` before any `?`, with the slash behind it.
///
/// A path can hold a `?` that was escaped. No segment with an id holds one, so each stretch between two of them is
/// searched by itself, from its last `.aspx` backwards.
fn last_aspx_id(path: &[u8], is_id: fn(&[u8]) -> bool) -> Option<(usize, usize)> {
    let mut end = path.len();
    loop {
        let start = memchr::memrchr(b'?', &path[..end]).map_or(0, |at| at + 1);
        let stretch = &path[start..end];
        let is_aspx = |&at: &usize| stretch.get(at..at + 5).is_some_and(|s| s.eq_ignore_ascii_case(b".aspx"));
        if let Some(aspx) = memchr::memrchr_iter(b'.', stretch).find(is_aspx)
            // At least one byte of a name stands between the slash behind the id and the `.aspx`.
            && let Some((from, to)) = last_segment(&stretch[..aspx.saturating_sub(1)], is_id)
        {
            return Some((start + from, start + to));
        }
        end = start.checked_sub(1)?;
    }
}

/// The last segment between two slashes that `is_id` picks, with the slash behind it.
fn last_segment(path: &[u8], is_id: fn(&[u8]) -> bool) -> Option<(usize, usize)> {
    let mut slashes = memchr::memrchr_iter(b'/', path);
    let mut end = slashes.next()?;
    for slash in slashes {
        if is_id(&path[slash + 1..end]) {
            return Some((slash + 1, end + 1));
        }
        end = slash;
    }
    None
}

/// The last place where `name`, `=` and a value of 32 letters and digits stand before `&` or the end.
fn last_id(query: &[u8], name: &[u8]) -> Option<(usize, usize)> {
    memchr::memrchr_iter(b'=', query).find_map(|equals| {
        let (start, end) = (equals.checked_sub(name.len())?, equals + 33);
        let is_id = query[start..equals].eq_ignore_ascii_case(name)
            && query.get(equals + 1..end).is_some_and(is_alnum)
            && matches!(query.get(end), None | Some(b'&'));
        is_id.then_some((start, end))
    })
}

/// The last place where `ASPSESSIONID`, eight letters, `=` and 24 letters stand before `&` or the end.
fn last_asp_id(query: &[u8]) -> Option<(usize, usize)> {
    memchr::memrchr_iter(b'=', query).find_map(|equals| {
        let (start, end) = (equals.checked_sub(20)?, equals + 25);
        let is_id = query[start..equals - 8].eq_ignore_ascii_case(b"aspsessionid")
            && is_alpha(&query[equals - 8..equals])
            && query.get(equals + 1..end).is_some_and(is_alpha)
            && matches!(query.get(end), None | Some(b'&'));
        is_id.then_some((start, end))
    })
}

/// The last `cfid=…` whose parameter is followed by a `cftoken=…`.
fn last_cfid(query: &[u8]) -> Option<(usize, usize)> {
    let mut end = query.len();
    loop {
        let token = memchr::memrchr(b'&', &query[..end])?;
        let has_token =
            query.get(token + 1..token + 9).is_some_and(|name| name.eq_ignore_ascii_case(b"cftoken="));
        if has_token && token + 9 < end {
            let from = memchr::memrchr(b'&', &query[..token]).map_or(0, |at| at + 1);
            // At least one byte of a value stands between the name and the token.
            let names = &query[from..token.saturating_sub(1).max(from)];
            let is_cfid = |&at: &usize| at >= 4 && names[at - 4..at].eq_ignore_ascii_case(b"cfid");
            if let Some(equals) = memchr::memrchr_iter(b'=', names).find(is_cfid) {
                return Some((from + equals - 4, end));
            }
        }
        end = token;
    }
}

/// Removes the bytes and the `&` behind them.
fn remove_parameter(query: &mut Vec<u8>, (start, end): (usize, usize)) {
    let end = if query.get(end) == Some(&b'&') { end + 1 } else { end };
    query.drain(start..end);
}

fn is_alnum(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_alphanumeric)
}

fn is_alpha(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_alphabetic)
}

fn is_lower_alnum(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID24: &str = "4hqa0555fwsecu455xqckv45";
    const ID32: &str = "0123456789abcdefghijklemopqrstuv";

    #[test]
    fn ids_in_paths_are_removed_before_aspx() {
        for (path, expected) in [
            (format!("/(S({ID24}))/mileg.aspx"), "/mileg.aspx"),
            (format!("/({ID24})/mileg.aspx"), "/mileg.aspx"),
            (
                format!("/x/(a({ID24})S({ID24}))/m.aspx?page=({ID24})"),
                "/x/m.aspx?page=(4hqa0555fwsecu455xqckv45)",
            ),
            (format!("/({ID24})/({ID24})/a/b.ASPX"), "/(4hqa0555fwsecu455xqckv45)/a/b.ASPX"),
            (format!("/({ID24})/(S({ID24}))/b.aspx"), "/b.aspx"),
            (format!("/({ID24})/.aspx"), "/(4hqa0555fwsecu455xqckv45)/.aspx"),
            (format!("/({ID24})/a?b.aspx"), "/(4hqa0555fwsecu455xqckv45)/a?b.aspx"),
            (format!("/({ID24})/a.aspx?b.aspx"), "/a.aspx?b.aspx"),
            ("/(short)/a.aspx".into(), "/(short)/a.aspx"),
            ("/photos/36050182@N05/".into(), "/photos/36050182@N05/"),
        ] {
            let stripped = strip_path(path.clone().into_bytes());
            assert_eq!(String::from_utf8_lossy(&stripped), expected, "{path}");
        }
    }

    #[test]
    fn ids_in_queries_are_removed() {
        for (query, expected) in [
            (format!("PHPSESSID={ID32}&action=profile;u=4221"), "action=profile;u=4221"),
            (format!("a=1&jsessionid={ID32}"), "a=1&"),
            (format!("jsessionid={ID32}x&a=1"), "jsessionid=0123456789abcdefghijklemopqrstuvx&a=1"),
            (format!("Sid={ID32}&sid={ID32}&a=1"), "Sid=0123456789abcdefghijklemopqrstuv&a=1"),
            ("a=1&ASPSESSIONIDAQBSDSRT=EOHBLBDDPFCLHKPGGKLILNAM&b=2".into(), "a=1&b=2"),
            ("a=1&CFID=12&CFTOKEN=15&b=2".into(), "a=1&b=2"),
            ("cfid=cfid=1&cftoken=2".into(), "cfid="),
            ("cfid=&cftoken=2".into(), "cfid=&cftoken=2"),
            ("cfid=1&cftoken=".into(), "cfid=1&cftoken="),
        ] {
            let stripped = strip_query(query.clone().into_bytes());
            assert_eq!(String::from_utf8_lossy(&stripped), expected, "{query}");
        }
    }
}
