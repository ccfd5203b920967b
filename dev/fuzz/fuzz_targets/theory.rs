//! The libFuzzer target `theory`. Its checks are in `src/theory.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::theory::target(data));
