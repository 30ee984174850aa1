//! The web of the demo: a dozen small sites whose pages are made from the sentences of `demo/web.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::Context;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

const SOURCE: &str = include_str!("../../../demo/web.toml");
/// The event that the crawl looks for, as `web.toml` names it.
pub(super) const EVENT: &str = "eclipse";
/// Sentences per article.
const SENTENCES: usize = 6;
/// How often sentences are drawn again while another article has the same.
const DRAWS: usize = 100;

/// All sites, by host and path.
pub(super) struct Web {
    pages: BTreeMap<(String, String), Response>,
    hosts: Vec<String>,
}

/// What the server sends for a URL.
#[derive(Debug, Clone)]
pub(super) enum Response {
    Html(String),
    Text(String),
    /// To a path of the same host.
    Redirect(String),
    ServerError,
}

#[derive(Deserialize)]
struct Source {
    towns: Vec<(String, String, String)>,
    experts: Vec<String>,
    site: Vec<Site>,
    topic: Vec<Topic>,
}

#[derive(Deserialize)]
struct Site {
    host: String,
    name: String,
    language: String,
    /// How many articles of which topic.
    articles: BTreeMap<String, usize>,
    /// How many articles of others it prints again.
    #[serde(default)]
    copies: usize,
}

#[derive(Deserialize)]
struct Topic {
    name: String,
    language: String,
    titles: Vec<String>,
    sentences: Vec<String>,
}

/// Topic, language and sentences of an article.
type Drawn = (String, String, Vec<usize>);

#[derive(Clone)]
struct Article {
    host: String,
    path: String,
    topic: String,
    language: String,
    title: String,
    author: String,
    /// Year, month and day.
    date: String,
    /// Whether its metadata state the date, or only its text.
    states_date: bool,
    paragraphs: Vec<String>,
}

impl Web {
    /// The same web every time.
    pub(super) fn build() -> anyhow::Result<Self> {
        let source: Source = toml::from_str(SOURCE).context("demo/web.toml")?;
        let (mut articles, mut drawn) = (Vec::new(), BTreeSet::new());
        for site in &source.site {
            for (topic, count) in &site.articles {
                let mut is_topic = source.topic.iter();
                let topic = is_topic
                    .find(|of| of.name == *topic && of.language == site.language)
                    .with_context(|| format!("demo/web.toml: no topic {topic} in {}", site.language))?;
                articles.extend((1..=*count).map(|number| source.article(site, topic, number, &mut drawn)));
            }
        }
        let mut web = Self {
            pages: BTreeMap::new(),
            hosts: source.site.iter().map(|site| site.host.clone()).collect(),
        };
        for (at, article) in articles.iter().enumerate() {
            let site = source.site.iter().find(|site| site.host == article.host).context("its site")?;
            web.html(&article.host, &article.path, layout(site, article, &related(&articles, at)));
        }
        for (number, site) in source.site.iter().enumerate() {
            web.copies(site, &articles);
            web.front_page(site, &source.site[(number + 1) % source.site.len()], &articles);
        }
        Ok(web)
    }

    /// The names of the hosts.
    pub(super) fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// What a server sends for a path of a host; none where it has nothing.
    pub(super) fn get(&self, host: &str, path: &str) -> Option<&Response> {
        self.pages.get(&(host.to_owned(), path.to_owned()))
    }

    /// How many pages are about the event.
    pub(super) fn about_event(&self) -> usize {
        self.pages.keys().filter(|(_, path)| is_about_event(path)).count()
    }

    /// URLs of articles about the event, of several sites.
    pub(super) fn event_articles(&self, host: &str, count: usize) -> Vec<String> {
        let of_host = self.pages.keys().filter(|(of, path)| of == host && is_about_event(path));
        of_host.take(count).map(|(host, path)| format!("http://{host}{path}")).collect()
    }

    fn html(&mut self, host: &str, path: &str, page: String) {
        self.pages.insert((host.to_owned(), path.to_owned()), Response::Html(page));
    }

