//! The Public Suffix List, verbatim, and the suffix table made from it.
//!
//! `data/public_suffix_list.dat` is the list as published; `generated.rs` is its table, written by `cargo xtask psl`. The other
//! modules read such a text (`dat`), make such a table (`builder`) and look a host up in it (`table`, `front`, `label`): a
//! list given at run time takes the same way. What a host is, and how a name in Unicode becomes one, is known elsewhere.

#![forbid(unsafe_code)]

mod builder;
pub mod dat;
mod front;
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

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_hash_of_the_text_is_its_hash() {
        assert_eq!(SHA256, Sha256::digest(DAT).as_slice());
    }

    #[test]
    fn every_name_has_the_slice_that_its_text_has() {
        for index in 1..=TABLE.count() {
            let name = TABLE.name(index).unwrap();
            let digest = Sha256::digest(format!("tld\0{name}"));
            assert_eq!(tld_hash(index), Some(u16::from_be_bytes([digest[30], digest[31]])), "{name}");
        }
        assert_eq!(tld_hash(TABLE.count() + 1), None);
    }
}
