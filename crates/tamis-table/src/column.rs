//! The columns of `pages`.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use tamis_words::entity;
use tamis_words::stem::Stemmer;

use crate::build::Build;
use crate::scan::{Facts, Identity, Parts};
use crate::stage::Stages;
use Append::{Head, Identity as OfIdentity, OfUrl, Page};
use Keep::{Asked, Light, Never};

/// A column of `pages`.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Which it is.
    pub id: Id,
    /// Its name in queries and files.
    pub name: &'static str,
    /// Its name with its family, which queries take as well, in quotes.
    pub full_name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// What has to be done to know it.
    pub stages: Stages,
    /// Whether collections keep it.
    pub keep: Keep,
    /// How a row gets its value.
    pub(crate) append: Append,
    /// What it says, in a line.
    pub about: &'static str,
}

/// Whether collections keep a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// By default.
    Light,
    /// When asked for: large, or of use to few.
    Asked,
    /// Never: its value changes while the archives do not.
    Never,
}

/// How a row gets its value of a column, and from what.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Append {
    /// From the capture's identity and what the collection says of it: always current, never read from kept columns.
    Identity(fn(&Identity<'_>, &mut Build)),
    /// The same, by the capture's URL.
    OfUrl(fn(&Identity<'_>, &mut Build)),
    /// From the heads of the record.
    Head(fn(&Facts<'_>, &mut Build)),
    /// From the body.
    Page(fn(&Parts<'_>, &mut Build)),
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A list of texts.
    Texts,
    /// A whole number from 0.
    Count,
    /// A whole number of three digits.
    Status,
    /// A moment, in milliseconds, UTC.
    Time,
    /// Yes or no.
    Flag,
    /// A list of links.
    Links,
    /// A list of parts of the text.
    Spans,
    /// A list of places in the text.
    Ranges,
    /// A list of tokens with their parts of speech.
    Tags,
    /// A list of names.
    Names,
    /// A list of names of places, and where they are.
    Places,
    /// A list of keywords.
    Keywords,
    /// A list of names with values.
    Headers,
    /// What happened to the characters.
    Damage,
    /// A list of languages with their shares.
    Languages,
    /// Languages with counts.
    LanguageCounts,
    /// 64 bits.
    Fingerprint,
    /// Bytes.
    Bytes,
    /// A number from 0 to 1.
    Share,
}

/// Defines [`Id`] and [`COLUMNS`] from one list, so that neither can lack what the other has.
macro_rules! columns {
    ($($id:ident: $name:literal, $full_name:literal, $kind:expr, $stages:expr, $keep:expr, $append:expr, $about:literal;)*) => {
        /// Which column.
        #[expect(missing_docs, reason = "the list tells what each is")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Id {
            $($id,)*
        }

        /// All columns, in the order of the reference's rows, then ours.
        #[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself is not general enough in its lifetimes")]
        pub static COLUMNS: &[Column] = &[$(Column {
            id: Id::$id,
            name: $name,
            full_name: $full_name,
            kind: $kind,
            stages: $stages,
            keep: $keep,
            append: $append,
            about: $about,
        },)*];
    };
}

// One line per column: its name, its name with its family, its type, its stages, whether it is kept, how a row gets its value, and
// what it says.
columns! {
    Key: "key", "key", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.key())), "<URL>-<date and time>; not unique, see id";
    DocType: "doc_type", "metadata:doc-type", Kind::Text, Stages::NONE, Light, OfIdentity(|_, build| build.text(Some("webpage"))), "always `webpage`";
    CollectionId: "collection_id", "metadata:collection-id", Kind::Text, Stages::NONE, Light, OfIdentity(|row, build| build.text(row.context.collection.as_ref().map(|(id, _)| id))), "id of the collection, if any";
    CollectionName: "collection_name", "metadata:collection-name", Kind::Text, Stages::NONE, Light, OfIdentity(|row, build| build.text(row.context.collection.as_ref().map(|(_, name)| name))), "name of the collection, if any";
    DummyData: "dummy_data", "metadata:dummy-data", Kind::Flag, Stages::NONE, Light, OfIdentity(|_, build| build.flag(Some(false))), "whether the data is made up; always false";
    Url: "url", "webpage:url", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.url())), "URL, as in the archive";
    Html: "html", "webpage:html", Kind::Text, Stages::CHARSET, Asked, Page(|page, build| build.text(page.html())), "HTML source, decoded";
    Language: "language", "webpage:language", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.language.as_ref()))), "language declared by the page, as a BCP 47 tag";
    Title: "title", "webpage:title", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.title.as_ref()))), "title, without the site name";
    AuthorPublisher: "author_publisher", "webpage:author/publisher", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.author_or_publisher())), "authors, or the publisher if no author is named";
    Organization: "organization", "webpage:organization-name", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.stated(|meta| meta.organization.as_ref()))), "owner of the site, from the copyright line or structured data";
    Date: "date", "webpage:create-time", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.published())), "publication date, as precise as known (2019, 2019-05, 2019-05-06 …)";
    DomainName: "domain_name", "webpage:domain-name", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.domain().map(|domain| domain.name))), "registrable domain of the URL";
    DomainLocation: "domain_location", "webpage:domain-location", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.country())), "country of the top-level domain; null for generic domains";
    SubUrls: "sub_urls", "webpage:sub-urls", Kind::Texts, Stages::LINKS, Light, Page(|page, build| page.append_anchors(build)), "URLs of its anchor links, each once";
    Time: "time", "webpage:fetch-time", Kind::Time, Stages::NONE, Light, Head(|head, build| build.time(head.milliseconds())), "time of capture";
    MimeType: "mime_type", "webpage:mime-type", Kind::Text, Stages::HTTP, Light, Head(|head, build| build.text(head.mime())), "media type stated by the server, in lower case, without parameters";
    StatusCode: "status_code", "webpage:status-code", Kind::Text, Stages::TEXT, Light, Page(|page, build| build.text(Some(page.status().to_string()))), "3200 page with text, 2000 HTML without text, 1001 not HTML, 0XXX any HTTP status other than 200";
    TweetIds: "tweet_ids", "webpage:tweet-ids", Kind::Texts, Stages::NONE, Light, OfUrl(|row, build| build.texts(row.tweet_ids())), "ids of tweets that name the URL, in collections with tweets";
    Text: "text", "clean-webpage:clean-text", Kind::Text, Stages::TEXT, Light, Page(|page, build| build.text(page.text())), "main text, without boilerplate";
    MaskedText: "masked_text", "clean-webpage:clean-text-profanity", Kind::Text, Stages::PROFANITY, Asked, Page(|page, build| build.text(page.masked_text())), "main text, with each listed profane word replaced by {profanity}";
    Keywords: "keywords", "clean-webpage:keywords", Kind::Texts, Stages::METADATA, Light, Page(|page, build| build.texts(page.keywords())), "keywords and tags stated by the page";
    Tokens: "tokens", "clean-webpage:tokens", Kind::Spans, SHOWN, Asked, Page(|page, build| page.words.append_tokens(page.source(), build)), "tokens of the main text without stop words, profane words as {profanity}: start, length, text";
    Stems: "stems", "clean-webpage:stemmed", Kind::Spans, SHOWN.and(Stages::STEMS), Asked, Page(|page, build| page.words.append_stems(page.source(), Stemmer::Snowball, build)), "Snowball stem of each token of `tokens`";
    Lemmas: "lemmas", "clean-webpage:lemmatized", Kind::Spans, SHOWN.and(Stages::LEMMAS), Asked, Page(|page, build| page.words.append_lemmas(page.source(), build)), "lemma of each token of `tokens`, by part of speech; English only";
    Pos: "pos", "clean-webpage:POS", Kind::Tags, Stages::TAGS.and(Stages::PROFANITY), Asked, Page(|page, build| page.words.append_tags(page.source(), build)), "all tokens with Penn part-of-speech tags: start, length, text, tag; English only";
    People: "people", "clean-webpage:sner-people", Kind::Names, Stages::ENTITIES, Asked, Page(|page, build| page.words.append_names(page.source(), entity::Kind::Person, build)), "people named in the main text: start, length, text, confidence; English only";
    Organizations: "organizations", "clean-webpage:sner-organizations", Kind::Names, Stages::ENTITIES, Asked, Page(|page, build| page.words.append_names(page.source(), entity::Kind::Organization, build)), "organisations named in the main text, like people";
    Locations: "locations", "clean-webpage:sner-locations", Kind::Places, Stages::ENTITIES.and(Stages::PLACES), Asked, Page(|page, build| page.words.append_places(page.source(), build)), "places named in the main text, with their probable location: …, place, country, latitude, longitude, place_confidence";
    Events: "events", "clean-webpage:real-world-events", Kind::Texts, Stages::NONE, Never, OfUrl(|row, build| build.texts(row.event().map(|event| [event]))), "event of the collection, if a focused crawl found the page relevant";
    Id: "id", "capture:id", Kind::Text, Stages::NONE, Light, OfIdentity(|row, build| build.text(Some(row.id()))), "unique id of the capture in a collection: <file>:<offset>, plus +<in_member> if records share a member";
    File: "file", "capture:file", Kind::Text, Stages::NONE, Light, OfIdentity(|row, build| build.text(Some(row.file))), "name of the archive";
    Offset: "offset", "capture:offset", Kind::Count, Stages::NONE, Light, OfIdentity(|row, build| build.count(Some(row.place.offset))), "byte offset of the record in the archive, as stored";
    InMember: "in_member", "capture:in-member", Kind::Count, Stages::NONE, Light, OfIdentity(|row, build| build.count(Some(row.place.in_member))), "number of the record in its compressed member; 0 unless records share a member";
    Length: "length", "capture:length", Kind::Count, Stages::NONE, Light, Head(|head, build| build.count(head.length)), "length of the record in the archive, as stored";
    RecordType: "type", "capture:type", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(Some(head.record_type()))), "record type: response, resource, revisit or conversion";
    RecordId: "record_id", "capture:record-id", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.record_id())), "WARC-Record-ID";
    Digest: "digest", "capture:digest", Kind::Text, Stages::HTTP, Light, Head(|head, build| build.text(head.digest.as_ref())), "payload digest stated by the archive, or else the SHA-1 of the stored payload";
    Ip: "ip", "capture:ip", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.field("WARC-IP-Address"))), "IP address of the server, as stated by the archive";
    Status: "status", "capture:status", Kind::Status, Stages::HTTP, Light, Head(|head, build| build.status(head.status())), "HTTP status";
    Headers: "headers", "capture:headers", Kind::Headers, Stages::HTTP, Asked, Head(|head, build| head.append_headers(build)), "HTTP headers: name, value";
    Host: "host", "capture:host", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.domain().map(|domain| domain.host))), "host of the URL";
    Surt: "surt", "capture:surt", Kind::Text, Stages::NONE, Asked, Head(|head, build| build.text(head.url().map(tamis_archive::surt))), "SURT key of the URL, by which indexes are sorted";
    Author: "author", "page:author", Kind::Texts, Stages::BYLINES, Light, Page(|page, build| build.texts(page.authors())), "authors";
    Publisher: "publisher", "page:publisher", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.publisher.as_ref()))), "publisher";
    SiteName: "site_name", "page:site-name", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.site_name.as_ref()))), "name of the site";
    DateRule: "date_rule", "page:date-rule", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.published_rule())), "source of the publication date";
    Modified: "modified", "page:modified", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.modified())), "date of the last change";
    Description: "description", "page:description", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.description.as_ref()))), "summary stated by the page";
    CanonicalUrl: "canonical_url", "page:canonical-url", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.canonical_url())), "canonical URL stated by the page";
    Image: "image", "page:image", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.image())), "URL of the page's preview image";
    Charset: "charset", "page:charset", Kind::Text, Stages::CHARSET, Light, Page(|page, build| build.text(page.charset().map(|charset| charset.name))), "character encoding used to decode the page";
    CharsetRule: "charset_rule", "page:charset-rule", Kind::Text, Stages::CHARSET, Light, Page(|page, build| build.text(page.charset().map(|charset| charset.rule.word()))), "rule that chose it: bom, header, meta, xml, utf8-valid, detected, default";
    CharsetOverruled: "charset_overruled", "page:charset-overruled", Kind::Text, Stages::CHARSET, Light, Page(|page, build| build.text(page.charset().and_then(|charset| charset.overruled.as_deref()))), "charset declared by the page, if the bytes proved it wrong";
    Damage: "damage", "page:damage", Kind::Damage, Stages::TEXT, Light, Page(|page, build| page.append_damage(build)), "damage to the main text by earlier software; null if none";
    FullText: "full_text", "page:full-text", Kind::Text, Stages::FULL_TEXT, Asked, Page(|page, build| build.text(page.full_text())), "all visible text";
    Comments: "comments", "page:comments", Kind::Text, Stages::TEXT, Light, Page(|page, build| build.text(page.comments())), "reader comments below an article";
    Links: "links", "page:links", Kind::Links, LINKS_IN_TEXT, Light, Page(|page, build| page.append_links(build)), "links of all kinds: url, kind, rel, anchor, before, after, start, length";
    Quotes: "quotes", "page:quotes", Kind::Spans, Stages::QUOTES, Asked, Page(|page, build| page.append_quotes(build)), "quotes in the main text: start, length, text";
    Cut: "cut", "page:cut", Kind::Flag, Stages::CHARSET, Light, Page(|page, build| build.flag(Some(page.is_cut()))), "whether bytes of the page are lost, or WARC-Truncated is set";
    Truncated: "truncated", "page:truncated", Kind::Flag, Stages::HTML, Light, Page(|page, build| build.flag(page.is_truncated())), "whether the page is larger than what was read, or WARC-Truncated is set";
    Languages: "languages", "page:languages", Kind::Languages, Stages::LANGUAGES, Light, Page(|page, build| page.append_languages(build)), "languages detected in all visible text, largest first: language, share";
    LanguageConfidence: "language_confidence", "page:language-confidence", Kind::Share, Stages::LANGUAGES, Asked, Page(|page, build| build.share(page.confidence())), "probability that the detected languages are right, 0 to 1; null if unknown";
    LanguageCounts: "language_counts", "page:language-counts", Kind::LanguageCounts, Stages::LANGUAGES, Asked, Page(|page, build| page.append_language_counts(build)), "amount of text per language: counts, total, words_split, bytes";
    IdentifiedLanguages: "identified_languages", "capture:identified-languages", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.field("WARC-Identified-Content-Language"))), "languages stated by the archive (WARC-Identified-Content-Language)";
    Simhash: "simhash", "page:simhash", Kind::Fingerprint, Stages::SIMHASH, Asked, Page(|page, build| build.count(page.sketches.simhash)), "64-bit fingerprint of the main text; near-duplicates differ in few bits: hamming(a, b)";
    Minhash: "minhash", "page:minhash", Kind::Bytes, Stages::MINHASH, Asked, Page(|page, build| build.bytes(page.sketches.minhash.map(|sketch| sketch.to_bytes()))), "512-byte sketch of the main text; compare two with resemblance(a, b)";
    Sketch: "sketch", "page:sketch", Kind::Bytes, Stages::SKETCH, Asked, Page(|page, build| build.bytes(page.sketches.body.map(|sketch| sketch.to_bytes()))), "512-byte sketch of the body, used to order packs";
    DuplicateOf: "duplicate_of", "page:duplicate-of", Kind::Text, Stages::NONE, Never, OfIdentity(|row, build| build.text(row.duplicate().map(|found| &found.of))), "id of the capture kept instead; null if this one is kept";
    DuplicateKind: "duplicate_kind", "page:duplicate-kind", Kind::Text, Stages::NONE, Never, OfIdentity(|row, build| build.text(row.duplicate().map(|found| found.kind))), "kind of duplicate: exact or near";
    Similarity: "similarity", "page:similarity", Kind::Share, Stages::NONE, Never, OfIdentity(|row, build| build.share(row.duplicate().map(|found| found.similarity))), "similarity to the page that is kept, 0 to 1";
    Location: "location", "capture:location", Kind::Text, Stages::HTTP, Light, Head(|head, build| build.text(head.location())), "target of the redirect: the Location header as an absolute URL";
    Sentences: "sentences", "page:sentences", Kind::Ranges, Stages::SENTENCES, Asked, Page(|page, build| page.words.append_sentences(build)), "sentences of the main text: start, length";
    PorterStems: "porter_stems", "page:porter-stems", Kind::Spans, SHOWN.and(Stages::STEMS), Asked, Page(|page, build| page.words.append_stems(page.source(), Stemmer::Porter, build)), "Porter stem of each token of `tokens`, as in NLTK";
    OwnKeywords: "own_keywords", "page:own-keywords", Kind::Keywords, Stages::KEYWORDS, Asked, Page(|page, build| page.words.append_keywords(build)), "keywords extracted from the main text, for pages that state none: text, score";
    TextLanguage: "text_language", "page:text-language", Kind::Text, Stages::WORDS, Asked, Page(|page, build| build.text(page.words.language())), "language used for tokens, stems …: that of most of the main text, or the declared one";
    Relevance: "relevance", "focus:relevance", Kind::Share, Stages::NONE, Never, OfUrl(|row, build| build.share(row.judged().map(|judged| judged.relevance))), "relevance of the page for the event of a focused crawl, 0 to 1";
    Relevant: "relevant", "focus:relevant", Kind::Flag, Stages::NONE, Never, OfUrl(|row, build| build.flag(row.judged().map(|judged| judged.relevant))), "whether the relevance reaches the model's threshold";
    RelevanceTerms: "relevance_terms", "focus:terms", Kind::Share, Stages::NONE, Never, OfUrl(|row, build| build.share(row.judged().map(|judged| judged.terms))), "similarity to the event in terms";
    RelevancePlaces: "relevance_places", "focus:places", Kind::Share, Stages::NONE, Never, OfUrl(|row, build| build.share(row.judged().map(|judged| judged.places))), "agreement with the event in names";
    RelevanceDates: "relevance_dates", "focus:dates", Kind::Share, Stages::NONE, Never, OfUrl(|row, build| build.share(row.judged().and_then(|judged| judged.dates))), "agreement with the event in days; null if the page names none";
    Article: "article", "page:article", Kind::Text, Stages::BYLINES.and(LINKS_IN_TEXT), Asked, Page(|page, build| build.text(page.article())), "the page as a Spinn3r article line: tokens, links and quotes with their positions";
    UnresolvedLinks: "unresolved_links", "page:unresolved-links", Kind::Count, Stages::LINKS, Asked, Page(|page, build| build.count(page.unresolved_links())), "number of relative links left out because the page's URL is not known";
}

