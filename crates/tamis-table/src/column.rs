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
    Key: "key", "key", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.key())), "<URL>-<date and time>, not unique: see id";
    DocType: "doc_type", "metadata:doc-type", Kind::Text, Stages::NONE, Light, OfIdentity(|_, build| build.text(Some("webpage"))), "webpage, always";
    CollectionId: "collection_id", "metadata:collection-id", Kind::Text, Stages::NONE, Light, OfIdentity(|row, build| build.text(row.context.collection.as_ref().map(|(id, _)| id))), "id of the collection, if it is in one";
    CollectionName: "collection_name", "metadata:collection-name", Kind::Text, Stages::NONE, Light, OfIdentity(|row, build| build.text(row.context.collection.as_ref().map(|(_, name)| name))), "name of the collection";
    DummyData: "dummy_data", "metadata:dummy-data", Kind::Flag, Stages::NONE, Light, OfIdentity(|_, build| build.flag(Some(false))), "whether the data are made up: never";
    Url: "url", "webpage:url", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.url())), "the address, as the archive has it";
    Html: "html", "webpage:html", Kind::Text, Stages::CHARSET, Asked, Page(|page, build| build.text(page.html())), "the page's source, decoded";
    Language: "language", "webpage:language", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.language.as_ref()))), "the language the page declares, as a BCP 47 tag";
    Title: "title", "webpage:title", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.title.as_ref()))), "the title, without the site's name";
    AuthorPublisher: "author_publisher", "webpage:author/publisher", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.author_or_publisher())), "the authors, or the publisher where none is named";
    Organization: "organization", "webpage:organization-name", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.stated(|meta| meta.organization.as_ref()))), "who stands behind the site, by the copyright line or structured data";
    Date: "date", "webpage:create-time", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.published())), "when it was published, as exactly as known (2019, 2019-05, 2019-05-06, …)";
    DomainName: "domain_name", "webpage:domain-name", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.domain().map(|domain| domain.name))), "the registrable domain";
    DomainLocation: "domain_location", "webpage:domain-location", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.country())), "the country of the top-level domain, unless it is sold as a generic name";
    SubUrls: "sub_urls", "webpage:sub-urls", Kind::Texts, Stages::LINKS, Light, Page(|page, build| page.append_anchors(build)), "the addresses of its anchors, each once";
    Time: "time", "webpage:fetch-time", Kind::Time, Stages::NONE, Light, Head(|head, build| build.time(head.milliseconds())), "when it was captured";
    MimeType: "mime_type", "webpage:mime-type", Kind::Text, Stages::HTTP, Light, Head(|head, build| build.text(head.mime())), "the media type stated, in lower case and without parameters";
    StatusCode: "status_code", "webpage:status-code", Kind::Text, Stages::TEXT, Light, Page(|page, build| build.text(Some(page.status().to_string()))), "3200 a sound page, 0XXX an HTTP status, 1001 not HTML, 2000 HTML without text";
    TweetIds: "tweet_ids", "webpage:tweet-ids", Kind::Texts, Stages::NONE, Light, OfUrl(|row, build| build.texts(row.tweet_ids())), "the tweets that name the address, in collections with tweets";
    Text: "text", "clean-webpage:clean-text", Kind::Text, Stages::TEXT, Light, Page(|page, build| build.text(page.text())), "the main text, without boilerplate";
    MaskedText: "masked_text", "clean-webpage:clean-text-profanity", Kind::Text, Stages::PROFANITY, Asked, Page(|page, build| build.text(page.masked_text())), "the main text with {profanity} for each word of the list of its language";
    Keywords: "keywords", "clean-webpage:keywords", Kind::Texts, Stages::METADATA, Light, Page(|page, build| build.texts(page.keywords())), "keywords and tags the page states";
    Tokens: "tokens", "clean-webpage:tokens", Kind::Spans, SHOWN, Asked, Page(|page, build| page.words.append_tokens(page.source(), build)), "the tokens of the main text without stop words, {profanity} for those of the list: start, length, text";
    Stems: "stems", "clean-webpage:stemmed", Kind::Spans, SHOWN.and(Stages::STEMS), Asked, Page(|page, build| page.words.append_stems(page.source(), Stemmer::Snowball, build)), "the stem of each of these tokens, by Snowball";
    Lemmas: "lemmas", "clean-webpage:lemmatized", Kind::Spans, SHOWN.and(Stages::LEMMAS), Asked, Page(|page, build| page.words.append_lemmas(page.source(), build)), "the base form of each of these tokens, by its part of speech; English only";
    Pos: "pos", "clean-webpage:POS", Kind::Tags, Stages::TAGS.and(Stages::PROFANITY), Asked, Page(|page, build| page.words.append_tags(page.source(), build)), "all tokens with their parts of speech, Penn tags: start, length, text, tag; English only";
    People: "people", "clean-webpage:sner-people", Kind::Names, Stages::ENTITIES, Asked, Page(|page, build| page.words.append_names(page.source(), entity::Kind::Person, build)), "people the main text names: start, length, text, confidence; English only";
    Organizations: "organizations", "clean-webpage:sner-organizations", Kind::Names, Stages::ENTITIES, Asked, Page(|page, build| page.words.append_names(page.source(), entity::Kind::Organization, build)), "organisations the main text names, like people";
    Locations: "locations", "clean-webpage:sner-locations", Kind::Places, Stages::ENTITIES.and(Stages::PLACES), Asked, Page(|page, build| page.words.append_places(page.source(), build)), "places the main text names, and where they probably are: …, place, country, latitude, longitude, place_confidence";
    Events: "events", "clean-webpage:real-world-events", Kind::Texts, Stages::NONE, Never, OfUrl(|row, build| build.texts(row.event().map(|event| [event]))), "the event of the collection, if a focused crawl found the page to be about it";
    Id: "id", "capture:id", Kind::Text, Stages::NONE, Light, OfIdentity(|row, build| build.text(Some(row.id()))), "identity of the capture, unique in a collection: <file>:<offset>, with +<in_member> after it where records share a member";
    File: "file", "capture:file", Kind::Text, Stages::NONE, Light, OfIdentity(|row, build| build.text(Some(row.file))), "the archive";
    Offset: "offset", "capture:offset", Kind::Count, Stages::NONE, Light, OfIdentity(|row, build| build.count(Some(row.place.offset))), "the record's place in the archive, as stored";
    InMember: "in_member", "capture:in-member", Kind::Count, Stages::NONE, Light, OfIdentity(|row, build| build.count(Some(row.place.in_member))), "number of the record within its compressed member: 0, unless records share a member";
    Length: "length", "capture:length", Kind::Count, Stages::NONE, Light, Head(|head, build| build.count(head.length)), "the bytes the record takes in the archive, as stored";
    RecordType: "type", "capture:type", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(Some(head.record_type()))), "response, resource, revisit or conversion";
    RecordId: "record_id", "capture:record-id", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.record_id())), "the record's id";
    Digest: "digest", "capture:digest", Kind::Text, Stages::HTTP, Light, Head(|head, build| build.text(head.digest.as_ref())), "payload digest: the one the archive states, else the SHA-1 of the stored payload";
    Ip: "ip", "capture:ip", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.field("WARC-IP-Address"))), "the server's address, as the archive states it";
    Status: "status", "capture:status", Kind::Status, Stages::HTTP, Light, Head(|head, build| build.status(head.status())), "the HTTP status";
    Headers: "headers", "capture:headers", Kind::Headers, Stages::HTTP, Asked, Head(|head, build| head.append_headers(build)), "the HTTP headers: name, value";
    Host: "host", "capture:host", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.domain().map(|domain| domain.host))), "the host of the address";
    Surt: "surt", "capture:surt", Kind::Text, Stages::NONE, Asked, Head(|head, build| build.text(head.url().map(tamis_archive::surt))), "the address in the order of its domain's labels, as indexes sort it";
    Author: "author", "page:author", Kind::Texts, Stages::BYLINES, Light, Page(|page, build| build.texts(page.authors())), "the people who wrote it";
    Publisher: "publisher", "page:publisher", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.publisher.as_ref()))), "who published it";
    SiteName: "site_name", "page:site-name", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.site_name.as_ref()))), "the site's name";
    DateRule: "date_rule", "page:date-rule", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.published_rule())), "what says when it was published";
    Modified: "modified", "page:modified", Kind::Text, Stages::BYLINES, Light, Page(|page, build| build.text(page.modified())), "when it was last changed";
    Description: "description", "page:description", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.stated(|meta| meta.description.as_ref()))), "a summary the page states";
    CanonicalUrl: "canonical_url", "page:canonical-url", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.canonical_url())), "the address the page wants to be known by";
    Image: "image", "page:image", Kind::Text, Stages::METADATA, Light, Page(|page, build| build.text(page.image())), "the address of its picture";
    Charset: "charset", "page:charset", Kind::Text, Stages::CHARSET, Light, Page(|page, build| build.text(page.charset().map(|charset| charset.name))), "the encoding the bytes were read in";
    CharsetRule: "charset_rule", "page:charset-rule", Kind::Text, Stages::CHARSET, Light, Page(|page, build| build.text(page.charset().map(|charset| charset.rule.word()))), "what decided on it: bom, header, meta, xml, utf8-valid, detected, default";
    CharsetOverruled: "charset_overruled", "page:charset-overruled", Kind::Text, Stages::CHARSET, Light, Page(|page, build| build.text(page.charset().and_then(|charset| charset.overruled.as_deref()))), "what the page declared, where the bytes proved it wrong";
    Damage: "damage", "page:damage", Kind::Damage, Stages::TEXT, Light, Page(|page, build| page.append_damage(build)), "what earlier software did to the main text; null if it is sound";
    FullText: "full_text", "page:full-text", Kind::Text, Stages::FULL_TEXT, Asked, Page(|page, build| build.text(page.full_text())), "all that a reader sees";
    Comments: "comments", "page:comments", Kind::Text, Stages::TEXT, Light, Page(|page, build| build.text(page.comments())), "what readers of an article wrote under it";
    Links: "links", "page:links", Kind::Links, LINKS_IN_TEXT, Light, Page(|page, build| page.append_links(build)), "links of all kinds: url, kind, rel, anchor, before, after, start, length";
    Quotes: "quotes", "page:quotes", Kind::Spans, Stages::QUOTES, Asked, Page(|page, build| page.append_quotes(build)), "quotes of the main text: start, length, text";
    Cut: "cut", "page:cut", Kind::Flag, Stages::CHARSET, Light, Page(|page, build| build.flag(Some(page.is_cut()))), "whether bytes of the page are lost, also if the archive says so (WARC-Truncated)";
    Truncated: "truncated", "page:truncated", Kind::Flag, Stages::HTML, Light, Page(|page, build| build.flag(page.is_truncated())), "whether the page has more than is read, also if the archive says so (WARC-Truncated)";
    Languages: "languages", "page:languages", Kind::Languages, Stages::LANGUAGES, Light, Page(|page, build| page.append_languages(build)), "the languages found in all visible text, the largest first: language, share";
    LanguageConfidence: "language_confidence", "page:language-confidence", Kind::Share, Stages::LANGUAGES, Asked, Page(|page, build| build.share(page.confidence())), "how likely it is that the languages found are right, 0 to 1; null if none was found or the detector does not say";
    LanguageCounts: "language_counts", "page:language-counts", Kind::LanguageCounts, Stages::LANGUAGES, Asked, Page(|page, build| page.append_language_counts(build)), "how much of the text seems to be in which language: counts, total, words_split, bytes";
    IdentifiedLanguages: "identified_languages", "capture:identified-languages", Kind::Text, Stages::NONE, Light, Head(|head, build| build.text(head.field("WARC-Identified-Content-Language"))), "the languages that the archive states (WARC-Identified-Content-Language)";
    Simhash: "simhash", "page:simhash", Kind::Fingerprint, Stages::SIMHASH, Asked, Page(|page, build| build.count(page.sketches.simhash)), "64 bits of the main text; near-duplicates differ in few of them: hamming(a, b)";
    Minhash: "minhash", "page:minhash", Kind::Bytes, Stages::MINHASH, Asked, Page(|page, build| build.bytes(page.sketches.minhash.map(|sketch| sketch.to_bytes()))), "a sketch of the main text, 512 bytes; resemblance(a, b) says how much two have in common";
    Sketch: "sketch", "page:sketch", Kind::Bytes, Stages::SKETCH, Asked, Page(|page, build| build.bytes(page.sketches.body.map(|sketch| sketch.to_bytes()))), "a sketch of the body's bytes, 512 bytes, by which packs are ordered";
    DuplicateOf: "duplicate_of", "page:duplicate-of", Kind::Text, Stages::NONE, Never, OfIdentity(|row, build| build.text(row.duplicate().map(|found| &found.of))), "id of the capture kept in its place; null if it is kept itself";
    DuplicateKind: "duplicate_kind", "page:duplicate-kind", Kind::Text, Stages::NONE, Never, OfIdentity(|row, build| build.text(row.duplicate().map(|found| found.kind))), "exact or near";
    Similarity: "similarity", "page:similarity", Kind::Share, Stages::NONE, Never, OfIdentity(|row, build| build.share(row.duplicate().map(|found| found.similarity))), "how much it has in common with the page that is kept, 0 to 1";
    Location: "location", "capture:location", Kind::Text, Stages::HTTP, Light, Head(|head, build| build.text(head.location())), "where the answer sends the reader: the Location header as a whole address";
    Sentences: "sentences", "page:sentences", Kind::Ranges, Stages::SENTENCES, Asked, Page(|page, build| page.words.append_sentences(build)), "the sentences of the main text: start, length";
    PorterStems: "porter_stems", "page:porter-stems", Kind::Spans, SHOWN.and(Stages::STEMS), Asked, Page(|page, build| page.words.append_stems(page.source(), Stemmer::Porter, build)), "the stem of each token of `tokens`, by Porter's rules as NLTK has them";
    OwnKeywords: "own_keywords", "page:own-keywords", Kind::Keywords, Stages::KEYWORDS, Asked, Page(|page, build| page.words.append_keywords(build)), "keywords found in the main text, for pages that state none: text, score";
    TextLanguage: "text_language", "page:text-language", Kind::Text, Stages::WORDS, Asked, Page(|page, build| build.text(page.words.language())), "the language that words are looked at in: that of most of the main text, or the one declared";
    Relevance: "relevance", "focus:relevance", Kind::Share, Stages::NONE, Never, OfUrl(|row, build| build.share(row.judged().map(|judged| judged.relevance))), "how much the page is about the event of a focused crawl, 0 to 1";
    Relevant: "relevant", "focus:relevant", Kind::Flag, Stages::NONE, Never, OfUrl(|row, build| build.flag(row.judged().map(|judged| judged.relevant))), "whether that was enough";
    RelevanceTerms: "relevance_terms", "focus:terms", Kind::Share, Stages::NONE, Never, OfUrl(|row, build| build.share(row.judged().map(|judged| judged.terms))), "its similarity to the event in terms";
    RelevancePlaces: "relevance_places", "focus:places", Kind::Share, Stages::NONE, Never, OfUrl(|row, build| build.share(row.judged().map(|judged| judged.places))), "its agreement with the event in names";
    RelevanceDates: "relevance_dates", "focus:dates", Kind::Share, Stages::NONE, Never, OfUrl(|row, build| build.share(row.judged().and_then(|judged| judged.dates))), "its agreement with the event in days; null if it names none";
    Article: "article", "page:article", Kind::Text, Stages::BYLINES.and(LINKS_IN_TEXT), Asked, Page(|page, build| build.text(page.article())), "the page as an article line: tokens, links and quotes with their positions";
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
