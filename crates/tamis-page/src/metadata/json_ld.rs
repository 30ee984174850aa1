//! JSON-LD: which of a page's objects is the page, and what it says.

use std::borrow::Cow;

use super::json::Json;
use super::signal::{Field, SPARE, USUAL};

/// One statement of the structured data: what it is about, its rank and its value.
pub(super) type Statement<'a> = (Field, u8, Cow<'a, str>);

/// What an object is, by its `@type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Something written, with author and date.
    Article,
    /// A video or sound.
    Media,
    /// The page as such.
    Page,
    Product,
    WebSite,
    Organization,
    Other,
}

/// Articles beside each other from which the page's own cannot be told: a list.
const MOST_ARTICLES: usize = 3;

/// Objects that are looked at.
const MOST_OBJECTS: usize = 500;
/// Authors of one object that are looked at.
const MOST_AUTHORS: usize = 100;

/// All statements about the page itself. `is_page` tells whether an address is the page's.
pub(super) fn statements<'a>(scripts: &[&'a str], is_page: &dyn Fn(&str) -> bool) -> Vec<Statement<'a>> {
    let values = Json::read(scripts);
    let mut graph = Graph::default();
    for value in &values {
        graph.gather(value, 0);
    }
    graph.statements(is_page)
}

/// The objects at the top, and those in them that stand for the page.
#[derive(Default)]
struct Graph<'j, 'a> {
    objects: Vec<(Class, &'j Json<'a>)>,
}

impl<'j, 'a> Graph<'j, 'a> {
    fn gather(&mut self, value: &'j Json<'a>, depth: u8) {
        if depth > 4 {
            return;
        }
        match value {
            Json::List(values) => values.iter().for_each(|value| self.gather(value, depth + 1)),
            Json::Map(_) => {
                if value.get("@type").is_some() && self.objects.len() < MOST_OBJECTS {
                    self.objects.push((class(value), value));
                }
                for key in ["@graph", "mainEntity", "mainEntityOfPage"] {
                    if let Some(inner) = value.get(key) {
                        self.gather(inner, depth + 1);
                    }
                }
            }
            Json::Plain(_) | Json::Text(_) => {}
        }
    }

