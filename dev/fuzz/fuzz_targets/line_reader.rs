//! The libFuzzer target `line_reader`. Its checks are in `src/line_reader.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::line_reader::target(data));
