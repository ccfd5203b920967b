//! The Public Suffix List, verbatim, and the suffix table made from it.
//!
//! `data/public_suffix_list.dat` is the list as published (MPL-2.0). `generated.rs` is its table, written by
//! `cargo xtask psl`. The other modules read such a text, make such a table and look a host up in it; what a host is, and
//! how a name in Unicode becomes one, is known elsewhere.

#![forbid(unsafe_code)]

mod builder;
pub mod dat;
#[rustfmt::skip]
mod generated;
mod label;
mod table;

pub use builder::TableBuf;
pub use dat::{ListError, ListFault, Section};
pub use generated::{COMMIT, SHA256, TABLE, VERSION};
pub use table::{Found, NameFields, Sections, Table};

/// The list, verbatim.
pub const DAT: &str = include_str!("../data/public_suffix_list.dat");

/// Returns the TLD slice of a SXURL (the low 16 bits of SHA-256 over `tld`, a zero byte and the suffix) of a name of
/// [`TABLE`], by its index.
#[inline]
pub fn tld_hash(index: usize) -> Option<u16> {
    generated::TLD_HASHES.get(index).copied()
}
