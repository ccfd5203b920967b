//! The libFuzzer target `cdx`. Its checks are in `src/cdx.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::cdx::target(data));
