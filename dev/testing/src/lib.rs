//! Helpers that tests and benchmarks share in addition to generated inputs: compressed files, the memory of
//! a process, data from outside the repository, and the notes of a run that `cargo xtask test` summarises.
//!
//! Does not depend on the library. Generated inputs, and the only seeded generator, are in
//! `urlid-generators`.

#![forbid(unsafe_code)]

mod compressed;
mod law;
pub mod memory;
mod notes;
mod outside;
mod page;
mod warc;

pub use compressed::{gzip, gzip_of, read_text, zstd, zstd_of};
pub use law::{check_all, proptest_config, skip};
pub use notes::{not_run, note_cpu_paths};
pub use outside::{built_oracle, conformance, corpora, crawl, node_oracle, oracle, root};
pub use page::{check_page, check_part};
pub use warc::{warc_record, warc_record_of};
