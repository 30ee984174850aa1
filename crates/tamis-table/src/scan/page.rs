//! The columns that need the body.

use std::cell::OnceCell;
use std::io::Read;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use datafusion::error::Result;
use tamis_archive::http::{BodyEnd, BodyReader, DecodeLimits};
use tamis_near::NormalForm;
use tamis_near::simhash::simhash;
use tamis_near::sketch::MinHash;
use tamis_page::content::Content;
use tamis_page::domain::Domain;
use tamis_page::links::{Kind, Links};
use tamis_page::metadata::{Found, Metadata, Search};
use tamis_page::page::{self, Capture, Charset, Draft, Extracted, Opened, Options};
use tamis_page::quotes;
use tamis_page::repair::Diagnosis;
use tamis_page::status::{Origin, Status};
use tamis_words::language::{Answer, Detect, Language, first_tag};
use url::Url;

use super::chunk::{Chunk, Kept};
use super::plan::Plan;
use super::words::{Source, Words};
use super::{Context, evaluate};
use crate::article;
use crate::build::{Build, Span};
use crate::column::{Append, Column};
use crate::meter::Meter;
use crate::stage::Stages;

/// The columns that need the body, in the making.
pub(super) struct Pages {
    rows: Rows,
    decode: Decode,
    last_bytes: usize,
    /// Pages that were larger than the limit.
    oversized: u64,
    context: Arc<Context>,
}

/// What undoing the codings of bodies takes.
#[derive(Default)]
struct Decode {
    body: Vec<u8>,
}

struct Rows {
    builds: Vec<Build>,
    filtered: Vec<Build>,
    meter: Meter,
    len: usize,
}

impl Pages {
    pub(super) fn new(plan: &Plan, context: Arc<Context>, meter: Meter) -> Self {
        let builds = |columns: &[&'static crate::Column]| {
            columns.iter().map(|column| Build::new(column.kind)).collect()
        };
        let rows = Rows { builds: builds(&plan.pages), filtered: builds(&plan.filtered), meter, len: 0 };
        Self { rows, decode: Decode::default(), last_bytes: 0, oversized: 0, context }
    }

    /// How many pages since the last time were larger than the limit, and so are cut.
    pub(super) fn take_oversized(&mut self) -> u64 {
        std::mem::take(&mut self.oversized)
    }

    /// The decoded bytes of the last page that was taken.
    pub(super) fn last_bytes(&self) -> usize {
        self.last_bytes
    }

    /// How many rows the batch has so far.
    pub(super) fn len(&self) -> usize {
        self.rows.len
    }

    /// Adds a capture if it passes the filter; tells whether.
    pub(super) fn take(
        &mut self,
        plan: &Plan,
        chunk: &Chunk,
        at: usize,
        heads: &RecordBatch,
    ) -> Result<bool> {
        let (kept, block) = chunk.capture(at);
        if !block.is_empty() {
            self.rows.meter.count(Stages::BODY);
        }
        let (body, end) = self.decode.body(kept, block, self.context.limits.page_bytes);
        self.last_bytes = body.len();
        let is_oversized = kept.is_cut || end == BodyEnd::Limit;
        self.oversized += u64::from(is_oversized);
        let is_lost = end != BodyEnd::Complete;
        let is_cut = is_lost || is_oversized || kept.is_damaged || kept.is_truncated;
        let missing = Missing { is_cut, is_truncated: kept.is_truncated };
        let capture = Capture {
            bytes: body,
            content_type: kept.content_type.as_deref(),
            http_status: kept.status,
            url: kept.url.as_ref(),
            fetched: kept.fetched,
            origin: Origin::Archived,
        };
        let full_text = plan.stages.contains(Stages::FULL_TEXT);
        let options = Options { repair: self.context.repair, full_text };
        let detector = &*self.context.detector;
        let country = Some(kept)
            .filter(|_| plan.stages.contains(Stages::PLACES))
            .and_then(|kept| Domain::of(kept.url.as_ref()?)?.country)
            .map(|country| country.code);
        if kept.is_text() {
            let extracted = Extracted::open(&capture);
            let form = Form::Text {
                extracted: &extracted,
                language: kept.language.as_deref(),
                options,
                wants_content: plan.wants_content,
            };
            let parts = Parts { url: capture.url, country, ..Parts::new(form, body, detector, missing) };
            return self.rows.take(parts, plan, at, heads);
        }
        let opened = page::open(&capture, options);
        if opened.is_page() {
            self.rows.meter.count(Stages::CHARSET);
        }
        let draft = OnceCell::new();
        let form = Form::Html(&opened, &draft);
        let parts = Parts { url: capture.url, country, ..Parts::new(form, body, detector, missing) };
        self.rows.take(parts, plan, at, heads)
    }