/// Tokens as they are shown.
const SHOWN: Stages = Stages::WORDS.and(Stages::PROFANITY);

/// Links have their places in the main text.
const LINKS_IN_TEXT: Stages = Stages::LINKS.and(Stages::TEXT);

/// Other names that queries take, beside those with the family.
const ALIASES: &[(&str, Id)] = &[
    ("clean_text", Id::Text),
    ("clean_text_profanity", Id::MaskedText),
    ("create_time", Id::Date),
    ("domain", Id::DomainName),
    ("lemmatized", Id::Lemmas),
    ("stemmed", Id::Stems),
    ("fetch_time", Id::Time),
    ("mime", Id::MimeType),
    ("organization_name", Id::Organization),
    ("real_world_events", Id::Events),
];

static SCHEMA: LazyLock<SchemaRef> =
    LazyLock::new(|| Arc::new(Schema::new(COLUMNS.iter().map(Column::field).collect::<Vec<_>>())));

impl Column {
    /// The column of that name: its own, the one with the family, or an alias.
    pub fn named(name: &str) -> Option<&'static Column> {
        let id = ALIASES.iter().find(|(alias, _)| *alias == name).map(|&(_, id)| id);
        COLUMNS.iter().find(|column| {
            column.name == name || column.full_name == name || id.is_some_and(|id| id == column.id)
        })
    }

    /// The column with this id.
    pub fn of(id: Id) -> &'static Column {
        &COLUMNS[id as usize]
    }

    /// Other names that queries take for it.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> {
        let id = self.id;
        ALIASES.iter().filter(move |(_, other)| *other == id).map(|&(alias, _)| alias)
    }

    /// Whether collections keep it by default.
    pub fn is_light(&self) -> bool {
        self.keep == Keep::Light
    }

    /// Whether collections can keep it.
    pub fn is_keepable(&self) -> bool {
        self.keep != Keep::Never
    }

    /// Whether its value depends on the collection's id, name or tweets, which parts repeat for other tools.
    pub fn is_shared(&self) -> bool {
        matches!(self.id, Id::CollectionId | Id::CollectionName | Id::TweetIds)
    }

    /// Whether `tamis dedup` gives its value.
    pub(crate) fn is_of_dedup(&self) -> bool {
        matches!(self.id, Id::DuplicateOf | Id::DuplicateKind | Id::Similarity)
    }

    /// Whether a focused crawl, or `tamis focus judge`, gives its value.
    pub(crate) fn is_of_relevance(&self) -> bool {
        (Id::Relevance..=Id::RelevanceDates).contains(&self.id) || self.id == Id::Events
    }

    /// Whether it depends on the detector of languages.
    pub fn is_of_detector(&self) -> bool {
        self.is_of_languages() || self.is_of_words() || self.id == Id::Article
    }

    /// Whether it says something of the languages of all visible text.
    pub(crate) fn is_of_languages(&self) -> bool {
        matches!(self.id, Id::Languages | Id::LanguageConfidence | Id::LanguageCounts)
    }

    /// Whether it says something of the words of a text.
    pub fn is_of_words(&self) -> bool {
        self.stages.contains(Stages::PROFANITY) || self.stages.contains(Stages::WORDS)
    }

    /// Whether the reference's rows have it.
    pub fn is_of_reference(&self) -> bool {
        self.id <= Id::Events
    }

    /// Its place among all columns.
    pub fn index(&self) -> usize {
        self.id as usize
    }

    /// Its Arrow field.
    pub fn field(&self) -> Field {
        Field::new(self.name, self.kind.data_type(), true)
            .with_metadata([("tamis:name".to_owned(), self.full_name.to_owned())].into())
    }
}

