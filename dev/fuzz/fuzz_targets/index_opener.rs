//! The target `index_opener`, for libFuzzer; what it demands is in `src/index_opener.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::index_opener::target(data));
