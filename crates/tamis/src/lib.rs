//! The program `tamis`: its commands, and what all of them share.
//!
//! A command is a file under [`commands`]: its arguments, and a function that takes them and the [`Session`] and
//! gives an [`Outcome`]. Everything around it is here: [`cli`] defines the command line,
//! [`printer`] says things, [`progress`] and [`summary`] tell how it goes and went, [`config`] has the settings,
//! [`inputs`] finds what to read, [`archives`] reads it, [`packages`] looks into WACZ files, [`output`] writes files whole or not at all, [`work_folder`] holds what is not finished, [`interrupt`] minds Ctrl-C, [`hint`]
//! makes errors say how to mend them.
//!
//! It is a library only for its own tests; other programs build on the crates below it.

pub mod archives;
mod ceiling;
pub mod cli;
pub mod command_line;
pub mod commands;
pub mod config;
mod diagnostics;
pub mod hint;
pub mod human_count;
pub mod human_duration;
pub mod human_size;
pub mod inputs;
pub mod interrupt;
pub mod jobs;
pub mod memory;
pub mod nearest;
pub mod outcome;
pub mod output;
pub mod packages;
mod page_files;
pub mod palette;
pub mod picture;
pub mod printer;
pub mod progress;
mod scrap;
pub mod session;
pub mod summary;
pub mod terminal;
pub mod when;
pub mod work_folder;

use std::env;
use std::ffi::OsString;
use std::panic;
use std::process::ExitCode;

use clap::FromArgMatches;

use cli::Cli;
use interrupt::Interrupted;
use outcome::Outcome;
use printer::Printer;
use session::Session;
use terminal::{Colors, safe};
use when::When;

/// Runs a command line, the name of the program first, and gives the exit code.
pub fn run(words: &[OsString]) -> ExitCode {
    let color = cli::color_ahead(words).or_else(color_of_environment).unwrap_or_default();
    let parsed = cli::definition(color)
        .try_get_matches_from(words)
        .and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return print_help_or_usage(&error, words),
    };
    interrupt::end_with_a_word();
    quiet_contained_panics();
    let opened = diagnostics::show(cli.globals.verbosity(), &environment)
        .and_then(|()| Session::open(&cli, &environment));
    match opened {
        Ok(session) => {
            let result = commands::run(&cli, &session)
                .and_then(|outcome| Ok(session.printer.flush().map(|()| outcome)?));
            ExitCode::from(report(&session.printer, result, words))
        }
        Err(error) => {
            Printer::new(cli.globals.verbosity(), color, When::Never).error(&error);
            ExitCode::from(outcome::ERROR)
        }
    }
}

/// A damaged file that its reader panics over is reported as damaged, not as a fault of this program.
fn quiet_contained_panics() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !tamis_table::is_contained() {
            report(panic);
        }
    }));
}

/// Help goes to stdout with exit code 0, a usage error to stderr with 2.
fn print_help_or_usage(error: &clap::Error, words: &[OsString]) -> ExitCode {
    // A glob may have made words of the names of somebody else's files, and the error quotes them.
    let is_plain = |word: &OsString| {
        let word = word.to_string_lossy();
        safe(&word, Colors::Escaped) == word
    };
    if words.iter().all(is_plain) {
        // A reader that has gone away wants no help.
        let _ = error.print();
    } else {
        eprint!("{}", safe(&error.to_string(), Colors::Escaped));
    }
    ExitCode::from(if error.use_stderr() { outcome::ERROR } else { 0 })
}

/// Says what there is to say about the end of a command, and gives its exit code.
fn report(printer: &Printer, result: anyhow::Result<Outcome>, words: &[OsString]) -> u8 {
    let error = match result {
        Ok(outcome) => return outcome.code(),
        Err(error) => error,
    };
    if printer::is_closed_pipe(&error) {
        return Outcome::Done.code();
    }
    let interrupted =
        hint::each_cause(&error).into_iter().find_map(|cause| cause.downcast_ref::<Interrupted>());
    let Some(interrupted) = interrupted else {
        printer.error(&error);
        return outcome::ERROR;
    };
    let resume = interrupted.resume.clone().unwrap_or_else(|| command_line::join(words));
    printer.interrupted(&resume);
    outcome::INTERRUPTED
}

fn color_of_environment() -> Option<When> {
    config::color_of_environment(&environment).and_then(|(_, text)| text.parse().ok())
}

fn environment(name: &str) -> Option<String> {
    env::var_os(name).map(|text| text.to_string_lossy().into_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;
    use crate::printer::Verbosity;
    use crate::printer::tests::captured;

    #[test]
    fn each_end_has_its_exit_code_and_its_words() {
        let interrupted = |resume: Option<&str>| {
            let interrupted = Interrupted { resume: resume.map(str::to_owned) };
            Err::<Outcome, _>(interrupted).context("while indexing")
        };
        for (result, code, said) in [
            (Ok(Outcome::Done), 0, ""),
            (Ok(Outcome::Negative), 1, ""),
            (Ok(Outcome::Skipped), 2, ""),
            (Err(anyhow!("no")), 2, "error: no\n"),
            (interrupted(None), 130, "interrupted; to resume: tamis index 'a b.warc'\n"),
            (interrupted(Some("tamis resume x")), 130, "interrupted; to resume: tamis resume x\n"),
        ] {
            let (printer, err) = captured(Verbosity::Quiet);
            let words = ["tamis", "index", "a b.warc"].map(OsString::from);
            assert_eq!((report(&printer, result, &words), err.text().as_str()), (code, said));
        }
    }
}
