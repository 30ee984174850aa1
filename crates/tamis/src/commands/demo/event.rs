//! The second web of the demo: sites that report on six events among much else, and a crawl that looks for one of them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use tamis_sim::{Running, ServeOptions, World, WorldOptions, serve};

use super::{place_for, show as show_command, tell, text};
use crate::session::Session;

const SEED: u64 = 11;
const HOSTS: u32 = 40;
const PAGES: u32 = 12_000;
/// Which of the events it is about.
const EVENT: u8 = 2;
/// Articles that the event is learnt from, and such that the crawl begins with.
const MODEL_PAGES: usize = 3;
const SEEDS: usize = 3;
const MOST_PAGES: u32 = 1000;

/// Serves the web, looks for an event in it, and says how much of it was found.
pub(super) fn show(session: &Session, folder: &Path) -> anyhow::Result<()> {
    let world = World::new(WorldOptions::eventful(SEED, HOSTS, PAGES));
    let web =
        serve(Arc::new(world), &ServeOptions::default()).context("cannot listen on addresses of loopback")?;
    let articles = web.world().event_articles(EVENT, MODEL_PAGES + SEEDS);
    let (model, seeds) = articles.split_at(MODEL_PAGES.min(articles.len()));
    let place = text(&place_for(folder, "event")?);
    let path = folder.join("event.toml");
    for (name, content) in [
        ("event-hosts", web.hosts_file()),
        ("model.txt", model.join("\n") + "\n"),
        ("seeds.txt", seeds.join("\n") + "\n"),
        ("event.toml", plan()),
    ] {
        fs::write(folder.join(name), content).with_context(|| format!("cannot write {name}"))?;
    }
    tell(
        session,
        format_args!(
            "{HOSTS} other sites report on six events, and on much else. A crawl learns one of them from {MODEL_PAGES} pages, and looks \
             for more of the same:"
        ),
    )?;
    tell(session, plan())?;
    show_command(session, &["build", &text(&path)])?;
    session.printer.say(told(&web));
    tell(session, "What it takes the event to be, as a file that can be edited:")?;
    show_command(session, &["focus", "show", &place, "--top", "5"])
}

/// The plan that looks for the event.
fn plan() -> String {
    format!(
        r#"collection = "event"
event = "One of six"

[crawl]
inputs = ["seeds.txt"]
focus = "model.txt"
contact = "you@example.org"
scope = "any"
hosts = "event-hosts"
allow-private = true
delay = 0.02
server-delay = 0
back-off = 0.1
max-pages = {MOST_PAGES}

[clean]
columns = "light,words"

[report]"#
    )
}

/// How much of what was asked for is about the event.
fn told(web: &Running) -> String {
    let world = web.world();
    let asked = web.asked().pages;
    let about = asked.iter().filter(|url| world.event(url) == Some(EVENT)).count();
    format!(
        "The sites say: {about} of {} pages that were asked for are about the event, of {PAGES} pages {} are.",
        asked.len(),
        world.count_event_articles(EVENT)
    )
}
