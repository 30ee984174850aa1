#![no_main]

#[path = "../src/robots.rs"]
mod robots;

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots::check(data));
