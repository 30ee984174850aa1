//! Periods of time that counts are summed by.

use tamis_page::date::Date;

/// The most periods of a timeline.
const MOST_PERIODS: i32 = 40;

/// Periods without gaps: days, months or years, whichever are few enough; what is before the last of too many years is one.
pub(super) struct Timeline {
    scale: Scale,
    /// The numbers of the first and the last period; none, if there are no dates.
    periods: Option<(i32, i32)>,
}

impl Timeline {
    /// The timeline that holds some days. A date may lack its day or month, and then is where it begins.
    pub(super) fn of(days: &[(String, u64)]) -> Self {
        let moments = || days.iter().filter_map(|(day, _)| moment(day));
        let (Some(first), Some(last)) = (moments().min(), moments().max()) else {
            return Self { scale: Scale::Years, periods: None };
        };
        let scale = [Scale::Days, Scale::Months]
            .into_iter()
            .find(|scale| scale.number(last) - scale.number(first) < MOST_PERIODS)
            .unwrap_or(Scale::Years);
        let start = scale.number(first).max(scale.number(last) - MOST_PERIODS + 1);
        Self { scale, periods: Some((start, scale.number(last))) }
    }

    /// The counts of some days, by period.
    pub(super) fn sums(&self, days: &[(String, u64)]) -> Vec<(String, u64)> {
        let Some((start, last)) = self.periods else { return Vec::new() };
        let mut sums: Vec<(String, u64)> =
            (start..=last).map(|number| (self.scale.label(number), 0)).collect();
        let mut earlier = 0;
        for (day, count) in days.iter().filter_map(|(day, count)| Some((moment(day)?, count))) {
            match usize::try_from(self.scale.number(day) - start).ok().and_then(|at| sums.get_mut(at)) {
                Some((_, sum)) => *sum += count,
                None => earlier += count,
            }
        }
        let before = (earlier > 0).then(|| ("earlier".to_owned(), earlier));
        before.into_iter().chain(sums).collect()
    }
}

/// Year, month and day of a date.
fn moment(date: &str) -> Option<(i32, i32, i32)> {
    let mut numbers = date.splitn(3, '-').map(str::parse);
    let year = numbers.next()?.ok()?;
    let mut rest = || numbers.next().map_or(Ok(1), |number| number).ok();
    Some((year, rest()?, rest()?))
}

/// How long the periods of a timeline are.
#[derive(Clone, Copy)]
enum Scale {
    Days,
    Months,
    Years,
}

impl Scale {
    /// The number of the period that a day is in.
    fn number(self, (year, month, day): (i32, i32, i32)) -> i32 {
        match self {
            Self::Days => i16::try_from(year)
                .ok()
                .and_then(|year| Date::new(year, month.try_into().ok()?, day.try_into().ok()?))
                .map_or(0, Date::unix_days),
            Self::Months => year * 12 + month - 1,
            Self::Years => year,
        }
    }

    fn label(self, number: i32) -> String {
        match self {
            Self::Days => Date::from_unix_days(number).map_or_else(String::new, |day| day.to_string()),
            Self::Months => format!("{:04}-{:02}", number.div_euclid(12), number.rem_euclid(12) + 1),
            Self::Years => format!("{number:04}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeline_has_few_periods_and_loses_nothing() {
        for (days, expected) in [
            (vec!["2026-08-10", "2026-08-12"], vec!["2026-08-10 1", "2026-08-11 0", "2026-08-12 1"]),
            (
                vec!["2026-02", "2026-05-31", "2026-05-01"],
                vec!["2026-02 1", "2026-03 0", "2026-04 0", "2026-05 2"],
            ),
            (vec!["2019", "2021-01-01", "none"], vec!["2019-01 1"]),
            (vec![], vec![]),
        ] {
            let counts: Vec<_> = days.iter().map(|day| ((*day).to_owned(), 1)).collect();
            let made: Vec<String> = Timeline::of(&counts)
                .sums(&counts)
                .iter()
                .map(|(label, count)| format!("{label} {count}"))
                .collect();
            assert_eq!(made[..expected.len().min(made.len())], expected[..], "{days:?}");
        }
        let years: Vec<_> = (1900..2020).map(|year| (year.to_string(), 2)).collect();
        let made = Timeline::of(&years).sums(&years);
        assert_eq!((made.len(), made[0].clone()), (41, ("earlier".to_owned(), 160)));
    }
}
