//! The target `find_arguments`, for libFuzzer; what it demands is in `src/find_arguments.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::find_arguments::target(data));
