//! Parsers of HTML over all pages below a folder: `parse-html TOOL FOLDER`.
//!
//! Each page is read, made UTF-8 and given to the parser whole; `pages` does no more than that, so what a parser costs is
//! its time less that of `pages`. What a parser counts (elements, and bytes of text) keeps its work from being left out.

#[path = "parse-html/null_sink.rs"]
mod null_sink;

use std::path::Path;

use anyhow::{Context, Result, bail};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use lol_html::{HtmlRewriter, Settings, element, text};
use markup5ever_rcdom::RcDom;
use tamis_bench::measure::{Compare, Stopwatch};
use tamis_bench::touch::Touched;
use walkdir::WalkDir;

use null_sink::NullSink;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(tool), Some(folder)) = (args.next(), args.next()) else {
        bail!(
            "usage: parse-html pages|tamis|tamis-decoded|html5ever-rcdom|html5ever-null|lol-html|html5gum FOLDER"
        );
    };
    let parser: fn(&str) -> usize = match tool.as_str() {
        "pages" => str::len,
        "tamis" => tamis,
        "tamis-decoded" => tamis_decoded,
        "html5ever-rcdom" => rcdom,
        "html5ever-null" => null,
        "lol-html" => lol,
        "html5gum" => gum,
        other => bail!("no tool named {other}"),
    };
    let watch = Stopwatch::new();
    let mut touched = Touched::default();
    let mut seen = 0;
    for entry in WalkDir::new(&folder).sort_by_file_name() {
        let path = entry?.into_path();
        if path.extension().is_some_and(|end| end == "html" || end == "testhtml") {
            let bytes = read(&path)?;
            seen += parser(&String::from_utf8_lossy(&bytes));
            touched.whole(&bytes);
        }
    }
    eprintln!("{tool}: {seen} seen");
    watch.report(&tool, "parse-html", &folder, touched, Compare::Payloads)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| path.display().to_string())
}

fn tamis(page: &str) -> usize {
    tamis_page::html::parse(page).nodes().len()
}

/// With all text and all values of attributes decoded, as the other parsers do on their way.
fn tamis_decoded(page: &str) -> usize {
    let tree = tamis_page::html::parse(page);
    let bytes_of = |id| {
        let values: usize = tree.attributes(id).iter().map(|attribute| attribute.value().len()).sum();
        values + tree.text(id).len()
    };
    (0..tree.nodes().len() as u32).map(bytes_of).sum()
}

fn options() -> ParseOpts {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    ParseOpts { tree_builder, ..ParseOpts::default() }
}

fn rcdom(page: &str) -> usize {
    let dom = parse_document(RcDom::default(), options()).one(page);
    dom.document.children.borrow().len()
}

fn null(page: &str) -> usize {
    parse_document(NullSink::default(), options()).one(page)
}

/// A rewriter that sees every element with its attributes and all text, as an extractor would have to.
fn lol(page: &str) -> usize {
    let seen = std::cell::Cell::new(0);
    let see = |more| seen.set(seen.get() + more);
    let settings = Settings::new()
        .with_strict(false)
        .append_element_content_handler(element!("*", |element| {
            see(element.attributes().len() + 1);
            Ok(())
        }))
        .append_element_content_handler(text!("*", |chunk| {
            see(chunk.as_str().len());
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(page.as_bytes()).expect("neither the memory nor the handlers set a limit");
    rewriter.end().expect("as above");
    seen.get()
}

fn gum(page: &str) -> usize {
    html5gum::Tokenizer::new(page).count()
}
