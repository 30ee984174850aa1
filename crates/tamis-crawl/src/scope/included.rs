//! Addresses that are taken although neither the seeds nor the rules of the crawl reach them.

use super::{Reason, Scope, Verdict};
use crate::Address;

impl Scope {
    /// Whether to take an address that settings include: what the crawl excludes, its depth and its traps hold all the same.
    pub(crate) fn decide_included(&self, address: &Address, depth: u32, from: Option<&Address>) -> Verdict {
        if !self.options.schemes.has(address.scheme()) {
            return Verdict::Refuse(Reason::Scheme);
        }
        if self.excluded.matches_beyond(address, depth) {
            return Verdict::Refuse(Reason::Excluded);
        }
        if self.options.max_depth.is_some_and(|max| depth > max) {
            return Verdict::Refuse(Reason::TooDeep);
        }
        let trap = from.and_then(|_| self.trap(address));
        trap.map_or(Verdict::Take, |trap| Verdict::Refuse(Reason::Trap(trap)))
    }
}
