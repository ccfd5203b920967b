//! The libFuzzer target `url_hash`. Its checks are in `src/url_hash.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::url_hash::target(data));
