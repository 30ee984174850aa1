//! Fewer points that give the same line.

/// What is narrower than this one does not see, even at twice the size.
const COLUMN: f64 = 0.5;
/// How far a line may go beside the points: less than one sees in print.
const TOLERANCE: f64 = 0.05;

/// The points of a line without those that no one could see the lack of.
///
/// Of the points that follow each other within a column of half a unit these stay: the first, the last, the lowest and
/// the highest. They draw the same pixels as all of them: Jugel et al., "M4: A Visualization-Oriented Time Series
/// Data Aggregation", VLDB 2014, section 4. Of these again those stay that a line without them would miss: Douglas
/// and Peucker, "Algorithms for the Reduction of the Number of Points Required to Represent a Digitized Line",
/// Cartographica 1973.
pub(super) fn thin(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let column = |point: &(f64, f64)| (point.0 / COLUMN).floor() as i64;
    let seen: Vec<_> = points.chunk_by(|a, b| column(a) == column(b)).flat_map(of_column).collect();
    straightened(&seen)
}

/// The points of which each is further from the line between its neighbours than the tolerance.
fn straightened(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept = vec![false; points.len()];
    let mut open = vec![(0, points.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        let ends = [first, last].into_iter().filter(|&end| end < points.len());
        ends.for_each(|end| kept[end] = true);
        let away = |i: usize| distance(points[i], points[first], points[last]);
        let furthest = (first + 1..last).max_by(|&a, &b| away(a).total_cmp(&away(b)));
        if let Some(middle) = furthest.filter(|&i| away(i) > TOLERANCE) {
            open.extend([(first, middle), (middle, last)]);
        }
    }
    points.iter().zip(kept).filter_map(|(&point, keep)| keep.then_some(point)).collect()
}

/// From a point to the piece of a line between two others.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (along, off) = ((to.0 - from.0, to.1 - from.1), (point.0 - from.0, point.1 - from.1));
    let squared = along.0 * along.0 + along.1 * along.1;
    let part = if squared > 0.0 { (off.0 * along.0 + off.1 * along.1) / squared } else { 0.0 };
    let part = part.clamp(0.0, 1.0);
    (off.0 - part * along.0).hypot(off.1 - part * along.1)
}

/// The points of a column to keep, in their order.
fn of_column(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let height = |&i: &usize| points[i].1;
    let lowest = (0..points.len()).min_by(|a, b| height(a).total_cmp(&height(b)));
    let highest = (0..points.len()).max_by(|a, b| height(a).total_cmp(&height(b)));
    let mut kept = vec![0, points.len() - 1];
    kept.extend(lowest.into_iter().chain(highest));
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|i| points[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_stay_as_they_are() {
        for points in [vec![], vec![(1.0, 1.0)], vec![(0.0, 3.0), (1.0, 1.0), (0.5, 2.0), (0.5, 9.0)]] {
            assert_eq!(thin(&points), points);
        }
    }

    #[test]
    fn points_on_a_straight_line_are_its_ends() {
        let points: Vec<_> = (0..100).map(|i| (f64::from(i), f64::from(i) * 2.0)).collect();
        assert_eq!(thin(&points), [points[0], points[99]]);
        let bent: Vec<_> = (0..=100).map(|i| (f64::from(i), f64::from((i - 50_i32).abs()))).collect();
        assert_eq!(thin(&bent), [bent[0], bent[50], bent[100]]);
        // There and back again.
        let back = [(0.0, 0.0), (9.0, 0.0), (0.0, 0.0)];
        assert_eq!(thin(&back), back);
    }

    #[test]
    fn of_many_points_the_outermost_stay() {
        let wave = |i: u32| (f64::from(i) / 10_000.0, f64::from(i % 1009 * 7919 % 1009));
        let points: Vec<_> = (0..1_000_000).map(wave).collect();
        let thinned = thin(&points);
        assert!(thinned.len() <= 200 * 4, "{}", thinned.len());
        assert_eq!((thinned.first(), thinned.last()), (points.first(), points.last()));
        let top = |points: &[(f64, f64)]| points.iter().map(|p| p.1).fold(0.0, f64::max);
        assert!((top(&thinned) - top(&points)).abs() < f64::EPSILON);
        assert!(thinned.is_sorted_by(|a, b| a.0 <= b.0));
    }
}
