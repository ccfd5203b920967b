//! The target `cdx`, for libFuzzer; what it demands is in `src/cdx.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::cdx::target(data));