    fn statements(&self, is_page: &dyn Fn(&str) -> bool) -> Vec<Statement<'a>> {
        let mut found = Vec::new();
        let mut say = |field, rank, value: Cow<'a, str>| {
            if !value.trim().is_empty() {
                found.push((field, rank, value));
            }
        };
        if let Some(article) = self.article(is_page) {
            self.describe(article, USUAL, &mut say);
        }
        for &(class, object) in &self.objects {
            match class {
                Class::Media => self.describe(object, 2, &mut say),
                Class::Page => self.describe(object, 1, &mut say),
                Class::Product => self.describe(object, 3, &mut say),
                Class::WebSite => texts(object.get("name"), &mut |name| say(Field::SiteName, USUAL, name)),
                Class::Organization => organization(object, &mut say),
                Class::Article | Class::Other => {}
            }
        }
        found
    }

    /// The object that is this page's article.
    fn article(&self, is_page: &dyn Fn(&str) -> bool) -> Option<&'j Json<'a>> {
        let articles =
            || self.objects.iter().filter(|(class, _)| *class == Class::Article).map(|(_, object)| *object);
        let named = articles().find(|article| {
            ["url", "mainEntityOfPage", "@id"].iter().any(|key| {
                let value = article.get(key);
                let address = value.and_then(|value| value.get("@id")).or(value).and_then(Json::text);
                address.is_some_and(|address| is_page(&address))
            })
        });
        named.or_else(|| articles().next().filter(|_| articles().count() <= MOST_ARTICLES))
    }

    fn describe(&self, object: &'j Json<'a>, rank: u8, say: &mut dyn FnMut(Field, u8, Cow<'a, str>)) {
        let plain = [
            ("headline", Field::Title, 0),
            ("name", Field::Title, 1),
            ("datePublished", Field::Published, 0),
            ("dateCreated", Field::Published, 1),
            ("uploadDate", Field::Published, 1),
            ("dateModified", Field::Modified, 0),
            ("keywords", Field::Keywords, 0),
            ("description", Field::Description, 0),
            ("inLanguage", Field::Language, 0),
        ];
        for (key, field, more) in plain {
            texts(object.get(key), &mut |text| say(field, rank + more, text));
        }
        for key in ["author", "creator"] {
            if let Some(author) = object.get(key) {
                author.each().iter().take(MOST_AUTHORS).for_each(|author| self.author(author, rank, say));
            }
        }
        for (key, field) in [
            ("publisher", Field::Publisher),
            ("copyrightHolder", Field::Organization),
            ("sourceOrganization", Field::Organization),
        ] {
            let holder = object.get(key).map(|holder| self.resolved(holder));
            texts(holder.and_then(|holder| holder.get("name").or(Some(holder))), &mut |name| {
                say(field, rank, name);
            });
        }
        if let Some(image) = object.get("image").and_then(|image| image.each().first()) {
            let image = self.resolved(image);
            let address = image.get("url").or_else(|| image.get("contentUrl")).or(Some(image));
            texts(address, &mut |address| say(Field::Image, rank, address));
        }
    }

    /// A person has the rank of the object; an organisation is an author where nobody else is.
    fn author(&self, author: &'j Json<'a>, rank: u8, say: &mut dyn FnMut(Field, u8, Cow<'a, str>)) {
        let author = self.resolved(author);
        let rank =
            if matches!(class(author), Class::Organization | Class::WebSite) { SPARE + rank } else { rank };
        match author.get("name") {
            Some(Json::Map(_)) => {}
            Some(name) => texts(Some(name), &mut |name| say(Field::Author, rank, name)),
            None => texts(Some(author), &mut |name| say(Field::Author, rank, name)),
        }
    }

    /// What an `@id` alone refers to.
    fn resolved(&self, value: &'j Json<'a>) -> &'j Json<'a> {
        let Json::Map(pairs) = value else { return value };
        if value.get("name").is_some() || pairs.len() > 2 {
            return value;
        }
        let Some(id) = value.get("@id") else { return value };
        self.objects
            .iter()
            .map(|(_, object)| *object)
            .find(|object| object.get("@id") == Some(id))
            .unwrap_or(value)
    }
}

fn organization<'a>(object: &Json<'a>, say: &mut dyn FnMut(Field, u8, Cow<'a, str>)) {
    texts(object.get("legalName"), &mut |name| say(Field::Organization, USUAL, name));
    texts(object.get("name"), &mut |name| say(Field::Organization, 1, name));
}

fn texts<'a>(value: Option<&Json<'a>>, say: &mut dyn FnMut(Cow<'a, str>)) {
    for value in value.map_or(&[][..], Json::each) {
        if let Some(text) = value.text() {
            say(text);
        } else if let Some(text) = value.get("@value").or_else(|| value.get("name")).and_then(Json::text) {
            say(text);
        }
    }
}

fn class(object: &Json<'_>) -> Class {
    let types = object.get("@type").map_or(&[][..], Json::each);
    types.iter().filter_map(Json::text).map(|name| class_of(&name)).min().unwrap_or(Class::Other)
}

fn class_of(name: &str) -> Class {
    let name = name.rsplit(['/', '#', ':']).next().unwrap_or(name);
    match name {
        "Recipe" | "Report" | "CreativeWork" | "Question" | "HowTo" | "LearningResource" | "Review"
        | "CriticReview" | "MusicComposition" | "Legislation" | "Dataset" | "Book" | "Thesis" | "Course"
        | "JobPosting" | "Chapter" => Class::Article,
        "VideoObject" | "AudioObject" | "PodcastEpisode" | "Episode" | "TVEpisode" | "Movie"
        | "MediaObject" | "Clip" => Class::Media,
        "WebSite" => Class::WebSite,
        "Organization"
        | "NewsMediaOrganization"
        | "Corporation"
        | "LocalBusiness"
        | "EducationalOrganization"
        | "GovernmentOrganization"
        | "CollegeOrUniversity"
        | "NGO"
        | "OnlineStore"
        | "Store"
        | "Brand" => Class::Organization,
        "Product" | "SoftwareApplication" | "ProductGroup" | "WebApplication" | "Event" | "Service" => {
            Class::Product
        }
        _ if name.ends_with("Article") || name.ends_with("Posting") => Class::Article,
        _ if name.ends_with("Page") => Class::Page,
        _ if name.ends_with("Organization") => Class::Organization,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(script: &str, field: Field) -> Vec<String> {
        let mut found = statements(&[script], &|address| address == "https://example.org/a");
        found.retain(|(of, ..)| *of == field);
        found.sort_by_key(|(_, rank, _)| *rank);
        found.into_iter().map(|(.., value)| value.into_owned()).collect()
    }

    #[test]
    fn an_article_in_a_graph_is_found_with_its_authors() {
        let script = r#"{"@graph":[
            {"@type":"WebSite","name":"The Site"},
            {"@type":"Person","@id":"ann:1","name":"Ann Lee"},
            {"@type":["Thing","NewsArticle"],"headline":"A ship","author":[{"@id":"ann:1"},{"@type":"Person","name":"Bo Day"}],
             "publisher":{"@type":"Organization","name":"Example Inc."},"datePublished":"2019-05-06"}]}"#;
        assert_eq!(said(script, Field::Title), ["A ship"]);
        assert_eq!(said(script, Field::Author), ["Ann Lee", "Bo Day"]);
        assert_eq!(said(script, Field::Published), ["2019-05-06"]);
        assert_eq!(said(script, Field::Publisher), ["Example Inc."]);
        assert_eq!(said(script, Field::SiteName), ["The Site"]);
    }

    #[test]
    fn of_several_articles_the_pages_own_counts() {
        let script = r#"[{"@type":"Article","url":"https://example.org/b","headline":"B"},
            {"@type":"Article","mainEntityOfPage":{"@id":"https://example.org/a"},"headline":"A"}]"#;
        assert_eq!(said(script, Field::Title), ["A"]);
    }

    #[test]
    fn a_list_of_articles_is_no_article() {
        let script = format!("[{}]", r#"{"@type":"Article","headline":"B"},"#.repeat(5));
        assert_eq!(said(&script, Field::Title), Vec::<String>::new());
    }

    #[test]
    fn an_organisation_is_author_only_behind_people() {
        let script = r#"{"@type":"Article","author":[{"@type":"Organization","name":"Desk"},{"@type":"Person","name":"Ann"}]}"#;
        assert_eq!(said(script, Field::Author), ["Ann", "Desk"]);
    }
}
