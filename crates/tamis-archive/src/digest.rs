//! Digests as records state them, in whatever spelling, and the hashers that check them.

use std::fmt;

use data_encoding::{
    BASE32_NOPAD, BASE32_NOPAD_NOCASE, BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE, HEXUPPER,
};
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest as _;
use sha2::{Sha256, Sha512};

use crate::fields::{bytes_to_text, trim};

/// The algorithms that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Algorithm {
    Md5,
    Sha1,
    Sha256,
    Sha512,
}

/// A digest: an algorithm and the value it gave. Equal if both are, however they were spelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest {
    algorithm: Algorithm,
    // Zero behind the length that the algorithm has.
    bytes: [u8; MAX_DIGEST_BYTES],
}

/// A digest as a record states it: the text, and the digest if it is one that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedDigest<'a> {
    text: &'a [u8],
    value_at: usize,
    digest: Result<(Digest, Spelling), Unverifiable>,
}

/// Why a stated digest cannot be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unverifiable {
    /// It names an algorithm that we do not know, or none, and its length tells none.
    UnknownAlgorithm,
    /// Its value has no length or no letters that a digest of its algorithm can have.
    BadValue,
}

/// Computes a digest piece by piece, without allocating.
#[derive(Debug, Clone)]
pub struct Hasher(State);

#[derive(Debug, Clone)]
enum State {
    Md5(Md5),
    Sha1(Sha1),
    Sha256(Sha256),
    Sha512(Sha512),
}

/// The letters that a value is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    HexLower,
    HexUpper,
    Base32Lower,
    Base32Upper,
    Base64,
    Base64Url,
}

const MAX_DIGEST_BYTES: usize = 64;

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 4] = [Self::Md5, Self::Sha1, Self::Sha256, Self::Sha512];

    /// The algorithm of this name, in any case and with or without a hyphen: `sha1`, `SHA-1`.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        let letters = || name.iter().filter(|b| !matches!(b, b'-' | b'_')).map(u8::to_ascii_lowercase);
        Self::ALL.into_iter().find(|algorithm| letters().eq(algorithm.name().bytes()))
    }

    /// The name as digests state it: `sha1`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md5 => "md5",
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
        }
    }

    /// The length of a value in bytes.
    pub fn len_bytes(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha512 => 64,
        }
    }
}

impl Digest {
    /// The digest of these bytes.
    pub fn of(algorithm: Algorithm, bytes: &[u8]) -> Self {
        let mut hasher = Hasher::new(algorithm);
        hasher.update(bytes);
        hasher.finish()
    }

    /// The digest that a text states, if it can be checked.
    pub fn parse(text: &[u8]) -> Result<Self, Unverifiable> {
        StatedDigest::parse(text).digest()
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The value.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.algorithm.len_bytes()]
    }

    /// The value in hexadecimal letters, as WACZ and package lists write it, behind the algorithm: `sha256:…`.
    pub fn to_hex(&self) -> String {
        format!("{}:{}", self.algorithm.name(), HEXLOWER.encode(self.as_bytes()))
    }

    /// The value in base32 without the algorithm, as CDX lines write it.
    pub fn to_base32(&self) -> String {
        BASE32_NOPAD.encode(self.as_bytes())
    }

    pub(crate) fn new(algorithm: Algorithm, value: &[u8]) -> Self {
        let mut bytes = [0; MAX_DIGEST_BYTES];
        bytes[..value.len()].copy_from_slice(value);
        Self { algorithm, bytes }
    }
}

/// `sha1:` and base32 in upper case, as nearly all archives write it.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(self.algorithm.name().len() + 1 + MAX_DIGEST_BYTES * 8 / 5 + 1);
        text.extend([self.algorithm.name(), ":"]);
        BASE32_NOPAD.encode_append(self.as_bytes(), &mut text);
        f.pad(&text)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl<'a> StatedDigest<'a> {
    /// Reads a digest: `sha1:BASE32`, `SHA-256:hex`, `md5:base64==`, or a value alone whose length tells the algorithm.
    pub fn parse(text: &'a [u8]) -> Self {
        let text = trim(text);
        let value_at = memchr::memrchr(b':', text).map_or(0, |i| i + 1);
        let value = trim(&text[value_at..]);
        let digest = if value_at == 0 {
            parse_bare(value)
        } else {
            let prefix = &text[..value_at - 1];
            let name = prefix.rsplit(|&b| b == b':').next().map(trim).unwrap_or_default();
            let algorithm = Algorithm::from_name(name).ok_or(Unverifiable::UnknownAlgorithm);
            algorithm.and_then(|algorithm| parse_value(algorithm, value).ok_or(Unverifiable::BadValue))
        };
        Self { text, value_at, digest }
    }

    /// The text as it stands.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The digest, if it can be checked.
    pub fn digest(&self) -> Result<Digest, Unverifiable> {
        self.digest.map(|(digest, _)| digest)
    }

    /// Whether it states this digest, in whatever spelling. None if it cannot be checked, or names another algorithm.
    pub fn matches(&self, actual: &Digest) -> Option<bool> {
        let stated = self.digest().ok()?;
        (stated.algorithm == actual.algorithm).then(|| stated == *actual)
    }

    /// Another digest in the spelling of this one, to show both side by side.
    pub fn spell(&self, digest: &Digest) -> String {
        let Ok((_, spelling)) = self.digest else { return digest.to_string() };
        let prefix = bytes_to_text(&self.text[..self.value_at]);
        format!("{prefix}{}", spelling.encode(digest.as_bytes()))
    }
}

