//! The Public Suffix List, verbatim, and the suffix table made from it.
//!
//! `data/public_suffix_list.dat` is the list as published; `generated.rs` is its table, written by `cargo xtask psl`. The other
//! modules read such a text (`dat`), make such a table (`builder`) and look a host up in it (`table`,
//! `suffix_filter`, `label`). A list given at run time uses the same code. Hosts are ASCII here; the caller maps
//! names in Unicode.
//!
//! The generated table has one thing that is not of suffix lists: [`tld_hash`], the SXURL slice of each name, precomputed. It
//! is derived from the list, and so it is here, under the licence of the list, and generated together with the table.
//!
//! With the feature `compact`, what follows from the names is not in the binary: the hash table and the filter are made when
//! they are first used, in a few milliseconds, and slices are hashed where they are needed.

#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "compact")]
extern crate std;

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

/// Returns the table of [`DAT`], both sections.
#[cfg(not(feature = "compact"))]
#[inline(always)]
pub fn table() -> Table<'static> {
    TABLE
}

/// Returns the table of [`DAT`], both sections.
#[cfg(feature = "compact")]
pub fn table() -> Table<'static> {
    static SEARCH: std::sync::LazyLock<builder::Search> =
        std::sync::LazyLock::new(|| builder::Search::of(&generated::NAMES, generated::REST));
    SEARCH.table(&generated::NAMES, generated::REST)
}

/// Returns the TLD slice of a SXURL (the low 16 bits of SHA-256 over `tld`, a zero byte and the suffix) of a name of
/// [`TABLE`], by its index.
#[inline]
pub fn tld_hash(index: usize) -> Option<u16> {
    if cfg!(feature = "compact") {
        return None;
    }
    generated::TLD_HASHES.get(index).copied()
}

#[cfg(test)]
mod tests;
