//! Weights of features for labels, used where they lie.
//!
//! Features lie in buckets by the upper bits of their hashes: first, 32 bits for each bucket say where it starts, and one more
//! where the last one ends; then, for each feature, 16 bits of its hash, a byte that says how its weights are stored, and the
//! weights. Few weights are pairs of a label and a weight in a byte each, and the byte is their number; a weight that does not fit
//! is the sum of several pairs. Many weights are a byte for each label, and the byte is `ROW` and how far they are shifted.
//!
//! Most features of a text were never taught. A filter (Bloom 1970) tells nearly all of them, so that the
//! buckets are seldom looked at in vain; beside its bits lies where the buckets are.

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
/// So many buckets are a group, as a power of two.
const BUCKETS: usize = 2;
/// What stands for the ends of buckets that are too far from the first one's start.
const FAR: [u8; 1 << BUCKETS] = [u8::MAX; 1 << BUCKETS];

/// The weights of a model for so many labels; scores are of a width that is a number of labels and more, for registers to be full.
///
/// In memory, 16 bytes for every four buckets.
#[derive(Clone, Debug)]
pub struct Weights<const LABELS: usize, const WIDTH: usize> {
    bytes: Cow<'static, [u8]>,
    /// How far a hash is shifted to the number of its bucket.
    shift: u32,
    /// Where the features start.
    base: usize,
    groups: Vec<Group>,
}

/// What is there of some buckets, all in one place.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Two bits for each feature.
    filter: u64,
    /// Where the first bucket starts.
    start: u32,
    /// Where each of them ends, counted from there.
    ends: [u8; 1 << BUCKETS],
}

impl<const LABELS: usize, const WIDTH: usize> Weights<LABELS, WIDTH> {
    /// The weights in these bytes; nothing if they are not whole.
    pub fn read(bytes: Cow<'static, [u8]>) -> Option<Self> {
        const { assert!(LABELS <= WIDTH, "a score for each label") };
        let bits = u32::from(*bytes.first()?);
        if bits > 24 {
            return None;
        }
        let base = 1 + ((1usize << bits) + 1) * 4;
        let mut read = Self { bytes, shift: 63 - bits, base, groups: Vec::new() };
        let groups = (0..1usize << bits).step_by(1 << BUCKETS).map(|first| read.group(first, 1 << bits));
        read.groups = groups.collect::<Option<_>>()?;
        (start(&read.bytes, 0) == 0).then_some(read)
    }

    /// The group of the buckets from this one on; nothing if not all of them lie in the bytes, or a label or a weight cannot be.
    fn group(&self, first: usize, buckets: usize) -> Option<Group> {
        let group_start = start(&self.bytes, first);
        let (mut filter, mut ends) = (0, [0; 1 << BUCKETS]);
        for (bucket, bucket_end) in (first..buckets).zip(&mut ends) {
            let (start, end) = (start(&self.bytes, bucket), start(&self.bytes, bucket + 1));
            filter |= bits_of_all(self.bytes.get(self.base + start..self.base + end)?, LABELS)?;
            *bucket_end = u8::try_from(end - group_start).unwrap_or(u8::MAX);
        }
        if ends.contains(&u8::MAX) {
            ends = FAR;
        }
        Some(Group { filter, start: group_start as u32, ends })
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        (hash >> 1 >> self.shift) as usize
    }

    #[inline]
    fn group_of(&self, hash: u64) -> Group {
        self.groups.get(self.bucket(hash) >> BUCKETS).copied().unwrap_or_default()
    }

    /// Where the bucket of a feature starts and ends, which is in a group.
    #[inline]
    fn range(&self, hash: u64, group: Group) -> (usize, usize) {
        let bucket = self.bucket(hash);
        if group.ends == FAR {
            return (self.base + start(&self.bytes, bucket), self.base + start(&self.bytes, bucket + 1));
        }
        let ends = u64::from(u32::from_le_bytes(group.ends)) << 8;
        let ends = ends >> (8 * (bucket & ((1 << BUCKETS) - 1)));
        let first = self.base + group.start as usize;
        (first + (ends & 255) as usize, first + (ends >> 8 & 255) as usize)
    }

    /// Adds the weights of features to the scores of the labels. No score may be the sum of more than 64 features.
    #[inline]
    pub fn add<const N: usize>(&self, hashes: &[u64; N], scores: &mut [i16; WIDTH]) {
        self.add_to(&hashes.map(|hash| (hash, 0)), std::array::from_mut(scores));
    }

    /// Adds the weights of features, each to the row of scores of a number.
    ///
    /// Nearly all of the time is spent waiting for memory. So all groups are asked for at once, then the heads of all buckets that may have
    /// a feature, and only then is one looked at. Whether one may is as good as chance, so nothing branches on it.
    #[inline]
    pub fn add_to<const N: usize, const ROWS: usize>(
        &self,
        features: &[(u64, usize); N],
        rows: &mut [[i16; WIDTH]; ROWS],
    ) {
        let (mut there, mut count) = ([(0, 0, Group::default()); N], 0);
        for &(hash, row) in features {
            let (group, bits) = (self.group_of(hash), bits_of(hash as u16));
            there[count] = (hash, row, group);
            count += usize::from(group.filter & bits == bits);
        }
        let mut heads = [([0; HEAD], 0, 0); N];
        for (head, &(hash, _, group)) in heads.iter_mut().zip(&there[..count]) {
            let (start, end) = self.range(hash, group);
            let read = self.bytes.get(start..).and_then(|rest| rest.first_chunk()).copied();
            *head = (read.unwrap_or_default(), start, end);
        }
        for (&(hash, row, _), (head, start, end)) in there[..count].iter().zip(heads) {
            if start < end {
                self.add_one(hash as u16, head, start + HEAD, end, &mut rows[row]);
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
        loop {
            let [a, b, form] = head;
            let next = at + size(form, LABELS);
            if u16::from_le_bytes([a, b]) == print {
                return Self::add_weights(form, self.bytes.get(at..next).unwrap_or_default(), scores);
            }
            let Some(&read) = self.bytes.get(next..end).and_then(|rest| rest.first_chunk()) else { return };
            (head, at) = (read, next + HEAD);
        }
    }

    #[inline]
    fn add_weights(form: u8, weights: &[u8], scores: &mut [i16; WIDTH]) {
        if let Some(row) = weights.first_chunk::<LABELS>().filter(|_| form >= ROW) {
            for (score, weight) in scores.iter_mut().zip(row) {
                *score += i16::from(weight.cast_signed()) << (form - ROW);
            }
            return;
        }
        for &[label, weight] in weights.as_chunks::<2>().0 {
            if let Some(score) = scores.get_mut(usize::from(label)) {
                *score += i16::from(weight.cast_signed());
            }
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
        let weights = Weights::<LABELS, LABELS>::read(bytes(&features(), LABELS).into()).expect("whole");
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
        let none = Weights::<1, 1>::read(bytes(&[], 1).into()).expect("whole");
        none.add(&[u64::MAX], &mut [0]);
    }

    #[test]
    fn damaged_weights_are_refused_or_answer() {
        let whole = bytes(&features(), LABELS);
        assert!(Weights::<7, 7>::read(whole.clone().into()).is_none(), "other labels");
        assert!(Weights::<LABELS, 24>::read(whole[..whole.len() - 1].to_vec().into()).is_none());
        for at in (0..whole.len()).step_by(13) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            if let Some(weights) = Weights::<LABELS, 24>::read(damaged.into()) {
                weights.add(&[of_feature(1, at as u64)], &mut [0; 24]);
            }
        }
    }
}
