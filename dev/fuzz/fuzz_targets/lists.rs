//! The libFuzzer target `lists`. Its checks are in `src/lists.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::lists::target(data));
