//! Every code point at every place of a URL, and digests of what canonical forms make of it.
//!
//! Depends on the library alone, so that any compiler and any platform can repeat it (`cargo xtask proof
//! compilers`).

#![forbid(unsafe_code)]

mod blocks;
mod digest;
mod record;
mod shapes;

pub use blocks::Block;
pub use digest::digest;
pub use record::Record;
pub use shapes::{Reach, SHAPES, Shape};
