//! Inserts every code point at every position of a URL, and digests the results of canonical forms.
//!
//! Depends only on the library, so that every compiler and platform can repeat it
//! (`cargo xtask proof compilers`).

#![forbid(unsafe_code)]

mod blocks;
mod digest;
mod record;
mod shapes;

pub use blocks::Block;
pub use digest::digest;
pub use record::Record;
pub use shapes::{Reach, SHAPES, Shape};
