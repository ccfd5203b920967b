//! The libFuzzer target `id_text`. Its checks are in `src/id_text.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urlid_fuzz::id_text::target(data));
