//! The libFuzzer target `batch`. Its checks are in `src/batch.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::batch::target(data));
