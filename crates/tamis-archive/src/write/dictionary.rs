//! zstd dictionaries: what small records have in common, stored once a file.

use std::fmt;
use std::sync::Arc;

use crate::{Error, Result};

/// The magic number of the skippable frame that holds a dictionary.
pub(super) const DICTIONARY_FRAME_MAGIC: u32 = 0x184D_2A5D;

/// A reader need not take a larger one (IIPC, "Zstandard Compression for WARC Files 1.0", section 5).
const MAX_LEN: usize = 8 << 20;

/// A zstd dictionary, in the format of RFC 8878, section 5.
#[derive(Clone, PartialEq, Eq)]
pub struct Dictionary {
    bytes: Arc<[u8]>,
    form: DictionaryForm,
}

/// How a dictionary stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DictionaryForm {
    /// As it is.
    Raw,
    /// As a zstd frame, at about half the size.
    #[default]
    Compressed,
}

impl Dictionary {
    /// Takes the bytes of a dictionary, which must have an id.
    pub fn new(bytes: impl Into<Arc<[u8]>>, form: DictionaryForm) -> Result<Self> {
        let bytes = bytes.into();
        let refused = |why: &str| Error::Value {
            what: "zstd dictionary",
            value: format!("{} bytes", bytes.len()),
            why: why.into(),
        };
        if zstd::zstd_safe::get_dict_id_from_dict(&bytes).is_none() {
            return Err(refused("not a dictionary with an id"));
        }
        if bytes.len() > MAX_LEN {
            return Err(refused("larger than the 8 MiB that readers take"));
        }
        Ok(Self { bytes, form })
    }

    /// Makes a dictionary of at most `max_len` bytes out of sample records, of which there should be a thousand and a
    /// hundred times `max_len`. The same samples make the same dictionary.
    pub fn train<S: AsRef<[u8]>>(samples: &[S], max_len: usize, form: DictionaryForm) -> Result<Self> {
        let bytes =
            zstd::dict::from_samples(samples, max_len.min(MAX_LEN)).map_err(|error| Error::Value {
                what: "zstd dictionary",
                value: format!("{} samples", samples.len()),
                why: format!("too few or too small samples: {error}"),
            })?;
        Self::new(bytes, form)
    }

    /// The dictionary itself.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The frame that begins a file.
    pub(super) fn frame(&self) -> std::io::Result<Vec<u8>> {
        let stored = match self.form {
            DictionaryForm::Raw => self.bytes.to_vec(),
            DictionaryForm::Compressed => {
                let mut compressor = zstd::bulk::Compressor::new(19)?;
                compressor.include_checksum(true)?;
                compressor.compress(&self.bytes)?
            }
        };
        let mut frame = DICTIONARY_FRAME_MAGIC.to_le_bytes().to_vec();
        frame.extend_from_slice(&(stored.len() as u32).to_le_bytes());
        frame.extend_from_slice(&stored);
        Ok(frame)
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dictionary({} bytes, {:?})", self.bytes.len(), self.form)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A small dictionary of records that are alike.
    pub(in crate::write) fn trained(form: DictionaryForm) -> Dictionary {
        let samples: Vec<String> = (0..200)
            .map(|i| {
                format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><title>page {i}</title>{}",
                    i * 7919
                )
            })
            .collect();
        Dictionary::train(&samples, 1024, form).expect("enough samples")
    }

    #[test]
    fn training_depends_on_the_samples_alone() {
        let form = DictionaryForm::Raw;
        assert_eq!(trained(form), trained(form));
        assert!(trained(form).bytes().starts_with(&[0x37, 0xa4, 0x30, 0xec]));
    }

    #[test]
    fn what_is_no_dictionary_is_refused() {
        for bytes in
            [&b""[..], b"content alone", &[0x37, 0xa4, 0x30, 0xec], &[0x37, 0xa4, 0x30, 0xec, 0, 0, 0, 0]]
        {
            assert!(Dictionary::new(bytes, DictionaryForm::Raw).is_err(), "{bytes:?}");
        }
        let no_samples: [&[u8]; 0] = [];
        assert!(Dictionary::train(&no_samples, 1000, DictionaryForm::Raw).is_err());
    }

    #[test]
    fn the_frame_holds_the_dictionary_in_either_form() {
        let raw = trained(DictionaryForm::Raw);
        let frame = raw.frame().expect("memory");
        assert_eq!(frame[..4], [0x5d, 0x2a, 0x4d, 0x18]);
        assert_eq!(frame[8..], *raw.bytes());
        let packed = trained(DictionaryForm::Compressed).frame().expect("memory");
        assert_eq!(packed[4..8], (packed.len() as u32 - 8).to_le_bytes());
        assert_eq!(zstd::bulk::decompress(&packed[8..], MAX_LEN).expect("a frame"), raw.bytes());
    }
}
