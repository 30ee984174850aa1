//! Lets the linker fold functions that compile to the same bytes: the generics of DataFusion leave a great many.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Where rustc brings its own linker, which can.
    let bundled = env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu");
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if bundled && release {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    }
}
