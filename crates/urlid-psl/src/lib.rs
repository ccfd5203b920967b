//! The Public Suffix List, verbatim, and the suffix table made from it.
//!
//! `data/public_suffix_list.dat` is the list as published, and `cargo xtask psl` writes its table to
//! `generated.rs`. The other modules parse such a text (`dat`), build such a table (`builder`) and look up
//! hosts in it (`table`, `suffix_filter`, `label`). A list that is loaded at run time uses the same code.
//! Hosts are ASCII, and the caller maps Unicode names.
//!
//! The generated table also has [`tld_hash`], the precomputed SXURL slice of each name. This is data derived
//! from the list, so it is in this crate, under the licence of the list, and is generated together with the
//! table.
//!
//! With the feature `compact`, the binary contains the names as one text. The table is built at its first
//! use, in a few milliseconds, and slices are hashed when they are needed.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "compact")]
extern crate std;

mod builder;
mod compact;
pub mod dat;
#[rustfmt::skip]
mod generated;
mod label;
mod suffix_filter;
mod table;

pub use builder::SuffixTableBuf;
pub use dat::{ListError, ListFault, Section};
pub use generated::{COMMIT, SHA256, TABLE, VERSION};
pub use table::{NameFields, Sections, SuffixMatch, SuffixTable};

/// The list, verbatim.
pub const DAT: &str = include_str!("../data/public_suffix_list.dat");

/// Returns the table of [`DAT`], both sections.
#[cfg(not(feature = "compact"))]
#[inline(always)]
pub fn table() -> SuffixTable<'static> {
    TABLE
}

/// Returns the table of [`DAT`], both sections.
#[cfg(feature = "compact")]
pub fn table() -> SuffixTable<'static> {
    static TABLE: std::sync::LazyLock<SuffixTableBuf> =
        std::sync::LazyLock::new(|| compact::read(generated::NAMES_TEXT, self::TABLE.count()));
    TABLE.as_table()
}

/// Returns the names of a table as the text from which the feature `compact` builds the table.
pub fn to_text(table: &SuffixTable<'_>) -> alloc::string::String {
    compact::write(table)
}

/// Returns the TLD slice of an SXURL for a name of [`TABLE`], by the name's index. The slice is the low 16
/// bits of SHA-256 over `tld`, a zero byte and the suffix.
#[inline]
pub fn tld_hash(index: usize) -> Option<u16> {
    if cfg!(feature = "compact") {
        return None;
    }
    generated::TLD_HASHES.get(index).copied()
}

#[cfg(test)]
mod tests;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
