//! What is known of the words of a main text.
//!
//! Places are characters of the column `text`, also of what is shown as `{profanity}`.

use std::borrow::Cow;
use std::ops::Range;

use tamis_words::entity::{self, Entity};
use tamis_words::keyword::{self, Extracted};
use tamis_words::language::{Detect, Language};
use tamis_words::lemma;
use tamis_words::place;
use tamis_words::profanity::{Lists, REPLACEMENT};
use tamis_words::stem::Stemmer;
use tamis_words::stop_words::StopWords;
use tamis_words::tag::{self, Tag};
use tamis_words::tokens::{self, Sentence, Token};

use crate::build::{Build, Found, Span};
use crate::meter::Meter;
use crate::stage::Stages;

/// No sentence that anybody wrote has more tokens.
const LONGEST_SENTENCE: usize = 500;
/// So many keywords are found in a text.
const MOST_KEYWORDS: usize = 10;

/// What is known of the words of a main text so far.
#[derive(Default)]
pub(crate) struct Words {
    /// The language of the text, if it is known.
    language: Option<String>,
    /// Whether somebody looked for it.
    has_language: bool,
    hidden: Option<Vec<Range<usize>>>,
    tokens: Option<Vec<Token>>,
    sentences: Option<Vec<Sentence>>,
    /// One for each token; None also in languages without a tagger.
    tags: Option<Vec<Tag>>,
    names: Option<Vec<Entity>>,
    keywords: Option<Vec<Extracted>>,
    /// What is done when rows are made, once it was counted.
    counted: Stages,
}

/// What words are found in.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(super) text: &'a str,
    /// The language that the page declares.
    pub(super) declared: Option<&'a str>,
    /// Whether the page states keywords.
    pub(super) has_keywords: bool,
    pub(super) detector: &'a dyn Detect,
    /// The country of its address, two letters.
    pub(super) country: Option<&'a str>,
}

impl Words {
    /// Does what is wanted and not done yet.
    pub(super) fn make(&mut self, source: Source<'_>, wanted: Stages, meter: &Meter) {
        let text = source.text;
        if !wanted.contains(Stages::PROFANITY) && !wanted.contains(Stages::WORDS) {
            return;
        }
        if !self.has_language {
            self.language = language(source);
            self.has_language = true;
        }
        let language = self.language.clone();
        let language = language.as_deref();
        if wanted.contains(Stages::PROFANITY) && self.hidden.is_none() {
            meter.count(Stages::PROFANITY);
            let list = Lists::built_in().of(language.unwrap_or("eng"));
            self.hidden = Some(list.map(|list| list.find(text)).unwrap_or_default());
        }
        if wanted.contains(Stages::WORDS) && self.tokens.is_none() {
            meter.count(Stages::WORDS);
            self.tokens = Some(tokens::split(text, language));
        }
        let Some(tokens) = &self.tokens else { return };
        if wanted.contains(Stages::SENTENCES) && self.sentences.is_none() {
            meter.count(Stages::SENTENCES);
            self.sentences = Some(tokens::sentences(text, tokens, language));
        }
        if let Some(sentences) = &self.sentences
            && wanted.contains(Stages::KEYWORDS)
            && self.keywords.is_none()
            && !source.has_keywords
        {
            meter.count(Stages::KEYWORDS);
            let language = language.unwrap_or("eng");
            self.keywords = Some(keyword::extract(text, tokens, sentences, language, MOST_KEYWORDS));
        }
        // Noise in no known language has no parts of speech and no names.
        if language.is_some_and(tag::knows) {
            self.make_tags(text, wanted, meter);
        }
        for stage in [Stages::STEMS, Stages::LEMMAS, Stages::PLACES] {
            if wanted.contains(stage) && !self.counted.contains(stage) {
                meter.count(stage);
                self.counted |= stage;
            }
        }
    }

    fn make_tags(&mut self, text: &str, wanted: Stages, meter: &Meter) {
        let (Some(tokens), Some(sentences)) = (&self.tokens, &self.sentences) else { return };
        let sentences = &pieces(sentences, tokens);
        if wanted.contains(Stages::TAGS) && self.tags.is_none() {
            meter.count(Stages::TAGS);
            let tags = sentences.iter().flat_map(|sentence| tag::pos(text, tokens, sentence));
            self.tags = Some(tags.collect());
        }
        let Some(tags) = &self.tags else { return };
        if wanted.contains(Stages::ENTITIES) && self.names.is_none() {
            meter.count(Stages::ENTITIES);
            let mut names = entity::entities(text, tokens, sentences, tags);
            names.retain(|name| is_name(phrase(name, text)));
            self.names = Some(names);
        }
    }

