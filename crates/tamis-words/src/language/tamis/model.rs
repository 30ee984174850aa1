//! The trained model: which features speak for which languages, and how loudly.

use std::borrow::Cow;

use thiserror::Error;

use super::script::{FIRST_SCRIPT, KINDS, Kind};
use crate::language::Language;

/// The first bytes of a model.
pub const MAGIC: &[u8; 8] = b"TAMISLNG";
/// The version of the format.
pub const VERSION: u8 = 2;
/// Scores of words are counted in this many parts of a natural logarithm.
pub const UNITS_OF_NAT: f32 = 16.0;
/// Weights of features are finer.
pub const FEATURE_UNITS_OF_NAT: f32 = 64.0;
/// The code of the class of what is in no language of the model.
pub const NO_LANGUAGE: [u8; 3] = *b"und";
/// The most classes of one script: a class is one byte.
pub const MOST_CLASSES: usize = 256;

/// In the count of a feature's weights: it is a frequent word.
const FREQUENT_WORD: u8 = 0x80;
/// Bits of a place in a model, which is no larger than 16 MB.
const PLACE_BITS: u32 = 24;
/// Bits of the filter of frequent words.
const FILTER_BITS: usize = 1 << 20;
const HEADER: usize = 8 + 1 + 8;

/// Why bytes are no model.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ModelError {
    /// Something else, or a later version.
    #[error("no language model of version {VERSION}")]
    Unknown,
    /// The bytes have changed since the model was written.
    #[error("the language model's checksum does not fit its bytes")]
    Damaged,
    /// The parts do not fit together.
    #[error("the language model contradicts itself at byte {0}")]
    Malformed(usize),
}

/// A language in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The code of the language, or [`NO_LANGUAGE`].
    pub code: [u8; 3],
    /// The script.
    pub script: Kind,
    /// What speaks for it before a word is read, in the unit of scores.
    pub prior: i8,
    /// The least part, in 255ths, of the best possible score that text of this language reaches.
    pub agreement: u8,
    /// In how many open collections of words the language is, and one more if much of the web is written in it: how much is
    /// written in it, by steps.
    pub usage: u8,
}

impl Class {
    /// The language, if it is one.
    pub fn language(&self) -> Option<Language> {
        Language::of_code(self.code).filter(|_| self.code != NO_LANGUAGE)
    }
}

/// A model ready to be asked.
pub struct Model {
    bytes: Cow<'static, [u8]>,
    classes: Vec<Class>,
    /// For each script the classes it has.
    scripts: [(u16, u16); KINDS],
    /// For each script what its classes begin with.
    priors: Vec<[i16; MOST_CLASSES]>,
    /// For each bucket where its features begin, in the lower [`PLACE_BITS`], and above a bit for each that one of its features has.
    buckets: Vec<u32>,
    shift: u32,
    /// A bit for each frequent word: most words that are none are known by it, without a look at the table.
    filter: Vec<u64>,
}

impl Model {
    /// Reads a model; every part is checked, so that no later step can go wrong.
    pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, ModelError> {
        let bytes = bytes.into();
        if bytes.get(..8) != Some(MAGIC) || bytes.get(8) != Some(&VERSION) {
            return Err(ModelError::Unknown);
        }
        let mut reader = Reader { bytes: &bytes, at: 9 };
        if reader.number(8)? != checksum(bytes.get(HEADER..).unwrap_or_default()) {
            return Err(ModelError::Damaged);
        }
        let classes = read_classes(&mut reader)?;
        let scripts = ranges(&classes).ok_or(ModelError::Malformed(HEADER))?;
        let bits = reader.number(1)? as u32;
        if !(1..=24).contains(&bits) {
            return Err(ModelError::Malformed(reader.at));
        }
        let mut filter = vec![0; FILTER_BITS / 64];
        let buckets = read_buckets(&mut reader, 1 << bits, &mut filter)?;
        let mut priors = vec![[i16::MIN; MOST_CLASSES]; KINDS];
        for (at, class) in classes.iter().enumerate() {
            let script = usize::from(class.script);
            priors[script][at - usize::from(scripts[script].0)] = i16::from(class.prior);
        }
        Ok(Self { bytes, classes, scripts, priors, buckets, shift: 64 - bits, filter })
    }

    /// All classes, those of one script together.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// What speaks for the classes of a script before a word is read.
    #[inline]
    pub(super) fn priors(&self, script: Kind) -> &[i16; MOST_CLASSES] {
        &self.priors[usize::from(script) % KINDS]
    }

