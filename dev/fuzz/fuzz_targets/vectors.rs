//! The libFuzzer target `vectors`. Its checks are in `src/vectors.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::vectors::target(data));
