//! What the program says: data on stdout, everything else on stderr. What a terminal would obey is written out (`crate::terminal`).
//!
//! stdout is buffered, unless a person watches it. When its reader has gone away (`tamis … | head`) the program
//! ends without a word and with exit code 0: the reader has what it wanted. That is what ripgrep does.

use std::error::Error as StdError;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

use crate::hint;
use crate::palette::{Palette, paint};
use crate::summary::Summary;
use crate::terminal::{Colors, Safe, safe};
use crate::when::When;

/// How much to say on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Verbosity {
    /// Errors only.
    Quiet,
    /// Errors, warnings, progress and the summary.
    #[default]
    Normal,
    /// Also what was decided, and why.
    Verbose,
}

/// Prints for the whole program. Threads share it by reference.
pub struct Printer {
    out: Mutex<Box<dyn Write + Send>>,
    err: Mutex<Box<dyn Write + Send>>,
    bar: Mutex<Option<ProgressBar>>,
    verbosity: Verbosity,
    progress: When,
    out_palette: Palette,
    err_palette: Palette,
}

/// stdout, for as long as it is held.
pub struct Out<'a>(MutexGuard<'a, Box<dyn Write + Send>>);

impl Printer {
    /// A printer for the streams of this process.
    pub fn new(verbosity: Verbosity, color: When, progress: When) -> Self {
        // A terminal may be too old for colours.
        let shows = |terminal: bool| terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let out_palette = Palette::new(color.holds(shows(io::stdout().is_terminal())));
        let out: Box<dyn Write + Send> = if io::stdout().is_terminal() {
            Box::new(Safe::new(Stdout(io::stdout()), colors(&out_palette)))
        } else {
            Box::new(BufWriter::with_capacity(1 << 16, Stdout(io::stdout())))
        };
        Self {
            progress,
            out_palette,
            err_palette: Palette::new(color.holds(shows(io::stderr().is_terminal()))),
            ..Self::to(out, Box::new(io::stderr()), verbosity)
        }
    }

    /// A printer without colours and progress, for any two streams.
    pub fn to(out: Box<dyn Write + Send>, err: Box<dyn Write + Send>, verbosity: Verbosity) -> Self {
        Self {
            out: Mutex::new(out),
            err: Mutex::new(err),
            bar: Mutex::new(None),
            verbosity,
            progress: When::Never,
            out_palette: Palette::default(),
            err_palette: Palette::default(),
        }
    }

    /// stdout, for data. The bytes pass as they are, unless a terminal shows them.
    pub fn out(&self) -> Out<'_> {
        Out(locked(&self.out))
    }

    /// The colours for stdout.
    pub fn out_palette(&self) -> &Palette {
        &self.out_palette
    }

    /// The colours for stderr.
    pub fn err_palette(&self) -> &Palette {
        &self.err_palette
    }

    /// How much to say on stderr.
    pub fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    /// When to show progress.
    pub fn progress(&self) -> When {
        self.progress
    }

    /// Says something that may be wrong.
    pub fn warn(&self, message: impl fmt::Display) {
        if self.verbosity > Verbosity::Quiet {
            let label = paint(self.err_palette.warning, "warning:");
            self.say_err(format_args!("{label} {}\n", plain(message)));
        }
    }

    /// Says how to mend what a warning told of.
    pub fn hint(&self, message: impl fmt::Display) {
        if self.verbosity > Verbosity::Quiet {
            let label = paint(self.err_palette.hint, "hint:");
            self.say_err(format_args!("{label} {}\n", plain(message)));
        }
    }

    /// Says what was decided, with `--verbose` only.
    pub fn note(&self, message: impl fmt::Display) {
        if self.verbosity == Verbosity::Verbose {
            let label = paint(self.err_palette.dim, "note:");
            self.say_err(format_args!("{label} {}\n", plain(message)));
        }
    }

    /// Says something plain on stderr, unless it shall be quiet.
    pub fn say(&self, message: impl fmt::Display) {
        if self.verbosity > Verbosity::Quiet {
            self.say_err(format_args!("{message}\n"));
        }
    }

    /// Says what went wrong, why, and how to mend it.
    pub fn error(&self, error: &anyhow::Error) {
        let palette = &self.err_palette;
        let mut lines = vec![format!("{} {}\n", paint(palette.error, "error:"), plain(error))];
        let mut last = error.to_string();
        for cause in error.chain().skip(1) {
            let cause = cause.to_string();
            // An error that quotes its cause has said it already.
            if !last.ends_with(&cause) {
                lines.push(format!("  {} {}\n", paint(palette.dim, "because:"), plain(&cause)));
            }
            last = cause;
        }
        let hint = |hint: &str| format!("{} {}\n", paint(palette.hint, "hint:"), plain(hint));
        lines.extend(hint::hints(error).into_iter().map(hint));
        self.say_err(format_args!("{}", lines.concat()));
    }

    /// Says that the command was interrupted, and how to go on.
    pub fn interrupted(&self, resume: &str) {
        let label = paint(self.err_palette.warning, "interrupted;");
        self.say_err(format_args!("{label} to resume: {}\n", paint(self.err_palette.name, plain(resume))));
    }

    /// Says what a command did, unless it shall be quiet.
    pub fn summary(&self, summary: &Summary) {
        if self.verbosity > Verbosity::Quiet {
            self.say_err(format_args!("{}", summary.render(&self.err_palette)));
        }
    }

    /// Writes out what is buffered for stdout.
    pub fn flush(&self) -> io::Result<()> {
        self.out().flush()
    }

    /// Ties a progress bar to the printer, or unties it: text steps aside for it.
    pub(crate) fn set_bar(&self, bar: Option<ProgressBar>) {
        *locked(&self.bar) = bar;
    }

    /// All of the text in one write, with the progress bar out of the way.
    fn say_err(&self, text: fmt::Arguments<'_>) {
        let text = text.to_string();
        let text = safe(&text, colors(&self.err_palette));
        let bar = locked(&self.bar).clone();
        // Where stderr is closed, there is nobody left to tell.
        let write = || drop(locked(&self.err).write_all(text.as_bytes()));
        match bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A message without anything that a terminal obeys, colours included: what it quotes may come from anywhere.
fn plain(message: impl fmt::Display) -> String {
    safe(&message.to_string(), Colors::Escaped).into_owned()
}

fn colors(palette: &Palette) -> Colors {
    if palette.is_plain() { Colors::Escaped } else { Colors::Pass }
}

/// Whether an error comes of it that nobody reads stdout any more.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    hint::each_cause(error)
        .into_iter()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(marked_closed)
}