    /// Articles of others, some word for word, some with a line of its own.
    fn copies(&mut self, site: &Site, articles: &[Article]) {
        let of_event =
            articles.iter().filter(|article| article.topic == EVENT && article.language == site.language);
        for (number, article) in of_event.take(site.copies).enumerate() {
            let path = format!("/{EVENT}/reprint-{}", number + 1);
            let original = self.get(&article.host, &article.path).cloned();
            if let (true, Some(Response::Html(page))) = (number.is_multiple_of(2), original) {
                self.html(&site.host, &path, page);
                continue;
            }
            let mut copy = article.paragraphs.clone();
            copy.push(format!(
                "This report first appeared in another paper and is printed by {}.",
                site.name
            ));
            let copy =
                Article { paragraphs: copy, host: site.host.clone(), path: path.clone(), ..article.clone() };
            self.html(&site.host, &path, layout(site, &copy, &[]));
        }
    }

    /// The front page with links to all of a site; robots.txt, a moved page, and a link that leads nowhere.
    fn front_page(&mut self, site: &Site, neighbour: &Site, articles: &[Article]) {
        let mut items = String::new();
        let own = articles.iter().filter(|article| article.host == site.host);
        let mut links: Vec<(String, String)> =
            own.map(|article| (article.path.clone(), article.title.clone())).collect();
        links.extend(
            (1..=site.copies)
                .map(|number| (format!("/{EVENT}/reprint-{number}"), format!("Reprint {number}"))),
        );
        links.push(("/about-us".to_owned(), "About us".to_owned()));
        links.push(("/archive/1998".to_owned(), "1998".to_owned()));
        links.push(("/drafts/next-week".to_owned(), "Drafts".to_owned()));
        links.push((format!("http://{}/", neighbour.host), neighbour.name.clone()));
        for (path, title) in links {
            // Writing to a string does not fail.
            let _ = writeln!(items, "<li><a href=\"{path}\">{title}</a></li>");
        }
        let (name, language) = (&site.name, &site.language);
        let page = format!(
            "<!doctype html>\n<html lang=\"{language}\">\n<head><meta charset=\"utf-8\"><title>{name}</title></head>\n\
             <body>\n<h1>{name}</h1>\n<ul>\n{items}</ul>\n</body>\n</html>\n"
        );
        self.html(&site.host, "/", page);
        for (path, response) in [
            ("/robots.txt", Response::Text(format!("# {name}\nUser-agent: *\nDisallow: /drafts/\n"))),
            ("/drafts/next-week", Response::Html("<title>Not for crawlers</title>".to_owned())),
            ("/about-us", Response::Redirect("/".to_owned())),
        ] {
            self.pages.insert((site.host.clone(), path.to_owned()), response);
        }
        if site.copies > 0 {
            self.pages.insert((site.host.clone(), "/archive/1998".to_owned()), Response::ServerError);
        }
    }
}

/// Whether a path is that of an article about the event.
pub(super) fn is_about_event(path: &str) -> bool {
    path.starts_with("/eclipse/")
}

impl Source {
    /// An article of six sentences of its topic; which ones and whom they name follows from its URL.
    fn article(&self, site: &Site, topic: &Topic, number: usize, drawn: &mut BTreeSet<Drawn>) -> Article {
        let path = format!("/{}/{number}", topic.name);
        let dice = |what: &str| xxh3_64(format!("{}{path} {what}", site.host).as_bytes()) as usize;
        let town = &self.towns[dice("town") % self.towns.len()];
        let expert = &self.experts[dice("expert") % self.experts.len()];
        let people = (200 + dice("people") % 90 * 50).to_string();
        let fill = |text: &String| {
            text.replace("{town}", &town.0)
                .replace("{time}", &town.1)
                .replace("{seconds}", &town.2)
                .replace("{expert}", expert)
                .replace("{people}", &people)
        };
        let chosen = choose(topic, &dice, drawn);
        let sentences: Vec<String> = chosen.into_iter().map(|at| fill(&topic.sentences[at])).collect();
        let date = if topic.name == EVENT {
            format!("2026-08-{}", 12 + dice("day") % 3)
        } else {
            format!("2026-{:02}-{:02}", 3 + dice("month") % 4, 1 + dice("day") % 28)
        };
        Article {
            host: site.host.clone(),
            path: path.clone(),
            topic: topic.name.clone(),
            language: site.language.clone(),
            title: fill(&topic.titles[number % topic.titles.len()]),
            author: self.experts[dice("author") % self.experts.len()].clone(),
            date,
            states_date: !number.is_multiple_of(4),
            paragraphs: sentences
                .chunks(2)
                .map(|pair| pair.join(if topic.language == "ja" { "" } else { " " }))
                .collect(),
        }
    }
}

