//! Which columns of a table hold what, by the names that exporters give them.

use super::TweetId;

/// The columns that matter, the best first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) ids: Vec<usize>,
    pub(super) urls: Vec<usize>,
    pub(super) texts: Vec<usize>,
    pub(super) time: Option<usize>,
    pub(super) language: Option<usize>,
    /// Whether a column has all links of a tweet, so that one without has none. Else its text is looked at: a column
    /// `url` alone may well be the address of the tweet.
    pub(super) urls_are_complete: bool,
}

// Written by twarc (1 and csv plugin), TAGS, DMI-TCAT, rtweet, twint, snscrape, gazouilloire and minet, in the order
// of preference. A rounded `id` often stands beside a sound `id_str`.
const IDS: &[&str] = &[
    "id_str",
    "tweet_id_str",
    "tweet_id",
    "tweetid",
    "status_id",
    "tweet.id",
    "id",
    "tweet_url",
    "status_url",
    "permalink",
];
/// Columns that have all links of a tweet, those first that were followed furthest.
const URL_LISTS: &[&str] = &[
    "entities.urls",
    "unwound_urls",
    "unwound_url",
    "entities.urls.unwound_url",
    "urls_followed",
    "resolved_url",
    "resolved_urls",
    "entities",
    "entities_str",
    "expanded_urls",
    "expanded_url",
    "entities.urls.expanded_url",
    "urls_expanded_url",
    "urls_expanded",
    "long_url",
    "outlinks",
    "links",
    "urls",
    "entities_urls",
    "entities.urls.url",
    "urls_url",
    "urls_t.co",
    "tcooutlinks",
];
const URLS: &[&str] = &["url", "link", "short_url"];
const TEXTS: &[&str] =
    &["full_text", "text", "tweet_text", "tweettext", "tweet", "content", "rawcontent", "rendered_content"];
const TIMES: &[&str] =
    &["created_at", "timestamp_utc", "tweet_created_at", "created", "timestamp", "date", "time"];
const LANGUAGES: &[&str] = &["lang", "language", "tweet_lang", "tweet_language"];

impl Columns {
    /// The columns by their names.
    pub(super) fn by_name(header: &[String]) -> Self {
        let header: Vec<String> = header.iter().map(|name| normal(name)).collect();
        let all = |names: &[&str]| -> Vec<usize> {
            names.iter().filter_map(|name| header.iter().position(|other| other == name)).collect()
        };
        let mut urls = all(URL_LISTS);
        let urls_are_complete = !urls.is_empty();
        urls.extend(all(URLS));
        Self {
            ids: all(IDS),
            urls,
            texts: all(TEXTS),
            time: all(TIMES).first().copied(),
            language: all(LANGUAGES).first().copied(),
            urls_are_complete,
        }
    }

    /// The columns of a table without names, by what is in its first record: the first id and all that are URLs.
    pub(super) fn by_content(record: &[String]) -> Option<Self> {
        let is_url = |cell: &String| cell.starts_with("http://") || cell.starts_with("https://");
        // Shorter numbers are counts; the ids of the first year are not found in tables without names.
        let is_id = |cell: &String| !is_url(cell) && cell.len() >= 8 && cell.parse::<TweetId>().is_ok();
        let id = record.iter().position(is_id)?;
        let urls: Vec<usize> = (0..record.len()).filter(|&at| is_url(&record[at])).collect();
        (!urls.is_empty()).then(|| Self { ids: vec![id], urls, urls_are_complete: true, ..Self::default() })
    }
}

fn normal(name: &str) -> String {
    name.trim().trim_matches(['"', '\'']).to_lowercase().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Vec<String> {
        line.split(',').map(Into::into).collect()
    }

    #[test]
    fn the_headers_of_exporters_are_known() {
        for (header, ids, urls, texts, complete) in [
            ("id,url", &[0][..], &[1][..], &[][..], false),
            ("ID,Text,Tweet URL", &[0, 2], &[], &[1], false),
            ("id,created_at,text,entities.urls", &[0], &[3], &[2], true),
            ("id,id_str,urls,expanded_url", &[1, 0], &[3, 2], &[], true),
            ("user_id,status_id,urls_url,urls_t.co,urls_expanded_url", &[1], &[4, 2, 3], &[], true),
            ("name,age", &[], &[], &[], false),
        ] {
            let found = Columns::by_name(&cells(header));
            assert_eq!((&*found.ids, &*found.urls, &*found.texts), (ids, urls, texts), "{header}");
            assert_eq!(found.urls_are_complete, complete, "{header}");
        }
    }

    #[test]
    fn columns_without_names_speak_for_themselves() {
        let found = Columns::by_content(&cells("5,12345678901,http://example.org/,x,https://t.co/1"));
        assert_eq!(found.map(|found| (found.ids, found.urls)), Some((vec![1], vec![2, 4])));
        assert_eq!(Columns::by_content(&cells("12345678901,x")), None);
        assert_eq!(Columns::by_content(&cells("https://twitter.com/a/status/12345678901,x")), None);
    }
}
