//! What is counted of each record.

use std::collections::BTreeMap;

use tamis_archive::http::{HttpHead, HttpQuirk, HttpQuirks};
use tamis_archive::{Head, RecordType, Timestamp};

use super::counts::{Count, Counts};
use tamis_archive::Content;

/// So many hosts are counted exactly: 100,000 of them take about 15 MB.
pub(super) const MAX_HOSTS: usize = 100_000;
/// Media types, encodings and the like are few in real archives.
const MAX_OTHERS: usize = 1000;

/// All counts of archives. Those of some records, which [`Stats::default`] is for, have no bound but the records.
#[derive(Debug, Clone, Default)]
pub(super) struct Stats {
    pub(super) total: Count,
    /// Records that share their compressed member with others.
    pub(super) shared: u64,
    pub(super) damaged: u64,
    /// Responses, revisits, resources and conversions.
    pub(super) captures: u64,
    pub(super) undated: u64,
    pub(super) first: Option<Timestamp>,
    pub(super) last: Option<Timestamp>,
    pub(super) types: BTreeMap<RecordType, Count>,
    pub(super) statuses: BTreeMap<u16, Count>,
    /// By year and month, `2024-02`.
    pub(super) months: BTreeMap<String, Count>,
    pub(super) mimes: Counts,
    pub(super) hosts: Counts,
    pub(super) versions: Counts,
    pub(super) codecs: Counts,
    pub(super) encodings: Counts,
    pub(super) digests: Counts,
    pub(super) profiles: Counts,
    pub(super) truncated: Counts,
    pub(super) quirks: BTreeMap<HttpQuirk, Count>,
    /// How decoding bodies ended, and the bytes it gave.
    pub(super) bodies: Counts,
}

impl Stats {
    /// Counts of any number of records.
    pub(super) fn bounded() -> Self {
        let few = || Counts::up_to(MAX_OTHERS);
        Self {
            mimes: few(),
            hosts: Counts::up_to(MAX_HOSTS),
            versions: few(),
            codecs: few(),
            encodings: few(),
            digests: few(),
            profiles: few(),
            truncated: few(),
            bodies: few(),
            ..Self::default()
        }
    }

    /// Counts a record.
    pub(super) fn add(&mut self, head: &Head, content: &Content, http: &HttpHead, count: Count) {
        self.total.add(count);
        self.types.entry(head.record_type()).or_default().add(count);
        self.versions.add(&head.version().to_string(), count);
        self.add_date(head.date(), count);
        self.add_fields(head, count);
        if head.record_type().is_capture() {
            self.add_capture(head, content, http, count);
        }
    }

    /// Counts what is odd about messages.
    pub(super) fn add_quirks(&mut self, quirks: HttpQuirks, count: Count) {
        for quirk in quirks.iter() {
            self.quirks.entry(quirk).or_default().add(count);
        }
    }

    fn add_date(&mut self, date: Option<Timestamp>, count: Count) {
        let Some(date) = date else {
            self.undated += 1;
            return;
        };
        self.first = Some(self.first.map_or(date, |first| first.min(date)));
        self.last = Some(self.last.map_or(date, |last| last.max(date)));
        let digits = date.digits();
        self.months.entry(format!("{}-{}", &digits[..4], &digits[4..6])).or_default().add(count);
    }

    fn add_fields(&mut self, head: &Head, count: Count) {
        for (field, part) in [("WARC-Block-Digest", "block"), ("WARC-Payload-Digest", "payload")] {
            if let Some(digest) = head.fields().text(field) {
                let algorithm = digest.split_once(':').map_or("?", |(name, _)| name.trim());
                self.digests.add(&format!("{part} {}", algorithm.to_ascii_lowercase()), count);
            }
        }
        if let Some(reason) = head.fields().text("WARC-Truncated") {
            self.truncated.add(&reason.to_ascii_lowercase(), count);
        }
        if head.record_type() == RecordType::Revisit {
            let profile = head.fields().text("WARC-Profile").unwrap_or_default();
            self.profiles.add(profile.trim_end_matches('/').rsplit('/').next().unwrap_or_default(), count);
        }
    }

    fn add_capture(&mut self, head: &Head, content: &Content, http: &HttpHead, count: Count) {
        self.captures += count.records;
        self.mimes.add(content.mime.as_deref().unwrap_or_default(), count);
        self.hosts.add(&head.target_uri().map(|url| host(&url)).unwrap_or_default(), count);
        if let Some(status) = content.status {
            self.statuses.entry(status).or_default().add(count);
        }
        for field in ["Content-Encoding", "Transfer-Encoding"] {
            if let Some(encoding) = http.fields().text(field).filter(|_| content.is_http) {
                self.encodings.add(&encoding.trim().to_ascii_lowercase(), count);
            }
        }
    }

    /// Adds the counts of a later piece.
    pub(super) fn merge(&mut self, later: Self) {
        self.total.add(later.total);
        self.shared += later.shared;
        self.damaged += later.damaged;
        self.captures += later.captures;
        self.undated += later.undated;
        self.first = self.first.into_iter().chain(later.first).min();
        self.last = self.last.max(later.last);
        merge(&mut self.types, later.types);
        merge(&mut self.statuses, later.statuses);
        merge(&mut self.months, later.months);
        merge(&mut self.quirks, later.quirks);
        self.mimes.merge(later.mimes);
        self.hosts.merge(later.hosts);
        self.versions.merge(later.versions);
        self.codecs.merge(later.codecs);
        self.encodings.merge(later.encodings);
        self.digests.merge(later.digests);
        self.profiles.merge(later.profiles);
        self.truncated.merge(later.truncated);
        self.bodies.merge(later.bodies);
    }
}

fn merge<K: Ord>(into: &mut BTreeMap<K, Count>, from: BTreeMap<K, Count>) {
    for (key, count) in from {
        into.entry(key).or_default().add(count);
    }
}

/// The host of a URL in lower case, without user and port; the scheme where there is no host.
fn host(url: &str) -> String {
    let Some((_, rest)) = url.split_once("://") else {
        return url.split_once(':').map_or_else(String::new, |(scheme, _)| format!("{scheme}:"));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let has_port = |(_, port): &(&str, &str)| port.bytes().all(|b| b.is_ascii_digit());
    host.rsplit_once(':').filter(has_port).map_or(host, |(host, _)| host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_taken_out_of_urls() {
        for (url, expected) in [
            ("http://Example.ORG/a", "example.org"),
            ("https://u:p@a.b:8080?x", "a.b"),
            ("http://[::1]:80/", "[::1]"),
            ("http://[::1]/", "[::1]"),
            ("file:///tmp/x", ""),
            ("dns:example.org", "dns:"),
            ("nonsense", ""),
        ] {
            assert_eq!(host(url), expected, "{url}");
        }
    }
}
