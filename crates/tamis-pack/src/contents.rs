//! The second pass over an archive: its content, stretch by stretch, as the survey cut it.

use std::fs::File;
use std::io::{self, BufReader, Read};

use flate2::{Decompress, FlushDecompress};
use libdeflater::Decompressor;
use xxhash_rust::xxh3::Xxh3;

use super::coding::{Coding, MEMBER_LIMIT};
use super::gzip_header::{self, Header};
use super::large::Pieces;
use super::records::Stretch;
use super::zstd_frame::Decoder;
use super::{Error, Result, Survey};

/// The pieces of plain stretches.
const PIECE: usize = 1 << 20;

/// Gives all content of a surveyed file in its order. It fails if the file is not what was surveyed.
pub(super) fn read_contents(survey: &Survey, mut give: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let path = &survey.path;
    let file = File::open(path).map_err(Error::io(path))?;
    let mut reading = Reading {
        input: BufReader::with_capacity(PIECE, file),
        hash: Xxh3::new(),
        stored: Vec::new(),
        content: Vec::new(),
        gzip: Decompressor::new(),
        zstd: Decoder::new(survey.dictionary.as_deref()),
    };
    for stretch in &survey.stretches {
        let coding = &survey.palette.0[stretch.coding as usize];
        let is_same = reading.stretch(coding, stretch, &mut give)?;
        if !is_same {
            return Err(Error::InputChanged { path: path.clone() });
        }
    }
    let is_over = reading.input.read(&mut [0]).map_err(Error::io(path))? == 0;
    if is_over && reading.hash.digest128() == survey.file_hash {
        Ok(())
    } else {
        Err(Error::InputChanged { path: path.clone() })
    }
}

struct Reading {
    input: BufReader<File>,
    hash: Xxh3,
    stored: Vec<u8>,
    content: Vec<u8>,
    gzip: Decompressor,
    zstd: Option<Decoder>,
}

impl Reading {
    /// Gives the content of a stretch; false if it is not there as it should be.
    fn stretch(
        &mut self,
        coding: &Coding,
        stretch: &Stretch,
        give: &mut impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<bool> {
        let mut left = stretch.file_len;
        let step = if *coding == Coding::Plain { PIECE as u64 } else { left };
        while left > 0 {
            self.stored.resize(left.min(step) as usize, 0);
            match self.input.read_exact(&mut self.stored) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
                Err(error) => return Err(Error::io("-")(error)),
            }
            self.hash.update(&self.stored);
            left -= self.stored.len() as u64;
            if *coding == Coding::Plain {
                give(&self.stored)?;
            }
        }
        if *coding == Coding::Plain {
            return Ok(true);
        }
        if stretch.content_len > MEMBER_LIMIT as u64 {
            return self.large(stretch.content_len, give);
        }
        let is_whole = self.decode(coding, stretch.content_len as usize);
        if is_whole {
            give(&self.content)?;
        }
        Ok(is_whole)
    }

    /// Gives the content of a gzip member in pieces.
    fn large(&self, len: u64, give: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<bool> {
        let Header::Whole(start) = gzip_header::parse(&self.stored) else { return Ok(false) };
        let mut pieces = Pieces::new(&self.stored[start..]);
        let mut left = len;
        while let Some(piece) = pieces.next() {
            if piece.is_empty() || piece.len() as u64 > left {
                break;
            }
            left -= piece.len() as u64;
            give(piece)?;
        }
        Ok(left == 0)
    }

    fn decode(&mut self, coding: &Coding, len: usize) -> bool {
        self.content.clear();
        if let Coding::Zstd(_) = coding {
            let Some(zstd) = &mut self.zstd else { return false };
            return zstd.frame(&self.stored, len, &mut self.content) == Some(self.stored.len());
        }
        self.content.resize(len, 0);
        let is_whole = self.gzip.gzip_decompress(&self.stored, &mut self.content) == Ok(len);
        is_whole || (*coding == Coding::Kept && self.decode_start(len).is_some())
    }

    /// The content of a member that the file ends in, as far as it goes.
    fn decode_start(&mut self, len: usize) -> Option<()> {
        let Header::Whole(start) = gzip_header::parse(&self.stored) else { return None };
        let mut inflate = Decompress::new(false);
        let (mut read, mut written) = (start, 0);
        while written < len {
            let room = &mut self.content[written..];
            inflate.decompress(&self.stored[read..], room, FlushDecompress::None).ok()?;
            let now = (start + inflate.total_in() as usize, inflate.total_out() as usize);
            if now == (read, written) {
                return None;
            }
            (read, written) = now;
        }
        Some(())
    }
}
