//! Verdicts as sentences.

use super::verdict::{Reason, Trap, Verdict};
use super::{Reach, Scope};
use crate::Address;

impl Scope {
    /// Why an address is taken or not, for a person who tries rules out.
    pub fn explain(&self, address: &Address, depth: u32, from: Option<&Address>) -> String {
        match self.decide(address, depth, from) {
            Verdict::Take => format!("taken: {}", self.why_taken(address, depth)),
            Verdict::Refuse(reason) => format!("refused: {}", self.why_refused(reason, address, depth)),
        }
    }

    fn why_taken(&self, address: &Address, depth: u32) -> String {
        let is_in_force = |limit: Option<u32>| limit.is_none_or(|limit| depth <= limit);
        if self.options.reach == Reach::Any {
            "the scope is the whole web".to_owned()
        } else if let Some(rule) = self.reached.find(address, is_in_force) {
            format!("in the scope of the seeds ({rule})")
        } else if let Some(rule) = self.included.find(address, is_in_force) {
            format!("included by {rule}")
        } else {
            "linked from a page in scope".to_owned()
        }
    }

    fn why_refused(&self, reason: Reason, address: &Address, depth: u32) -> String {
        match reason {
            Reason::Scheme => format!("only {} is crawled", self.options.schemes),
            Reason::Excluded => {
                let rule = self.excluded.find(address, |limit| limit.is_none_or(|limit| depth > limit));
                rule.map_or_else(|| "excluded".to_owned(), |rule| format!("excluded by {rule}"))
            }
            Reason::OutOfScope => format!("not in the {} of a seed, and not included", self.options.reach),
            Reason::TooDeep => {
                format!("{depth} links from a seed, more than {}", self.options.max_depth.unwrap_or(0))
            }
            Reason::HostFull => "its host has reached the page limit".to_owned(),
            Reason::TooManyRedirects => "too many redirects in a row lead to it".to_owned(),
            Reason::Trap(trap) => self.why_trap(trap, address),
        }
    }

    fn why_trap(&self, trap: Trap, address: &Address) -> String {
        let traps = &self.options.traps;
        let said = match trap {
            Trap::Long => {
                format!("{} bytes, max-address-bytes is {}", address.as_str().len(), traps.max_address_bytes)
            }
            Trap::DeepPath => format!("more segments than max-path-segments, {}", traps.max_path_segments),
            Trap::RepeatedSegments => format!(
                "repeated segments, max-segment-repeats is {} and max-block-repeats {}",
                traps.max_segment_repeats, traps.max_block_repeats
            ),
            Trap::Calendar => format!(
                "a date beyond {} (max-years-ahead {}){}",
                i64::from(self.year) + i64::from(traps.max_years_ahead),
                traps.max_years_ahead,
                match traps.earliest_calendar_year {
                    u32::MAX => String::new(),
                    first => format!(", or on a calendar before {first}"),
                }
            ),
            Trap::ManyParameters => format!("more parameters than max-parameters, {}", traps.max_parameters),
            Trap::RepeatedParameter => {
                format!("the same parameter more often than max-same-parameter, {}", traps.max_same_parameter)
            }
            Trap::Session => "a session identifier".to_owned(),
            Trap::ManyQueries => format!(
                "more queries to a path than max-queries-per-path, {}, or max-faceted-queries-per-path, {}",
                traps.max_queries_per_path, traps.max_faceted_queries_per_path
            ),
            Trap::PermutedQuery => {
                format!(
                    "the same query in more orders than max-orders-per-query, {}",
                    traps.max_orders_per_query
                )
            }
            Trap::ManyDates => format!("more dates than max-dates-per-path, {}", traps.max_dates_per_path),
        };
        format!("a trap: {said}")
    }
}
