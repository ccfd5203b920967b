//! Crate documentation: see below.
#![forbid(unsafe_code)]

mod digest;
mod escape;
mod excerpt;
pub mod generic;
mod hex;
pub mod host;
pub mod reference;
pub mod suffix;
pub mod sxurl;
pub mod url_hash;
pub mod web;