impl Hasher {
    /// A hasher that has seen nothing.
    pub fn new(algorithm: Algorithm) -> Self {
        Self(match algorithm {
            Algorithm::Md5 => State::Md5(Md5::new()),
            Algorithm::Sha1 => State::Sha1(Sha1::new()),
            Algorithm::Sha256 => State::Sha256(Sha256::new()),
            Algorithm::Sha512 => State::Sha512(Sha512::new()),
        })
    }

    /// Goes on with these bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            State::Md5(state) => state.update(bytes),
            State::Sha1(state) => state.update(bytes),
            State::Sha256(state) => state.update(bytes),
            State::Sha512(state) => state.update(bytes),
        }
    }

    /// The digest of all bytes seen.
    pub fn finish(self) -> Digest {
        match self.0 {
            State::Md5(state) => Digest::new(Algorithm::Md5, &state.finalize()),
            State::Sha1(state) => Digest::new(Algorithm::Sha1, &state.finalize()),
            State::Sha256(state) => Digest::new(Algorithm::Sha256, &state.finalize()),
            State::Sha512(state) => Digest::new(Algorithm::Sha512, &state.finalize()),
        }
    }
}

/// So that [`std::io::copy`] hashes.
impl std::io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Spelling {
    fn of(value: &[u8], lower: Self, upper: Self) -> Self {
        if value.iter().any(u8::is_ascii_lowercase) { lower } else { upper }
    }

    fn encode(self, bytes: &[u8]) -> String {
        match self {
            Self::HexLower => HEXLOWER.encode(bytes),
            Self::HexUpper => HEXUPPER.encode(bytes),
            Self::Base32Lower => BASE32_NOPAD.encode(bytes).to_ascii_lowercase(),
            Self::Base32Upper => BASE32_NOPAD.encode(bytes),
            Self::Base64 => BASE64_NOPAD.encode(bytes),
            Self::Base64Url => BASE64URL_NOPAD.encode(bytes),
        }
    }
}

impl fmt::Display for Unverifiable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownAlgorithm => "unknown algorithm",
            Self::BadValue => "its value has characters or a length that do not fit the algorithm",
        })
    }
}

/// A value without its algorithm: 32 letters are sha1 in base32, 40 sha1 in hexadecimal letters, and so on.
fn parse_bare(value: &[u8]) -> Result<(Digest, Spelling), Unverifiable> {
    // 32 hexadecimal letters are md5; that a sha1 in base32 has only those happens once in 10^13.
    let is_hex = value.iter().all(u8::is_ascii_hexdigit);
    let by_length = Algorithm::ALL.into_iter().find_map(|algorithm| {
        let is_md5 = algorithm == Algorithm::Md5;
        parse_value(algorithm, value).filter(|_| !is_md5 || is_hex && value.len() == 32)
    });
    by_length.ok_or(Unverifiable::UnknownAlgorithm)
}

