//! Archives written anew: where they go, how they are stored, and the way of each piece from reading to writing.
//!
//! Threads read pieces of the inputs and compress the records of each into spools; the spools are written here, in the
//! order of the records, so that the output is the same for any number of threads. Memory: a spool is made of 2 MiB of
//! decoded records and the record that reaches them, and has at most 8 MiB in memory, with the rest in a temporary file; up
//! to eight wait for each thread, so with its reader and its writer that is some 120 MiB a thread at the very most.

mod dictionary;
mod form;
mod outputs;

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use tamis_archive::write::{Spool, WarcVersion, Writer, WriterOptions};
use tamis_archive::{Reader, Source};

use crate::archives::{Archives, Tally};
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::progress::Work;
use crate::session::Session;
use crate::summary::Summary;
use dictionary::DictionaryChoice;
use form::Form;
pub(super) use outputs::At;
use outputs::{Outputs, Place, Written};

/// Stored bytes of a piece.
const PIECE: NonZero<u64> = NonZero::new(4 << 20).expect("not zero");
/// Decoded bytes of a spool, up to the end of the record that reaches them.
const SPOOLED: NonZero<u64> = NonZero::new(2 << 20).expect("not zero");
/// As much of a spool as is kept in memory.
const PIECE_MEMORY: usize = 8 << 20;

/// The arguments of a command that writes archives anew.
#[derive(Debug, clap::Args)]
pub(super) struct RewriteArgs {
    /// Output file, or a folder (or a path ending in `/`) for one file per input [default: stdout]
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    /// Compression: gz, zst or plain [default: by the output's name, else as the input]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "FORM")]
    to: Option<Form>,
    /// Compression level: 0 to 12 for gz [default: 6], up to 22 for zst [default: 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    level: Option<i32>,
    /// zstd dictionary: `train` trains one on the inputs, FILE reads one, `none` uses none
    #[arg(long, value_name = "train|FILE|none", default_value = "none")]
    dictionary: DictionaryChoice,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Read all inputs and show the result, without writing anything
    #[arg(long)]
    dry_run: bool,
}

/// What is done to archives.
pub(super) struct How {
    /// In a word, for whoever waits.
    pub(super) verb: &'static str,
    /// The version of the records.
    pub(super) version: WarcVersion,
    /// What names of outputs have before the compression's ending, where the input's has `.warc`; empty for the same.
    pub(super) ending: &'static str,
}

/// What was written.
pub(super) struct Rewritten {
    /// How reading went.
    pub(super) tally: Tally,
    written: Written,
    is_dry: bool,
}

/// What some records of an input gave: their bytes, and what the command wants to know of them.
#[derive(Default)]
struct Piece<T> {
    input: usize,
    bytes: Option<Spool>,
    known: T,
}

impl RewriteArgs {
    /// Whether nothing is to be written.
    pub(super) fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    /// Whether files may be replaced.
    pub(super) fn forces(&self) -> bool {
        self.force
    }

