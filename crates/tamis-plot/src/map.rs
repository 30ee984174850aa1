//! Places on a map of the world, as SVG.

use std::fmt::Write;

use super::canvas::{Anchor, Canvas, Lettering, MARGIN, PLAIN, WIDTH, plain_width, px};
use super::hue::{GRID, Hue, SOFT_INK};
use super::lettering::printable;
use super::numbers::Numbers;

/// Places on a map of the world. The larger a spot's area, the larger its value.
#[derive(Debug, Clone, Default)]
pub struct Map {
    /// What it shows.
    pub title: String,
    /// The places.
    pub spots: Vec<Spot>,
}

/// A place on a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// What it is called.
    pub label: String,
    /// Degrees to the north.
    pub latitude: f64,
    /// Degrees to the east.
    pub longitude: f64,
    /// How much of it there is.
    pub value: f64,
}

/// Coasts: a ring of points a line, each east and north in half degrees (Natural Earth, 1:110 million, public domain).
const LAND: &str = include_str!("land.txt");
/// So many of the largest have their names beside them.
const NAMED: usize = 8;
const LARGEST_RADIUS: f64 = 14.0;
const SMALLEST_RADIUS: f64 = 2.0;
/// Nobody lives further north or south, and the land there takes room.
const NORTH: f64 = 84.0;
const SOUTH: f64 = -58.0;

impl Map {
    /// The map as SVG.
    pub fn svg(&self) -> String {
        let mut canvas = Canvas::new(&self.title);
        let sheet = Sheet { top: canvas.filled };
        canvas.element(format_args!(
            r##"<path d="{}" fill="#EDEDED" stroke="{GRID}" stroke-width="0.5"/>"##,
            sheet.land()
        ));
        let spots = self.drawn();
        let most = spots.first().map_or(1.0, |spot| spot.value);
        for spot in &spots {
            let (x, y) = sheet.place(spot.longitude, spot.latitude);
            let radius = (LARGEST_RADIUS * (spot.value / most).sqrt()).max(SMALLEST_RADIUS);
            let (x, y, radius, fill) = (px(x), px(y), px(radius), Hue::default().code());
            canvas.element(format_args!(
                r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" fill-opacity="0.55" stroke="#FFFFFF" stroke-width="0.5"/>"##
            ));
        }
        sheet.names(&mut canvas, &spots);
        canvas.filled = sheet.bottom();
        if spots.is_empty() {
            let place = Lettering { fill: SOFT_INK, ..PLAIN };
            canvas.text(MARGIN, canvas.filled, "no places", place);
        }
        canvas.finish(&self.title, &self.in_words())
    }

    /// What can be drawn, the largest first.
    fn drawn(&self) -> Vec<&Spot> {
        let is_on_earth = |spot: &&Spot| {
            (-90.0..=90.0).contains(&spot.latitude) && (-180.0..=180.0).contains(&spot.longitude)
        };
        let counts = |spot: &&Spot| spot.value.is_finite() && spot.value > 0.0;
        let mut spots: Vec<&Spot> = self.spots.iter().filter(is_on_earth).filter(counts).collect();
        spots.sort_by(|one, other| other.value.total_cmp(&one.value));
        spots
    }

    fn in_words(&self) -> String {
        let words =
            |spot: &Spot| format!("{}: {}", printable(&spot.label), Numbers::Grouped.alone(spot.value));
        self.spots.iter().map(words).collect::<Vec<_>>().join("; ")
    }
}

/// Where on the picture the earth is: degrees are as long to the east as to the north.
struct Sheet {
    top: f64,
}

impl Sheet {
    const DEGREE: f64 = (WIDTH - 2.0 * MARGIN) / 360.0;

    fn place(&self, east: f64, north: f64) -> (f64, f64) {
        let north = north.clamp(SOUTH, NORTH);
        (MARGIN + (east + 180.0) * Self::DEGREE, self.top + (NORTH - north) * Self::DEGREE)
    }

