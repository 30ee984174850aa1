//! The same head under another version.

use crate::head_lines::head_lines;
use crate::write::{WarcVersion, with_version};
use crate::{Head, Timestamp, Version};

/// The head with this version line, and how many dates were changed. None if it is of this version already, or if its
/// version line is none that can be changed.
///
/// WARC 1.0 has dates with whole seconds, neither more nor less (ISO 28500:2009, 5.4); nothing else that WARC 1.1 has
/// is forbidden there, so all other bytes stay.
pub(super) fn relabelled(head: &Head, version: WarcVersion) -> Option<(Vec<u8>, u32)> {
    if head.version() == Version::from(version) {
        return None;
    }
    let relabelled = with_version(head.raw(), version).ok()?;
    Some(match version {
        WarcVersion::V1_0 => with_whole_seconds(&relabelled),
        WarcVersion::V1_1 => (relabelled, 0),
    })
}

fn with_whole_seconds(raw: &[u8]) -> (Vec<u8>, u32) {
    let (version, lines) = head_lines(raw);
    let (mut changed, mut dates, mut passed) = (version.to_vec(), 0, version.len());
    for line in lines {
        passed += line.raw.len();
        let is_date = line.is_named("WARC-Date") || line.is_named("WARC-Refers-To-Date");
        let value = if is_date { line.value() } else { Vec::new() };
        match Timestamp::parse(&value).map(|date| date.to_seconds().to_string()) {
            Some(whole) if whole.as_bytes() != value => {
                changed.extend(line.with_value(whole.as_bytes()));
                dates += 1;
            }
            _ => changed.extend_from_slice(line.raw),
        }
    }
    changed.extend_from_slice(&raw[passed..]);
    (changed, dates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_that_the_version_forbids_change() {
        let raw = "WARC/1.1\r\nwarc-date:2024-04-08T18:18:29.25Z\r\nX: 2024-04-08T18:18:29.25Z\r\n \tfolded\r\n\
            WARC-Refers-To-Date: 2024-04-08T18:18:29Z\n\r\n";
        let mut head = Head { raw: raw.into(), ..Head::default() };
        head.parse_warc(&mut |_| ());
        let (changed, dates) = relabelled(&head, WarcVersion::V1_0).expect("another version");
        let expected = raw.replace("WARC/1.1", "WARC/1.0");
        let expected =
            expected.replace("warc-date:2024-04-08T18:18:29.25Z", "warc-date: 2024-04-08T18:18:29Z");
        assert_eq!((String::from_utf8_lossy(&changed).as_ref(), dates), (expected.as_str(), 1));
        assert_eq!(relabelled(&head, WarcVersion::V1_1), None);
    }
}
