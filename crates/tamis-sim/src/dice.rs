//! Chance without a state of its own: the same question always gets the same answer.

/// The odd number nearest to 2⁶⁴ over the golden ratio, as in Steele, Lea and Flood's `SplitMix` (OOPSLA 2014).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A row of numbers that depends on a seed and on what is asked about.
#[derive(Debug, Clone)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64, about: &[u64]) -> Self {
        Self(about.iter().fold(mix(seed), |state, part| mix(state.wrapping_add(GOLDEN) ^ mix(*part))))
    }

    pub(super) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A number below `n`; 0 if there is none.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.roll()) * u128::from(n)) >> 64) as u64
    }

    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(u64::from(high.saturating_sub(low)) + 1) as u32
    }

    /// From 0 to just below 1.
    pub(super) fn unit(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn chance(&mut self, share: f64) -> bool {
        share > 0.0 && self.unit() < share
    }

    /// A number below `n`, the small ones far more often: the density falls with the cube root squared.
    pub(super) fn small(&mut self, n: u32) -> u32 {
        let unit = self.unit();
        (f64::from(n) * unit * unit * unit) as u32
    }

    /// One of `items`, which are not empty.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// Fisher and Yates' shuffle.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// One of `shares` by its share of a whole; none for the rest of it.
    pub(super) fn choose<T: Copy>(&mut self, shares: &[(T, f64)], whole: f64) -> Option<T> {
        let mut left = self.unit() * whole;
        for (item, share) in shares {
            if left < *share {
                return Some(*item);
            }
            left -= share;
        }
        None
    }
}

/// The finaliser of `SplitMix`: every bit of the input reaches every bit of the output.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_gets_the_same_answer() {
        let row = |about: &[u64]| {
            let mut dice = Dice::new(7, about);
            [dice.roll(), dice.roll()]
        };
        assert_eq!(row(&[1, 2]), row(&[1, 2]));
        assert_ne!(row(&[1, 2]), row(&[2, 1]));
        assert_ne!(row(&[0]), row(&[0, 0]));
    }

    #[test]
    fn shares_are_kept() {
        let mut counts = [0_u32; 3];
        for question in 0..10_000 {
            let chosen = Dice::new(1, &[question]).choose(&[(0, 0.1), (1, 0.3)], 1.0);
            counts[chosen.unwrap_or(2)] += 1;
        }
        assert!((900..1100).contains(&counts[0]), "{counts:?}");
        assert!((2800..3200).contains(&counts[1]), "{counts:?}");
    }
}
