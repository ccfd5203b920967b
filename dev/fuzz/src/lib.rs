//! The checks of the fuzz targets: laws, and agreement with a second implementation. A violation is a panic.
//!
//! ```text
//! cargo install --locked cargo-fuzz
//! cargo fuzz run -s none web_against_ada -- -max_total_time=600
//! ```
//!
//! They run on a stable toolchain (`-s none`: no sanitizer). `dev/fuzz/corpus` has a few inputs for each
//! target, which a test runs through it. A run adds its own inputs there, and the important ones are
//! committed after `cargo fuzz cmin -s none`.

pub mod batch;
pub mod cdx;
pub mod find_arguments;
pub mod hashed_uri;
pub mod id_text;
pub mod index_opener;
pub mod line_reader;
pub mod lists;
pub mod suffix_list;
pub mod sxurl;
pub mod tables;
pub mod text;
pub mod theory;
pub mod url_hash;
pub mod vectors;
pub mod warc;
pub mod web_against_ada;

// Not in a separate folder, for which Cargo would build every target.
#[cfg(test)]
mod tests;

/// A target, which is a function of the bytes.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Target); 16] = [
    ("batch", batch::target),
    ("cdx", cdx::target),
    ("find_arguments", find_arguments::target),
    ("hashed_uri", hashed_uri::target),
    ("id_text", id_text::target),
    ("index_opener", index_opener::target),
    ("line_reader", line_reader::target),
    ("lists", lists::target),
    ("suffix_list", suffix_list::target),
    ("sxurl", sxurl::target),
    ("tables", tables::target),
    ("theory", theory::target),
    ("url_hash", url_hash::target),
    ("vectors", vectors::target),
    ("warc", warc::target),
    ("web_against_ada", web_against_ada::target),
];
