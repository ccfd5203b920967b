//! The libFuzzer target `hashed_uri`. Its checks are in `src/hashed_uri.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::hashed_uri::target(data));
