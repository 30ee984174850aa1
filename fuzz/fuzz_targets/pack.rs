#![no_main]

#[path = "../src/pack.rs"]
mod pack;

libfuzzer_sys::fuzz_target!(|data: &[u8]| pack::check(data));
