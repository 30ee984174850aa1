//! A crawl for an event: its model, learnt from pages or read from a file.

use std::fs;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context as _, anyhow};
use tamis_crawl::Address;
use tamis_crawl::crawl::{Folders, page_texts, replace};
use tamis_crawl::focus::{FocusOptions, LearnOptions, Model, Strategy, Tagged};

use super::plan;
use super::settings::Settings;
use crate::command_line;
use crate::commands::focus;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::printer::Printer;
use crate::session::Session;

/// What a crawl for an event is told, if this is one. The model is that of the collection, once there is one.
pub(super) fn options(settings: &Settings, collection: &Path) -> anyhow::Result<Option<FocusOptions>> {
    let Some(file) = &settings.focus else { return Ok(None) };
    let own = collection.join(focus::FILE);
    let model = focus::read(if own.exists() { &own } else { file })?;
    with_model(settings, model).map(Some)
}

/// Refuses settings that no crawl for an event can have.
pub(super) fn check(settings: &Settings) -> anyhow::Result<()> {
    with_model(settings, Model::default()).map(drop)
}

fn with_model(settings: &Settings, model: Model) -> anyhow::Result<FocusOptions> {
    let usual = FocusOptions::new(model);
    let strategy = match &settings.strategy {
        Some(word) => word.parse::<Strategy>().with_context(|| format!("--strategy {word}"))?,
        None => Strategy::default(),
    };
    let share = |value: Option<f64>, flag: &str, usual: f64| match value {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(anyhow!("{flag} {value}: is not between 0 and 1"))
        }
        value => Ok(value.unwrap_or(usual)),
    };
    Ok(FocusOptions {
        strategy,
        harvest_floor: share(settings.harvest_floor, "--harvest-floor", usual.harvest_floor)?,
        harvest_window: settings.harvest_window.map_or(usual.harvest_window, |pages| pages as usize),
        least_hope: share(settings.least_hope, "--least-hope", f64::from(usual.least_hope))? as f32,
        model: usual.model,
    })
}

/// The addresses of the pages that the event is to be learnt from, none if there is a model already or in the file; and how many lines were
/// passed over.
pub(super) fn model_pages(
    settings: &Settings,
    collection: &Path,
    printer: &Printer,
) -> anyhow::Result<(Vec<String>, u64)> {
    let Some(file) = settings.focus.as_ref().filter(|_| !collection.join(focus::FILE).exists()) else {
        return Ok((Vec::new(), 0));
    };
    if file.extension().is_some_and(|ending| ending == "toml") {
        focus::read(file)?;
        return Ok((Vec::new(), 0));
    }
    let (pages, skipped) = plan::read_seeds(&[format!("@{}", file.display())], printer)?;
    if pages.is_empty() {
        return Err(anyhow!("{}: no URL of a page about the event", file.display()))
            .hint("list pages about the event, one URL per line, or give a model file (.toml)");
    }
    Ok((pages, skipped))
}

/// Says so where a crawl is told of another event than the one it has a model of, or of more pages about it.
pub(super) fn tell_of_other_model(
    now: Option<&Path>,
    then: Option<&Path>,
    collection: &Path,
    printer: &Printer,
) {
    let own = collection.join(focus::FILE);
    let (Some(now), Some(then)) = (now, then) else { return };
    let changed = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let is_other = absolute(now).is_ok_and(|now| now != then) || changed(now) > changed(&own);
    if own.exists() && is_other {
        printer.warn(format_args!(
            "{}: ignored, because the crawl already has a model; remove {} to learn a new one",
            now.display(),
            own.display()
        ));
    }
}

/// Learns the event from pages that were fetched, and gives the text of its model.
pub(super) fn learn(
    pages: &[String],
    folders: &Folders,
    collection: &Path,
    printer: &Printer,
) -> anyhow::Result<String> {
    let addresses: Vec<Address> = pages.iter().filter_map(|page| Address::parse(page)).collect();
    let texts = page_texts(folders, &addresses)?;
    let known = texts.iter().filter(|text| !text.is_empty()).count();
    if known == 0 {
        let query = "select url, status_code from pages";
        let words = [Path::new("tamis"), Path::new("query"), collection, Path::new(query)];
        return Err(anyhow!("none of the {} listed pages has text", pages.len()))
            .hint(format!("`{}` shows their responses", command_line::join(words)));
    }
    let model = Model::learn(&texts, &Tagged::default(), LearnOptions::default());
    let terms: Vec<&str> = model.terms.iter().take(8).map(|term| &*term.term).collect();
    printer.say(format_args!("learned from {}: {}", HumanCount::of(known as u64, "page"), terms.join(", ")));
    Ok(model.to_toml())
}

/// The text of the model file, unless the collection has a model already.
pub(super) fn given(settings: &Settings, collection: &Path) -> anyhow::Result<Option<String>> {
    let is_model = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "toml");
    match settings.focus.as_ref().filter(is_model) {
        Some(file) if !collection.join(focus::FILE).exists() => {
            focus::read(file)?;
            Ok(Some(fs::read_to_string(file)?))
        }
        _ => Ok(None),
    }
}

/// Judges what the collection has by a new model, and then takes it in: a crawl that is killed between the two gets it again.
pub(super) fn take(model: &str, collection: &Path, session: &Session) -> anyhow::Result<Outcome> {
    let (counts, outcome) = focus::judge(collection, &Model::parse(model)?, &focus::How::default(), session)?;
    if counts.pages > 0 {
        session.printer.say(format_args!(
            "scored the existing pages: {}, {} of them relevant",
            HumanCount::of(counts.pages, "page"),
            counts.relevant
        ));
    }
    replace(&collection.join(focus::FILE), model.as_bytes())?;
    Ok(outcome)
}
