//! Every code point at every place of a URL, and digests of what canonical forms make of it.
//!
//! Depends on the library alone, so that any compiler and any platform can repeat it (`cargo xtask proof compilers`).

#![forbid(unsafe_code)]

mod shapes;

pub use shapes::{Reach, SHAPES, Shape};
