//! The target `tables`, for libFuzzer; what it demands is in `src/tables.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::tables::target(data));