    /// The columns of all rows since the last time.
    pub(super) fn finish(&mut self) -> Vec<ArrayRef> {
        self.rows.len = 0;
        self.rows.builds.iter_mut().map(Build::finish).collect()
    }
}

impl Decode {
    /// The body with its codings undone, at most `most` bytes of it, and how it ends.
    fn body<'b>(&'b mut self, kept: &Kept, block: &'b [u8], most: u64) -> (&'b [u8], BodyEnd) {
        let Some(head) = &kept.coded else { return (block, BodyEnd::Complete) };
        self.body.clear();
        let limits = DecodeLimits { max_output_bytes: most, ..DecodeLimits::default() };
        let mut reader = BodyReader::new(head, block, limits);
        // Reading memory fails only at what does not decode.
        let end = match reader.read_to_end(&mut self.body) {
            Ok(_) => reader.outcome().end,
            Err(_) => BodyEnd::Corrupt,
        };
        (&self.body, end)
    }
}

impl Rows {
    /// Adds a page if it passes the filter; tells whether.
    fn take(&mut self, mut parts: Parts<'_>, plan: &Plan, at: usize, heads: &RecordBatch) -> Result<bool> {
        if let Some(filter) = &plan.page_filter {
            parts.make(plan.filter_stages, &self.meter);
            for (column, build) in plan.filtered.iter().zip(&mut self.filtered) {
                append(column, &parts, build);
            }
            let own = self.filtered.iter_mut().map(Build::finish);
            let columns = heads.columns().iter().map(|column| column.slice(at, 1)).chain(own).collect();
            let options = RecordBatchOptions::new().with_row_count(Some(1));
            let row = RecordBatch::try_new_with_options(plan.filtered_schema.clone(), columns, &options)?;
            if !evaluate(filter, &row)?[0] {
                return Ok(false);
            }
        }
        parts.make(plan.stages, &self.meter);
        for (column, build) in plan.pages.iter().zip(&mut self.builds) {
            append(column, &parts, build);
        }
        self.len += 1;
        Ok(true)
    }
}

/// What a page is made from.
enum Form<'p> {
    /// HTML, whose tree is made when it is needed.
    Html(&'p Opened<'p>, &'p OnceCell<Draft<'p>>),
    /// A text that was taken out of a page before, with the languages that were found then.
    Text {
        extracted: &'p Extracted<'p>,
        language: Option<&'p str>,
        options: Options,
        /// Whether more of it is asked for than its languages.
        wants_content: bool,
    },
}

/// What of a page is not there.
#[derive(Clone, Copy)]
struct Missing {
    /// Whether bytes of it are lost.
    is_cut: bool,
    /// Whether the archive says that it had more.
    is_truncated: bool,
}

/// What is known of a page so far.
pub(crate) struct Parts<'p> {
    form: Form<'p>,
    /// The body as it was sent, without codings.
    body: &'p [u8],
    url: Option<&'p Url>,
    detector: &'p dyn Detect,
    missing: Missing,
    metadata: Option<Metadata>,
    has_bylines: bool,
    content: Option<Content>,
    has_full_text: bool,
    links: Option<Links>,
    damage: Option<Diagnosis>,
    languages: Option<Answer>,
    pub(crate) sketches: Sketches,
    pub(crate) words: Words,
    country: Option<&'static str>,
}

