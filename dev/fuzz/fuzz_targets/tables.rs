//! The libFuzzer target `tables`. Its checks are in `src/tables.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::tables::target(data));