/// Whether an error of a write comes of it that nobody reads stdout any more.
pub fn marked_closed(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn StdError + Send + Sync>::is::<StdoutClosed>)
}

/// Marks the error of a closed stdout, to tell it from that of any other pipe.
#[derive(Debug)]
struct StdoutClosed;

impl fmt::Display for StdoutClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the reader of the output has closed it")
    }
}

impl StdError for StdoutClosed {}

/// stdout, whose end is marked by [`StdoutClosed`].
struct Stdout<W>(W);

impl<W: Write> Write for Stdout<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(mark_closed)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(mark_closed)
    }
}

fn mark_closed(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => io::Error::new(io::ErrorKind::BrokenPipe, StdoutClosed),
        _ => error,
    }
}

/// A thread that panicked while it printed leaves at worst half a line.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use anyhow::{Context, anyhow};

    use super::*;
    use crate::hint::WithHint;

    /// A stream to look into afterwards.
    #[derive(Clone, Default)]
    pub(crate) struct Captured(Arc<Mutex<Vec<u8>>>);

    impl Captured {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(locked(&self.0).clone()).expect("we print UTF-8")
        }
    }

    impl Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            locked(&self.0).write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    pub(crate) fn captured(verbosity: Verbosity) -> (Printer, Captured) {
        let err = Captured::default();
        (Printer::to(Box::new(io::sink()), Box::new(err.clone()), verbosity), err)
    }

    #[test]
    fn an_error_is_printed_with_causes_and_hints() {
        let (printer, err) = captured(Verbosity::Quiet);
        let error =
            anyhow!("permission denied").context("cannot read a.warc").hint("mend it").context("stopped");
        printer.error(&error);
        let expected =
            "error: stopped\n  because: cannot read a.warc\n  because: permission denied\nhint: mend it\n";
        assert_eq!(err.text(), expected);
    }

    #[test]
    fn a_cause_that_the_message_quotes_is_not_repeated() {
        let (printer, err) = captured(Verbosity::Normal);
        let cause = io::Error::from(io::ErrorKind::NotFound);
        let message = format!("a.warc: {cause}");
        printer.error(&Err::<(), _>(cause).context(message).expect_err("it is one"));
        assert_eq!(err.text(), "error: a.warc: entity not found\n");
    }

    #[test]
    fn verbosity_decides_what_is_said() {
        for (verbosity, expected) in [
            (Verbosity::Quiet, ""),
            (Verbosity::Normal, "warning: w\ns\n"),
            (Verbosity::Verbose, "warning: w\nnote: n\ns\n"),
        ] {
            let (printer, err) = captured(verbosity);
            printer.warn("w");
            printer.note("n");
            printer.say("s");
            assert_eq!(err.text(), expected, "{verbosity:?}");
        }
    }

    #[test]
    fn only_a_closed_stdout_is_silent() {
        let pipe = || io::Error::from(io::ErrorKind::BrokenPipe);
        let closed = Err::<(), _>(mark_closed(pipe())).context("while listing").hint("x");
        assert!(is_closed_pipe(&closed.expect_err("it is one")));
        assert!(!is_closed_pipe(&pipe().into()));
    }
}