/// What tells how much two pages have in common.
#[derive(Default)]
pub(crate) struct Sketches {
    pub(crate) simhash: Option<u64>,
    pub(crate) minhash: Option<MinHash>,
    pub(crate) body: Option<MinHash>,
}

impl<'p> Parts<'p> {
    fn new(form: Form<'p>, body: &'p [u8], detector: &'p dyn Detect, missing: Missing) -> Self {
        Self {
            form,
            body,
            url: None,
            detector,
            missing,
            metadata: None,
            has_bylines: false,
            content: None,
            has_full_text: false,
            links: None,
            damage: None,
            languages: None,
            sketches: Sketches::default(),
            words: Words::default(),
            country: None,
        }
    }

    /// Does what is wanted and not done yet. Nothing is done to what is no page.
    fn make(&mut self, wanted: Stages, meter: &Meter) {
        if wanted.contains(Stages::SKETCH) && self.sketches.body.is_none() && !self.body.is_empty() {
            meter.count(Stages::SKETCH);
            self.sketches.body = Some(MinHash::of_bytes(self.body));
        }
        match self.form {
            Form::Html(opened, draft) if opened.is_page() && wanted.contains(Stages::HTML) => {
                self.make_html(opened, draft, wanted, meter);
            }
            Form::Html(..) => return,
            Form::Text { extracted, language, options, wants_content } => {
                if wanted.contains(Stages::HTML) && (wants_content || options.repair) {
                    self.make_text(extracted, language, options);
                }
            }
        }
        if wanted.contains(Stages::LANGUAGES) && self.languages.is_none() {
            meter.count(Stages::LANGUAGES);
            self.languages = Some(self.detector.detect(self.all_text()));
        }
        self.make_sketches(wanted, meter);
        let mut words = std::mem::take(&mut self.words);
        if let Some(source) = self.source() {
            words.make(source, wanted, meter);
        }
        self.words = words;
    }

