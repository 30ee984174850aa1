//! What is said of an address.

/// Whether an address is to be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It belongs to the crawl.
    Take,
    /// It does not, and why.
    Refuse(Reason),
}

/// Why an address is not fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Its scheme is not crawled.
    Scheme,
    /// A rule excludes it.
    Excluded,
    /// It belongs neither to the seeds nor to what is included.
    OutOfScope,
    /// It is too many links away from a seed.
    TooDeep,
    /// Its host has given as many pages as it may.
    HostFull,
    /// Too many redirects, or other steps that are no links, lead to it.
    TooManyRedirects,
    /// It looks like one of endlessly many.
    Trap(Trap),
}

/// What makes an address look like one of endlessly many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trap {
    /// It is longer than addresses that people made.
    Long,
    /// It is in folders in folders in folders.
    DeepPath,
    /// Folders of its path come again and again.
    RepeatedSegments,
    /// It is of a day, month or year to which only a calendar leads.
    Calendar,
    /// Its query has very many parameters.
    ManyParameters,
    /// Its query says the same again and again.
    RepeatedParameter,
    /// It carries a session identifier.
    Session,
    /// Very many queries to the same page are known already.
    ManyQueries,
    /// The same query in another order is known already.
    PermutedQuery,
    /// Very many days and months of the same page are known already.
    ManyDates,
}

impl Verdict {
    /// Whether the address is to be fetched.
    pub fn is_take(self) -> bool {
        self == Self::Take
    }
}

impl Reason {
    /// All of them, for tables of counts.
    pub const ALL: [Self; 16] = [
        Self::Scheme,
        Self::Excluded,
        Self::OutOfScope,
        Self::TooDeep,
        Self::HostFull,
        Self::Trap(Trap::Long),
        Self::Trap(Trap::DeepPath),
        Self::Trap(Trap::RepeatedSegments),
        Self::Trap(Trap::Calendar),
        Self::Trap(Trap::ManyParameters),
        Self::Trap(Trap::RepeatedParameter),
        Self::Trap(Trap::Session),
        Self::Trap(Trap::ManyQueries),
        Self::Trap(Trap::PermutedQuery),
        Self::Trap(Trap::ManyDates),
        Self::TooManyRedirects,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Excluded => "excluded",
            Self::OutOfScope => "out-of-scope",
            Self::TooDeep => "too-deep",
            Self::HostFull => "host-full",
            Self::TooManyRedirects => "too-many-redirects",
            Self::Trap(trap) => trap.name(),
        }
    }

    /// Its place in [`Reason::ALL`].
    pub fn index(self) -> usize {
        match self {
            Self::Scheme => 0,
            Self::Excluded => 1,
            Self::OutOfScope => 2,
            Self::TooDeep => 3,
            Self::HostFull => 4,
            Self::Trap(trap) => 5 + trap as usize,
            Self::TooManyRedirects => 15,
        }
    }
}

impl Trap {
    fn name(self) -> &'static str {
        match self {
            Self::Long => "trap-long",
            Self::DeepPath => "trap-deep-path",
            Self::RepeatedSegments => "trap-repeated-segments",
            Self::Calendar => "trap-calendar",
            Self::ManyParameters => "trap-many-parameters",
            Self::RepeatedParameter => "trap-repeated-parameter",
            Self::Session => "trap-session",
            Self::ManyQueries => "trap-many-queries",
            Self::PermutedQuery => "trap-permuted-query",
            Self::ManyDates => "trap-many-dates",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_place_and_name() {
        for (at, reason) in Reason::ALL.into_iter().enumerate() {
            assert_eq!(reason.index(), at, "{reason:?}");
        }
        let names: std::collections::BTreeSet<_> = Reason::ALL.into_iter().map(Reason::name).collect();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}
