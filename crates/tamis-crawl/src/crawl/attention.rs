//! What a focused crawl keeps beside others: the log of relevance, what sources are worth, and the harvest.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tamis_collection::relevance::{self, Judged, Torn};

use crate::focus::{Ending, FocusOptions, Harvest, HarvestCounter, Sources};
use crate::workbench::Workbench;
use crate::{Address, Result};

use super::work::FinishedPage;

/// So many pages change what all pages are like, and with it the worth of every host.
const REFRESH_PAGES: u32 = 256;
/// Hosts whose worth changed that are remembered by name; of more, all are looked at.
const MOST_CHANGED: usize = 1024;

/// The keeper's part.
pub(super) struct Attention {
    log: relevance::Log,
    counter: HarvestCounter,
    floor: f64,
    worth: Arc<Worth>,
    /// The fingerprint of the model.
    model: String,
}

/// What the keeper tells the network: the worth of hosts.
#[derive(Debug)]
pub(super) struct Worth {
    told: Mutex<Told>,
    /// How much it counts, from 0 to 1.
    power: f64,
}

#[derive(Debug)]
struct Told {
    sources: Sources,
    changed: Vec<Box<str>>,
    is_all_changed: bool,
    pages: u32,
}

impl Attention {
    /// Goes on with the log of a collection, or begins it. Lines of pages that are not done are of before a kill: their pages come again.
    pub(super) fn open(path: &Path, options: &FocusOptions, is_done: impl Fn(u64) -> bool) -> Result<Self> {
        let mut counter = HarvestCounter::new(options.harvest_window);
        let mut sources = Sources::default();
        // A page whose line was written and whose journal was not has a second one, and so has one that was judged anew: the last holds,
        // in the place of the first.
        let mut last = HashMap::new();
        relevance::read(path, |judged| {
            if let Some(id) = judged.id.filter(|id| is_done(*id)) {
                last.insert(id, judged.scores.relevant);
            }
        })?;
        let log = relevance::Log::open(path, |judged| {
            if let Some(is_relevant) = judged.id.and_then(|id| last.remove(&id)) {
                counter.note(is_relevant);
                if let Some(address) = Address::from_log(&judged.url) {
                    sources.note(address.host(), is_relevant);
                }
            }
        })?;
        let told = Told { sources, changed: Vec::new(), is_all_changed: true, pages: 0 };
        let worth = Arc::new(Worth { told: Mutex::new(told), power: options.sources() });
        let model = options.model.fingerprint();
        Ok(Self { log, counter, floor: options.harvest_floor, worth, model })
    }

    /// The torn line that was cut off the log.
    pub(super) fn torn(&self) -> Option<Torn> {
        self.log.torn()
    }

    /// What the network asks.
    pub(super) fn worth(&self) -> Arc<Worth> {
        Arc::clone(&self.worth)
    }

    /// Takes in a page that is done with.
    pub(super) fn note(&mut self, page: &FinishedPage) {
        let Some((relevance, is_relevant)) = &page.relevance else { return };
        let address = &page.job.address;
        self.log.add(&Judged {
            id: Some(page.job.id.0),
            time_ms: page.began_ms,
            scores: relevance.scores(*is_relevant),
            model: self.model.clone(),
            url: address.as_str().to_owned(),
        });
        self.counter.note(*is_relevant);
        self.worth.note(address.host(), *is_relevant);
    }

    /// Gives what was noted to the system.
    pub(super) fn commit(&mut self) -> Result<()> {
        Ok(self.log.commit()?)
    }

    /// Brings it to the disk.
    pub(super) fn sync(&self) -> Result<()> {
        Ok(self.log.sync()?)
    }

    /// The harvest by now, with what it says about going on.
    pub(super) fn harvest(&self) -> Harvest {
        let ended = self.counter.is_below(self.floor).then_some(Ending::HarvestFloor);
        Harvest { ended, ..self.counter.harvest().clone() }
    }
}

impl Worth {
    fn note(&self, host: &str, is_relevant: bool) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.sources.note(host, is_relevant);
        told.pages += 1;
        if told.pages.is_multiple_of(REFRESH_PAGES) || told.changed.len() >= MOST_CHANGED {
            told.is_all_changed = true;
        }
        if !told.is_all_changed {
            told.changed.push(host.into());
        }
    }

    /// Tells the workbench what hosts are worth that have changed.
    pub(super) fn tell(&self, bench: &mut Workbench) {
        if self.power <= 0.0 {
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let Told { sources, changed, is_all_changed, .. } = &mut *told;
        let worth = |host: &str| sources.worth(host).powf(self.power as f32);
        if std::mem::take(is_all_changed) {
            for host in bench.hosts() {
                let worth = worth(bench.name(host));
                bench.set_worth(host, worth);
            }
        } else {
            for name in changed.iter() {
                if let Some(host) = bench.host(name) {
                    bench.set_worth(host, worth(name));
                }
            }
        }
        changed.clear();
    }
}
