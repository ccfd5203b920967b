//! The Public Suffix List, verbatim, and the suffix table made from it.
//!
//! `data/public_suffix_list.dat` is the list as published; `generated.rs` is its table, written by `cargo xtask psl`. The other
//! modules read such a text (`dat`), make such a table (`builder`) and look a host up in it (`table`,
//! `suffix_filter`, `label`). A list given at run time uses the same code. Hosts are ASCII here; the caller maps
//! names in Unicode.
//!
//! The generated table has one thing that is not of suffix lists: [`tld_hash`], the SXURL slice of each name, precomputed. It
//! is derived from the list, and so it is here, under the licence of the list, and generated together with the table.

#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod builder;
pub mod dat;
#[rustfmt::skip]
mod generated;
mod label;
mod suffix_filter;
mod table;

pub use builder::TableBuf;
pub use dat::{ListError, ListFault, Section};
pub use generated::{COMMIT, SHA256, TABLE, VERSION};
pub use table::{NameFields, Sections, SuffixMatch, Table};

/// The list, verbatim.
pub const DAT: &str = include_str!("../data/public_suffix_list.dat");

/// Returns the TLD slice of a SXURL (the low 16 bits of SHA-256 over `tld`, a zero byte and the suffix) of a name of
/// [`TABLE`], by its index.
#[inline]
pub fn tld_hash(index: usize) -> Option<u16> {
    generated::TLD_HASHES.get(index).copied()
}

#[cfg(test)]
mod tests;
