//! Weights of features for labels, used where they lie.
//!
//! Features lie in buckets by the upper bits of their hashes: first, 32 bits for each bucket say where it starts, and one more
//! where the last one ends; then, for each feature, 16 bits of its hash, a byte that says how its weights are stored, and the
//! weights. Few weights are pairs of a label and a weight in a byte each, and the byte is their number; a weight that does not fit
//! is the sum of several pairs. Many weights are a byte for each label, and the byte is `ROW` and how far they are shifted.

use std::borrow::Cow;

/// The bytes of a feature before its weights.
const HEAD: usize = 3;
/// From here on, the byte of a feature says that a row of weights follows.
const ROW: u8 = 248;
/// A feature with weights for so many parts of the labels has a row: it is larger than the pairs, and faster.
const PART: usize = 4;

/// The weights of a model.
#[derive(Clone, Debug)]
pub struct Weights {
    bytes: Cow<'static, [u8]>,
    labels: usize,
    /// How far a hash is shifted to the number of its bucket.
    shift: u32,
    /// Where the features start.
    base: usize,
}

impl Weights {
    /// The weights in these bytes, made for so many labels; nothing if they are not whole.
    pub fn read(bytes: Cow<'static, [u8]>, labels: usize) -> Option<Self> {
        let bits = u32::from(*bytes.first()?);
        if bits > 24 {
            return None;
        }
        let base = 1 + ((1usize << bits) + 1) * 4;
        let read = Self { bytes, labels, shift: 63 - bits, base };
        read.is_whole(1 << bits).then_some(read)
    }

    /// Whether all buckets lie in the bytes and all labels are known.
    fn is_whole(&self, buckets: usize) -> bool {
        let mut last = 0;
        self.bytes.len() >= self.base
            && (0..buckets).all(|bucket| {
                let (start, end) = (self.start(bucket), self.start(bucket + 1));
                let follows = start == last && end >= start;
                last = end;
                let bucket = self.bytes.get(self.base + start..self.base + end);
                follows && bucket.is_some_and(|bucket| fits(bucket, self.labels))
            })
    }

    #[inline]
    fn start(&self, bucket: usize) -> usize {
        let at = 1 + bucket * 4;
        match self.bytes.get(at..at + 4) {
            Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as usize,
            _ => usize::MAX >> 2,
        }
    }

    /// Where the bucket of a feature starts and ends.
    #[inline]
    fn bucket(&self, hash: u64) -> (usize, usize) {
        let bucket = (hash >> 1 >> self.shift) as usize;
        (self.base + self.start(bucket), self.base + self.start(bucket + 1))
    }

    /// Adds the weights of features to the scores of the labels.
    ///
    /// Nearly all of the time is spent waiting for memory. So the places of all features are asked for at once, then the heads of what
    /// lies there, and only then is one looked at.
    #[inline]
    pub fn add<const N: usize>(&self, hashes: &[u64; N], scores: &mut [i32]) {
        let mut buckets = [(0, 0); N];
        for (bucket, &hash) in buckets.iter_mut().zip(hashes) {
            *bucket = self.bucket(hash);
        }
        let mut heads = [[0; HEAD]; N];
        for (head, &(start, _)) in heads.iter_mut().zip(&buckets) {
            *head = self.bytes.get(start..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        }
        for ((&hash, head), (start, end)) in hashes.iter().zip(heads).zip(buckets) {
            if start < end {
                self.add_one(hash as u16, head, start + HEAD, end, scores);
            }
        }
    }

    /// Adds the weights of the feature with these bits of its hash, which is in a bucket of which the first head is read already.
    #[inline]
    fn add_one(&self, print: u16, mut head: [u8; HEAD], mut at: usize, end: usize, scores: &mut [i32]) {
        loop {
            let [a, b, form] = head;
            let next = at + size(form, self.labels);
            if u16::from_le_bytes([a, b]) == print {
                return add_weights(form, self.bytes.get(at..next).unwrap_or_default(), scores);
            }
            let Some(&read) = self.bytes.get(next..end).and_then(|rest| rest.first_chunk()) else { return };
            (head, at) = (read, next + HEAD);
        }
    }

    /// The bytes of these features with their weights for so many labels, one or two features a bucket.
    pub fn bytes(features: &[(u64, Vec<(u8, i32)>)], labels: usize) -> Vec<u8> {
        let mut sorted: Vec<_> = features.iter().collect();
        sorted.sort_unstable_by_key(|feature| feature.0);
        let bits = features.len().max(1).ilog2();
        let (mut index, mut body) = (vec![bits as u8], Vec::new());
        let mut left = sorted.into_iter().peekable();
        for bucket in 0..1u64 << bits {
            index.extend((body.len() as u32).to_le_bytes());
            while let Some((hash, weights)) = left.next_if(|one| one.0 >> 1 >> (63 - bits) == bucket) {
                body.extend((*hash as u16).to_le_bytes());
                push(weights, labels, &mut body);
            }
        }
        index.extend((body.len() as u32).to_le_bytes());
        index.extend(body);
        index
    }
}

/// How many bytes the weights of a feature take.
#[inline]
fn size(form: u8, labels: usize) -> usize {
    if form >= ROW { labels } else { usize::from(form) * 2 }
}

#[inline]
fn add_weights(form: u8, weights: &[u8], scores: &mut [i32]) {
    if form >= ROW {
        let shift = form - ROW;
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += i32::from(weight.cast_signed()) << shift;
        }
        return;
    }
    for &[label, weight] in weights.as_chunks::<2>().0 {
        if let Some(score) = scores.get_mut(usize::from(label)) {
            *score += i32::from(weight.cast_signed());
        }
    }
}

