//! The calls into C++.

use std::ffi::{CStr, CString, c_char, c_double, c_int, c_void};
use std::ops::Range;
use std::ptr;

// Links the library with the functions declared below.
use tamis_cld2 as _;

/// CLD2 copies characters four bytes at a time, up to three bytes over the end of the text (`UNALIGNED_LOAD32` in
/// `getonescriptspan.cc`); so many zeros go behind it.
const PADDING: usize = 8;
/// It counts hundredths of bytes in 32 bits; of longer texts it says nothing.
const LONGEST: usize = 20_000_000;

/// What is known of a page beside its text.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    tld: Option<CString>,
    content_language: Option<CString>,
}

impl Hints {
    /// The last part of the host's name (`it`), and the languages the page or its headers name (`mi,en`). What has a NUL in it
    /// is no hint.
    pub fn new(tld: Option<&str>, content_language: Option<&str>) -> Self {
        let hint = |text: Option<&str>| CString::new(text?).ok();
        Self { tld: hint(tld), content_language: hint(content_language) }
    }
}

/// What CLD2 returns, as it is.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) languages: [c_int; 3],
    pub(super) per_cents: [c_int; 3],
    pub(super) text_bytes: c_int,
    pub(super) is_reliable: bool,
}

/// A `std::vector<ResultChunk>` of C++.
pub(super) struct Chunks(*mut c_void);

impl Chunks {
    pub(super) fn new() -> Self {
        // SAFETY: takes nothing; the vector is ours until `drop`.
        Self(unsafe { tamis_cld2_chunks_new() })
    }

    /// Where the chunks are, in bytes, and CLD2's number of their language.
    pub(super) fn read(&self) -> Vec<(Range<usize>, c_int)> {
        // SAFETY: the pointer is that of a live vector.
        let len = unsafe { tamis_cld2_chunks_size(self.0) };
        if len == 0 {
            // An empty vector has a null pointer, which no slice may have.
            return Vec::new();
        }
        // SAFETY: the vector is live and has `len` elements in a row, of the layout of `Chunk`; nothing changes it meanwhile.
        let chunks = unsafe { std::slice::from_raw_parts(tamis_cld2_chunks_data(self.0), len) };
        chunks.iter().map(Chunk::place).collect()
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and deleted only here.
        unsafe { tamis_cld2_chunks_delete(self.0) }
    }
}

/// Detects the languages of a text, and fills `chunks` if they are wanted.
pub(super) fn detect(text: &str, hints: &Hints, chunks: Option<&mut Chunks>) -> Found {
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let mut padded = Vec::with_capacity(text.len() + PADDING);
    padded.extend_from_slice(text.as_bytes());
    padded.resize(text.len() + PADDING, 0);
    let pointer = |hint: &Option<CString>| hint.as_ref().map_or(ptr::null(), |hint| hint.as_ptr());
    let mut found = Found::default();
    let mut scores = [0.0; 3];
    // SAFETY: the text is UTF-8, of a length that fits, with readable bytes behind it; the strings of the hints are borrowed
    // until the call returns and end with NUL; the arrays have room for three; the vector, if any, is live. CLD2 keeps none of
    // the pointers and has no state of its own that a call changes.
    unsafe {
        tamis_cld2_detect(
            padded.as_ptr().cast(),
            text.len() as c_int,
            true,
            pointer(&hints.content_language),
            pointer(&hints.tld),
            found.languages.as_mut_ptr(),
            found.per_cents.as_mut_ptr(),
            scores.as_mut_ptr(),
            chunks.map_or(ptr::null_mut(), |chunks| chunks.0),
            &raw mut found.text_bytes,
            &raw mut found.is_reliable,
        );
    }
    found
}

/// CLD2's code of a language by its number.
pub(super) fn code(language: c_int) -> Option<&'static str> {
    // SAFETY: any number is allowed; the answer is a string constant, or null.
    let code = unsafe {
        let code = tamis_cld2_language_code(language);
        if code.is_null() { None } else { Some(CStr::from_ptr(code)) }
    };
    code?.to_str().ok()
}

#[repr(C)]
struct Chunk {
    offset: c_int,
    bytes: i32,
    language: u16,
    _pad: u16,
}

impl Chunk {
    fn place(&self) -> (Range<usize>, c_int) {
        let number = |value: i32| usize::try_from(value).unwrap_or(0);
        let start = number(self.offset);
        (start..start + number(self.bytes), c_int::from(self.language))
    }
}

// `wrapper.cc` of `tamis-cld2`. Languages are numbers, not an enumeration: a number that is none of its values would be undefined
// behaviour.
unsafe extern "C" {
    fn tamis_cld2_chunks_new() -> *mut c_void;
    fn tamis_cld2_chunks_data(chunks: *const c_void) -> *const Chunk;
    fn tamis_cld2_chunks_size(chunks: *const c_void) -> usize;
    fn tamis_cld2_chunks_delete(chunks: *mut c_void);
    fn tamis_cld2_language_code(language: c_int) -> *const c_char;
    fn tamis_cld2_detect(
        buffer: *const c_char,
        buffer_length: c_int,
        is_plain_text: bool,
        content_language: *const c_char,
        tld: *const c_char,
        language3: *mut c_int,
        percent3: *mut c_int,
        normalized_score3: *mut c_double,
        chunks: *mut c_void,
        text_bytes: *mut c_int,
        is_reliable: *mut bool,
    );
}