    /// What words are found in, if there is a main text.
    pub(crate) fn source(&self) -> Option<Source<'_>> {
        let meta = self.metadata.as_ref();
        Some(Source {
            text: &self.content.as_ref()?.main.text,
            declared: meta.and_then(|meta| text(meta.language.as_ref())),
            has_keywords: meta.is_some_and(|meta| !meta.keywords.is_empty()),
            detector: self.detector,
            country: self.country,
        })
    }

    /// Sketches of the main text, if there is one.
    fn make_sketches(&mut self, wanted: Stages, meter: &Meter) {
        let wants_simhash = wanted.contains(Stages::SIMHASH) && self.sketches.simhash.is_none();
        let wants_minhash = wanted.contains(Stages::MINHASH) && self.sketches.minhash.is_none();
        let Some(content) = self.content.as_ref().filter(|_| wants_simhash || wants_minhash) else { return };
        let mut form = NormalForm::default();
        form.push(&content.main.text);
        let text = form.finish();
        if text.is_empty() {
            return;
        }
        if wants_simhash {
            meter.count(Stages::SIMHASH);
            self.sketches.simhash = Some(simhash(text));
        }
        if wants_minhash {
            meter.count(Stages::MINHASH);
            self.sketches.minhash = Some(MinHash::of_text(text));
        }
    }

    fn make_html(
        &mut self,
        opened: &'p Opened<'p>,
        draft: &'p OnceCell<Draft<'p>>,
        wanted: Stages,
        meter: &Meter,
    ) {
        let draft = draft.get_or_init(|| {
            meter.count(Stages::HTML);
            opened.parse()
        });
        let wants_bylines = wanted.contains(Stages::BYLINES);
        if wanted.contains(Stages::METADATA)
            && (self.metadata.is_none() || wants_bylines && !self.has_bylines)
        {
            meter.count(Stages::METADATA);
            if wants_bylines {
                meter.count(Stages::BYLINES);
            }
            self.metadata = Some(draft.metadata(if wants_bylines { Search::Whole } else { Search::Stated }));
            self.has_bylines = wants_bylines;
        }
        let wants_full = wanted.contains(Stages::FULL_TEXT);
        if wanted.contains(Stages::TEXT) && (self.content.is_none() || wants_full && !self.has_full_text) {
            meter.count(Stages::TEXT);
            if wants_full {
                meter.count(Stages::FULL_TEXT);
            }
            let content = draft.content(wants_full);
            self.damage = Some(opened.damage(&content)).filter(|damage| !damage.is_sound());
            self.content = Some(content);
            self.has_full_text = wants_full;
        }
        if wanted.contains(Stages::LINKS) && self.links.is_none() {
            meter.count(Stages::LINKS);
            self.links = Some(draft.links());
        }
    }

    fn make_text(&mut self, extracted: &Extracted<'p>, language: Option<&str>, options: Options) {
        if self.content.is_some() {
            return;
        }
        let page = extracted.page(language.and_then(first_tag).as_deref(), options);
        self.metadata = Some(page.metadata);
        self.has_bylines = true;
        self.content = Some(page.content);
        self.has_full_text = true;
        self.links = Some(page.links);
        self.damage = page.damage.filter(|damage| !damage.is_sound());
    }

    /// All that a reader sees, as far as it is known.
    fn all_text(&self) -> &str {
        match (&self.content, &self.form) {
            (Some(content), Form::Html(..)) => &content.full.text,
            (Some(content), Form::Text { .. }) => &content.main.text,
            (None, Form::Text { extracted, .. }) => extracted.text(),
            (None, Form::Html(..)) => "",
        }
    }

    /// What the page states in a text, by the field of its metadata.
    pub(crate) fn stated(&self, field: fn(&Metadata) -> Option<&Found<String>>) -> Option<&str> {
        text(field(self.metadata.as_ref()?))
    }

    pub(crate) fn author_or_publisher(&self) -> Option<String> {
        let meta = self.metadata.as_ref()?;
        let authors: Vec<&str> = meta.authors.iter().map(|author| &*author.value).collect();
        if authors.is_empty() {
            return text(meta.publisher.as_ref()).map(str::to_owned);
        }
        Some(authors.join(", "))
    }

    pub(crate) fn authors(&self) -> Option<impl Iterator<Item = &str>> {
        Some(self.metadata.as_ref()?.authors.iter().map(|found| &*found.value))
    }

    pub(crate) fn keywords(&self) -> Option<impl Iterator<Item = &str>> {
        Some(self.metadata.as_ref()?.keywords.iter().map(|found| &*found.value))
    }

    pub(crate) fn published(&self) -> Option<String> {
        Some(self.metadata.as_ref()?.published.as_ref()?.value.to_string())
    }

    pub(crate) fn published_rule(&self) -> Option<&'static str> {
        Some(self.metadata.as_ref()?.published.as_ref()?.rule.word())
    }

    pub(crate) fn modified(&self) -> Option<String> {
        Some(self.metadata.as_ref()?.modified.as_ref()?.value.to_string())
    }

    pub(crate) fn canonical_url(&self) -> Option<&str> {
        Some(self.metadata.as_ref()?.canonical.as_ref()?.value.as_str())
    }

    pub(crate) fn image(&self) -> Option<&str> {
        Some(self.metadata.as_ref()?.image.as_ref()?.value.as_str())
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.missing.is_cut
    }

    pub(crate) fn text(&self) -> Option<&String> {
        self.content.as_ref().map(|content| &content.main.text)
    }

    pub(crate) fn masked_text(&self) -> Option<String> {
        self.words.masked(self.text()?)
    }

    pub(crate) fn full_text(&self) -> Option<&String> {
        self.content.as_ref().map(|content| &content.full.text)
    }

    pub(crate) fn comments(&self) -> Option<&String> {
        self.content.as_ref().map(|content| &content.comments.text)
    }

    /// The page as an article line, if it has text.
    pub(crate) fn article(&self) -> Option<String> {
        let content = self.content.as_ref().filter(|content| !content.main.text.is_empty())?;
        let links = self.links.as_ref()?;
        let answer = self.detector.detect(&content.main.text);
        let date = self.published();
        let source = article::Source {
            url: self.url.map_or("", Url::as_str),
            date: date.as_deref(),
            title: self.stated(|meta| meta.title.as_ref()).unwrap_or_default(),
            html: self.html().unwrap_or_default(),
            text: &content.main,
            links,
            language: answer
                .languages
                .first()
                .map(Language::code)
                .or_else(|| self.stated(|meta| meta.language.as_ref())),
            languages: Some(&answer),
        };
        Some(source.article().to_string())
    }

    /// The URLs of anchors, each once.
    pub(crate) fn append_anchors(&self, build: &mut Build) {
        let mut seen = foldhash::HashSet::default();
        let links = self.links.as_ref().map(|links| {
            let anchors = links.iter().filter(|link| matches!(link.kind(), Kind::Anchor | Kind::Text));
            anchors.map(|link| link.url()).filter(move |&url| seen.insert(url))
        });
        build.texts(links);
    }

    pub(crate) fn unresolved_links(&self) -> Option<u64> {
        let links = self.links.as_ref()?;
        Some(if links.base().is_none() { links.left_out().broken.into() } else { 0 })
    }

    pub(crate) fn append_links(&self, build: &mut Build) {
        if let Build::Links(build) = build {
            let places = self.links.as_ref().zip(self.content.as_ref());
            build.append(
                places.map(|(links, content)| links.iter().zip(links.positions(&content.main.placed))),
            );
        }
    }

    pub(crate) fn append_quotes(&self, build: &mut Build) {
        if let Build::Spans(build) = build {
            let quotes = self.source().map(|source| quotes::find(source.text, source.declared));
            build.append(quotes.map(|quotes| {
                quotes.into_iter().map(|quote| Span {
                    start: quote.start as u32,
                    length: quote.length as u32,
                    text: quote.text.into(),
                })
            }));
        }
    }

    pub(crate) fn append_languages(&self, build: &mut Build) {
        if let Build::Languages(build) = build {
            build.append(self.languages.as_ref());
        }
    }

    pub(crate) fn append_language_counts(&self, build: &mut Build) {
        if let Build::LanguageCounts(build) = build {
            build.append(self.languages.as_ref(), self.all_text().len());
        }
    }

    pub(crate) fn append_damage(&self, build: &mut Build) {
        if let Build::Damage(build) = build {
            build.append(self.damage.as_ref());
        }
    }

    /// To four places.
    pub(crate) fn confidence(&self) -> Option<f64> {
        self.languages.as_ref()?;
        let confidence = self.detector.confidence(self.all_text())?;
        Some((f64::from(confidence) * 1e4).round() / 1e4)
    }

    pub(crate) fn html(&self) -> Option<&str> {
        match self.form {
            Form::Html(opened, _) => opened.is_page().then(|| opened.html()),
            Form::Text { .. } => None,
        }
    }

    pub(crate) fn charset(&self) -> Option<&Charset> {
        match &self.form {
            Form::Html(opened, _) => opened.charset(),
            Form::Text { extracted, .. } => Some(extracted.charset()),
        }
    }

    pub(crate) fn is_truncated(&self) -> Option<bool> {
        if self.missing.is_truncated {
            return Some(true);
        }
        match self.form {
            Form::Html(_, draft) => draft.get().map(Draft::is_truncated),
            Form::Text { .. } => Some(false),
        }
    }

    pub(crate) fn status(&self) -> Status {
        let has_text = self.content.as_ref().is_none_or(|content| !content.main.text.is_empty());
        match self.form {
            Form::Html(opened, _) => opened.status(has_text),
            Form::Text { extracted, .. } => extracted.status(),
        }
    }
}

/// Adds the value of a column that needs the body.
fn append(column: &Column, parts: &Parts<'_>, build: &mut Build) {
    if let Append::Page(append) = column.append {
        append(parts, build);
    }
}

fn text(found: Option<&Found<String>>) -> Option<&str> {
    found.map(|found| &*found.value)
}
