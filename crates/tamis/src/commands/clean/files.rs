//! HTML files, on several threads, printed in their order.
//!
//! At most [`AT_ONCE`] files for each thread are read, cleaned or waiting for their turn; however long one of them takes,
//! the rows of no others are held.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use tamis_text::metadata::Date;
use tamis_text::page::{self, Capture};
use tamis_text::status::Origin;
use url::Url;

use super::Args;
use super::input::Listed;
use super::printed::{Cleaned, Printed};
use super::record::date;
use super::row::Row;
use crate::interrupt;
use crate::progress::{Progress, Work};
use crate::session::Session;

/// Files for each thread: the one at hand and three more, so that a large page does not keep all threads waiting.
const AT_ONCE: usize = 4;
/// A file cannot hold a page of the web if it is older; its time was never set, or was wiped.
const FIRST_YEAR: i16 = 1995;

/// Cleans files and prints their pages.
pub(super) fn clean(
    args: &Args,
    files: &[Listed],
    session: &Session,
    printed: &mut Printed<'_>,
) -> anyhow::Result<()> {
    let jobs = args.jobs.count(&session.config).get().min(files.len());
    let total_bytes = files.iter().map(|file| Some(file.path.metadata().ok()?.len())).sum();
    let work =
        Work { verb: "cleaning", item: "page", total_bytes, data_on_stdout: printed.output.is_stdout() };
    let progress = Progress::start(&session.printer, work);
    in_order(
        files,
        jobs,
        |file| args.clean_file(file),
        |result| {
            match result {
                Ok((cleaned, bytes)) => {
                    progress.add(bytes, cleaned.pages());
                    printed.take(&cleaned)?;
                }
                Err(error) => {
                    printed.lost += 1;
                    session.printer.error(&error);
                }
            }
            Ok(interrupt::check()?)
        },
    )
}

/// Does work on each item, on `jobs` threads, and hands out the results in the order of the items.
fn in_order<I: Sync, R: Send>(
    items: &[I],
    jobs: usize,
    work: impl Fn(&I) -> R + Sync,
    mut sink: impl FnMut(R) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let most = jobs * AT_ONCE;
    let (tasks, queue) = mpsc::sync_channel::<(&I, SyncSender<R>)>(most);
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        // Dropped at the end of this block, whatever ends it: then the threads have nothing more to wait for.
        let tasks = tasks;
        for _ in 0..jobs {
            scope.spawn(|| work_off(&queue, &work));
        }
        let mut waiting: VecDeque<Receiver<R>> = VecDeque::with_capacity(most);
        let mut print = |first: Receiver<R>| sink(first.recv().context("a thread broke off")?);
        for item in items {
            if waiting.len() == most
                && let Some(first) = waiting.pop_front()
            {
                print(first)?;
            }
            let (result, place) = mpsc::sync_channel(1);
            tasks.send((item, result)).ok().context("all threads broke off")?;
            waiting.push_back(place);
        }
        waiting.into_iter().try_for_each(print)
    })
}

/// Takes tasks until there are no more, or nobody wants their results.
fn work_off<I, R>(queue: &Mutex<Receiver<(&I, SyncSender<R>)>>, work: impl Fn(&I) -> R) {
    loop {
        let task = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((item, result)) = task else { break };
        if result.send(work(item)).is_err() {
            break;
        }
    }
}

impl Args {
    fn clean_file(&self, file: &Listed) -> anyhow::Result<(Cleaned, u64)> {
        let mut cleaned = Cleaned::default();
        let Read { bytes, stored, fault, written } =
            self.read_file(file).with_context(|| format!("cannot read {}", file.name))?;
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
            fetched: written,
            origin: Origin::Fetched,
        };
        let page = page::read(&capture, self.options());
        if self.wanted.links && page.links.base().is_none() {
            cleaned.relative_links = u64::from(page.links.left_out().broken);
        }
        let row = Row {
            file: &file.name,
            offset: None,
            url: file.url.as_ref().map(Url::as_str),
            time: None,
            mime: None,
            is_cut: fault.is_some(),
            is_no_http: false,
            page: &page,
            html: &|| page::open(&capture, self.options()).html().to_owned(),
        };
        cleaned.add(&row, self);
        Ok((cleaned, stored))
    }

    /// A file, unpacked if it is gzip. Where that ends early, what is before it counts.
    fn read_file(&self, file: &Listed) -> io::Result<Read> {
        let mut stored = BufReader::new(File::open(&file.path)?);
        let meta = stored.get_ref().metadata()?;
        let mut bytes = Vec::new();
        let most = self.max_size.0.saturating_add(1);
        let fault = if stored.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
            MultiGzDecoder::new(stored).take(most).read_to_end(&mut bytes).err()
        } else {
            stored.take(most).read_to_end(&mut bytes)?;
            None
        };
        Ok(Read { bytes, stored: meta.len(), fault, written: day_written(meta.modified().ok()) })
    }
}

/// What a file holds.
struct Read {
    bytes: Vec<u8>,
    stored: u64,
    /// Why it is not all that was packed.
    fault: Option<io::Error>,
    /// The day it was written at the latest; nothing in it can be of a later one.
    written: Option<Date>,
}

/// The day of a file's time; today where that says nothing.
fn day_written(modified: Option<SystemTime>) -> Option<Date> {
    let day = |time: SystemTime| date(time.duration_since(UNIX_EPOCH).ok()?.as_secs().try_into().ok()?);
    let plausible = modified.and_then(day).filter(|date| date.year() >= FIRST_YEAR);
    plausible.or_else(|| day(SystemTime::now()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_and_few_wait() {
        let items: Vec<usize> = (0..500).collect();
        for jobs in [1, 2, 5] {
            let (ahead, mut done) = (AtomicUsize::new(0), Vec::new());
            let most = AtomicUsize::new(0);
            let work = |&item: &usize| {
                most.fetch_max(ahead.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                if item % 50 == 0 {
                    thread::sleep(Duration::from_millis(5));
                }
                item
            };
            let sink = |item| {
                ahead.fetch_sub(1, Ordering::SeqCst);
                done.push(item);
                Ok(())
            };
            in_order(&items, jobs, work, sink).expect("nothing fails");
            assert_eq!(done, items);
            let most = most.into_inner();
            assert!(most <= jobs * AT_ONCE, "{most} at once with {jobs} threads");
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let items = [(); 1000];
        let result = in_order(
            &items,
            2,
            |()| begun.fetch_add(1, Ordering::SeqCst),
            |at| if at >= 10 { Err(anyhow::anyhow!("full")) } else { Ok(()) },
        );
        assert!(result.is_err());
        assert!(begun.into_inner() < 100, "what nobody wants is not done");
    }

    #[test]
    fn a_time_before_the_web_is_none() {
        let year = |days: u64| {
            let time = UNIX_EPOCH + Duration::from_secs(days * 86_400);
            day_written(Some(time)).expect("a day").year()
        };
        assert_eq!(year(17_897), 2019);
        assert!(year(0) >= 2024 && year(3_652) >= 2024, "today instead");
    }
}
