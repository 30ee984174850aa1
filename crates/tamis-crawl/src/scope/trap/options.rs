//! From where on an address is a trap.

/// The limits of the trap defences. [`u32::MAX`] (`off` in text) turns one off. How many links of real pages the
/// defaults refuse is measured by the test `real_links_are_seldom_refused`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrapOptions {
    /// The longest address, in bytes.
    pub max_address_bytes: u32,
    /// The most folders and files in a path.
    pub max_path_segments: u32,
    /// How often the same segment may come in a row: with 2, `a/a` is fine and `a/a/a` a trap. Numbers do not count.
    pub max_segment_repeats: u32,
    /// How often the same two or more segments may come in a row: with 1, `a/b` is fine and `a/b/a/b` a trap.
    pub max_block_repeats: u32,
    /// The most parameters in a query.
    pub max_parameters: u32,
    /// How often the same parameter with the same value may stand in a query.
    pub max_same_parameter: u32,
    /// Years after this one of which a page may be.
    pub max_years_ahead: u32,
    /// The first year of which a page of a calendar may be; dates elsewhere may be older. Off by default: archives go back centuries.
    pub earliest_calendar_year: u32,
    /// The most queries to one path of a host.
    pub max_queries_per_path: u32,
    /// The most of them with three parameters and more: searches, sorted and filtered lists.
    pub max_faceted_queries_per_path: u32,
    /// In how many orders the same parameters may come.
    pub max_orders_per_query: u32,
    /// The most days and months in one folder, as of a calendar or the archive of a blog.
    pub max_dates_per_path: u32,
    /// `max_similar_pages` for the days and months of what is a calendar by its name or its query.
    pub max_calendar_pages: u32,
    /// Pages in a row whose addresses differ in numbers and tokens alone, that have the same text, numbers included, and lead to more
    /// such pages; one in twenty with new text, or with links to new pages of other kinds, starts the count again.
    pub max_stale_pages: u32,
    /// The same for pages whose texts differ in numbers.
    pub max_similar_pages: u32,
    /// The same for pages that lead to no others.
    pub max_numbered_pages: u32,
}

impl Default for TrapOptions {
    fn default() -> Self {
        Self {
            max_address_bytes: 2_000,
            max_path_segments: 20,
            max_segment_repeats: 2,
            max_block_repeats: 1,
            max_parameters: 40,
            max_same_parameter: 2,
            max_years_ahead: 2,
            earliest_calendar_year: u32::MAX,
            max_queries_per_path: 200_000,
            max_faceted_queries_per_path: 10_000,
            max_orders_per_query: 2,
            max_dates_per_path: 10_000,
            max_calendar_pages: 366,
            max_stale_pages: 200,
            max_similar_pages: 5_000,
            max_numbered_pages: 100_000,
        }
    }
}

impl TrapOptions {
    /// Sets a limit by its name in text; none where there is no such name or the value is no number.
    pub(in super::super) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let value = if value == "off" { u32::MAX } else { value.parse().ok()? };
        let (_, limit) = self.limits().into_iter().find(|(known, _)| *known == name)?;
        *limit = value;
        Some(())
    }

    /// The limits that are not the default.
    pub(in super::super) fn changed(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let (mut own, mut usual) = (self.clone(), Self::default());
        let own = own.limits().map(|(name, value)| (name, *value));
        let usual = usual.limits().map(|(_, value)| *value);
        own.into_iter().zip(usual).filter(|((_, value), usual)| value != usual).map(|(limit, _)| limit)
    }

    fn limits(&mut self) -> [(&'static str, &mut u32); 16] {
        [
            ("max-address-bytes", &mut self.max_address_bytes),
            ("max-path-segments", &mut self.max_path_segments),
            ("max-segment-repeats", &mut self.max_segment_repeats),
            ("max-block-repeats", &mut self.max_block_repeats),
            ("max-parameters", &mut self.max_parameters),
            ("max-same-parameter", &mut self.max_same_parameter),
            ("max-years-ahead", &mut self.max_years_ahead),
            ("earliest-calendar-year", &mut self.earliest_calendar_year),
            ("max-queries-per-path", &mut self.max_queries_per_path),
            ("max-faceted-queries-per-path", &mut self.max_faceted_queries_per_path),
            ("max-orders-per-query", &mut self.max_orders_per_query),
            ("max-dates-per-path", &mut self.max_dates_per_path),
            ("max-calendar-pages", &mut self.max_calendar_pages),
            ("max-stale-pages", &mut self.max_stale_pages),
            ("max-similar-pages", &mut self.max_similar_pages),
            ("max-numbered-pages", &mut self.max_numbered_pages),
        ]
    }
}
