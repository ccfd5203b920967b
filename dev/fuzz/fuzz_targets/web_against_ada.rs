//! The libFuzzer target `web_against_ada`. Its checks are in `src/web_against_ada.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::web_against_ada::target(data));