fn parse_value(algorithm: Algorithm, value: &[u8]) -> Option<(Digest, Spelling)> {
    let padding = value.iter().rev().take_while(|&&b| b == b'=').count();
    let value = &value[..value.len() - padding];
    let len = algorithm.len_bytes();
    let (encoding, spelling) = match value.len() {
        n if n == 2 * len => {
            (&HEXLOWER_PERMISSIVE, Spelling::of(value, Spelling::HexLower, Spelling::HexUpper))
        }
        n if n == BASE32_NOPAD.encode_len(len) => {
            (&BASE32_NOPAD_NOCASE, Spelling::of(value, Spelling::Base32Lower, Spelling::Base32Upper))
        }
        n if n == BASE64_NOPAD.encode_len(len) && value.iter().any(|b| matches!(b, b'-' | b'_')) => {
            (&BASE64URL_NOPAD, Spelling::Base64Url)
        }
        n if n == BASE64_NOPAD.encode_len(len) => (&BASE64_NOPAD, Spelling::Base64),
        _ => return None,
    };
    // The decoder wants room for the last group, which is not full where the length is no multiple of its size.
    let mut bytes = [0; MAX_DIGEST_BYTES + 8];
    let room = encoding.decode_len(value.len()).ok()?;
    let decoded = encoding.decode_mut(value, bytes.get_mut(..room)?).ok()?;
    (decoded == len).then(|| (Digest::new(algorithm, &bytes[..len]), spelling))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The digests of no bytes and of `abc`, from FIPS 180 and RFC 1321.
    const VECTORS: [(Algorithm, &str, &str); 8] = [
        (Algorithm::Md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (Algorithm::Md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (Algorithm::Sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (Algorithm::Sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (Algorithm::Sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (Algorithm::Sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            Algorithm::Sha512,
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
             47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        ),
        (
            Algorithm::Sha512,
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
    ];

    #[test]
    fn hashers_give_the_digests_of_the_standards() {
        for (algorithm, text, hex) in VECTORS {
            let digest = Digest::of(algorithm, text.as_bytes());
            assert_eq!(digest.to_hex(), format!("{}:{hex}", algorithm.name()));
            assert_eq!(Digest::parse(hex.as_bytes()), Ok(digest), "{hex} tells its algorithm by its length");
        }
        assert_eq!(Digest::of(Algorithm::Sha1, b"").to_string(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    }

    #[test]
    fn a_digest_is_the_same_in_any_spelling() {
        let digest = Digest::of(Algorithm::Sha1, b"");
        let spellings = [
            "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
            "SHA-1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
            "urn:sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
            "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
            " sha1: 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\t",
            "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
            "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
            "sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk",
        ];
        for text in spellings {
            let stated = StatedDigest::parse(text.as_bytes());
            assert_eq!(stated.digest(), Ok(digest), "{text}");
            assert_eq!(stated.matches(&digest), Some(true), "{text}");
            assert_eq!(stated.matches(&Digest::of(Algorithm::Sha1, b"x")), Some(false), "{text}");
            assert_eq!(stated.matches(&Digest::of(Algorithm::Md5, b"")), None, "{text}");
        }
    }

    #[test]
    fn padding_and_long_values_are_read() {
        for text in [
            "md5:1B2M2Y8AsgTpgAmY7PhCfg==",
            "md5:2QOYZWMPACZAJ2MABGMOZ6CCPY======",
            "MD5:D41D8CD98F00B204E9800998ECF8427E",
            "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ",
            "sha-256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        ] {
            let digest = Digest::parse(text.as_bytes()).expect(text);
            assert_eq!(digest, Digest::of(digest.algorithm(), b""), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_checked_is_kept() {
        let unknown = "blake3:af1349b9f5f9a1a6a0404dea36dcc949";
        for (text, why) in [
            (unknown, Unverifiable::UnknownAlgorithm),
            ("-", Unverifiable::UnknownAlgorithm),
            ("", Unverifiable::UnknownAlgorithm),
            ("sha1:", Unverifiable::BadValue),
            ("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY", Unverifiable::BadValue),
            ("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1", Unverifiable::BadValue),
        ] {
            let stated = StatedDigest::parse(text.as_bytes());
            assert_eq!((stated.digest(), stated.text()), (Err(why), text.as_bytes()));
            assert_eq!(stated.matches(&Digest::of(Algorithm::Sha1, b"")), None);
        }
    }

    proptest! {
        #[test]
        fn any_spelling_of_any_digest_is_read_back(body: Vec<u8>, which in 0..4_usize) {
            let digest = Digest::of(Algorithm::ALL[which], &body);
            let name = digest.algorithm().name();
            let spell = |spelling: Spelling| format!("{name}:{}", spelling.encode(digest.as_bytes()));
            for spelling in [Spelling::HexLower, Spelling::HexUpper, Spelling::Base32Lower, Spelling::Base32Upper,
                             Spelling::Base64, Spelling::Base64Url] {
                let text = spell(spelling);
                let stated = StatedDigest::parse(text.as_bytes());
                prop_assert_eq!(stated.digest(), Ok(digest));
                prop_assert_eq!(stated.spell(&digest), text.clone());
            }
            prop_assert_eq!(Digest::parse(digest.to_string().as_bytes()), Ok(digest));
        }

        #[test]
        fn any_bytes_are_a_digest_or_none(text: Vec<u8>) {
            let _ = StatedDigest::parse(&text).digest();
        }
    }
}
