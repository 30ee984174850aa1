//! Lines in memory: one arena, sorted in place.

/// Lines in one arena, and where each lies.
#[derive(Debug, Default)]
pub struct Chunk {
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

/// The first eight bytes of a line decide most comparisons without a look into the arena.
#[derive(Debug, Clone, Copy)]
struct Span {
    prefix: u64,
    start: u32,
    len: u32,
}

/// The arena is addressed by 32 bits: a span of 16 bytes instead of 24 is a tenth more lines in the same memory.
const MAX_BYTES: usize = u32::MAX as usize;

impl Chunk {
    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Removes all lines; the memory stays.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.spans.clear();
    }

    /// Whether the line still fits, in this much memory and at all.
    pub fn has_room(&self, line: &[u8], memory_bytes: usize) -> bool {
        let bytes = self.bytes.len() + line.len();
        bytes <= MAX_BYTES && bytes + (self.spans.len() + 1) * size_of::<Span>() <= memory_bytes
    }

    /// Whether a line can be pushed to an empty chunk.
    pub fn takes(line: &[u8]) -> bool {
        line.len() <= MAX_BYTES
    }

    /// Adds a line that there is room for.
    pub fn push(&mut self, line: &[u8]) {
        let (start, len) = (self.bytes.len() as u32, line.len() as u32);
        self.spans.push(Span { prefix: prefix(line), start, len });
        self.bytes.extend_from_slice(line);
    }

    /// The line at an index.
    pub fn line(&self, at: usize) -> &[u8] {
        line_of(&self.bytes, self.spans[at])
    }

    /// Sorts the lines by their bytes.
    pub fn sort(&mut self) {
        let bytes = &self.bytes;
        self.spans.sort_unstable_by(|a, b| {
            a.prefix.cmp(&b.prefix).then_with(|| line_of(bytes, *a).cmp(line_of(bytes, *b)))
        });
    }
}

fn line_of(bytes: &[u8], span: Span) -> &[u8] {
    &bytes[span.start as usize..span.start as usize + span.len as usize]
}

/// The first eight bytes as a number that orders as they do. Equal numbers say nothing.
pub(super) fn prefix(line: &[u8]) -> u64 {
    if let Some(first) = line.first_chunk() {
        return u64::from_be_bytes(*first);
    }
    let mut first = [0; 8];
    first[..line.len()].copy_from_slice(line);
    u64::from_be_bytes(first)
}
