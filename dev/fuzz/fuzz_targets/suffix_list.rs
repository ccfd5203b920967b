//! The libFuzzer target `suffix_list`. Its checks are in `src/suffix_list.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::suffix_list::target(data));
