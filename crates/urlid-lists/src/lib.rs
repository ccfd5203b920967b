//! Hidden lists: lists of URIs in which each entry is a digest, so that URIs can be recognised but not read.
//!
//! A [`HiddenList`] consists of a header, with the [`ListRules`] by which it was made, and sorted digests.
//! Its text form has one hashed URI on each line. Its compiled form is read as a whole. A [`ListBuilder`]
//! makes a list from URIs, a [`ListReader`] reads one from text, a [`ListMatcher`] finds the entries that
//! match a candidate, and an [`Audit`] counts the entries that a dictionary reveals. Hashed URIs are in
//! [`hashed_uri`](urlid::hashed_uri).

#![forbid(unsafe_code)]

mod audit;
mod bits;
mod builder;
mod candidate;
mod compiled;
mod container;
mod delta;
mod digests;
mod edition;
mod elias_fano;
mod error;
mod header;
mod import;
mod invalid_as;
mod kind;
mod matcher;
mod merge;
mod prefix_filter;
mod reader;
mod routes;
mod rules;
mod sharded;
mod shards;
mod sorting;
#[cfg(test)]
mod tests;
mod together;
mod trust;
mod value;

pub use audit::{Audit, Findings, seconds_for_names};
pub use builder::ListBuilder;
pub use container::MAGIC;
pub use delta::Delta;
pub use edition::Date;
pub use edition::{Edition, Publisher};
pub use header::ListHeader;
pub use import::{
    CleanList, CleanRules, Effect, ImportReport, LeftOut, LinePlace, ListFormat, ListImport, OnSuffix,
    Reason, Widening,
};
pub use invalid_as::{InvalidAs, rejection_marker};
pub use kind::{Certainty, ListKind, Store};
pub use matcher::Scratch;
pub use matcher::{ListMatcher, Match};
pub use merge::{Difference, Differences};
pub use reader::ListReader;
pub use routes::Routes;
pub use rules::{Covers, Intake, ListRules, UserInfo};
pub use sharded::{Anonymity, ShardMatcher};
pub use shards::{Padding, Shard, ShardIndex, ShardSet};
pub use trust::{SeenEdition, Trust, TrustedKey};
pub use value::{Entries, Entry, HiddenList};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
