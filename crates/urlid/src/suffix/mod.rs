//! The split of a host into subdomain, registrable label and public suffix (publicsuffix.org/list, "Algorithm").
//!
//! A [`SuffixList`] is the one compiled in or a text given at run time; both are looked up in the same table (crate `urlid_psl`).
//! Which list it was decides ids, so a list knows its date, its revision and the SHA-256 of its text. Knows hosts only as
//! lower-case ASCII: where they come from and what is made of their parts is known elsewhere.

mod diff;
mod list;
#[cfg(test)]
mod tests;

pub use diff::{Diff, diff};
pub use list::{Split, SplitOffsets, SuffixList};
pub use urlid_psl::dat::{Rule, RuleKind};
pub use urlid_psl::{ListError, ListFault, Section, Sections};