impl Kind {
    /// The Arrow type. Numbers are signed: what Parquet has no sign for, Spark reads as decimals.
    pub fn data_type(self) -> DataType {
        match self {
            Kind::Text => DataType::Utf8,
            Kind::Texts => list(item(DataType::Utf8, true)),
            Kind::Count | Kind::Fingerprint => DataType::Int64,
            Kind::Status => DataType::Int32,
            Kind::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
            Kind::Flag => DataType::Boolean,
            Kind::Links => structs(link_fields()),
            Kind::Spans => structs(span_fields()),
            Kind::Ranges => structs(range_fields()),
            Kind::Tags => structs(tag_fields()),
            Kind::Names => structs(name_fields()),
            Kind::Places => structs(place_fields()),
            Kind::Keywords => structs(keyword_fields()),
            Kind::Headers => structs(header_fields()),
            Kind::Damage => DataType::Struct(damage_fields()),
            Kind::Languages => structs(language_fields()),
            Kind::LanguageCounts => DataType::Struct(language_counts_fields()),
            Kind::Bytes => DataType::Binary,
            Kind::Share => DataType::Float64,
        }
    }
}

pub(crate) fn link_fields() -> Fields {
    let texts = ["url", "kind", "rel", "anchor", "before", "after"];
    let places = ["start", "length"];
    let texts = texts.map(|name| Field::new(name, DataType::Utf8, false));
    texts.into_iter().chain(places.map(|name| Field::new(name, DataType::Int32, true))).collect()
}