    /// Reads all archives and writes what `work` makes of each piece's records; `sink` gets what it has to tell, in order,
    /// and where the piece was written if it has records.
    pub(super) fn rewrite<T: Default + Send>(
        &self,
        archives: Archives,
        session: &Session,
        how: &How,
        work: impl Fn(&mut Reader, &mut Writer<Spool>, &mut T) -> tamis_archive::Result<()> + Sync,
        mut sink: impl FnMut(&Source, T, Option<At>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Rewritten> {
        let How { verb, version, ending } = *how;
        let archives = archives.in_pieces_of(PIECE, SPOOLED);
        let place = Place::of(self.output.as_deref());
        let forms = self.forms(&archives.sources, &place);
        let stored = self.stored(&archives, &forms, version, session)?;
        let paths = place.paths(&archives.sources, &forms, ending)?;
        let mut outputs = Outputs::new(place, paths, self.force, self.dry_run, session);
        let progress = Work {
            verb,
            item: "record",
            total_bytes: archives.total_bytes(),
            data_on_stdout: self.output.is_none(),
        };
        let write = |part: tamis_archive::Part<'_>, piece: &mut Piece<T>| {
            let spool = Spool::new(PIECE_MEMORY, None);
            let mut writer = Writer::new(spool, stored[part.index].clone())?.continuing();
            let worked = work(part.reader, &mut writer, &mut piece.known);
            piece.input = part.index;
            piece.bytes = Some(whole_records(writer)?);
            worked
        };
        let tally = archives.read_pieces(session, progress, write, |source, piece, is_last| {
            let Some(Piece { input, bytes, known }) = piece else { return outputs.fail(source) };
            let at = match bytes {
                Some(mut bytes) => outputs.append(input, &stored[input].compression, &mut bytes)?,
                None => None,
            };
            sink(source, known, at)?;
            if is_last { outputs.end_of_input(source) } else { Ok(()) }
        })?;
        Ok(Rewritten { tally, written: outputs.finish()?, is_dry: self.dry_run })
    }

    /// How each input is to be stored.
    fn forms(&self, sources: &[Source], place: &Place) -> Vec<Form> {
        let named = self.to.or_else(|| place.file().and_then(Form::of_name));
        let first = sources.first().map_or(Form::Gz, Form::of_source);
        let of = |source| match (named, place) {
            (Some(form), _) => form,
            (None, Place::Folder(_)) => Form::of_source(source),
            // One file is stored in one way.
            (None, _) => first,
        };
        sources.iter().map(of).collect()
    }

    /// The options of each input's writer, checked.
    fn stored(
        &self,
        archives: &Archives,
        forms: &[Form],
        version: WarcVersion,
        session: &Session,
    ) -> anyhow::Result<Vec<WriterOptions>> {
        let dictionary = if forms.contains(&Form::Zst) {
            self.dictionary.load(archives, session)?
        } else if self.dictionary.is_none() {
            None
        } else {
            return Err(anyhow!("a dictionary requires zstd")).hint("add `--to zst`, or omit the dictionary");
        };
        let options = |form: &Form| {
            let compression = form.compression(self.level, dictionary.clone())?;
            let options =
                WriterOptions { version, compression, link_warcinfo: false, ..WriterOptions::default() };
            Writer::new(std::io::sink(), options.clone())?;
            Ok(options)
        };
        forms.iter().map(options).collect()
    }
}

impl Rewritten {
    /// The summary, but for what was left out.
    pub(super) fn summary(&self, records_read: u64, records_written: u64) -> Summary {
        let Self { tally, written, is_dry } = self;
        let mut summary = Summary::default();
        summary.read(format_args!(
            "{}, {}, {}",
            HumanCount::of(tally.files, "file"),
            HumanSize(tally.bytes),
            HumanCount::of(records_read, "record"),
        ));
        let records = HumanCount::of(records_written, "record");
        let size = HumanSize(written.bytes);
        if *is_dry {
            summary.wrote(format_args!("nothing (dry run); would be {records}, {size}"));
            return summary;
        }
        summary.wrote(format_args!("{records}, {size}"));
        match written.files.as_slice() {
            [] => {}
            [file] if file == "stdout" => {}
            [file] => {
                summary.went_to(file).next(format_args!("tamis warc check {file}"));
            }
            [file, ..] => {
                let folder = Path::new(file).parent().unwrap_or(Path::new(".")).display();
                summary
                    .went_to(format_args!(
                        "{} in {folder}",
                        HumanCount::of(written.files.len() as u64, "file")
                    ))
                    .next(format_args!("tamis warc check {folder}"));
            }
        }
        summary
    }
}

/// What was written, without a record that was written in part when an error came.
fn whole_records(writer: Writer<Spool>) -> tamis_archive::Result<Spool> {
    let len = writer.offset();
    let mut spool = writer.finish()?;
    spool.truncate(len).map_err(tamis_archive::Error::io(std::env::temp_dir()))?;
    Ok(spool)
}

/// The name of an output for an input: another ending, `.warc` where it was `.arc`, and no `.open`.
fn output_name(input: &Path, form: Form, ending: &str) -> String {
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    let name = if name == "-" { "stdin".into() } else { name };
    let name = name.strip_suffix(".open").unwrap_or(&name);
    let name = [".gz", ".zst", ".zstd"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let stem = match name.strip_suffix(".arc") {
        Some(stem) => format!("{stem}.warc"),
        None if [".warc", ".wet", ".wat"].iter().any(|end| name.ends_with(end)) => name.into(),
        None => format!("{name}.warc"),
    };
    format!("{stem}{ending}{}", form.suffix())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_ending_alone() {
        for (input, form, output) in [
            ("x/a.warc.gz", Form::Zst, "a.warc.zst"),
            ("a.warc.zst", Form::Plain, "a.warc"),
            ("a.warc", Form::Gz, "a.warc.gz"),
            ("a.arc.gz", Form::Gz, "a.warc.gz"),
            ("a.warc.wet.gz", Form::Zst, "a.warc.wet.zst"),
            ("a.warc.gz.open", Form::Gz, "a.warc.gz"),
            ("a", Form::Plain, "a.warc"),
            ("-", Form::Gz, "stdin.warc.gz"),
        ] {
            assert_eq!(output_name(Path::new(input), form, ""), output, "{input}");
        }
        assert_eq!(output_name(Path::new("a.arc.gz"), Form::Gz, ".wet"), "a.warc.wet.gz");
    }
}
