//! The libFuzzer target `warc`. Its checks are in `src/warc.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::warc::target(data));