/// The first sentence leads, the others are drawn, and all keep their order. No two articles are made of the same.
fn choose(topic: &Topic, dice: &impl Fn(&str) -> usize, drawn: &mut BTreeSet<Drawn>) -> Vec<usize> {
    let count = (topic.sentences.len() / 2).clamp(3, SENTENCES);
    let mut chosen = Vec::new();
    for draw in 0..DRAWS {
        chosen = (1..topic.sentences.len()).collect();
        chosen.sort_by_key(|at| dice(&format!("{draw} {at}")));
        chosen.truncate(count - 1);
        chosen.push(0);
        chosen.sort_unstable();
        if drawn.insert((topic.name.clone(), topic.language.clone(), chosen.clone())) {
            break;
        }
    }
    chosen
}

/// Links to the next article of the site, and to two of the same topic elsewhere.
fn related(articles: &[Article], at: usize) -> Vec<(String, String)> {
    let article = &articles[at];
    let next = articles.get(at + 1).filter(|next| next.host == article.host);
    let elsewhere = articles.iter().cycle().skip(at).take(articles.len());
    let elsewhere = elsewhere.filter(|other| other.topic == article.topic && other.host != article.host);
    let link = |to: &Article| (format!("http://{}{}", to.host, to.path), to.title.clone());
    next.into_iter().chain(elsewhere.take(2)).map(link).collect()
}

/// A page as sites have it: the article, and around it what nobody came for.
fn layout(site: &Site, article: &Article, related: &[(String, String)]) -> String {
    let Article { title, author, date, language, .. } = article;
    let stated = if article.states_date {
        format!("<meta property=\"article:published_time\" content=\"{date}T21:30:00Z\">\n")
    } else {
        String::new()
    };
    let paragraphs: Vec<String> = article.paragraphs.iter().map(|text| format!("<p>{text}</p>\n")).collect();
    let link = |(url, title): &(String, String)| format!("<li><a href=\"{url}\">{title}</a></li>\n");
    let links: Vec<String> = related.iter().map(link).collect();
    let (paragraphs, links) = (paragraphs.concat(), links.concat());
    let name = &site.name;
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title} - {name}</title>\n\
         <meta name=\"author\" content=\"{author}\">\n{stated}</head>\n<body>\n\
         <div class=\"cookie-banner\">We use cookies. <button>Accept all</button> <button>Settings</button></div>\n\
         <nav><a href=\"/\">{name}</a> | <a href=\"/about-us\">About us</a></nav>\n\
         <article>\n<h1>{title}</h1>\n<p class=\"date\">{date}</p>\n{paragraphs}</article>\n\
         <aside><h2>More</h2>\n<ul>\n{links}</ul></aside>\n\
         <footer>© 2026 {name}. All rights reserved. Subscribe to our newsletter.</footer>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_leads_to_a_page_except_the_dead_ones() {
        let web = Web::build().expect("web.toml is sound");
        let mut dead = 0;
        for ((host, path), response) in &web.pages {
            let Response::Html(page) = response else { continue };
            assert!(!page.contains('{'), "{host}{path}: a slot was not filled");
            for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let (host, path) = match link.strip_prefix("http://") {
                    Some(url) => url.split_at(url.find('/').expect("a path")),
                    None => (host.as_str(), link),
                };
                dead += usize::from(web.get(host, path).is_none());
                assert!(web.get(host, path).is_some() || path == "/archive/1998", "{host}{path}");
            }
        }
        assert_eq!(dead, web.hosts.len() - 1, "one dead link per site, and one server error");
    }

    #[test]
    fn the_web_has_the_event_in_several_languages() {
        let web = Web::build().expect("web.toml is sound");
        assert!(web.pages.len() > 250, "{}", web.pages.len());
        assert!((100..150).contains(&web.about_event()), "{}", web.about_event());
        let of = |host| web.event_articles(host, 2).len();
        assert_eq!(["skywatch.example", "tabi.example", "jardin.example"].map(of), [2, 2, 0]);
    }
}
