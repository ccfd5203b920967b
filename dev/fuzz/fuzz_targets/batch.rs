//! The target `batch`, for libFuzzer; what it demands is in `src/batch.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::batch::target(data));
