//! The libFuzzer target `sxurl`. Its checks are in `src/sxurl.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::sxurl::target(data));