pub(crate) fn range_fields() -> Fields {
    ["start", "length"].map(|name| Field::new(name, DataType::Int32, false)).into_iter().collect()
}

pub(crate) fn span_fields() -> Fields {
    with_fields(&range_fields(), [Field::new("text", DataType::Utf8, false)])
}

pub(crate) fn tag_fields() -> Fields {
    with_fields(&span_fields(), [Field::new("tag", DataType::Utf8, false)])
}

pub(crate) fn name_fields() -> Fields {
    with_fields(&span_fields(), [Field::new("confidence", DataType::Float32, false)])
}

/// Those of a name; null where nobody knows the place.
pub(crate) fn place_fields() -> Fields {
    let texts = ["place", "country"].map(|name| Field::new(name, DataType::Utf8, true));
    let numbers =
        ["latitude", "longitude", "place_confidence"].map(|name| Field::new(name, DataType::Float32, true));
    with_fields(&name_fields(), texts.into_iter().chain(numbers))
}

pub(crate) fn keyword_fields() -> Fields {
    let score = Field::new("score", DataType::Float32, false);
    [Field::new("text", DataType::Utf8, false), score].into_iter().collect()
}

fn with_fields(fields: &Fields, more: impl IntoIterator<Item = Field>) -> Fields {
    fields.iter().map(|field| (**field).clone()).chain(more).collect()
}

