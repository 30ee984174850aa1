//! Trains and measures the models that `tamis` comes with. A tool for those who build `tamis`, not for those who use it.

mod arithmetic;
mod codes;
mod corpus;
mod count;
mod evaluate;
mod fit;
mod frequent;
mod lemmas;
mod lexer;
mod pack;
mod pages;
mod places;
mod random;
mod sources;
mod tags;
mod train;
mod writings;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "tamis-train", about = "Trains and measures the models that tamis comes with")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Train the language model
    Language(train::Options),
    /// Build the table of English words and their irregular forms from WordNet
    Lemmas(lemmas::Options),
    /// Build the tokeniser's automaton from its rules
    Lexer(lexer::Options),
    /// Pack Brown clusters and capitals of words
    Clusters(tags::clusters::Options),
    /// Train the model of parts of speech
    Pos(tags::pos::Options),
    /// Train the model of names
    Ner(tags::ner::Options),
    /// Measure parts of speech and names
    EvaluateTags(tags::evaluate::Options),
    /// Build pages of known languages from a source
    Pages(pages::Options),
    /// Build the gazetteer
    Places(places::Options),
    /// Measure the language detector on such pages
    Evaluate(evaluate::Options),
    /// Measure how fast the language detector reads a text file
    Speed {
        /// The text; form feeds part its pages, or they are of about 5 KB
        text: PathBuf,
        /// How often it is read
        #[arg(long, default_value_t = 5)]
        runs: u32,
        /// Another model than the built-in one
        #[arg(long)]
        model: Option<PathBuf>,
    },
}

fn main() -> Result<()> {
    match Options::parse().command {
        Command::Language(options) => train::run(&options),
        Command::Lemmas(options) => lemmas::run(&options),
        Command::Lexer(options) => lexer::run(&options),
        Command::Clusters(options) => tags::clusters::run(&options),
        Command::Pos(options) => tags::pos::run(&options),
        Command::Ner(options) => tags::ner::run(&options),
        Command::EvaluateTags(options) => tags::evaluate::run(&options),
        Command::Pages(options) => pages::run(&options),
        Command::Places(options) => places::run(&options),
        Command::Evaluate(options) => evaluate::run(&options),
        Command::Speed { text, model, runs } => evaluate::speed(&text, model.as_deref(), runs),
    }
}