    /// The text with a word in place of those of the list.
    pub(super) fn masked(&self, text: &str) -> Option<String> {
        let mut masked = String::with_capacity(text.len());
        let mut last = 0;
        for range in self.hidden.as_ref()? {
            masked.push_str(&text[last..range.start]);
            masked.push_str(REPLACEMENT);
            last = range.end;
        }
        masked.push_str(&text[last..]);
        Some(masked)
    }

    /// The language that words were looked at in.
    pub(crate) fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    pub(crate) fn append_tokens(&self, source: Option<Source<'_>>, build: &mut Build) {
        if let Build::Spans(build) = build {
            let tokens = self.content(source.map_or("", |source| source.text));
            build.append(tokens.map(|words| words.map(|(_, span)| span)));
        }
    }

    pub(crate) fn append_stems(&self, source: Option<Source<'_>>, stemmer: Stemmer, build: &mut Build) {
        if let Build::Spans(build) = build {
            build.append(self.stems(source.map_or("", |source| source.text), stemmer));
        }
    }

    pub(crate) fn append_lemmas(&self, source: Option<Source<'_>>, build: &mut Build) {
        if let Build::Spans(build) = build {
            build.append(self.lemmas(source.map_or("", |source| source.text)));
        }
    }

    pub(crate) fn append_tags(&self, source: Option<Source<'_>>, build: &mut Build) {
        if let Build::Tags(build) = build {
            let tags = self.tags.as_ref().zip(self.shown(source.map_or("", |source| source.text)));
            build.append(
                tags.map(|(tags, words)| words.filter_map(|(at, span)| Some((span, tags.get(at)?.as_str())))),
            );
        }
    }

    pub(crate) fn append_sentences(&self, build: &mut Build) {
        if let Build::Ranges(build) = build {
            let range = |sentence: &Sentence| (sentence.start, sentence.end - sentence.start);
            build.append(self.sentences.as_ref().map(|sentences| sentences.iter().map(range)));
        }
    }

    pub(crate) fn append_names(&self, source: Option<Source<'_>>, kind: entity::Kind, build: &mut Build) {
        if let Build::Names(build) = build {
            build.append(self.names(source.map_or("", |source| source.text), kind));
        }
    }

    pub(crate) fn append_places(&self, source: Option<Source<'_>>, build: &mut Build) {
        if let Build::Places(build) = build {
            build.append(source.and_then(|source| self.places(source)));
        }
    }

    pub(crate) fn append_keywords(&self, build: &mut Build) {
        if let Build::Keywords(build) = build {
            let keywords = self.keywords.as_ref();
            build.append(keywords.map(|all| all.iter().map(|one| (&*one.phrase, one.score))));
        }
    }

