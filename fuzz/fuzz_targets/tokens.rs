#![no_main]

#[path = "../src/tokens.rs"]
mod tokens;

libfuzzer_sys::fuzz_target!(|data: &[u8]| tokens::check(data));
