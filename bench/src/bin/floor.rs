//! The physical floors: what reading costs when nothing is understood.
//!
//! `floor read-gzip FILE` maps the file and lets libdeflate unpack member after member into one buffer, with the CRC
//! check that gzip asks for. The map is the leanest honest form: libdeflate wants a whole member in one piece, and
//! read(2) would copy each byte once more and have to guess where members end.
//! `floor read-plain FILE` reads 1 MiB at a time and touches each page, as `cat` would.

use std::fs::File;
use std::io::Read;
use std::ptr::NonNull;

use anyhow::{Context, Result, bail};
use libdeflate_sys as ffi;
use memmap2::Mmap;
use tamis_bench::measure::{Compare, Stopwatch};
use tamis_bench::touch::{Payload, Touched};

const PLAIN_BUFFER_BYTES: usize = 1 << 20;
const MEMBER_BUFFER_BYTES: usize = 8 << 20;
/// A member that unpacks to more is not of our corpus.
const MEMBER_LIMIT_BYTES: usize = 1 << 30;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(task), Some(path)) = (args.next(), args.next()) else {
        bail!("usage: floor read-gzip|read-plain FILE");
    };
    let watch = Stopwatch::new();
    let (tool, touched) = match task.as_str() {
        "read-gzip" => ("floor-libdeflate", members(&path)?),
        "read-plain" => ("floor-read", blocks(&path)?),
        other => bail!("no floor for the task {other}"),
    };
    watch.report(tool, &task, &path, touched, Compare::Nothing)
}

fn members(path: &str) -> Result<Touched> {
    let file = File::open(path).with_context(|| path.to_owned())?;
    // SAFETY: the corpus is written once and then only read; nothing changes it below the map.
    let map = unsafe { Mmap::map(&file) }?;
    let inflate = Inflate::new()?;
    let mut buffer = vec![0; MEMBER_BUFFER_BYTES];
    let mut touched = Touched::default();
    let mut offset = 0;
    while offset < map.len() {
        match inflate.member(&map[offset..], &mut buffer) {
            Member::Sound { taken, given } => {
                touched.whole(&buffer[..given]);
                offset += taken;
            }
            Member::NeedsRoom if buffer.len() < MEMBER_LIMIT_BYTES => buffer.resize(buffer.len() * 2, 0),
            Member::NeedsRoom | Member::Bad => bail!("{path}: bad member at offset {offset}"),
        }
    }
    Ok(touched)
}

fn blocks(path: &str) -> Result<Touched> {
    let mut file = File::open(path).with_context(|| path.to_owned())?;
    let mut buffer = vec![0; PLAIN_BUFFER_BYTES];
    let mut all = Payload::default();
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            len => all.piece(&buffer[..len]),
        }
    }
    let mut touched = Touched::default();
    touched.finish(all);
    Ok(touched)
}

enum Member {
    Sound { taken: usize, given: usize },
    NeedsRoom,
    Bad,
}

/// A libdeflate decompressor, freed when dropped.
struct Inflate(NonNull<ffi::libdeflate_decompressor>);

impl Inflate {
    fn new() -> Result<Self> {
        // SAFETY: the call takes no arguments and gives a pointer that we own, or null.
        let made = unsafe { ffi::libdeflate_alloc_decompressor() };
        NonNull::new(made).map(Self).context("no memory for a decompressor")
    }

    fn member(&self, input: &[u8], output: &mut [u8]) -> Member {
        let (mut taken, mut given) = (0, 0);
        // SAFETY: both pointers come with the length of their slice, the decompressor is alive and used by one thread.
        let outcome = unsafe {
            ffi::libdeflate_gzip_decompress_ex(
                self.0.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                output.as_mut_ptr().cast(),
                output.len(),
                &raw mut taken,
                &raw mut given,
            )
        };
        match outcome {
            ffi::libdeflate_result_LIBDEFLATE_SUCCESS => Member::Sound { taken, given },
            ffi::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE => Member::NeedsRoom,
            _ => Member::Bad,
        }
    }
}

impl Drop for Inflate {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the allocation above and is not used after this.
        unsafe { ffi::libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}