    /// The first class of a script and how many it has.
    #[inline]
    pub fn script(&self, script: Kind) -> (usize, usize) {
        let (first, count) = self.scripts[usize::from(script) % KINDS];
        (usize::from(first), usize::from(count))
    }

    /// The classes of its script (by their place in it) that a feature speaks for, with the weights.
    pub fn weights(&self, feature: u64) -> Option<&[[u8; 2]]> {
        let (from, to) = self.bucket(feature);
        self.weights_in(feature, from, to)
    }

    /// Whether a feature may be a frequent word.
    #[inline]
    pub(super) fn may_be_frequent(&self, feature: u64) -> bool {
        let bit = filter_bit((feature >> self.shift) as usize, feature as u16);
        self.filter[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Where the bucket of a feature is; an empty one if the feature is not in it for sure.
    #[inline]
    pub(super) fn bucket(&self, feature: u64) -> (u32, u32) {
        let bucket = (feature >> self.shift) as usize;
        match self.buckets.get(bucket..bucket + 2) {
            Some(&[from, to]) if from & mark(feature as u16) != 0 => (place(from), place(to)),
            _ => (0, 0),
        }
    }

    /// The first byte of a bucket.
    #[inline]
    pub(super) fn first_byte(&self, from: u32) -> u8 {
        self.bytes.get(from as usize).copied().unwrap_or(0)
    }

    /// The weights of a feature, looked for in its bucket.
    #[inline]
    pub(super) fn weights_in(&self, feature: u64, from: u32, to: u32) -> Option<&[[u8; 2]]> {
        let mut rest = self.bytes.get(from as usize..to as usize).unwrap_or_default();
        let wanted = (feature as u16).to_le_bytes();
        while let [a, b, count, tail @ ..] = rest {
            let (weights, next) =
                tail.split_at_checked(usize::from(*count & !FREQUENT_WORD) * 2).unwrap_or_default();
            if [*a, *b] == wanted {
                return Some(weights.as_chunks().0);
            }
            rest = next;
        }
        None
    }
}

/// The checksum of a model's body: 64 bits, eight bytes at a time.
pub fn checksum(body: &[u8]) -> u64 {
    let (words, rest) = body.as_chunks::<8>();
    let tail = rest.iter().fold(rest.len() as u64, |sum, &b| sum << 8 | u64::from(b));
    words
        .iter()
        .map(|word| u64::from_le_bytes(*word))
        .chain([tail])
        .fold(0xcbf2_9ce4_8422_2325, |sum, word| {
            (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        })
}

/// What a model has of a feature.
#[derive(Debug, Clone)]
pub struct Feature {
    /// The hash.
    pub hash: u64,
    /// It is a frequent word with the votes of all its features.
    pub frequent: bool,
    /// The classes by their place in the script, and the weights.
    pub weights: Vec<[u8; 2]>,
}

/// Writes a model: the classes, and the features in any order.
pub fn written(classes: &[Class], mut features: Vec<Feature>, bits: u32) -> Vec<u8> {
    let bucket = |feature: &Feature| (feature.hash >> (64 - bits)) as usize;
    features.sort_by_key(|feature| (bucket(feature), feature.hash as u16));
    features.dedup_by_key(|feature| (bucket(feature), feature.hash as u16));
    let mut body = Vec::new();
    body.extend((classes.len() as u16).to_le_bytes());
    for class in classes {
        body.extend(class.code);
        body.extend([class.script, class.prior as u8, class.agreement, class.usage]);
    }
    body.push(bits as u8);
    let mut counts = vec![0u8; 1 << bits];
    features.retain(|feature| {
        let count = &mut counts[bucket(feature)];
        let fits = *count < u8::MAX;
        *count += u8::from(fits);
        fits
    });
    body.extend(counts);
    for feature in &features {
        body.extend((feature.hash as u16).to_le_bytes());
        body.push(feature.weights.len() as u8 | if feature.frequent { FREQUENT_WORD } else { 0 });
        body.extend(feature.weights.as_flattened());
    }
    [MAGIC.as_slice(), &[VERSION], &checksum(&body).to_le_bytes(), &body].concat()
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], ModelError> {
        let end = self.at.saturating_add(count);
        let part = self.bytes.get(self.at..end).ok_or(ModelError::Malformed(self.at))?;
        self.at = end;
        Ok(part)
    }

    fn number(&mut self, bytes: usize) -> Result<u64, ModelError> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |number, &b| number << 8 | u64::from(b)))
    }
}

