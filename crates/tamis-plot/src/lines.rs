//! Lines through points: how one thing goes with another.

use super::axis::Axis;
use super::canvas::{Canvas, px};
use super::frame::Frame;
use super::legend::{self, Look};
use super::lettering::printable;
use super::thin::thin;

/// A chart of one or more series. Draw it with [`svg`](Self::svg).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lines {
    /// What is compared, as one would write above a picture.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// In the order of the legend.
    pub series: Vec<Series>,
}

/// Points that belong together, in the order of the line through them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The points, x first. At one that has no place on an axis (not finite, or not above zero on a logarithmic one)
    /// the line is broken.
    pub points: Vec<(f64, f64)>,
    /// How the line is drawn.
    pub stroke: Stroke,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stroke {
    /// In a colour of its own, with the points marked unless they are many: what was measured.
    #[default]
    Solid,
    /// In grey dashes, without marks: what would be, to compare with.
    Dashed,
}

/// More points than these are not marked: the marks would hide the line.
const MOST_MARKED: usize = 40;

impl Series {
    /// What was measured.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, stroke: Stroke::Solid }
    }

    /// What to compare with.
    pub fn dashed(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, stroke: Stroke::Dashed }
    }

    /// What this would be if it grew in proportion from its first point on.
    #[must_use]
    pub fn proportional(&self, name: impl Into<String>) -> Self {
        let slope = self.points.iter().map(|(x, y)| y / x).find(|slope| slope.is_finite());
        let point = |&(x, _): &(f64, f64)| Some((x, x * slope?));
        Self::dashed(name, self.points.iter().filter_map(point).collect())
    }

    /// Whether each of its points has a mark.
    pub(super) fn is_marked(&self) -> bool {
        self.stroke == Stroke::Solid && self.points.len() <= MOST_MARKED
    }
}

impl Lines {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut canvas = Canvas::new(&self.title);
        let looks = Look::of_all(&self.series);
        legend::draw(&mut canvas, &self.series, &looks);
        let frame = Frame::new(&self.x, &self.y, canvas.filled, || self.placed());
        frame.draw(&mut canvas, &self.x.label, &self.y.label, self.placed().next().is_none());
        // What was measured goes over what it is compared with.
        for stroke in [Stroke::Dashed, Stroke::Solid] {
            for (series, look) in self.series.iter().zip(&looks).filter(|(series, _)| series.stroke == stroke)
            {
                self.draw(&mut canvas, &frame, series, look);
            }
        }
        canvas.finish(&self.title, &self.in_words())
    }

    /// The points of all series that have a place.
    fn placed(&self) -> impl Iterator<Item = (f64, f64)> {
        self.series.iter().flat_map(|series| &series.points).copied().filter(|&point| self.holds(point))
    }

    fn holds(&self, point: (f64, f64)) -> bool {
        self.x.holds(point.0) && self.y.holds(point.1)
    }

    fn draw(&self, canvas: &mut Canvas, frame: &Frame, series: &Series, look: &Look) {
        let parts = series.points.split(|&point| !self.holds(point)).filter(|part| !part.is_empty());
        for part in parts {
            let places: Vec<_> = part.iter().map(|&point| frame.place(point)).collect();
            if places.len() > 1 {
                look.draw_line(canvas, &path(&thin(&places)));
            }
            // A point alone has no line to be seen by.
            if series.is_marked() || places.len() == 1 {
                for &place in &places {
                    look.draw_mark(canvas, place);
                }
            }
        }
    }

    /// What the picture says, for those who cannot see it.
    fn in_words(&self) -> String {
        let words = |series: &Series| {
            let mut placed = series.points.iter().copied().filter(|&point| self.holds(point));
            let written = |(x, y)| format!("({}, {})", self.x.numbers.alone(x), self.y.numbers.alone(y));
            let name = printable(&series.name);
            let Some(first) = placed.next().map(written) else { return format!("{name}: no points") };
            placed
                .next_back()
                .map(written)
                .map_or(format!("{name}: {first}"), |last| format!("{name}: {first} to {last}"))
        };
        let axes = format!("{} against {}", printable(&self.y.label), printable(&self.x.label));
        [axes].into_iter().chain(self.series.iter().map(words)).collect::<Vec<_>>().join("; ")
    }
}

