//! Builds CLD2 with the C++ compiler of the machine.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=cld2");
    println!("cargo::rerun-if-changed=src/wrapper.cc");
    let mut sources = vec![PathBuf::from("src/wrapper.cc")];
    for entry in fs::read_dir("cld2/internal")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cc") {
            sources.push(path);
        }
    }
    // The same order of objects in the library on every machine.
    sources.sort();
    // Later standards reject the negative numbers in CLD2's tables of unsigned ones.
    cc::Build::new()
        .cpp(true)
        .std("c++03")
        .warnings(false)
        .include("cld2")
        .files(sources)
        .try_compile("cld2")?;
    Ok(())
}
