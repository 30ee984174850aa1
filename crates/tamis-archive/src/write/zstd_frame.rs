//! zstd frames, each with its content's size and checksum, as the IIPC's specification wants them.

use std::io::{self, Read, Write};

use zstd::bulk::Compressor;
use zstd::zstd_safe::zstd_sys::ZSTD_EndDirective;
use zstd::zstd_safe::{CParameter, InBuffer, OutBuffer, ResetDirective, compress_bound, get_error_name};

use super::Dictionary;

/// The largest window that every reader of archives must take.
const WINDOW_LOG: u32 = 23;
/// The highest level whose window is no larger by itself.
const LAST_MODEST_LEVEL: i32 = 19;

/// Makes frames, one a record.
pub(super) struct ZstdFrame {
    compressor: Compressor<'static>,
    frame: Vec<u8>,
}

impl ZstdFrame {
    pub(super) fn new(level: i32, dictionary: Option<&Dictionary>) -> io::Result<Self> {
        let bytes = dictionary.map(Dictionary::bytes).unwrap_or_default();
        let mut compressor = Compressor::with_dictionary(level, bytes)?;
        compressor.set_parameter(CParameter::ChecksumFlag(true))?;
        compressor.set_parameter(CParameter::ContentSizeFlag(true))?;
        compressor.set_parameter(CParameter::DictIdFlag(true))?;
        if level > LAST_MODEST_LEVEL {
            compressor.set_parameter(CParameter::WindowLog(WINDOW_LOG))?;
        }
        Ok(Self { compressor, frame: Vec::new() })
    }

    /// The frame of a record that is in memory.
    pub(super) fn whole(&mut self, record: &[u8]) -> io::Result<&[u8]> {
        self.frame.clear();
        self.frame.reserve(compress_bound(record.len()));
        self.compressor.compress_to_buffer(record, &mut self.frame)?;
        Ok(&self.frame)
    }

    /// Writes the frame of a record that is too large for memory. Gives its length.
    pub(super) fn streamed(
        &mut self,
        record: &mut dyn Read,
        len: u64,
        out: &mut dyn Write,
    ) -> io::Result<u64> {
        let context = self.compressor.context_mut();
        context.reset(ResetDirective::SessionOnly).map_err(zstd_error)?;
        context.set_pledged_src_size(Some(len)).map_err(zstd_error)?;
        let mut chunk = vec![0; 256 * 1024];
        let mut stored = 0;
        loop {
            let read = super::spool::read_full(record, &mut chunk)?;
            let directive = match read {
                0 => ZSTD_EndDirective::ZSTD_e_end,
                _ => ZSTD_EndDirective::ZSTD_e_continue,
            };
            let mut input = InBuffer::around(&chunk[..read]);
            loop {
                self.frame.clear();
                self.frame.reserve(compress_bound(chunk.len()));
                let mut output = OutBuffer::around(&mut self.frame);
                let left =
                    context.compress_stream2(&mut output, &mut input, directive).map_err(zstd_error)?;
                out.write_all(&self.frame)?;
                stored += self.frame.len() as u64;
                let is_done = if read == 0 { left == 0 } else { input.pos() == read };
                if is_done {
                    break;
                }
            }
            if read == 0 {
                return Ok(stored);
            }
        }
    }
}

fn zstd_error(code: usize) -> io::Error {
    io::Error::other(get_error_name(code))
}

#[cfg(test)]
mod tests {
    use super::super::DictionaryForm;
    use super::super::dictionary::tests::trained;
    use super::*;

    #[test]
    fn frames_open_whole_and_streamed_with_and_without_a_dictionary() {
        let record: Vec<u8> = (0..3_000_000_u32).map(|i| (i.wrapping_mul(i) >> 9) as u8).collect();
        let dictionary = trained(DictionaryForm::Raw);
        for (level, dictionary) in [(3, None), (-5, None), (22, None), (3, Some(&dictionary))] {
            let mut zstd = ZstdFrame::new(level, dictionary).expect("in range");
            let bytes = dictionary.map(Dictionary::bytes).unwrap_or_default();
            let mut unzip = zstd::bulk::Decompressor::with_dictionary(bytes).expect("memory");
            let last = if level == 22 { 100_000 } else { record.len() };
            for len in [last, 0, 1, 1000] {
                let record = &record[..len];
                let whole = zstd.whole(record).expect("fits").to_vec();
                let mut streamed = Vec::new();
                let stored = zstd.streamed(&mut &record[..], len as u64, &mut streamed).expect("memory");
                assert_eq!(stored, streamed.len() as u64);
                for frame in [whole, streamed] {
                    let size = zstd::zstd_safe::get_frame_content_size(&frame).expect("a frame");
                    assert_eq!(size, Some(len as u64));
                    assert_eq!(frame[4] & 4, 4, "no checksum");
                    let id = zstd::zstd_safe::get_dict_id_from_frame(&frame);
                    assert_eq!(id.is_some(), dictionary.is_some());
                    assert!(unzip.decompress(&frame, len + 1).expect("sound") == record, "{level} {len}");
                }
            }
        }
    }
}
