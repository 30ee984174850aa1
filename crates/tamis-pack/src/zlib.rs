//! The reference zlib as a compressor, to make again what most archives were compressed with: its output differs from
//! that of zlib-ng and zlib-rs.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use libz_sys::{
    Z_BUF_ERROR, Z_DEFAULT_STRATEGY, Z_DEFLATED, Z_FILTERED, Z_FINISH, Z_NO_FLUSH, Z_OK, Z_STREAM_END,
    deflate, deflateEnd, deflateInit2_, deflateReset, z_stream, zlibVersion,
};

/// The most bytes that zlib is given at once: its lengths have 32 bits.
const STEP: usize = 1 << 30;

/// A compressor of raw deflate streams.
///
/// The stream is on the heap, for zlib's state points back to it, and touched through pointers alone: until zlib has set
/// its allocator, it holds null functions, which is no value of Rust's type.
pub(super) struct Zlib(Box<MaybeUninit<z_stream>>);

// SAFETY: the state of a stream is plain memory that only its owner touches.
unsafe impl Send for Zlib {}

/// What zlib calls so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    Default,
    Filtered,
}

/// What a step came to.
pub(super) struct Step {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) is_done: bool,
}

impl Zlib {
    /// Level 1 to 9; `memory` is zlib's `memLevel`, 8 in most programs and 9 in gzip; `window` its `windowBits`, 15 in most. None if
    /// there is no memory.
    pub(super) fn new(level: u8, memory: u8, window: u8, strategy: Strategy) -> Option<Self> {
        let strategy = match strategy {
            Strategy::Default => Z_DEFAULT_STRATEGY,
            Strategy::Filtered => Z_FILTERED,
        };
        let mut stream = Box::new(MaybeUninit::<z_stream>::zeroed());
        // SAFETY: a zeroed stream is what zlib asks for; the version and the size are those it was built with.
        let status = unsafe {
            deflateInit2_(
                stream.as_mut_ptr(),
                c_int::from(level),
                Z_DEFLATED,
                // Negative: without zlib's own header and trailer.
                -c_int::from(window),
                c_int::from(memory),
                strategy,
                zlibVersion(),
                size_of::<z_stream>() as c_int,
            )
        };
        (status == Z_OK).then_some(Self(stream))
    }

    /// Begins another stream with the same settings.
    pub(super) fn reset(&mut self) {
        // SAFETY: the stream was initialised by `new`.
        unsafe { deflateReset(self.0.as_mut_ptr()) };
    }

    /// Compresses some bytes. With `is_last` they are the last of the stream; to be called until `is_done` then.
    /// None if zlib refuses.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8], is_last: bool) -> Option<Step> {
        let is_last = is_last && input.len() <= STEP;
        let (input, room) = (&input[..input.len().min(STEP)], output.len().min(STEP));
        let stream = self.0.as_mut_ptr();
        // SAFETY: `new` initialised the stream; the pointers and lengths are those of live slices, of which zlib only
        // reads the input and writes at most `avail_out` bytes of the output.
        let (status, unread, unwritten) = unsafe {
            (*stream).next_in = input.as_ptr().cast_mut();
            (*stream).avail_in = input.len() as u32;
            (*stream).next_out = output.as_mut_ptr();
            (*stream).avail_out = room as u32;
            let status = deflate(stream, if is_last { Z_FINISH } else { Z_NO_FLUSH });
            (status, (*stream).avail_in as usize, (*stream).avail_out as usize)
        };
        let is_done = status == Z_STREAM_END;
        let step = Step { read: input.len() - unread, written: room - unwritten, is_done };
        matches!(status, Z_OK | Z_BUF_ERROR | Z_STREAM_END).then_some(step)
    }
}

impl Drop for Zlib {
    fn drop(&mut self) {
        // SAFETY: the stream was initialised by `new` and is ended once.
        unsafe { deflateEnd(self.0.as_mut_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    /// Compresses in steps of any size.
    fn deflated(zlib: &mut Zlib, bytes: &[u8], step_in: usize, step_out: usize) -> Vec<u8> {
        let (mut out, mut at) = (Vec::new(), 0);
        let mut room = vec![0; step_out];
        loop {
            let end = bytes.len().min(at + step_in);
            let step = zlib.step(&bytes[at..end], &mut room, end == bytes.len()).expect("zlib works");
            out.extend_from_slice(&room[..step.written]);
            at += step.read;
            if step.is_done {
                return out;
            }
        }
    }

    proptest! {
        /// The safe twin inflates what this makes, and steps do not matter.
        #[test]
        fn streams_inflate_and_do_not_depend_on_steps(
            bytes in prop::collection::vec(0_u8..6, 0..40_000), level in 1_u8..10, step_in in 1_usize..9000, step_out in 7_usize..9000,
        ) {
            let mut zlib = Zlib::new(level, 8, 15, super::Strategy::Default).expect("memory");
            let whole = deflated(&mut zlib, &bytes, usize::MAX / 2, 100_000);
            zlib.reset();
            prop_assert_eq!(&deflated(&mut zlib, &bytes, step_in, step_out), &whole);
            let mut inflated = Vec::new();
            flate2::read::DeflateDecoder::new(&whole[..]).read_to_end(&mut inflated).expect("it inflates");
            prop_assert_eq!(inflated, bytes);
        }
    }
}
