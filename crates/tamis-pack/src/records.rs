//! The records of an archive and the stretches of its file: what is known of them without their bytes.

use tamis_archive::RecordType;

use super::coding::Coding;

/// What a part of the content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A record, from the first byte of its head to the first of the next record's.
    Record(RecordType),
    /// Bytes before the first record, or behind a stretch that does not decode.
    Gap,
    /// Bytes of the file as they stand in it: damage, garbage, a dictionary, or a member that is kept compressed. A
    /// [`Reader`](tamis_archive::Reader) over them finds what can be had.
    Raw,
}

const TYPES: [RecordType; 9] = [
    RecordType::Warcinfo,
    RecordType::Response,
    RecordType::Resource,
    RecordType::Request,
    RecordType::Metadata,
    RecordType::Revisit,
    RecordType::Conversion,
    RecordType::Continuation,
    RecordType::Other,
];

impl Kind {
    pub(super) fn to_code(self) -> u64 {
        match self {
            Self::Record(kind) => {
                TYPES.iter().position(|&other| other == kind).unwrap_or(TYPES.len() - 1) as u64
            }
            Self::Gap => TYPES.len() as u64,
            Self::Raw => TYPES.len() as u64 + 1,
        }
    }

    pub(super) fn from_code(code: u64) -> Option<Self> {
        match usize::try_from(code).ok()?.checked_sub(TYPES.len()) {
            None => TYPES.get(code as usize).copied().map(Self::Record),
            Some(0) => Some(Self::Gap),
            Some(1) => Some(Self::Raw),
            Some(_) => None,
        }
    }

    /// Whether it is a record.
    pub fn is_record(self) -> bool {
        matches!(self, Self::Record(_))
    }
}

/// A part of the content: a record, or what lies between records. All of them in their order are the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) kind: Kind,
    /// Where it begins in the content.
    pub(super) start: u64,
    pub(super) len: u64,
    /// Where it is in the file, as an index states it.
    pub(super) offset: u64,
    /// Whether it is a record that the end of its compressed member cuts short.
    pub(super) is_cut: bool,
}

/// A stretch of the file: a member, or plain or raw bytes. All of them in their order are the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Its coding's place in the list of codings.
    pub(super) coding: u32,
    pub(super) file_len: u64,
    pub(super) content_len: u64,
}

impl Stretch {
    /// How much is stored beside it, given what the survey holds of that.
    pub(super) fn side_len(&self, coding: &Coding, side: &[u8]) -> u64 {
        if *coding == Coding::Kept { self.file_len } else { side.len() as u64 }
    }
}

/// Many short texts in few allocations.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    pub(super) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    pub(super) fn get(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[at]]
    }
}

/// The codings of a file, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Palette(pub(super) Vec<Coding>);

impl Palette {
    /// The place of a coding in the list; it is added if there is room.
    pub(super) fn place(&mut self, coding: &Coding) -> Option<u32> {
        let found = self.0.iter().position(|other| other == coding);
        if found.is_none() && self.0.len() < super::coding::PALETTE_LIMIT {
            self.0.push(coding.clone());
            return Some(self.0.len() as u32 - 1);
        }
        found.map(|at| at as u32)
    }

    /// The place of a coding that must be in the list.
    pub(super) fn sure_place(&mut self, coding: Coding) -> u32 {
        if let Some(at) = self.0.iter().position(|other| *other == coding) {
            return at as u32;
        }
        self.0.push(coding);
        self.0.len() as u32 - 1
    }
}
