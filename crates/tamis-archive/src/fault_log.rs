//! The faults met so far: each one counted, the first of each kind kept.

use std::collections::BTreeMap;

use crate::{Fault, FaultKind, Severity};

/// So many faults of a code are kept between two looks; more are counted only. What is between two records of an archive
/// may be any number of broken members.
const KEPT: u64 = 10_000;

/// Faults in the order they were met. Every fault is in the list or in the counts of those left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// The first 10,000 of each code.
    pub list: Vec<Fault>,
    /// How many more there are.
    pub left_out: FaultCounts,
}

/// How many faults there are, by their code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FaultCounts {
    by_code: BTreeMap<&'static str, (Severity, u64)>,
}

impl Faults {
    /// How many there are, those left out included.
    pub fn counts(&self) -> FaultCounts {
        let mut counts = self.left_out.clone();
        self.list.iter().for_each(|fault| counts.add(&fault.kind));
        counts
    }

    /// Adds those that were met later.
    pub fn add(&mut self, later: &Self) {
        self.list.extend_from_slice(&later.list);
        self.left_out.merge(&later.left_out);
    }

    /// Keeps those of at most this severity.
    pub fn retain_up_to(&mut self, severity: Severity) {
        self.list.retain(|fault| fault.kind.severity() <= severity);
        self.left_out.by_code.retain(|_, (own, _)| *own <= severity);
    }
}

impl FaultCounts {
    /// Counts a fault.
    pub fn add(&mut self, kind: &FaultKind) {
        self.by_code.entry(kind.code()).or_insert((kind.severity(), 0)).1 += 1;
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Self) {
        for (code, severity, count) in other.iter() {
            self.by_code.entry(code).or_insert((severity, 0)).1 += count;
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_code.is_empty()
    }

    /// Code, severity and number, in the order of the codes.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Severity, u64)> {
        self.by_code.iter().map(|(code, (severity, count))| (*code, *severity, *count))
    }

    /// How many there are of a code.
    pub fn of_code(&self, code: &str) -> u64 {
        self.by_code.get(code).map_or(0, |(_, count)| *count)
    }

    /// How many there are of a severity.
    pub fn of_severity(&self, severity: Severity) -> u64 {
        self.iter().filter(|(_, own, _)| *own == severity).map(|(.., count)| count).sum()
    }

    /// The gravest severity among them.
    pub fn worst(&self) -> Option<Severity> {
        self.iter().map(|(_, severity, _)| severity).max()
    }
}

/// The faults of a reader.
#[derive(Debug, Default)]
pub(crate) struct FaultLog {
    faults: Faults,
    /// How many of each code are in the list.
    kept: BTreeMap<&'static str, u64>,
    /// How many were met in all, those already taken included.
    count: u64,
    /// How many damages were met, also behind the end of a strict log: they say what a record is worth.
    damage: u64,
    /// The first that strict reading does not pass over, taken or not.
    first_serious: Option<Box<Fault>>,
    /// Whether none is kept behind that one.
    ends_at_serious: bool,
}

impl FaultLog {
    /// The faults of strict reading. It ends at the first serious one; how many more are met in the same breath depends on
    /// how far that goes.
    pub(crate) fn strict() -> Self {
        Self { ends_at_serious: true, ..Self::default() }
    }

    pub(crate) fn push(&mut self, offset: u64, kind: FaultKind) {
        let severity = kind.severity();
        self.damage += u64::from(severity == Severity::Damage);
        if self.ends_at_serious && self.first_serious.is_some() {
            return;
        }
        self.count += 1;
        let kept = self.kept.entry(kind.code()).or_default();
        if *kept == KEPT {
            self.faults.left_out.add(&kind);
            return;
        }
        let fault = Fault { offset, kind };
        if self.first_serious.is_none() && severity > Severity::Note {
            self.first_serious = Some(Box::new(fault.clone()));
        }
        *kept += 1;
        self.faults.list.push(fault);
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn damage(&self) -> u64 {
        self.damage
    }

    pub(crate) fn list(&self) -> &[Fault] {
        &self.faults.list
    }

    pub(crate) fn take(&mut self) -> Faults {
        self.kept.clear();
        std::mem::take(&mut self.faults)
    }

    pub(crate) fn first_serious(&self) -> Option<&Fault> {
        self.first_serious.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_counted_and_the_first_of_each_code_are_kept() {
        let mut log = FaultLog::default();
        for offset in 0..3 * KEPT {
            log.push(offset, FaultKind::MemberEmpty);
            log.push(offset, FaultKind::Garbage { len: 1 });
        }
        log.push(7, FaultKind::BareLf);
        assert_eq!((log.count(), log.damage()), (6 * KEPT + 1, 3 * KEPT));
        let faults = log.take();
        assert_eq!(faults.list.len() as u64, 2 * KEPT + 1);
        assert_eq!(faults.list.last().map(|fault| fault.kind.code()), Some("bare-lf"));
        let counts = faults.counts();
        let told: Vec<_> = counts.iter().map(|(code, _, count)| (code, count)).collect();
        assert_eq!(told, [("bare-lf", 1), ("garbage", 3 * KEPT), ("member-empty", 3 * KEPT)]);
        assert_eq!(
            (counts.of_severity(Severity::Damage), counts.worst()),
            (3 * KEPT, Some(Severity::Damage))
        );
    }

    #[test]
    fn the_first_serious_fault_is_known_behind_any_number_of_notes_and_when_all_are_taken() {
        let mut log = FaultLog::default();
        for offset in 0..2 * KEPT {
            log.push(offset, FaultKind::MemberEmpty);
        }
        assert_eq!(log.first_serious(), None);
        log.push(5, FaultKind::BareLf);
        log.push(6, FaultKind::HeadTooLong);
        log.take();
        assert_eq!(log.first_serious(), Some(&Fault { offset: 5, kind: FaultKind::BareLf }));
        assert_eq!((log.take(), log.count()), (Faults::default(), 2 * KEPT + 2));
    }

    #[test]
    fn nothing_is_kept_behind_the_first_serious_fault_where_reading_ends() {
        let mut log = FaultLog::strict();
        let kinds =
            [FaultKind::MemberEmpty, FaultKind::BareLf, FaultKind::MemberEmpty, FaultKind::HeadTooLong];
        (0..).zip(kinds).for_each(|(offset, kind)| log.push(offset, kind));
        let codes: Vec<_> = log.list().iter().map(|fault| fault.kind.code()).collect();
        assert_eq!((codes, log.count(), log.damage()), (vec!["member-empty", "bare-lf"], 2, 1));
    }

    #[test]
    fn none_above_a_severity_is_retained_of_the_list_and_of_the_counts() {
        let mut log = FaultLog::default();
        for offset in 0..=KEPT {
            log.push(offset, FaultKind::MemberEmpty);
            log.push(offset, FaultKind::HeadTruncated);
        }
        let mut faults = log.take();
        faults.retain_up_to(Severity::Note);
        assert_eq!(faults.counts().iter().collect::<Vec<_>>(), [("member-empty", Severity::Note, KEPT + 1)]);
    }
}
