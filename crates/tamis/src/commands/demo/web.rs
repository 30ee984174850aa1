//! The web of the demo: a dozen sites on loopback, which know what a crawler should find and write down what it did.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use tamis_sim::{AuditRules, OracleRules, Running, ServeOptions, World, oracle, serve};

use super::{place_for, show as show_command, tell, text};
use crate::session::Session;

/// Every demo crawls the same pages.
const SEED: u64 = 7;
const DELAY_MS: u64 = 20;

/// Serves the web, crawls it, and compares what came with what there is.
pub(super) fn show(session: &Session, folder: &Path) -> anyhow::Result<()> {
    let web = serve(Arc::new(World::demo(SEED)), &ServeOptions::default())
        .context("cannot listen on addresses of loopback")?;
    let hosts = folder.join("hosts");
    fs::write(&hosts, web.hosts_file()).with_context(|| format!("cannot write {}", hosts.display()))?;
    let place = text(&place_for(folder, "web")?);
    tell(
        session,
        format_args!(
            "A web of {} sites, served on loopback while this runs, with robots.txt, redirects, copies and dead links. A plan crawls \
             it, politely, computes columns, looks for pages that are there more than once, writes a table and a report:",
            web.world().hosts().count()
        ),
    )?;
    // A build replaces only what builds of its collection made, and that of an earlier demo is gone.
    for made in
        ["duplicates.csv", "pages.parquet"].map(|name| folder.join(name)).iter().filter(|made| made.exists())
    {
        fs::remove_file(made).with_context(|| format!("cannot replace {}", made.display()))?;
    }
    let path = folder.join("plan.toml");
    let plan = plan(&web.world().seeds(1).remove(0));
    fs::write(&path, &plan).with_context(|| format!("cannot write {}", path.display()))?;
    tell(session, &plan)?;
    show_command(session, &["build", &text(&path)])?;
    tell(session, told(&web))?;
    tell(session, "Every exchange is kept, and the collection is a table:")?;
    let query = "select status, count(*) as answers from pages group by status order by answers desc, status";
    show_command(session, &["query", &place, query])?;
    tell(session, "Pages that are there more than once can be left out:")?;
    let query = "select duplicate_kind, count(*) as pages from pages where duplicate_kind = 'exact' group by duplicate_kind";
    show_command(session, &["query", &place, query])?;
    pack(session, folder, Path::new(&place))
}

/// The plan that crawls the web and shows what came.
fn plan(seed: &str) -> String {
    let delay = DELAY_MS as f64 / 1000.0;
    format!(
        r#"collection = "web"

[crawl]
inputs = ["{seed}"]
contact = "you@example.org"
scope = "any"
hosts = "hosts"
allow-private = true
delay = {delay}
server-delay = 0
back-off = 0.1

[clean]

[dedup]
output = "duplicates.csv"

[[output]]
sql = "select url, title, text from pages where status_code = '3200' and duplicate_of is null"
output = "pages.parquet"

[report]"#
    )
}

/// Packs what was crawled, and gets it back.
fn pack(session: &Session, folder: &Path, place: &Path) -> anyhow::Result<()> {
    let archives = fs::read_dir(place.join("archive"))?.map(|entry| entry.map(|entry| entry.path()));
    let Some(crawled) = archives.collect::<Result<Vec<_>, _>>()?.into_iter().min() else { return Ok(()) };
    // Its own name has the moment of the crawl in it.
    let (archive, again) = (folder.join("web.warc.gz"), folder.join("again.warc.gz"));
    fs::copy(crawled, &archive)?;
    let packed = text(&folder.join("web.warc.gz.pack"));
    tell(session, "Similar pages side by side pack far better than gzip does, and are read in place:")?;
    show_command(session, &["pack", &text(&archive), "--force"])?;
    show_command(session, &["query", &packed, "select count(*) as pages from pages"])?;
    tell(session, "Every byte of the archive comes back:")?;
    show_command(session, &["unpack", &packed, "-o", &text(&again), "--force"])?;
    let is_same = fs::read(&archive)? == fs::read(&again)?;
    tell(session, if is_same { "The two files are the same." } else { "The two files differ." })
}

/// What the web saw, and what it should have seen.
fn told(web: &Running) -> String {
    let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default()).pages;
    let asked = web.asked().pages;
    let (missed, strange) = (expected.difference(&asked).count(), asked.difference(&expected).count());
    let rules = AuditRules { host_delay_ms: DELAY_MS, ..AuditRules::default() };
    let faults = web.audit(&rules).faults.count();
    format!(
        "The sites say: {} addresses can be reached by their rules, {missed} of them were missed, {strange} others asked for, \
         {faults} breaches of robots.txt and pauses.",
        expected.len()
    )
}
