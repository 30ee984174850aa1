//! Finding one of a few known names, whatever its case, in a handful of instructions.

/// Longer names are not known.
pub(super) const LONGEST: usize = 18;
/// A power of two, with room enough that most names are found at their first slot.
const SLOTS: usize = 512;

/// A name in lower case, in three words. The last one holds the length, too, so that a NUL at the end counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u64, u64, u32);

impl Key {
    /// The key of a name as written; none for a name that is longer than any known.
    pub(super) fn of(written: &[u8]) -> Option<Key> {
        let (first, rest) = written.split_at(written.len().min(8));
        let (second, third) = rest.split_at(rest.len().min(8));
        let third = match *third {
            [] => 0,
            [a] => u16::from(a.to_ascii_lowercase()),
            [a, b] => u16::from_le_bytes([a.to_ascii_lowercase(), b.to_ascii_lowercase()]),
            _ => return None,
        };
        let third = (written.len() as u32) << 16 | u32::from(third);
        Some(Key(lower(word(first)), if second.is_empty() { 0 } else { lower(word(second)) }, third))
    }

    const fn of_lower(name: &[u8]) -> Key {
        assert!(name.len() <= LONGEST, "a known name is too long");
        let mut words = [0; 3];
        let mut at = 0;
        while at < name.len() {
            words[at / 8] |= (name[at] as u64) << (at % 8 * 8);
            at += 1;
        }
        Key(words[0], words[1], (name.len() as u32) << 16 | words[2] as u32)
    }

    const fn slot(self) -> usize {
        let mixed = (self.0 ^ self.1.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 48) as usize % SLOTS
    }

    const fn is(self, other: Key) -> bool {
        self.0 == other.0 && self.1 == other.1 && self.2 == other.2
    }
}

/// Known names, and where each stands in their list.
pub(crate) struct Names<const N: usize> {
    keys: [Key; N],
    /// The place of a name, plus one.
    slots: [u8; SLOTS],
}

impl<const N: usize> Names<N> {
    /// Names in lower case.
    pub(crate) const fn new(names: &[&str; N]) -> Self {
        assert!(N < 256, "places are bytes");
        let mut keys = [Key(0, 0, 0); N];
        let mut slots = [0; SLOTS];
        let mut at = 0;
        while at < N {
            keys[at] = Key::of_lower(names[at].as_bytes());
            let mut slot = keys[at].slot();
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = at as u8 + 1;
            at += 1;
        }
        Names { keys, slots }
    }

    /// The place of a name in the list.
    pub(crate) fn place(&self, written: &[u8]) -> Option<usize> {
        let key = Key::of(written)?;
        let mut slot = key.slot();
        while self.slots[slot] != 0 {
            let place = usize::from(self.slots[slot] - 1);
            if self.keys[place].is(key) {
                return Some(place);
            }
            slot = (slot + 1) % SLOTS;
        }
        None
    }
}

/// Up to eight bytes as a word, without a loop: two reads that may overlap.
pub(super) fn word(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    if let (Some(head), Some(tail)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let tail = u64::from(u32::from_le_bytes(*tail)) << ((length - 4) * 8);
        return u64::from(u32::from_le_bytes(*head)) | tail;
    }
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(a) | u64::from(b) << 8,
        [a, b, c] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        _ => 0,
    }
}

/// ASCII capitals to lower case in all eight bytes at once.
fn lower(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // 0x80 - 'A' and 0x7F - 'Z': the top bit of a byte says that it is at least an A, or beyond a Z.
    let seven = word & (ONES * 0x7F);
    let at_least_a = seven + ONES * 0x3F;
    let beyond_z = seven + ONES * 0x25;
    let capital = at_least_a & !beyond_z & !word & (ONES * 0x80);
    word | capital >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_at_once_are_lowered_like_one() {
        for byte in 0..=u8::MAX {
            let word = u64::from_le_bytes([byte, b'A', byte, 0xFF, b'Z', b'@', b'[', byte]);
            let bytewise = word.to_le_bytes().map(|byte| byte.to_ascii_lowercase());
            assert_eq!(lower(word).to_le_bytes(), bytewise, "{byte}");
        }
    }

    #[test]
    fn names_of_every_length_have_their_key() {
        let name = b"abcdefghijklmnopqrst";
        for length in 0..name.len() {
            let key = Key::of(&name[..length].to_ascii_uppercase());
            if length > LONGEST {
                assert!(key.is_none());
            } else {
                assert!(key == Some(Key::of_lower(&name[..length])), "{length}");
            }
        }
    }
}
