//! HTML files, on several threads, printed in their order.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use flate2::read::MultiGzDecoder;
use tamis_text::page::{self, Capture};
use tamis_text::status::Origin;

use super::input::Listed;
use super::row::Row;
use super::{Args, Cleaned, Printed};
use crate::interrupt;
use crate::progress::{Progress, Work};
use crate::session::Session;

/// Files for each thread before their rows are printed: the rows that wait are bounded.
const AT_ONCE: usize = 32;

/// Cleans files and prints their pages.
pub(super) fn clean(
    args: &Args,
    files: &[Listed],
    session: &Session,
    printed: &mut Printed<'_>,
) -> anyhow::Result<()> {
    let jobs = args.jobs.count(&session.config).get();
    let total_bytes = files.iter().map(|file| Some(file.path.metadata().ok()?.len())).sum();
    let work =
        Work { verb: "cleaning", item: "page", total_bytes, data_on_stdout: printed.output.is_stdout() };
    let progress = Progress::start(&session.printer, work);
    for batch in files.chunks(jobs * AT_ONCE) {
        for result in clean_batch(args, batch, jobs) {
            match result {
                Ok((cleaned, bytes)) => {
                    progress.add(bytes, cleaned.pages);
                    printed.take(&cleaned)?;
                }
                Err(error) => {
                    printed.lost += 1;
                    session.printer.error(&error);
                }
            }
        }
        interrupt::check()?;
    }
    Ok(())
}

type Result = anyhow::Result<(Cleaned, u64)>;

/// The pages of some files, in their order.
fn clean_batch(args: &Args, files: &[Listed], jobs: usize) -> Vec<Result> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(files.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.min(files.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(at) else { break };
                    let result = args.clean_file(file);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

impl Args {
    fn clean_file(&self, file: &Listed) -> Result {
        let mut cleaned = Cleaned::default();
        let Read { bytes, stored, fault } =
            self.read_file(file).map_err(|error| anyhow::anyhow!("{}: {error}", file.name))?;
        if let Some(fault) = &fault {
            cleaned.cut.push(format!("{}: {fault}", file.name));
        }
        if bytes.len() as u64 > self.max_size.0 {
            cleaned.too_large.push(file.name.clone());
            return Ok((cleaned, stored));
        }
        let capture = Capture {
            bytes: &bytes,
            content_type: None,
            http_status: Some(200),
            url: file.url.as_ref(),
            fetched: None,
            origin: Origin::Fetched,
        };
        let page = page::read(&capture, self.options());
        let url = file.url.as_ref().map(url::Url::as_str);
        self.write(
            &Row {
                file: &file.name,
                offset: None,
                url,
                time: None,
                mime: None,
                is_cut: fault.is_some(),
                page: &page,
            },
            &mut cleaned,
        );
        Ok((cleaned, stored))
    }

    /// A file, unpacked if it is gzip. Where that ends early, what is before it counts.
    fn read_file(&self, file: &Listed) -> std::io::Result<Read> {
        let mut stored = BufReader::new(File::open(&file.path)?);
        let size = stored.get_ref().metadata()?.len();
        let mut bytes = Vec::new();
        let most = self.max_size.0.saturating_add(1);
        if !stored.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
            stored.take(most).read_to_end(&mut bytes)?;
            return Ok(Read { bytes, stored: size, fault: None });
        }
        let fault = MultiGzDecoder::new(stored).take(most).read_to_end(&mut bytes).err();
        Ok(Read { bytes, stored: size, fault })
    }
}

/// What a file holds.
struct Read {
    bytes: Vec<u8>,
    stored: u64,
    /// Why it is not all that was packed.
    fault: Option<std::io::Error>,
}
