//! The days of an event: the peaks of those that pages about it name or were published on.

use std::collections::BTreeSet;

use tamis_page::date::Date;

use super::dates::{self, Days};
use super::learn::Seen;
use super::model::EventDate;
use super::text::PageText;

/// How long events last: days that are so near to each other make a peak. The shortest that most pages have a day of is taken.
const SCALES_DAYS: [f64; 4] = [7.0, 30.0, 120.0, 365.0];
/// Days around a peak that belong to it, in its scale.
const REACH: f64 = 4.0;
/// Agreement falls to a third within this share of the scale at least: pages are few, and the next one is not as near.
const LEAST_SPREAD: f64 = 0.4;
/// Days of all pages that are looked at: the time goes with their square.
const MOST_DAYS: usize = 2_000;
/// A lesser peak than this share of the highest is chance.
const LEAST_PEAK: f64 = 0.4;
/// Peaks are those of the event if so many of the pages that have days have one there.
const LEAST_PAGES: f64 = 0.6;
/// The day of publication counts like so many that are named.
const PUBLISHED: f64 = 2.0;

/// A day of a page, with its weight and the number of the page.
type Day = (i32, f64, usize);

/// The days of an event, none if pages do not agree in any.
pub(super) fn event_dates(pages: &[&Seen<'_>], most: usize) -> Vec<EventDate> {
    let mut days: Vec<Day> = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let named = page.days.iter().filter(|days| days.first == days.last);
        days.extend(named.map(|day| (day.first, 1.0, at)));
        days.extend(page.page.published.map(|date| (date.unix_days(), PUBLISHED, at)));
    }
    days.truncate(MOST_DAYS);
    days.sort_by_key(|(day, ..)| *day);
    let dated = days.iter().map(|(.., page)| page).collect::<BTreeSet<_>>().len();
    let of_scale = |scale: &f64| peaks(&days, *scale, most, pages.len());
    let enough = |(_, near): &(Vec<EventDate>, usize)| *near as f64 >= LEAST_PAGES * dated as f64;
    SCALES_DAYS.iter().map(of_scale).find(enough).map(|(dates, _)| dates).unwrap_or_default()
}

/// The peaks at a scale, and how many pages have a day there.
fn peaks(days: &[Day], scale: f64, most: usize, pages: usize) -> (Vec<EventDate>, usize) {
    let mut left: Vec<Day> = days.to_vec();
    let least_pages = if pages >= 3 { 2 } else { 1 };
    let mut peaks: Vec<(f64, EventDate)> = Vec::new();
    let mut covered: BTreeSet<usize> = BTreeSet::new();
    while peaks.len() < most {
        let Some((height, day)) = peak(&left, scale) else { break };
        if height < peaks.first().map_or(0.0, |(top, _)| top * LEAST_PEAK) {
            break;
        }
        let (near, rest): (Vec<Day>, Vec<Day>) =
            left.into_iter().partition(|(other, ..)| f64::from(other.abs_diff(day)) <= REACH * scale);
        left = rest;
        let of: BTreeSet<usize> = near.iter().map(|(.., page)| *page).collect();
        if of.len() >= least_pages {
            covered.extend(&of);
            peaks.extend(of_peak(&near, day, scale).map(|date| (height, date)));
        }
    }
    let top = peaks.first().map_or(1.0, |(height, _)| *height);
    let weigh = |(height, date): (f64, EventDate)| EventDate {
        weight: (height / top * 1000.0).round() / 1000.0,
        ..date
    };
    (peaks.into_iter().map(weigh).collect(), covered.len())
}

/// The day that most others are near, and how much they weigh.
fn peak(days: &[Day], scale: f64) -> Option<(f64, i32)> {
    let nearness = |other: i32, day: i32| (-f64::from(other.abs_diff(day)) / scale).exp();
    let height =
        |day: i32| -> f64 { days.iter().map(|(other, weight, _)| weight * nearness(*other, day)).sum() };
    let heights = days.iter().map(|(day, ..)| (height(*day), *day));
    heights.max_by(|(one, early), (other, late)| one.total_cmp(other).then(late.cmp(early)))
}

fn of_peak(near: &[Day], day: i32, scale: f64) -> Option<EventDate> {
    let weight: f64 = near.iter().map(|(_, weight, _)| weight).sum();
    let off: f64 = near.iter().map(|(other, weight, _)| weight * f64::from(other.abs_diff(day))).sum();
    let spread_days = (off / weight).clamp(LEAST_SPREAD * scale, REACH * scale).round() as u32;
    Some(EventDate { day: Date::from_unix_days(day)?, spread_days, weight: 1.0 })
}

/// The days that a page names, in its text, its title and its address.
pub(super) fn page_days(page: &PageText) -> Vec<Days> {
    let mut found = dates::find(&page.text);
    found.extend(dates::find(&page.title));
    found.extend(dates::find(&page.url));
    found.sort_unstable();
    found.dedup();
    found
}