pub(crate) fn header_fields() -> Fields {
    ["name", "value"].map(|name| Field::new(name, DataType::Utf8, false)).into_iter().collect()
}

pub(crate) fn damage_fields() -> Fields {
    let counts = ["lower_cased", "misread", "lost_to_question_marks", "replaced"];
    std::iter::once(Field::new("kind", DataType::Utf8, false))
        .chain(counts.map(|name| Field::new(name, DataType::Int64, false)))
        .collect()
}

pub(crate) fn language_fields() -> Fields {
    let share = Field::new("share", DataType::Float32, false);
    [Field::new("language", DataType::Utf8, false), share].into_iter().collect()
}

pub(crate) fn language_count_fields() -> Fields {
    let count = Field::new("count", DataType::Int64, false);
    [Field::new("language", DataType::Utf8, false), count].into_iter().collect()
}

pub(crate) fn language_counts_fields() -> Fields {
    let counts = Field::new("counts", structs(language_count_fields()), false);
    let total = Field::new("total", DataType::Int64, false);
    let bytes = Field::new("bytes", DataType::Int64, false);
    [counts, total, Field::new("words_split", DataType::Boolean, false), bytes].into_iter().collect()
}

fn structs(fields: Fields) -> DataType {
    list(item(DataType::Struct(fields), false))
}

/// The field of a list's items, called as Parquet wants it, so that what is read is what was written.
pub(crate) fn item(data_type: DataType, nullable: bool) -> Field {
    Field::new("element", data_type, nullable)
}

fn list(item: Field) -> DataType {
    DataType::List(Arc::new(item))
}

/// The schema of some columns.
pub(crate) fn schema_of(columns: &[&'static Column]) -> SchemaRef {
    Arc::new(Schema::new(columns.iter().map(|column| column.field()).collect::<Vec<_>>()))
}

/// The schema of `pages`.
pub fn schema() -> SchemaRef {
    SCHEMA.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_where_its_id_says_and_is_found_by_every_name() {
        for (column, at) in COLUMNS.iter().zip(0..) {
            assert_eq!(column.index(), at, "{}", column.name);
            for name in [column.name, column.full_name].into_iter().chain(column.aliases()) {
                assert_eq!(Column::named(name).map(|found| found.id), Some(column.id), "{name}");
            }
        }
    }

    #[test]
    fn the_columns_of_the_reference_have_its_names() {
        for name in
            ["webpage:title", "webpage:author/publisher", "clean-webpage:clean-text", "metadata:doc-type"]
        {
            assert!(Column::named(name).is_some(), "{name}");
        }
    }
}
