//! The split of a host into subdomain, registrable label and public suffix (publicsuffix.org/list,
//! "Algorithm").
//!
//! A [`SuffixList`] is compiled in or read from a text at run time; both use the table of the crate
//! `urlid_psl`. Identifiers depend on the list, so a list has the date, the commit and the SHA-256 of its
//! text. Hosts have to be in lower-case ASCII: mapping is in [`host`](crate::host) and
//! [`sxurl`](crate::sxurl).

mod list;
#[cfg(test)]
mod tests;

pub use list::{Diff, Split, SplitOffsets, SuffixList, diff};
pub use urlid_psl::dat::{Rule, RuleKind};
pub use urlid_psl::{Section, Sections};
