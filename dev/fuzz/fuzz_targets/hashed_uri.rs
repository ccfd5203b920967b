//! The target `hashed_uri`, for libFuzzer; what it demands is in `src/hashed_uri.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::hashed_uri::target(data));
