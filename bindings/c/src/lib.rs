//! urlid for C. The header `include/urlid.h` is generated from these files, and `tests/header.rs` compares
//! the two.
//!
//! The doc comments of public items are copied to the header, so they are written for C.

mod border;
pub mod bytes;
pub mod call;
pub mod code;
pub mod encoder;
pub mod functions;
mod handle;