    fn bottom(&self) -> f64 {
        self.top + (NORTH - SOUTH) * Self::DEGREE
    }

    fn land(&self) -> String {
        let mut path = String::new();
        for ring in LAND.lines() {
            let mut before: Option<f64> = None;
            for (east, north) in ring.split(' ').filter_map(half_degrees) {
                let (x, y) = self.place(east, north);
                // A coast that leaves the sheet on one side comes in again on the other.
                let goes_on = before.is_some_and(|before| (east - before).abs() < 180.0);
                let command = if goes_on { 'L' } else { 'M' };
                // Writing to a string does not fail.
                let _ = write!(path, "{command}{} {}", px(x), px(y));
                before = Some(east);
            }
            path.push('Z');
        }
        path
    }

    /// The names of the largest, where they do not run into each other.
    fn names(&self, canvas: &mut Canvas, spots: &[&Spot]) {
        let mut taken: Vec<(f64, f64, f64)> = Vec::new();
        for spot in spots.iter().take(NAMED) {
            let label = printable(&spot.label);
            let (x, y) = self.place(spot.longitude, spot.latitude);
            let long = plain_width(&label);
            let (x, anchor) = if x + long + 6.0 < WIDTH - MARGIN {
                (x + 6.0, Anchor::Start)
            } else {
                (x - 6.0, Anchor::End)
            };
            let left = if anchor == Anchor::Start { x } else { x - long };
            let is_free = taken.iter().all(|&(other, width, height)| {
                (height - y).abs() > 12.0 || left > other + width || left + long < other
            });
            if is_free {
                canvas.text(x, y + 4.0, &label, Lettering { anchor, ..PLAIN });
                taken.push((left, long, y));
            }
        }
    }
}

/// A point of a ring, in degrees.
fn half_degrees(point: &str) -> Option<(f64, f64)> {
    let (east, north) = point.split_once(',')?;
    Some((east.parse::<f64>().ok()? / 2.0, north.parse::<f64>().ok()? / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png;

    fn spot(label: &str, latitude: f64, longitude: f64, value: f64) -> Spot {
        Spot { label: label.to_owned(), latitude, longitude, value }
    }

    #[test]
    fn places_stand_where_they_are() {
        let sheet = Sheet { top: 0.0 };
        let (west, _) = sheet.place(-180.0, 0.0);
        let (east, _) = sheet.place(180.0, 0.0);
        assert_eq!((west, east), (MARGIN, WIDTH - MARGIN));
        let ((_, oslo), (_, rome)) = (sheet.place(10.7, 59.9), sheet.place(12.5, 41.9));
        assert!(oslo < rome, "north is up");
    }

    #[test]
    fn no_coast_runs_across_the_sheet() {
        let land = Sheet { top: 0.0 }.land();
        let east = |point: &str| point.split(' ').next().and_then(|x| x.parse::<f64>().ok());
        for ring in land.split(['M', 'Z']) {
            let points: Vec<f64> = ring.split('L').filter_map(east).collect();
            let widest = points.windows(2).map(|pair| (pair[0] - pair[1]).abs()).fold(0.0, f64::max);
            assert!(widest < 180.0 * Sheet::DEGREE, "{ring}");
        }
    }

    #[test]
    fn what_is_not_on_earth_is_left_out() {
        let spots = vec![
            spot("Oslo", 59.9, 10.7, 3.0),
            spot("nowhere", f64::NAN, 0.0, 2.0),
            spot("beyond", 100.0, 0.0, 2.0),
            spot("nothing", 0.0, 0.0, 0.0),
            spot("<Lima>", -12.0, -77.0, 9.0),
        ];
        let map = Map { title: "Places".to_owned(), spots };
        let svg = map.svg();
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("&lt;Lima&gt;") && !svg.contains("<Lima>"));
        assert!(png(&svg, 1.0).is_ok());
    }

    #[test]
    fn an_empty_map_says_so() {
        assert!(Map::default().svg().contains("no places"));
    }
}
