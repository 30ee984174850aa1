//! Who looks after a query that runs: shows how far it is, and breaks it off at Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tamis_table::Pages;
use tamis_table::query::Stop;

use crate::interrupt;
use crate::progress::Progress;

const STEP: Duration = Duration::from_millis(50);

/// Looks after a query.
pub(in crate::commands) struct Watch<'a> {
    /// None once rows are seen on the same screen.
    progress: Mutex<Option<Progress<'a>>>,
    pages: &'a Pages,
    stop: &'a Stop,
    is_over: AtomicBool,
}

impl<'a> Watch<'a> {
    pub(in crate::commands) fn new(progress: Progress<'a>, pages: &'a Pages, stop: &'a Stop) -> Self {
        Self { progress: Mutex::new(Some(progress)), pages, stop, is_over: AtomicBool::new(false) }
    }

    /// Runs a query under watch.
    pub(in crate::commands) fn over<T>(&self, run: impl FnOnce(&Self) -> T) -> T {
        thread::scope(|scope| {
            // It also ends when what is run panics, or the program would wait for it for ever.
            let watcher = scope.spawn(|| self.look());
            let _over = Over { is_over: &self.is_over, watcher: watcher.thread().clone() };
            run(self)
        })
    }

    /// Takes the progress off the screen.
    pub(in crate::commands) fn hide(&self) {
        drop(self.progress.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn look(&self) {
        let (mut bytes, mut captures) = (0, 0);
        while !self.is_over.load(Ordering::Relaxed) {
            if interrupt::requested() {
                // Readers do not yield to whoever breaks off, and what sorts does not read.
                self.pages.ledger().stop();
                self.stop.notify_one();
            }
            let now = (self.pages.ledger().bytes_read(), self.pages.ledger().captures());
            if let Some(progress) = &*self.progress.lock().unwrap_or_else(PoisonError::into_inner) {
                progress.add(now.0 - bytes, now.1.saturating_sub(captures));
            }
            (bytes, captures) = now;
            thread::park_timeout(STEP);
        }
    }
}

/// Tells the watcher that all is over, when dropped.
struct Over<'a> {
    is_over: &'a AtomicBool,
    watcher: thread::Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}