    /// Tokens as they are shown, with their numbers: those of a word of the list are one.
    fn shown<'a>(&'a self, text: &'a str) -> Option<impl Iterator<Item = (usize, Span<'a>)>> {
        let (tokens, hidden) = (self.tokens.as_ref()?, self.hidden.as_ref()?);
        let mut hidden = hidden.iter().peekable();
        let mut shown_end = 0;
        Some(tokens.iter().enumerate().filter_map(move |(at, token)| {
            let (start, end) = (token.start_byte as usize, token.end_byte as usize);
            while hidden.next_if(|range| range.end <= start).is_some() {}
            if start < shown_end {
                return None;
            }
            let is_hidden = hidden.peek().is_some_and(|range| range.start < end);
            let (last, written) = match hidden.peek() {
                Some(range) if is_hidden => {
                    shown_end = range.end;
                    let last =
                        tokens[at..].iter().take_while(|token| (token.start_byte as usize) < range.end);
                    (last.last().unwrap_or(token), Cow::Borrowed(REPLACEMENT))
                }
                _ => (token, token.text(text)),
            };
            Some((at, Span { start: token.start, length: last.end - token.start, text: written }))
        }))
    }

    /// The same without stop words.
    fn content<'a>(&'a self, text: &'a str) -> Option<impl Iterator<Item = (usize, Span<'a>)>> {
        let language = self.language().unwrap_or("eng");
        let stop_words = StopWords::built_in().of(language);
        let mut small = String::new();
        Some(self.shown(text)?.filter(move |(_, span)| {
            stop_words.is_none_or(|words| !words.contains(lower_cased(&span.text, &mut small)))
        }))
    }

    fn stems<'a>(&'a self, text: &'a str, stemmer: Stemmer) -> Option<impl Iterator<Item = Span<'a>>> {
        let stemmer = stemmer.of(self.language().unwrap_or("eng"));
        let words = self.content(text)?;
        Some(words.map(move |(_, span)| {
            let stem =
                if is_masked(&span) { REPLACEMENT.into() } else { stemmer.stem(&span.text).into_owned() };
            Span { text: Cow::Owned(stem), ..span }
        }))
    }

    fn lemmas<'a>(&'a self, text: &'a str) -> Option<impl Iterator<Item = Span<'a>>> {
        let tags = self.tags.as_ref()?;
        Some(self.content(text)?.map(move |(at, span)| {
            let tag = tags.get(at).map_or("", |tag| tag.as_str());
            let base = if is_masked(&span) {
                REPLACEMENT.into()
            } else {
                lemma::lemma(&span.text, tag).into_owned()
            };
            Span { text: Cow::Owned(base), ..span }
        }))
    }

    fn entities(&self, kind: entity::Kind) -> Option<impl Iterator<Item = &Entity>> {
        Some(self.names.as_ref()?.iter().filter(move |name| name.kind == kind))
    }

    fn names<'a>(
        &'a self,
        text: &'a str,
        kind: entity::Kind,
    ) -> Option<impl Iterator<Item = (Span<'a>, f32)>> {
        Some(self.entities(kind)?.map(move |name| (span(name, text), name.confidence)))
    }

    fn places<'a>(
        &'a self,
        source: Source<'a>,
    ) -> Option<impl Iterator<Item = (Span<'a>, f32, Option<Found>)>> {
        let text = source.text;
        let names = || self.entities(entity::Kind::Location);
        let context = place::Context::of_names(names()?.map(|name| phrase(name, text)));
        let context = match source.country {
            Some(country) => context.with_country(country),
            None => context,
        };
        Some(names()?.map(move |name| {
            let found = place::resolve(phrase(name, text), &context).map(|place| Found {
                place: place.name.to_owned(),
                country: place.country.to_owned(),
                latitude: place.latitude,
                longitude: place.longitude,
                confidence: place.confidence,
            });
            (span(name, text), name.confidence, found)
        }))
    }
}

/// Sentences, and of those that are too long for any the pieces: taggers hold a sentence in memory as a whole.
fn pieces(sentences: &[Sentence], tokens: &[Token]) -> Vec<Sentence> {
    let piece = |first: usize, end: usize| {
        let end = end.min(first + LONGEST_SENTENCE);
        Sentence { tokens: first..end, start: tokens[first].start, end: tokens[end - 1].end }
    };
    let of = |sentence: &Sentence| {
        let Range { start, end } = sentence.tokens.clone();
        (start..end).step_by(LONGEST_SENTENCE).map(move |first| piece(first, end))
    };
    sentences.iter().flat_map(of).collect()
}

/// The language of most of a text, or the one that the page declares.
fn language(source: Source<'_>) -> Option<String> {
    if source.text.trim().is_empty() {
        return None;
    }
    let answer = source.detector.detect(source.text);
    let found = answer.languages.first().copied();
    let declared = || Some(Language::parse(source.declared?)?.macro_language());
    found.or_else(declared).map(|language| language.code().to_owned())
}

fn is_masked(span: &Span<'_>) -> bool {
    matches!(span.text, Cow::Borrowed(REPLACEMENT))
}

/// Whether a phrase can be a name: it has letters, and stands in one line.
fn is_name(phrase: &str) -> bool {
    phrase.chars().filter(|c| c.is_alphabetic()).nth(1).is_some() && !phrase.contains(char::is_control)
}

fn phrase<'a>(name: &Entity, text: &'a str) -> &'a str {
    text.get(name.start_byte as usize..name.end_byte as usize).unwrap_or_default()
}

fn span<'a>(name: &Entity, text: &'a str) -> Span<'a> {
    Span { start: name.start, length: name.end - name.start, text: Cow::Borrowed(phrase(name, text)) }
}

/// A word in lower case, in a buffer if it is not so already.
fn lower_cased<'a>(word: &'a str, buffer: &'a mut String) -> &'a str {
    if word.bytes().all(|byte| byte < 0x80 && !byte.is_ascii_uppercase()) {
        return word;
    }
    buffer.clear();
    buffer.extend(word.chars().flat_map(char::to_lowercase));
    buffer
}
