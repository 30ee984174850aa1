//! Weights of features for labels, used where they lie.
//!
//! Features lie in buckets by the upper bits of their hashes: first, 32 bits for each bucket say where it starts, and one more
//! where the last one ends; then, for each feature, 16 bits of its hash, a byte that says how its weights are stored, and the
//! weights. Few weights are pairs of a label and a weight in a byte each, and the byte is their number; a weight that does not fit
//! is the sum of several pairs. Many weights are a byte for each label, and the byte is `ROW` and how far they are shifted.
//!
//! Most features of a text were never taught. A filter (Bloom 1970) that fits a processor's cache tells nearly all of them, so that the
//! buckets are seldom looked at in vain.

use std::borrow::Cow;

/// The bytes of a feature before its weights.
const HEAD: usize = 3;
/// From here on, the byte of a feature says that a row of weights follows.
const ROW: u8 = 248;
/// A feature with weights for so many parts of the labels has a row: it is larger than the pairs, and faster.
const PART: usize = 4;
/// So many features can be added up without an overflow,
const MOST_FEATURES: i32 = 64;
/// since no weight is larger.
const MOST: i32 = i16::MAX as i32 / MOST_FEATURES;
/// Of the filter, 64 bits are those of so many buckets, as a power of two.
const BUCKETS_A_WORD: usize = 2;

/// The weights of a model; `WIDTH` is at least the number of its labels.
#[derive(Clone, Debug)]
pub struct Weights<const WIDTH: usize> {
    bytes: Cow<'static, [u8]>,
    labels: usize,
    /// How far a hash is shifted to the number of its bucket.
    shift: u32,
    /// Where the features start.
    base: usize,
    /// Two bits for each feature.
    filter: Vec<u64>,
}

impl<const WIDTH: usize> Weights<WIDTH> {
    /// The weights in these bytes, made for so many labels; nothing if they are not whole.
    pub fn read(bytes: Cow<'static, [u8]>, labels: usize) -> Option<Self> {
        let bits = u32::from(*bytes.first()?);
        if bits > 24 || labels > WIDTH {
            return None;
        }
        let base = 1 + ((1usize << bits) + 1) * 4;
        let mut read = Self { bytes, labels, shift: 63 - bits, base, filter: Vec::new() };
        read.filter = read.filter(1 << bits)?;
        Some(read)
    }

    /// The filter of the features in so many buckets; nothing if not all of them lie in the bytes, or a label or a weight cannot be.
    fn filter(&self, buckets: usize) -> Option<Vec<u64>> {
        let mut filter = vec![0; (buckets >> BUCKETS_A_WORD).max(1)];
        let mut last = 0;
        for bucket in 0..buckets {
            let (start, end) = (start(&self.bytes, bucket), start(&self.bytes, bucket + 1));
            let features = self.bytes.get(self.base + start..self.base + end)?;
            if start != last {
                return None;
            }
            last = end;
            filter[bucket >> BUCKETS_A_WORD] |= bits_of_all(features, self.labels)?;
        }
        Some(filter)
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        (hash >> 1 >> self.shift) as usize
    }

    /// Whether there may be weights of a feature.
    #[inline]
    fn may_have(&self, hash: u64) -> bool {
        let bits = bits_of(hash as u16);
        self.filter.get(self.bucket(hash) >> BUCKETS_A_WORD).is_some_and(|word| word & bits == bits)
    }

    /// Adds the weights of features to the scores of the labels. No score may be the sum of more than 64 features.
    ///
    /// Nearly all of the time is spent waiting for memory. So the places of all features that may be there are asked for at once, then
    /// the heads of what lies there, and only then is one looked at.
    #[inline]
    pub fn add<const N: usize>(&self, hashes: &[u64; N], scores: &mut [i16; WIDTH]) {
        let (mut there, mut count) = ([0; N], 0);
        for &hash in hashes {
            there[count] = hash;
            count += usize::from(self.may_have(hash));
        }
        let bytes = &*self.bytes;
        let mut buckets = [(0, 0); N];
        for (place, &hash) in buckets.iter_mut().zip(&there[..count]) {
            let bucket = self.bucket(hash);
            *place = (self.base + start(bytes, bucket), self.base + start(bytes, bucket + 1));
        }
        let mut heads = [[0; HEAD]; N];
        for (head, &(start, _)) in heads.iter_mut().zip(&buckets[..count]) {
            *head = bytes.get(start..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        }
        for ((&hash, head), (start, end)) in there[..count].iter().zip(heads).zip(buckets) {
            if start < end {
                self.add_one(hash as u16, head, start + HEAD, end, scores);
            }
        }
    }

    /// Adds the weights of the feature with these bits of its hash, which is in a bucket of which the first head is read already.
    #[inline]
    fn add_one(
        &self,
        print: u16,
        mut head: [u8; HEAD],
        mut at: usize,
        end: usize,
        scores: &mut [i16; WIDTH],
    ) {
        let bytes = &*self.bytes;
        loop {
            let [a, b, form] = head;
            let next = at + size(form, self.labels);
            if u16::from_le_bytes([a, b]) == print {
                return add_weights(form, bytes.get(at..next).unwrap_or_default(), scores);
            }
            let Some(&read) = bytes.get(next..end).and_then(|rest| rest.first_chunk()) else { return };
            (head, at) = (read, next + HEAD);
        }
    }
}

/// Where a bucket starts, counted from the first.
#[inline]
fn start(bytes: &[u8], bucket: usize) -> usize {
    let at = 1 + bucket * 4;
    match bytes.get(at..at + 4) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => usize::MAX >> 2,
    }
}

