//! One archive of a look-up.

use std::sync::{Arc, OnceLock};

use crate::{Bytes, Source};

pub(super) struct Archive {
    /// What entries call it.
    pub(super) name: String,
    pub(super) source: Source,
    /// Whether an index says what is in it.
    pub(super) is_covered: bool,
    /// The store that holds it, which stays open. None for a plain file.
    store: OnceLock<Option<Arc<dyn Bytes>>>,
}

impl Archive {
    pub(super) fn new(name: String, source: Source, is_covered: bool) -> Self {
        Self { name, source, is_covered, store: OnceLock::new() }
    }

    /// The store that holds it. A file that cannot be opened is none; whoever reads it gets the error.
    pub(super) fn store(&self) -> Option<&Arc<dyn Bytes>> {
        self.store.get_or_init(|| self.source.bytes().ok().flatten()).as_ref()
    }

    /// Whether it can be asked for the records of a URL.
    pub(super) fn has_keys(&self) -> bool {
        self.store().is_some_and(|store| store.records_of(b""..b"").is_some())
    }
}
