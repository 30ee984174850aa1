//! Mends the documents on stdin, each ended by a NUL, to stdout; `bench/repair/run` measures with it.

use std::io::{self, BufWriter, Read, Write};

use tamis_page::repair::repair;

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for document in text.split_terminator('\0') {
        out.write_all(repair(document, None).text.as_bytes())?;
        out.write_all(b"\0")?;
    }
    out.flush()
}
