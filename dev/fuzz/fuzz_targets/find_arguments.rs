//! The libFuzzer target `find_arguments`. Its checks are in `src/find_arguments.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::find_arguments::target(data));