/// The data of a path through places.
fn path(places: &[(f64, f64)]) -> String {
    let step =
        |(i, &(x, y)): (usize, &(f64, f64))| format!("{}{} {}", if i == 0 { 'M' } else { 'L' }, px(x), px(y));
    places.iter().enumerate().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::super::axis::Scale;
    use super::super::inspection::{Picture, assert_sound, hostile_texts, odd_numbers};
    use super::super::numbers::Numbers;
    use super::*;

    fn job() -> Lines {
        let points = vec![(1.0, 2.1), (2.0, 3.9), (4.0, 7.4), (8.0, 14.2), (16.0, 27.5), (64.0, 118.0)];
        let measured = Series::new("measured", points);
        let ideal = measured.proportional("in proportion");
        Lines {
            title: "Time against files".into(),
            x: Axis::linear("files"),
            y: Axis::linear("time, s"),
            series: vec![measured, ideal],
        }
    }

    #[test]
    fn a_chart_says_all_it_should_on_any_scale() {
        for (x, y) in [
            (Axis::linear("files"), Axis::linear("time, s")),
            (Axis::log("files"), Axis::linear("time, s")),
            (Axis::linear("files"), Axis::log("time, s")),
            (
                Axis::log("files").with_numbers(Numbers::Short),
                Axis::log("time, s").with_numbers(Numbers::Bytes),
            ),
        ] {
            let svg = Lines { x, y, ..job() }.svg();
            let picture = Picture::of(&svg);
            assert_sound(&picture);
            for text in ["Time against files", "files", "time, s", "measured", "in proportion"] {
                assert!(picture.has_text(text), "{text}: {svg}");
            }
            assert_eq!(svg.matches("<circle").count(), 6 + 1, "the points, and one in the legend");
            assert_eq!(svg.matches("stroke-dasharray").count(), 2, "the line, and one in the legend");
            assert!(svg.contains("<title>Time against files</title>"));
            assert!(svg.contains(r#"role="img""#) && svg.contains(r#"viewBox="0 0 640 "#));
        }
    }

    #[test]
    fn the_proportional_series_goes_through_the_first_point() {
        let of = |points: &[(f64, f64)]| Series::new("m", points.to_vec()).proportional("p").points;
        assert_eq!(of(&[(2.0, 3.0), (4.0, 5.0)]), [(2.0, 3.0), (4.0, 6.0)]);
        assert_eq!(of(&[(0.0, 0.0), (2.0, 3.0)]), [(0.0, 0.0), (2.0, 3.0)]);
        assert_eq!(of(&[(0.0, 1.0), (f64::NAN, 2.0)]), []);
    }

    #[test]
    fn a_line_is_broken_where_a_point_has_no_place() {
        for (scale, bad, parts) in [
            (Scale::Linear, f64::NAN, 2),
            (Scale::Linear, f64::INFINITY, 2),
            (Scale::Linear, -1.0, 1),
            (Scale::Log, -1.0, 2),
            (Scale::Log, 0.0, 2),
        ] {
            let points = vec![(1.0, 1.0), (2.0, 2.0), (3.0, bad), (4.0, 4.0), (5.0, 5.0)];
            let y = Axis { scale, ..Axis::default() };
            let svg = Lines { y, series: vec![Series::new("", points)], ..Lines::default() }.svg();
            assert_eq!(svg.matches("<path").count(), parts, "{scale:?} {bad}");
        }
    }

    #[test]
    fn any_numbers_and_labels_make_a_sound_picture() {
        let numbers = odd_numbers();
        let all: Vec<(f64, f64)> =
            numbers.iter().flat_map(|&x| numbers.iter().map(move |&y| (x, y))).collect();
        let pairs = all.iter().step_by(13).zip(all.iter().skip(3).step_by(11));
        let mut sets: Vec<Vec<(f64, f64)>> = pairs.map(|(&a, &b)| vec![a, b]).collect();
        sets.extend([vec![], all.clone()]);
        let texts = hostile_texts();
        for (i, points) in sets.into_iter().enumerate() {
            let text = |n: usize| texts[(i + n) % texts.len()].clone();
            let scale = |n: usize| if (i >> n) & 1 == 0 { Scale::Linear } else { Scale::Log };
            let style = |n: usize| [Numbers::Grouped, Numbers::Short, Numbers::Bytes][(i + n) % 3];
            let lines = Lines {
                title: text(0),
                x: Axis { label: text(1), scale: scale(0), numbers: style(0) },
                y: Axis { label: text(2), scale: scale(1), numbers: style(1) },
                series: (3..3 + i % 9).map(|n| Series::new(text(n), points.clone())).collect(),
            };
            let svg = lines.svg();
            assert_sound(&Picture::of(&svg));
            assert_eq!(svg, lines.svg());
            assert!(!svg.contains("<script") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn many_points_make_a_small_picture() {
        let points = (0..500_000).map(|i| (f64::from(i), f64::from(i).sqrt())).collect();
        let svg = Lines { series: vec![Series::new("root", points)], ..Lines::default() }.svg();
        assert!(svg.len() < 10_000, "{}", svg.len());
    }
}
