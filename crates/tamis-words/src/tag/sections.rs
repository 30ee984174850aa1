//! The files of models: a magic of eight bytes, the lengths of the parts in 32 bits each, and the parts.

use std::borrow::Cow;

/// What a model is read from: a part of the program, or bytes of its own.
type Bytes = Cow<'static, [u8]>;

/// The parts of a file; nothing if they are not all there, or the magic is another.
pub fn read<const N: usize>(bytes: Bytes, magic: [u8; 8]) -> Option<[Bytes; N]> {
    let (head, mut rest) = split(bytes, magic.len() + N * 4)?;
    let lengths = head.strip_prefix(&magic)?.as_chunks::<4>().0;
    let mut parts = [const { Cow::Borrowed(&[] as &[u8]) }; N];
    for (part, length) in parts.iter_mut().zip(lengths) {
        (*part, rest) = split(rest, u32::from_le_bytes(*length) as usize)?;
    }
    rest.is_empty().then_some(parts)
}

fn split(bytes: Bytes, at: usize) -> Option<(Bytes, Bytes)> {
    match bytes {
        Cow::Borrowed(bytes) => {
            bytes.split_at_checked(at).map(|(part, rest)| (Cow::Borrowed(part), Cow::Borrowed(rest)))
        }
        Cow::Owned(mut part) => {
            let rest = (at <= part.len()).then(|| part.split_off(at))?;
            Some((Cow::Owned(part), Cow::Owned(rest)))
        }
    }
}

/// The bytes of a file with these parts.
pub fn bytes(magic: [u8; 8], parts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
    }
    bytes.extend(parts.iter().flatten());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_and_torn_files_do_not() {
        let whole = bytes(*b"12345678", &[vec![1, 2], vec![], vec![3]]);
        let read_back: [_; 3] = read(whole.clone().into(), *b"12345678").expect("whole");
        assert_eq!(read_back, [&[1, 2][..], &[], &[3]]);
        for length in 0..whole.len() {
            assert!(read::<3>(whole[..length].to_vec().into(), *b"12345678").is_none());
        }
        assert!(read::<3>([&whole[..], b"0"].concat().into(), *b"12345678").is_none());
        assert!(read::<3>(whole.into(), *b"12345679").is_none());
    }
}
