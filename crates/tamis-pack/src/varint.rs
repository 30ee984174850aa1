//! Numbers of variable length: seven bits a byte, the lowest first, the eighth bit set on all but the last byte.

/// The most bytes that a number takes.
pub(super) const MAX_LEN: usize = 10;

/// Adds a number.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the front; none if there is no whole one, or one of more than 64 bits.
pub(super) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for (at, &byte) in bytes.iter().enumerate().take(MAX_LEN) {
        let part = u64::from(byte & 0x7f);
        let shift = 7 * at as u32;
        if part << shift >> shift != part {
            return None;
        }
        number |= part << shift;
        if byte < 0x80 {
            *bytes = &bytes[at + 1..];
            return Some(number);
        }
    }
    None
}

/// Takes so many bytes from the front.
pub(super) fn take_bytes<'a>(bytes: &mut &'a [u8], len: u64) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(usize::try_from(len).ok()?)?;
    *bytes = rest;
    Some(taken)
}

/// Takes bytes that are preceded by their number.
pub(super) fn take_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = take(bytes)?;
    take_bytes(bytes, len)
}

/// Adds bytes, preceded by their number.
pub(super) fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    put(out, text.len() as u64);
    out.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_survive(numbers in prop::collection::vec(any::<u64>().prop_map(|n| n >> (n % 64)), 0..20)) {
            let mut out = Vec::new();
            for &number in &numbers {
                put(&mut out, number);
            }
            let mut rest = &out[..];
            for number in numbers {
                prop_assert_eq!(take(&mut rest), Some(number));
            }
            prop_assert!(rest.is_empty() && take(&mut rest).is_none());
        }
    }

    #[test]
    fn numbers_without_an_end_and_too_large_ones_are_none() {
        for bytes in [
            &[0x80][..],
            &[0xff; 10],
            &[0xff; 12],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2],
        ] {
            assert_eq!(take(&mut &bytes[..]), None);
        }
        assert_eq!(take_text(&mut &b"\x05abc"[..]), None);
    }
}