/// The bits of a feature in the filter.
#[inline]
fn bits_of(print: u16) -> u64 {
    1 << (print & 63) | 1 << (print >> 6 & 63)
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

/// How many bytes the weights of a feature take.
#[inline]
fn size(form: u8, labels: usize) -> usize {
    if form >= ROW { labels } else { usize::from(form) * 2 }
}

#[inline]
fn add_weights(form: u8, weights: &[u8], scores: &mut [i16]) {
    if form >= ROW {
        let shift = form - ROW;
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += i16::from(weight.cast_signed()) << shift;
        }
        return;
    }
    for &[label, weight] in weights.as_chunks::<2>().0 {
        if let Some(score) = scores.get_mut(usize::from(label)) {
            *score += i16::from(weight.cast_signed());
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

/// The bits in the filter of the features of a bucket; nothing if they do not end where it does, know other labels, or have weights that
/// are too large.
fn bits_of_all(mut bucket: &[u8], labels: usize) -> Option<u64> {
    let mut bits = 0;
    while let [a, b, form, behind @ ..] = bucket {
        let (weights, next) = behind.split_at_checked(size(*form, labels))?;
        if !can_be(*form, weights, labels) {
            return None;
        }
        bits |= bits_of(u16::from_le_bytes([*a, *b]));
        bucket = next;
    }
    bucket.is_empty().then_some(bits)
}

fn can_be(form: u8, weights: &[u8], labels: usize) -> bool {
    let size = |weight: u8| i32::from(weight.cast_signed()).abs();
    if form >= ROW {
        return weights.iter().all(|&weight| size(weight) << (form - ROW) <= MOST);
    }
    let pairs = weights.as_chunks::<2>().0;
    let sum = |label: u8| pairs.iter().filter(|pair| pair[0] == label).map(|pair| size(pair[1])).sum::<i32>();
    pairs.iter().all(|&[label, _]| usize::from(label) < labels && sum(label) <= MOST)
}

#[cfg(test)]
mod tests {
    use super::super::hash::of_feature;
    use super::*;

    /// Features with one or two weights, every third with many.
    fn features() -> Vec<(u64, Vec<(u8, i32)>)> {
        let weights = |seen: u64| match seen % 3 {
            0 => vec![(3, seen as i32 / 2 - 250)],
            1 => vec![(3, seen as i32 % 127), (7, -9)],
            _ => (0..20).map(|label| (label, 4 * (seen as i32 % 100 - i32::from(label)))).collect(),
        };
        (1..1000).map(|seen| (of_feature(1, seen), weights(seen))).collect()
    }

    #[test]
    fn every_feature_adds_its_weights() {
        let weights = Weights::<LABELS>::read(bytes(&features(), LABELS).into(), LABELS).expect("whole");
        for (hash, expected) in features() {
            let mut scores = [0; LABELS];
            weights.add(&[hash], &mut scores);
            for (label, weight) in expected {
                assert_eq!(i32::from(scores[usize::from(label)]), weight, "{label}");
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
        let none = Weights::<1>::read(bytes(&[], 1).into(), 1).expect("whole");
        none.add(&[u64::MAX], &mut [0]);
    }

    #[test]
    fn damaged_weights_are_refused_or_answer() {
        let whole = bytes(&features(), LABELS);
        assert!(Weights::<LABELS>::read(whole.clone().into(), 7).is_none(), "other labels");
        assert!(Weights::<LABELS>::read(whole[..whole.len() - 1].to_vec().into(), LABELS).is_none());
        for at in (0..whole.len()).step_by(13) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            if let Some(weights) = Weights::<LABELS>::read(damaged.into(), LABELS) {
                weights.add(&[of_feature(1, at as u64)], &mut [0; LABELS]);
            }
        }
    }
}
