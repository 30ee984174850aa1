//! What a page brought to the crawl: new text, links to pages that nobody knew, or neither.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::work::FinishedPage;
use crate::Address;
use crate::page::{NearDuplicates, RecentHashes, Verdict};
use crate::scope::{News, Templates, template_key};

/// Texts and links that are remembered.
const TEXTS: usize = 256 << 10;
const LINKS: usize = 1 << 20;
/// Tells normal forms from whole texts among the hashes.
const FORM: u64 = 0xA5A5_A5A5_A5A5_A5A5;

/// Judges page after page. Memory: 10 MiB, and that of the texts.
pub(super) struct Novelty {
    near: NearDuplicates,
    /// Texts by pattern, of pages of any length.
    texts: RecentHashes,
    /// Links of pages without new text.
    links: RecentHashes,
    templates: Arc<Templates>,
}

/// What is said of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Judged {
    /// Whether a text like it was seen.
    pub is_near: bool,
    /// What it brought, if it has text to judge.
    pub news: Option<News>,
}

impl Novelty {
    pub(super) fn new(near: NearDuplicates, templates: Arc<Templates>) -> Self {
        Self { near, texts: RecentHashes::new(TEXTS), links: RecentHashes::new(LINKS), templates }
    }

    /// Judges a page, and counts it for the pattern of its address.
    pub(super) fn judge(&mut self, page: &FinishedPage) -> Judged {
        let Some(text) = page.text.filter(|_| page.status == 200) else { return Judged::default() };
        let is_near = self.near.check_and_add(&text) != Verdict::Novel;
        let pattern = template_key(&page.job.address);
        let is_form_new = self.texts.insert(text.exact ^ FORM ^ pattern);
        let is_same = !self.texts.insert(page.shown ^ pattern);
        let mut news = News { text: !is_near && is_form_new, is_same, ..News::default() };
        if !news.text {
            self.read_links(page, pattern, &mut news);
        }
        self.templates.note(&page.job.address, news);
        Judged { is_near, news: Some(news) }
    }

    /// Looks for links that no page without new text had before.
    fn read_links(&mut self, page: &FinishedPage, pattern: u64, news: &mut News) {
        for (text, note) in page.links.taken.iter() {
            // What the page loads is no page.
            if note.hops > 0 || !self.links.insert(xxh3_64(text.as_bytes())) {
                continue;
            }
            news.grows = true;
            news.links = news.links
                || Address::from_log(text).is_some_and(|address| {
                    let key = template_key(&address);
                    key != pattern && self.templates.is_fertile(key)
                });
        }
    }
}
