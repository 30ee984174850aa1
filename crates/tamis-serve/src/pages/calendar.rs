//! Captures on a calendar: a row per year, a cell per month.

use std::collections::BTreeMap;

use maud::{Markup, html};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/// Years that are shown. Captures have few; index lines of strangers may have any.
const MAX_YEARS: usize = 200;

/// How many captures there are in each month.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Calendar {
    years: BTreeMap<String, [u64; 12]>,
}

impl Calendar {
    /// Counts a capture by its moment. What is no moment is not on the calendar.
    pub(super) fn add(&mut self, digits: &str) {
        let (Some(year), Some(month)) = (digits.get(..4), digits.get(4..6)) else { return };
        let month = month.parse::<usize>().ok().filter(|month| (1..=12).contains(month));
        let is_year = year.bytes().all(|byte| byte.is_ascii_digit());
        let (Some(month), true) = (month, is_year) else { return };
        if self.years.contains_key(year) || self.years.len() < MAX_YEARS {
            self.years.entry(year.to_owned()).or_default()[month - 1] += 1;
        }
    }

    /// The calendar as a table. Months lead to their place in the list, as far as it is on the page.
    pub(super) fn markup(&self, last_listed: Option<&str>) -> Markup {
        let most = self.years.values().flatten().max().copied().unwrap_or(0);
        let is_listed = |month: &str| last_listed.is_none_or(|last| month <= last.get(..6).unwrap_or(last));
        html! {
            div.scroll {
                table.calendar {
                    thead { tr { th { "Year" } @for month in MONTHS { th { (month) } } } }
                    tbody {
                        @for (year, months) in &self.years {
                            tr {
                                th scope="row" { (year) }
                                @for (at, count) in months.iter().enumerate() {
                                    @let month = format!("{year}{:02}", at + 1);
                                    td class=(heat(*count, most)) {
                                        @if *count > 0 && is_listed(&month) { a href={ "#m" (month) } { (count) } }
                                        @else if *count > 0 { (count) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn heat(count: u64, most: u64) -> &'static str {
    match count {
        0 => "",
        _ if count * 3 > most * 2 => "h3",
        _ if count * 3 > most => "h2",
        _ => "h1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_counted_and_lead_to_the_list() {
        let mut calendar = Calendar::default();
        for digits in
            ["20140126200624", "20140127", "20151231235959", "2014", "20141301", "é2014012", "-", "<b>401"]
        {
            calendar.add(digits);
        }
        let text = calendar.markup(Some("20140127")).into_string();
        assert!(text.contains("<td class=\"h3\"><a href=\"#m201401\">2</a></td>"), "{text}");
        assert!(text.contains("<td class=\"h2\">1</td>"), "{text}");
        assert_eq!(calendar.years.len(), 2);
    }

    #[test]
    fn a_hostile_index_does_not_fill_the_page() {
        let mut calendar = Calendar::default();
        (0..9999).for_each(|year| calendar.add(&format!("{year:04}01")));
        assert_eq!(calendar.years.len(), MAX_YEARS);
    }
}
