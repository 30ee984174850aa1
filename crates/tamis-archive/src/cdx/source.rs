//! One index file, whatever kind it is, and its lines from a key on.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use super::files::{Files, ReadSeek};
use super::lines::read_line;
use super::reader::LineParser;
use super::search::SortedFile;
use super::zipnum::{ZipNumBlock, shard_of_meta};
use crate::{Error, Result};

/// So many lines that are no entries make a file that is no index.
const MAX_BAD_FIRST_LINES: usize = 100;

/// An index file and how it is read.
#[derive(Clone)]
pub(super) struct Source {
    files: Arc<dyn Files>,
    name: String,
    /// What errors call the file.
    pub(super) path: PathBuf,
    kind: Kind,
    pub(super) parser: LineParser,
}

#[derive(Clone)]
enum Kind {
    Plain,
    Gzip,
    ZipNum {
        /// The names of the files that each shard may be in, from the `.loc` file.
        places: BTreeMap<String, Vec<String>>,
        /// The shard of lines that name none.
        shard: String,
    },
}

impl Source {
    pub(super) fn open(files: Arc<dyn Files>, name: String, path: &Path) -> Result<Self> {
        let error = || Error::io(path);
        let mut input = files.open(&name).map_err(error())?;
        let mut magic = [0; 2];
        let is_gzip = read_up_to(&mut input, &mut magic).map_err(error())? == 2 && magic == [0x1f, 0x8b];
        input.seek(SeekFrom::Start(0)).map_err(error())?;
        let mut source =
            Self { files, name, path: path.to_path_buf(), kind: Kind::Plain, parser: LineParser::default() };
        if is_gzip {
            source.kind = Kind::Gzip;
            return source.with_first_lines(BufReader::new(MultiGzDecoder::new(input)));
        }
        source.with_first_lines(BufReader::new(input))
    }

    /// Looks at the lines up to the first entry: they tell the columns, or that this is the small index of a ZipNum.
    fn with_first_lines(mut self, mut input: impl BufRead) -> Result<Self> {
        let (mut line, mut bad_lines, mut any) = (Vec::new(), 0, false);
        while !any && read_line(&mut input, &mut line, &mut 0).map_err(Error::io(&*self.path))? {
            let shard = shard_of_meta(&line);
            if shard.is_some()
                || (memchr::memchr(b'\t', &line).is_some() && ZipNumBlock::parse(&line).is_some())
            {
                let places = self.read_places();
                self.kind = Kind::ZipNum { places, shard: shard.unwrap_or_default() };
                return Ok(self);
            }
            match self.parser.parse(&line) {
                Ok(entry) => any = entry.is_some(),
                Err(_) => bad_lines += 1,
            }
            if bad_lines == MAX_BAD_FIRST_LINES {
                break;
            }
        }
        if bad_lines > 0 && !any {
            let expected = "a CDX, CDXJ or ZipNum index";
            return Err(Error::Format { path: self.path, offset: 0, expected });
        }
        if self.parser.legend().is_some_and(|legend| !legend.is_searchable()) {
            let expected = "a CDX file whose lines start with key and date";
            return Err(Error::Format { path: self.path, offset: 0, expected });
        }
        Ok(self)
    }

    /// The `.loc` file beside the small index: `shard⇥file⇥file…`. Where there is none, shards are files themselves.
    fn read_places(&self) -> BTreeMap<String, Vec<String>> {
        let name = Path::new(&self.name).with_extension("loc");
        let mut places = BTreeMap::new();
        let Ok(input) = self.files.open(&name.to_string_lossy()) else { return places };
        let (mut input, mut line) = (BufReader::new(input), Vec::new());
        while read_line(&mut input, &mut line, &mut 0).unwrap_or(false) {
            let text = String::from_utf8_lossy(&line);
            let mut columns = text.trim_end().split('\t').map(str::to_owned);
            if let Some(shard) = columns.next() {
                places.insert(shard, columns.collect());
            }
        }
        places
    }

    /// The lines from the first that is not less than `start`.
    pub(super) fn lines_from(&self, start: &[u8]) -> Result<Lines> {
        self.try_lines_from(start).map_err(Error::io(&*self.path))
    }

    fn try_lines_from(&self, start: &[u8]) -> io::Result<Lines> {
        let input = self.files.open(&self.name)?;
        let skip_below = start.to_vec();
        match &self.kind {
            Kind::Plain => {
                let mut file = SortedFile::new(input)?;
                let place = file.find(start)?;
                file.go(place.at)?;
                Ok(Lines::Plain(file))
            }
            Kind::Gzip => {
                Ok(Lines::Gzip { input: Box::new(BufReader::new(MultiGzDecoder::new(input))), skip_below })
            }
            Kind::ZipNum { .. } => {
                let mut idx = SortedFile::new(input)?;
                let place = idx.find(start)?;
                // The block before the first that begins behind the key can hold it.
                idx.go(place.before.unwrap_or(place.at))?;
                Ok(Lines::ZipNum { idx, block: None, source: Box::new(self.clone()), skip_below })
            }
        }
    }

    /// Opens a block at its place in the first file of its shard that is there.
    fn open_block(&self, block: &ZipNumBlock) -> io::Result<Block> {
        let Kind::ZipNum { places, shard } = &self.kind else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let shard = if block.shard.is_empty() { shard } else { &block.shard };
        let itself = [shard.clone()];
        let names = places.get(shard).map_or(&itself[..], Vec::as_slice);
        let mut result = Err(io::Error::new(io::ErrorKind::NotFound, format!("shard {shard:?} not found")));
        for name in names {
            result = self.files.open(name);
            if result.is_ok() {
                break;
            }
        }
        let mut input =
            result.map_err(|error| io::Error::new(error.kind(), format!("shard {shard:?}: {error}")))?;
        input.seek(SeekFrom::Start(block.offset))?;
        Ok(BufReader::new(MultiGzDecoder::new(input.take(block.length))))
    }
}

type Block = BufReader<MultiGzDecoder<Take<Box<dyn ReadSeek>>>>;

/// The lines of one source, from a key on.
pub(super) enum Lines {
    Plain(SortedFile<Box<dyn ReadSeek>>),
    Gzip {
        input: Box<BufReader<MultiGzDecoder<Box<dyn ReadSeek>>>>,
        skip_below: Vec<u8>,
    },
    ZipNum {
        idx: SortedFile<Box<dyn ReadSeek>>,
        block: Option<Box<Block>>,
        source: Box<Source>,
        skip_below: Vec<u8>,
    },
}

impl Lines {
    /// Reads the next line into `line`; false at the end.
    pub(super) fn next_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        match self {
            Self::Plain(file) => file.next_line(line),
            Self::Gzip { input, skip_below } => {
                while read_line(input, line, &mut 0)? {
                    if *line >= *skip_below {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::ZipNum { idx, block, source, skip_below } => loop {
                if let Some(input) = block {
                    while read_line(input, line, &mut 0)? {
                        if *line >= *skip_below {
                            return Ok(true);
                        }
                    }
                }
                if !idx.next_line(line)? {
                    return Ok(false);
                }
                *block = match ZipNumBlock::parse(line) {
                    Some(place) => Some(Box::new(source.open_block(&place)?)),
                    None => None,
                };
            },
        }
    }
}

fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match input.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}
