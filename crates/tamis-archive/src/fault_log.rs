//! The faults met so far, in a list that does not grow without end.

use crate::{Fault, FaultKind, Severity};

/// As many faults as are kept between two looks; more are counted, not kept.
const KEPT: usize = 10_000;

/// Faults in the order they were met.
#[derive(Debug, Default)]
pub(crate) struct FaultLog {
    list: Vec<Fault>,
    /// How many were met in all, those already taken included.
    count: u64,
    /// How many of them are damage.
    damage: u64,
}

impl FaultLog {
    pub(crate) fn push(&mut self, offset: u64, kind: FaultKind) {
        self.count += 1;
        self.damage += u64::from(kind.severity() == Severity::Damage);
        if self.list.len() < KEPT {
            self.list.push(Fault { offset, kind });
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn damage(&self) -> u64 {
        self.damage
    }

    pub(crate) fn list(&self) -> &[Fault] {
        &self.list
    }

    pub(crate) fn take(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.list)
    }

    /// The first fault that strict reading does not pass over.
    pub(crate) fn first_serious(&self) -> Option<&Fault> {
        self.list.iter().find(|fault| fault.kind.severity() > Severity::Note)
    }
}