fn read_classes(reader: &mut Reader<'_>) -> Result<Vec<Class>, ModelError> {
    let count = reader.number(2)? as usize;
    let fields = reader.take(count * 7)?;
    let classes = fields.as_chunks::<7>().0.iter().map(|&[a, b, c, script, prior, agreement, usage]| Class {
        code: [a, b, c],
        script,
        prior: prior as i8,
        agreement,
        usage,
    });
    Ok(classes.collect())
}

/// Where the classes of each script are; none if they do not stand together.
fn ranges(classes: &[Class]) -> Option<[(u16, u16); KINDS]> {
    let mut scripts = [(0u16, 0u16); KINDS];
    for (at, class) in classes.iter().enumerate() {
        let (first, count) = scripts.get_mut(usize::from(class.script))?;
        if *count == 0 {
            *first = at as u16;
        }
        let fits = usize::from(*first + *count) == at
            && usize::from(*count) < MOST_CLASSES
            && class.script >= FIRST_SCRIPT;
        *count += 1;
        fits.then_some(())?;
    }
    Some(scripts)
}

fn read_buckets(reader: &mut Reader<'_>, count: usize, filter: &mut [u64]) -> Result<Vec<u32>, ModelError> {
    let counts = reader.take(count)?.to_vec();
    let mut buckets = Vec::with_capacity(count + 1);
    for (bucket, features) in counts.into_iter().enumerate() {
        let mut entry = reader.at as u32;
        for _ in 0..features {
            let &[a, b, weights] = reader.take(3)? else { return Err(ModelError::Malformed(reader.at)) };
            entry |= mark(u16::from_le_bytes([a, b]));
            if weights & FREQUENT_WORD != 0 {
                let bit = filter_bit(bucket, u16::from_le_bytes([a, b]));
                filter[bit / 64] |= 1 << (bit % 64);
            }
            reader.take(usize::from(weights & !FREQUENT_WORD) * 2)?;
        }
        buckets.push(entry);
    }
    buckets.push(reader.at as u32);
    if reader.at >> PLACE_BITS == 0 { Ok(buckets) } else { Err(ModelError::Malformed(reader.at)) }
}

/// The bit of a feature in the entry of its bucket.
#[inline]
fn mark(print: u16) -> u32 {
    1 << (PLACE_BITS + u32::from(print) % (u32::BITS - PLACE_BITS))
}

/// The place in the entry of a bucket.
#[inline]
fn place(entry: u32) -> u32 {
    entry & ((1 << PLACE_BITS) - 1)
}

/// The bit of a feature in the filter.
#[inline]
fn filter_bit(bucket: usize, print: u16) -> usize {
    (bucket << 2 ^ usize::from(print)) % FILTER_BITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::tamis::script::{HAN, LATIN};

    fn class(code: [u8; 3], script: Kind) -> Class {
        Class { code, script, prior: -3, agreement: 100, usage: 1 }
    }

    fn small() -> Vec<u8> {
        let classes = [class(*b"eng", LATIN), class(*b"fra", LATIN), class(*b"zho", HAN)];
        let feature =
            |hash, frequent, weights: &[[u8; 2]]| Feature { hash, frequent, weights: weights.to_vec() };
        let features = [
            feature(77, false, &[[0, 5]]),
            feature(1 << 60 | 9, true, &[[0, 1], [1, 2]]),
            feature(u64::MAX, false, &[]),
        ];
        written(&classes, features.to_vec(), 4)
    }

    #[test]
    fn what_is_written_is_read() {
        let model = Model::read(small()).expect("it was just written");
        assert_eq!(model.script(LATIN), (0, 2));
        assert_eq!(model.script(HAN), (2, 1));
        assert_eq!(model.weights(77), Some(&[[0, 5]][..]));
        assert_eq!(model.weights(1 << 60 | 9), Some(&[[0, 1], [1, 2]][..]));
        assert_eq!(model.weights(78), None);
        assert!(model.may_be_frequent(1 << 60 | 9) && !model.may_be_frequent(77));
    }

    #[test]
    fn damage_is_noticed() {
        let whole = small();
        assert_eq!(Model::read(&b"short"[..]).err(), Some(ModelError::Unknown));
        for at in 17..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(Model::read(damaged).err(), Some(ModelError::Damaged), "{at}");
            assert!(Model::read(whole[..at].to_vec()).is_err());
        }
    }
}
