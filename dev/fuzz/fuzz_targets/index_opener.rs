//! The libFuzzer target `index_opener`. Its checks are in `src/index_opener.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::index_opener::target(data));
