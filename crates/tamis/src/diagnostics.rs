//! Diagnostics of the libraries on stderr: `--verbose`, or the variable `RUST_LOG`.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::Environment;
use crate::printer::Verbosity;

/// The variable that chooses targets and levels, such as `tamis_crawl=debug,tamis_table=trace`.
const VARIABLE: &str = "RUST_LOG";

/// Shows diagnostics from now on. Nothing is set up, and nothing costs, without the option and the variable.
pub(crate) fn show(verbosity: Verbosity, environment: Environment<'_>) -> anyhow::Result<()> {
    let targets = match environment(VARIABLE) {
        Some(stated) => {
            stated.parse::<Targets>().map_err(|error| anyhow::anyhow!("{VARIABLE} `{stated}`: {error}"))?
        }
        None if verbosity == Verbosity::Verbose => Targets::new().with_default(LevelFilter::INFO),
        None => return Ok(()),
    };
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(false).compact();
    // Only a second call fails, and the first one holds.
    let _ = tracing_subscriber::registry().with(lines).with(targets).try_init();
    Ok(())
}
