//! The links of one tweet, and which of them lead to a page.

use std::collections::HashMap;

use url::Url;

use super::json::{Entities, UrlEntity};

/// The longest URL that is given on. The longest that browsers and servers agree on are shorter.
const MAX_URL_BYTES: usize = 32 << 10;

/// Links in the order they were found, each in the form that was expanded furthest.
#[derive(Debug, Default)]
pub(super) struct Links {
    list: Vec<Link>,
    /// Where in the list the short form is. The entities of a repeated tweet may know more than the outer one's.
    by_short: HashMap<String, usize>,
}

/// A link in the best form known.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) target: String,
    /// What to take where the target is no URL.
    pub(super) short: Option<String>,
    expansion: Expansion,
}

/// How far a link was expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Expansion {
    Short,
    Expanded,
    Unwound,
}

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To a page of the web.
    Page(String),
    /// To the platform itself: a tweet, or a picture or video in one.
    Own(String),
    /// Nowhere that can be fetched.
    Unusable,
}

impl Links {
    /// Adds a link that is not known in other forms.
    pub(super) fn add(&mut self, target: String) {
        self.list.push(Link { target, short: None, expansion: Expansion::Short });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether one of them leads to a page.
    pub(super) fn lead_to_pages(&self) -> bool {
        self.list.iter().any(|link| matches!(link.resolve(), Target::Page(_)))
    }

    pub(super) fn add_entities(&mut self, entities: &Entities) {
        let all = entities.urls.iter().flatten().chain(entities.media.iter().flatten());
        all.for_each(|entity| self.add_entity(entity));
    }

    pub(super) fn add_entity(&mut self, entity: &UrlEntity) {
        let unwound = entity.unwound.as_ref().and_then(|unwound| unwound.url.as_ref());
        let forms = [
            (entity.unwound_url.as_ref(), Expansion::Unwound),
            (unwound, Expansion::Unwound),
            (entity.expanded_url.as_ref(), Expansion::Expanded),
            (entity.url.as_ref(), Expansion::Short),
        ];
        let mut known = forms.into_iter().filter_map(|(form, expansion)| Some((form?, expansion)));
        let Some((target, expansion)) = known.find(|(form, _)| !form.trim().is_empty()) else { return };
        let short = entity.url.clone().filter(|short| !short.is_empty());
        let link = Link { target: target.clone(), short, expansion };
        let Some(short) = &link.short else { return self.list.push(link) };
        match self.by_short.get(short) {
            Some(&at) if self.list[at].expansion < expansion => self.list[at] = link,
            Some(_) => {}
            None => {
                self.by_short.insert(short.clone(), self.list.len());
                self.list.push(link);
            }
        }
    }
}

impl IntoIterator for Links {
    type Item = Link;
    type IntoIter = std::vec::IntoIter<Link>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl Link {
    /// Where the link leads, by the best form that is a URL.
    pub(super) fn resolve(&self) -> Target {
        match (Target::of(&self.target), &self.short) {
            (Target::Unusable, Some(short)) => Target::of(short),
            (target, _) => target,
        }
    }
}

impl Target {
    fn of(text: &str) -> Self {
        let text = text.trim();
        let Some(url) = parse_web(text) else { return Self::Unusable };
        let is_clean = text.contains("://") && !text.chars().any(|c| c.is_whitespace() || c.is_control());
        let spelling = if is_clean { text.to_owned() } else { url.to_string() };
        if is_own(&url) { Self::Own(spelling) } else { Self::Page(spelling) }
    }
}

/// The URL if it is one of the web. In the first years, links stand as people wrote them: `example.org/page`.
fn parse_web(text: &str) -> Option<Url> {
    if text.len() > MAX_URL_BYTES {
        return None;
    }
    let url = match Url::parse(text) {
        Err(url::ParseError::RelativeUrlWithoutBase) => Url::parse(&format!("http://{text}")).ok()?,
        parsed => parsed.ok()?,
    };
    let has_host = url.host_str().is_some_and(|host| host.contains(['.', ':']));
    (matches!(url.scheme(), "http" | "https") && has_host).then_some(url)
}

/// Whether it leads to a tweet, or to a picture or video in one.
fn is_own(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = ["www.", "mobile.", "m."].iter().find_map(|part| host.strip_prefix(part)).unwrap_or(host);
    match host {
        "pic.twitter.com" | "pic.x.com" | "twimg.com" => true,
        "twitter.com" | "x.com" => {
            // Until 2012 the path stood in the fragment: `twitter.com/#!/someone/status/1`.
            is_status_path(url.path()) || url.fragment().is_some_and(is_status_path)
        }
        host => host.ends_with(".twimg.com"),
    }
}

fn is_status_path(path: &str) -> bool {
    let mut parts = path.split('/').skip_while(|part| !matches!(*part, "status" | "statuses"));
    parts.nth(1).is_some_and(|id| id.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_the_platform_are_told_from_pages() {
        let own = |text: &str| Target::Own(text.into());
        let page = |text: &str| Target::Page(text.into());
        for (text, expected) in [
            ("https://twitter.com/a/status/12/photo/1", own("https://twitter.com/a/status/12/photo/1")),
            ("https://twitter.com/i/web/status/12", own("https://twitter.com/i/web/status/12")),
            ("http://twitter.com/#!/a/status/12", own("http://twitter.com/#!/a/status/12")),
            ("https://mobile.x.com/a/statuses/12?s=2", own("https://mobile.x.com/a/statuses/12?s=2")),
            ("https://pic.twitter.com/abc", own("https://pic.twitter.com/abc")),
            ("pic.twitter.com/abc", own("http://pic.twitter.com/abc")),
            ("https://pbs.twimg.com/media/a.jpg", own("https://pbs.twimg.com/media/a.jpg")),
            ("https://twitter.com/someone", page("https://twitter.com/someone")),
            ("https://netflix.com/a/status/12", page("https://netflix.com/a/status/12")),
            ("https://Example.org/A?b#c", page("https://Example.org/A?b#c")),
            (" http://example.org/a b\n", page("http://example.org/a%20b")),
            ("example.org/page", page("http://example.org/page")),
            ("mailto:a@example.org", Target::Unusable),
            ("http://localhost/", Target::Unusable),
            ("http://", Target::Unusable),
            ("nothing", Target::Unusable),
            ("", Target::Unusable),
        ] {
            assert_eq!(Target::of(text), expected, "{text}");
        }
    }

    #[test]
    fn the_form_expanded_furthest_wins_wherever_it_stands() {
        let entity = |expanded: Option<&str>, unwound: Option<&str>| UrlEntity {
            url: Some("https://t.co/1".into()),
            expanded_url: expanded.map(Into::into),
            unwound_url: unwound.map(Into::into),
            unwound: None,
        };
        let mut links = Links::default();
        for (expanded, unwound, expected) in [
            (None, None, "https://t.co/1"),
            (Some(""), None, "https://t.co/1"),
            (Some("http://short.example/"), None, "http://short.example/"),
            (Some("http://short.example/"), Some("http://long.example/"), "http://long.example/"),
            (Some("http://short.example/"), None, "http://long.example/"),
        ] {
            links.add_entity(&entity(expanded, unwound));
            assert_eq!(links.list.len(), 1);
            assert_eq!(links.list[0].target, expected);
        }
    }
}
