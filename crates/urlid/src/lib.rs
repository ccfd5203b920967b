//! Crate documentation: see below.
#![forbid(unsafe_code)]

pub mod compat;
mod digest;
mod escape;
mod excerpt;
pub mod generic;
mod hex;
pub mod host;
pub mod reference;
pub mod snapshot;
pub mod suffix;
pub mod sxurl;
pub mod url_hash;
pub mod web;
