//! The names of `<meta>` elements.

use super::Rule;
use super::signal::{Field, SPARE, USUAL};

/// What a `<meta>` with this name or property, in lower case, is about.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn meaning(name: &str) -> Option<(Field, Rule, u8)> {
    use Field::{
        Author, Canonical, Description, Image, Keywords, Language, Modified, Organization, Published,
        Publisher, SiteName, Title,
    };
    use Rule::{Citation, DublinCore, Meta, OpenGraph, Parsely, Sailthru, Twitter};
    Some(match name {
        "og:title" => (Title, OpenGraph, USUAL),
        "twitter:title" | "twitter:text:title" => (Title, Twitter, USUAL),
        "dc.title" | "dc:title" | "dcterms.title" => (Title, DublinCore, USUAL),
        "citation_title" | "bepress_citation_title" => (Title, Citation, USUAL),
        "parsely-title" => (Title, Parsely, USUAL),
        "sailthru.title" => (Title, Sailthru, USUAL),
        "headline" | "title" | "article.headline" | "hdl" => (Title, Meta, USUAL),

        "article:author" | "og:author" | "og:article:author" | "article:author_name" | "book:author" => {
            (Author, OpenGraph, USUAL)
        }
        "dc.creator" | "dc:creator" | "dcterms.creator" | "dc.creator.personalname" | "dc.author" => {
            (Author, DublinCore, USUAL)
        }
        "citation_author" | "citation_authors" | "bepress_citation_author" => (Author, Citation, USUAL),
        "parsely-author" => (Author, Parsely, USUAL),
        "sailthru.author" => (Author, Sailthru, USUAL),
        "author" | "byl" | "byline" | "rbauthors" | "cxenseparse:author" | "mediator_author"
        | "article.author" | "vr:author" | "authors" | "article_author" => (Author, Meta, USUAL),
        "twitter:data1" => (Author, Twitter, SPARE),

        "publisher" => (Publisher, Meta, USUAL),
        "dc.publisher" | "dc:publisher" | "dcterms.publisher" => (Publisher, DublinCore, USUAL),
        "citation_publisher" | "citation_journal_title" => (Publisher, Citation, USUAL),
        "article:publisher" => (Publisher, OpenGraph, SPARE),
        "og:site_name" => (SiteName, OpenGraph, USUAL),
        "application-name" | "apple-mobile-web-app-title" | "al:ios:app_name" => (SiteName, Meta, SPARE),
        "twitter:site" => (SiteName, Twitter, SPARE),
        "copyright" | "dcterms.rightsholder" | "rights" | "dc.rights" | "organization" | "owner" => {
            (Organization, Meta, USUAL)
        }

        "article:published_time"
        | "og:article:published_time"
        | "article:published"
        | "og:published_time"
        | "article:publicationdate"
        | "article:published_date"
        | "article:post_date"
        | "og:datepublished"
        | "og:pubdate"
        | "og:publish_date"
        | "og:article:published"
        | "article:published_time_gmt" => (Published, OpenGraph, USUAL),
        "og:release_date" | "og:regdate" | "video:release_date" | "book:release_date" => {
            (Published, OpenGraph, SPARE)
        }
        "dc.date.issued"
        | "dcterms.issued"
        | "dc.date.created"
        | "dc.created"
        | "dc:created"
        | "dcterms.created"
        | "dc.date.publication"
        | "dc.issued"
        | "dcterms.available" => (Published, DublinCore, USUAL),
        "dc.date" | "dc:date" | "dcterms.date" => (Published, DublinCore, 1),
        "citation_publication_date" | "citation_online_date" | "citation_date" | "bepress_citation_date" => {
            (Published, Citation, USUAL)
        }
        "parsely-pub-date" => (Published, Parsely, USUAL),
        "sailthru.date" => (Published, Sailthru, USUAL),
        "datepublished"
        | "date_published"
        | "publish_date"
        | "publish-date"
        | "publishdate"
        | "published_date"
        | "published-date"
        | "publisheddate"
        | "published_time"
        | "publish_time"
        | "publication_date"
        | "publication-date"
        | "publicationdate"
        | "published"
        | "published_at"
        | "originalpublicationdate"
        | "pubdate"
        | "pub_date"
        | "rbpubdate"
        | "bt:pubdate"
        | "article.published"
        | "article_date_original"
        | "analyticsattributes.articledate"
        | "cxenseparse:recs:publishtime"
        | "cxenseparse:publishtime"
        | "displaydate"
        | "shareaholic:article_published_time"
        | "mediator_published_time"
        | "vr:published_time"
        | "rnews:datepublished"
        | "twt-published-at"
        | "dcsext.articlefirstpublished"
        | "firstpublished"
        | "pdate"
        | "ptime"
        | "dateposted"
        | "date_posted"
        | "postdate"
        | "post_date" => (Published, Meta, USUAL),
        "date"
        | "created"
        | "date_created"
        | "datecreated"
        | "creation_date"
        | "article.created"
        | "doc_date"
        | "content_create_date"
        | "createdate"
        | "date.created"
        | "gentime"
        | "timestamp"
        | "release_date"
        | "eomportal-lastupdate-original" => (Published, Meta, 1),

        "article:modified_time"
        | "article:modified"
        | "article:modified_date"
        | "og:modified_time"
        | "og:updated_time"
        | "og:article:modified_time"
        | "article:post_modified" => (Modified, OpenGraph, USUAL),
        "dc.modified" | "dcterms.modified" | "dc.date.modified" | "dc:modified" => {
            (Modified, DublinCore, USUAL)
        }
        "lastmod" | "lastmodified" | "last-modified" | "last_modified" | "modified" | "datemodified"
        | "date_modified" | "modified_time" | "modificationdate" | "modification_date" | "bt:moddate"
        | "lastdate" | "utime" | "revised" | "revision_date" | "updated_time" | "last-updated"
        | "lastupdated" | "date.modified" => (Modified, Meta, USUAL),

        "keywords" | "news_keywords" => (Keywords, Meta, USUAL),
        "article:tag" | "og:article:tag" | "video:tag" => (Keywords, OpenGraph, USUAL),
        "dc.subject" | "dcterms.subject" | "dc:subject" => (Keywords, DublinCore, USUAL),
        "citation_keywords" | "citation_keyword" => (Keywords, Citation, USUAL),
        "parsely-tags" => (Keywords, Parsely, USUAL),
        "sailthru.tags" => (Keywords, Sailthru, USUAL),

        "description" => (Description, Meta, USUAL),
        "og:description" => (Description, OpenGraph, USUAL),
        "twitter:description" => (Description, Twitter, USUAL),
        "dc.description" | "dc:description" | "dcterms.description" | "dcterms.abstract" => {
            (Description, DublinCore, USUAL)
        }
        "citation_abstract" => (Description, Citation, USUAL),
        "sailthru.description" => (Description, Sailthru, USUAL),
        "abstract" | "excerpt" => (Description, Meta, SPARE),

        "og:url" => (Canonical, OpenGraph, USUAL),
        "parsely-link" => (Canonical, Parsely, USUAL),
        "twitter:url" => (Canonical, Twitter, USUAL),

        "language" | "lang" => (Language, Meta, USUAL),
        "content-language" => (Language, Rule::HttpEquiv, USUAL),
        "og:locale" | "og:language" => (Language, OpenGraph, USUAL),
        "dc.language" | "dc:language" | "dcterms.language" => (Language, DublinCore, USUAL),
        "citation_language" => (Language, Citation, USUAL),

        "og:image" | "og:image:secure_url" | "og:image:url" => (Image, OpenGraph, USUAL),
        "twitter:image" | "twitter:image:src" => (Image, Twitter, USUAL),
        "parsely-image-url" => (Image, Parsely, USUAL),
        "sailthru.image.full" | "sailthru.image" => (Image, Sailthru, USUAL),
        "thumbnail" | "image" => (Image, Meta, USUAL),
        _ => return None,
    })
}

/// What `<meta http-equiv>` says, in lower case.
pub(super) fn http_equiv(name: &str) -> Option<(Field, u8)> {
    match name {
        "content-language" => Some((Field::Language, USUAL)),
        "last-modified" => Some((Field::Modified, USUAL)),
        "date" | "creation-date" => Some((Field::Published, USUAL)),
        _ => None,
    }
}

/// What an `itemprop` or a `property`, in lower case and without its vocabulary, is about.
pub(super) fn property(name: &str) -> Option<(Field, u8)> {
    use Field::{Author, Description, Image, Keywords, Language, Modified, Published, Publisher, Title};
    Some(match name {
        "headline" => (Title, USUAL),
        "author" | "creator" => (Author, USUAL),
        "publisher" => (Publisher, USUAL),
        "datepublished" | "pubdate" | "issued" => (Published, USUAL),
        "datecreated" | "created" | "uploaddate" | "date" => (Published, 1),
        "datemodified" | "modified" | "dateupdate" => (Modified, USUAL),
        "keywords" => (Keywords, USUAL),
        "description" => (Description, SPARE),
        "inlanguage" => (Language, USUAL),
        "image" => (Image, SPARE),
        _ => return None,
    })
}
