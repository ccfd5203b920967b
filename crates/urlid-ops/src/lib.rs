//! The operations of urlid over plain values, for every surface: the program, the bindings, databases and
//! test vectors.
//!
//! - `functions` is the table of the functions of SQL.
//! - [`IdKind`] lists the kinds of identifiers.
//! - [`explain`] collects the facts about a text.
//! - `vectors` runs files of test vectors.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod explain;
#[cfg(feature = "canonical")]
pub mod functions;
#[cfg(feature = "canonical")]
mod host_text;
mod kinds;
#[cfg(feature = "vectors")]
pub mod vectors;

#[cfg(feature = "canonical")]
pub use host_text::{SCRIPTS_UNICODE, host_scripts, host_unicode};
pub use kinds::{ID_KINDS, IdKind};

#[cfg(all(doctest, feature = "canonical"))]
#[doc = include_str!("../README.md")]
struct Readme;
