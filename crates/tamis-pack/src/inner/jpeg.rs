//! JPEG images in the form of Lepton: the same coefficients under a better model, a fifth smaller.
//!
//! Horn et al., "The Design, Implementation, and Deployment of a System to Transparently Compress Hundreds of Petabytes of Image Files for a
//! File-Storage Service", NSDI 2017.

use std::io::{self, Cursor, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use lepton_jpeg::{EnabledFeatures, SingleThreadPool, decode_lepton, encode_lepton};

/// The most pixels of a side. The coefficients of an image with four components are 128 MiB then.
const SIDE_LIMIT: u32 = 4096;

/// The most bytes of an image.
pub(super) const LIMIT: usize = 16 << 20;

fn features() -> EnabledFeatures {
    EnabledFeatures {
        max_jpeg_width: SIDE_LIMIT,
        max_jpeg_height: SIDE_LIMIT,
        max_jpeg_file_size: LIMIT as u32,
        max_partitions: 1,
        max_processor_threads: 1,
        ..EnabledFeatures::compat_lepton_vector_write()
    }
}

/// The Lepton form of an image; none if it is not one that comes back.
pub(super) fn lepton_of(image: &[u8]) -> Option<Vec<u8>> {
    let encode = || {
        let mut out = Cursor::new(Vec::new());
        encode_lepton(&mut Cursor::new(image), &mut out, &features(), &SingleThreadPool::default())?;
        Ok::<_, lepton_jpeg::LeptonError>(out.into_inner())
    };
    let lepton = catch_unwind(AssertUnwindSafe(encode)).ok()?.ok()?;
    (image_of(&lepton, image.len())? == image).then_some(lepton)
}

/// The image of `len` bytes that a Lepton form was made of.
pub(super) fn image_of(lepton: &[u8], len: usize) -> Option<Vec<u8>> {
    if len > LIMIT {
        return None;
    }
    let mut out = Bounded { bytes: Vec::with_capacity(len), len };
    // The crate is written to give errors, and a panic in it must not end the work either.
    let decode =
        || decode_lepton(&mut Cursor::new(lepton), &mut out, &features(), &SingleThreadPool::default());
    catch_unwind(AssertUnwindSafe(decode)).ok()?.ok()?;
    (out.bytes.len() == len).then_some(out.bytes)
}

/// Takes so many bytes and no more.
struct Bounded {
    bytes: Vec<u8>,
    len: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.len - self.bytes.len() {
            return Err(io::Error::other("more than the image has"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