/// Writes the weights of a feature as pairs or as a row.
fn push(weights: &[(u8, i32)], labels: usize, bytes: &mut Vec<u8>) {
    let pairs: Vec<[u8; 2]> = pairs(weights).take(usize::from(ROW)).collect();
    if pairs.len() * PART < labels {
        bytes.push(pairs.len() as u8);
        bytes.extend(pairs.as_flattened());
        return;
    }
    let most = weights.iter().map(|one| one.1.abs()).max().unwrap_or(0);
    let shift = (0..u8::MAX - ROW).find(|shift| most >> shift < 127).unwrap_or(u8::MAX - ROW);
    let mut row = vec![0; labels];
    for &(label, weight) in weights {
        let rounded = (weight + (1 << shift >> 1)) >> shift;
        row[usize::from(label)] = (rounded.clamp(-127, 127) as i8).cast_unsigned();
    }
    bytes.push(ROW + shift);
    bytes.extend(row);
}

/// Labels and weights in a byte each, as many as the sums take.
fn pairs(weights: &[(u8, i32)]) -> impl Iterator<Item = [u8; 2]> {
    weights.iter().flat_map(|&(label, weight)| {
        let mut left = weight;
        std::iter::from_fn(move || {
            let part = left.clamp(-127, 127) as i8;
            left -= i32::from(part);
            (part != 0).then_some([label, part.cast_unsigned()])
        })
    })
}

/// Whether a bucket's features end where it does and know no other labels.
fn fits(mut bucket: &[u8], labels: usize) -> bool {
    while let [_, _, form, behind @ ..] = bucket {
        let Some((weights, next)) = behind.split_at_checked(size(*form, labels)) else { return false };
        if *form < ROW && weights.iter().step_by(2).any(|&label| usize::from(label) >= labels) {
            return false;
        }
        bucket = next;
    }
    bucket.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::hash::of_feature;
    use super::*;

    /// Features with one or two weights, every third with many.
    fn features() -> Vec<(u64, Vec<(u8, i32)>)> {
        let weights = |seen: u64| match seen % 3 {
            0 => vec![(3, seen as i32 - 500)],
            1 => vec![(3, seen as i32 % 127), (7, -9)],
            _ => (0..20).map(|label| (label, 16 * (seen as i32 % 100 - i32::from(label)))).collect(),
        };
        (1..1000).map(|seen| (of_feature(1, seen), weights(seen))).collect()
    }

    #[test]
    fn every_feature_adds_its_weights() {
        let weights = Weights::read(Weights::bytes(&features(), LABELS).into(), LABELS).expect("whole");
        for (hash, expected) in features() {
            let mut scores = [0; LABELS];
            weights.add(&[hash], &mut scores);
            for (label, weight) in expected {
                assert_eq!(scores[usize::from(label)], weight, "{label}");
                scores[usize::from(label)] = 0;
            }
            assert_eq!(scores, [0; LABELS]);
        }
        let mut scores = [0; LABELS];
        weights.add(&[of_feature(2, 5)], &mut scores);
        assert_eq!(scores, [0; LABELS]);
    }

    const LABELS: usize = 20;

    #[test]
    fn no_features_are_a_model_too() {
        let none = Weights::read(Weights::bytes(&[], 1).into(), 1).expect("whole");
        none.add(&[u64::MAX], &mut [0]);
    }

    #[test]
    fn damaged_weights_are_refused_or_answer() {
        let whole = Weights::bytes(&features(), LABELS);
        assert!(Weights::read(whole.clone().into(), 7).is_none(), "other labels");
        assert!(Weights::read(whole[..whole.len() - 1].to_vec().into(), LABELS).is_none());
        for at in (0..whole.len()).step_by(13) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            if let Some(weights) = Weights::read(damaged.into(), LABELS) {
                weights.add(&[of_feature(1, at as u64)], &mut [0; LABELS]);
            }
        }
    }
}
