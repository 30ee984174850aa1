//! An averaged perceptron (Collins 2002) in whole numbers: the same in every run and on every machine.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by hashes, which need no hashing again.
pub(crate) type ByHash<V> = HashMap<u64, V, BuildHasherDefault<AsIs>>;

/// Takes a hash for its own hash.
#[derive(Default)]
pub(crate) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers of 64 bits are hashed")
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// The weights of features while they are learnt.
pub(crate) struct Perceptron {
    labels: usize,
    rows: ByHash<u32>,
    weights: Vec<i32>,
    /// Sums of each weight over all steps up to its last change, and when that was.
    totals: Vec<i64>,
    changed: Vec<u32>,
    step: u32,
    /// Sums of what was learnt before the last [`Self::start_again`].
    settled: Vec<f64>,
}

impl Perceptron {
    /// Knows these features, and nothing of them yet.
    pub(crate) fn new(labels: usize, features: impl Iterator<Item = u64>) -> Self {
        let rows: ByHash<u32> = features.zip(0..).collect();
        let size = rows.len() * labels;
        Self {
            labels,
            rows,
            weights: vec![0; size],
            totals: vec![0; size],
            changed: vec![0; size],
            step: 0,
            settled: vec![0.0; size],
        }
    }

    /// Puts what was learnt aside and learns anew. In the end all that was learnt is added up: several learners that saw the
    /// sentences in other orders are right more often than one, and their sum is a model like each of them.
    pub(crate) fn start_again(&mut self) {
        for at in 0..self.weights.len() {
            self.settled[at] += self.mean(at);
        }
        self.weights.fill(0);
        self.totals.fill(0);
        self.changed.fill(0);
        self.step = 0;
    }

    /// The rows of those features that are known.
    pub(crate) fn rows(&self, features: &[u64]) -> Vec<u32> {
        features.iter().filter_map(|feature| self.rows.get(feature)).copied().collect()
    }

    /// Adds the weights of rows to scores.
    pub(crate) fn score(&self, rows: &[u32], scores: &mut [i32]) {
        for &row in rows {
            let start = row as usize * self.labels;
            for (score, weight) in scores.iter_mut().zip(&self.weights[start..start + self.labels]) {
                *score += weight;
            }
        }
    }

    /// One step of time, over which the weights are averaged.
    pub(crate) fn tick(&mut self) {
        self.step += 1;
    }

    /// Changes the weights of rows for a label.
    pub(crate) fn change(&mut self, rows: &[u32], label: usize, by: i32) {
        for &row in rows {
            let at = row as usize * self.labels + label;
            self.totals[at] += i64::from(self.weights[at]) * i64::from(self.step - self.changed[at]);
            self.changed[at] = self.step;
            self.weights[at] += by;
        }
    }

    /// The averaged weights, `unit` of them as one: those that round to nothing left out. Sorted by feature.
    pub(crate) fn averaged(&self, unit: f64) -> Vec<(u64, Vec<(u8, i32)>)> {
        let mut kept = Vec::new();
        for (&feature, &row) in &self.rows {
            let weights =
                (0..self.labels).map(|label| (label as u8, (self.learnt(row, label) / unit).round() as i32));
            let weights: Vec<_> = weights.filter(|one| one.1 != 0).collect();
            if !weights.is_empty() {
                kept.push((feature, weights));
            }
        }
        kept.sort_unstable_by_key(|one| one.0);
        kept
    }

    fn learnt(&self, row: u32, label: usize) -> f64 {
        let at = row as usize * self.labels + label;
        self.settled[at] + self.mean(at)
    }

    fn mean(&self, at: usize) -> f64 {
        let rest = i64::from(self.weights[at]) * i64::from(self.step - self.changed[at]);
        (self.totals[at] + rest) as f64 / f64::from(self.step.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_the_means_over_all_steps() {
        let mut perceptron = Perceptron::new(2, [7, 9].into_iter());
        let rows = perceptron.rows(&[9, 8]);
        assert_eq!(rows, [1]);
        for step in 0..10 {
            perceptron.tick();
            if step == 4 {
                perceptron.change(&rows, 1, 2);
            }
        }
        let mut scores = [0; 2];
        perceptron.score(&rows, &mut scores);
        assert_eq!(scores, [0, 2]);
        assert_eq!(perceptron.averaged(0.25), [(9, vec![(1, 4)])]);
        perceptron.start_again();
        assert_eq!(perceptron.averaged(0.25), [(9, vec![(1, 4)])], "kept");
        perceptron.tick();
        perceptron.change(&rows, 0, -1);
        perceptron.tick();
        perceptron.tick();
        assert_eq!(perceptron.averaged(0.5), [(9, vec![(0, -1), (1, 2)])]);
    }
}
