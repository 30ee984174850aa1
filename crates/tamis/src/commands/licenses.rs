//! `tamis licenses`: the licences of the program, of the data in it and of the crates it is made of.
//!
//! The lists are in the folder `licenses` of this crate. Only `embedded.toml` is written by hand; the tests make the others and compare them
//! with what Cargo builds.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Context;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::palette::paint;
use crate::session::Session;

/// Data of others, written by hand.
const EMBEDDED: &str = include_str!("../../licenses/embedded.toml");
/// A line per crate: name, version, licence, URL.
const CRATES: &str = include_str!("../../licenses/crates.tsv");
/// Licence texts. A line that begins with `TEXT_MARK` names what each is for.
const TEXTS: &str = include_str!("../../licenses/texts.txt");
const TEXT_MARK: &str = "======== ";

/// The licence of our own code.
const OWN: &str = "Apache-2.0 OR MIT";

/// The arguments of `tamis licenses`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Lists the crates of the x86_64 Linux build; crates used only on other platforms are not listed.")]
pub struct Args {
    /// Also print the licence texts
    #[arg(long)]
    texts: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Human-readable text
    Text,
    /// One JSON object per line
    Jsonl,
}

#[derive(Deserialize)]
struct EmbeddedFile {
    /// Where licences are whose texts do not go along.
    urls: BTreeMap<String, String>,
    data: Vec<Embedded>,
}

impl EmbeddedFile {
    /// The URLs of the licences of an expression.
    fn urls_of<'a>(&'a self, license: &'a str) -> impl Iterator<Item = &'a str> {
        license.split(' ').filter_map(|id| self.urls.get(id)).map(String::as_str)
    }
}

/// Data in the binary.
#[derive(Deserialize, Serialize)]
struct Embedded {
    /// The path in the repository.
    file: Option<String>,
    /// The crate that brings it, if it is not one of ours.
    #[serde(rename = "crate")]
    package: Option<String>,
    what: String,
    license: String,
    attribution: String,
}

/// A crate in the binary.
#[derive(Serialize)]
struct Package {
    name: &'static str,
    version: &'static str,
    license: &'static str,
    url: &'static str,
}

/// A licence text.
#[derive(Serialize)]
struct Text {
    applies_to: Vec<&'static str>,
    text: &'static str,
}

/// The whole program.
#[derive(Serialize)]
struct Program {
    name: &'static str,
    version: &'static str,
    /// Of our own code.
    license: &'static str,
    /// Of the binary: our own, and all that data and crates ask to keep.
    binary_license: &'static str,
}

/// A row of JSON Lines.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Row<'a> {
    Program(&'a Program),
    Data {
        #[serde(flatten)]
        data: &'a Embedded,
        license_urls: Vec<&'a str>,
    },
    Crate(&'a Package),
    Text(&'a Text),
}

/// Prints the licences.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let program = Program {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        license: OWN,
        binary_license: env!("CARGO_PKG_LICENSE"),
    };
    let embedded: EmbeddedFile = toml::from_str(EMBEDDED).context("the list of embedded data is damaged")?;
    let row_of_data = |data| Row::Data { data, license_urls: embedded.urls_of(&data.license).collect() };
    let packages: Vec<Package> = packages().collect();
    let texts = if args.texts { texts() } else { Vec::new() };
    match args.format {
        Format::Text => print_text(&program, &embedded, &packages, &texts, session)?,
        Format::Jsonl => {
            let mut out = session.printer.out();
            let rows = std::iter::once(Row::Program(&program))
                .chain(embedded.data.iter().map(row_of_data))
                .chain(packages.iter().map(Row::Crate))
                .chain(texts.iter().map(Row::Text));
            for row in rows {
                writeln!(out, "{}", serde_json::to_string(&row)?)?;
            }
        }
    }
    Ok(Outcome::Done)
}

fn print_text(
    program: &Program,
    embedded: &EmbeddedFile,
    packages: &[Package],
    texts: &[Text],
    session: &Session,
) -> anyhow::Result<()> {
    let palette = session.printer.out_palette();
    let mut out = session.printer.out();
    let Program { name, version, license, binary_license } = program;
    writeln!(out, "{name} {version}, {license}, Copyright {}", env!("CARGO_PKG_AUTHORS"))?;
    writeln!(out, "With everything in the binary: {binary_license}")?;

    writeln!(out, "\n{}", paint(palette.heading, "Data in the binary"))?;
    for Embedded { file, package, what, license, attribution } in &embedded.data {
        let source = package.as_deref().map_or_else(String::new, |name| format!("crate {name}"));
        writeln!(out, "\n{}", paint(palette.name, what))?;
        writeln!(out, "  {}", paint(palette.dim, file.as_deref().unwrap_or(&source)))?;
        writeln!(out, "  {license}")?;
        for url in embedded.urls_of(license) {
            writeln!(out, "  {url}")?;
        }
        for line in attribution.trim().lines() {
            writeln!(out, "    {line}")?;
        }
    }

    let count = HumanCount::of(packages.len() as u64, "crate");
    writeln!(out, "\n{}\n", paint(palette.heading, format_args!("{count} in the binary")))?;
    let name_width = packages.iter().map(|package| package.name.len()).max().unwrap_or_default();
    let version_width = packages.iter().map(|package| package.version.len()).max().unwrap_or_default();
    for Package { name, version, license, .. } in packages {
        writeln!(out, "{name:<name_width$}  {version:<version_width$}  {license}")?;
    }

    for Text { applies_to, text } in texts {
        writeln!(out, "\n{}\n\n{text}", paint(palette.heading, applies_to.join(", ")))?;
    }
    Ok(())
}

fn packages() -> impl Iterator<Item = Package> {
    CRATES.lines().skip(1).filter_map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next();
        Some(Package { name: cell()?, version: cell()?, license: cell()?, url: cell()? })
    })
}

fn texts() -> Vec<Text> {
    let begins: Vec<usize> = TEXTS
        .match_indices(TEXT_MARK)
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || TEXTS[..at].ends_with('\n'))
        .collect();
    let ends = begins.iter().skip(1).copied().chain([TEXTS.len()]);
    let split = |(&begin, end): (&usize, usize)| {
        let (head, text) = TEXTS[begin + TEXT_MARK.len()..end].split_once('\n')?;
        Some(Text { applies_to: head.split(", ").collect(), text: text.trim_matches('\n') })
    };
    begins.iter().zip(ends).filter_map(split).collect()
}
