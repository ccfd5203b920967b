//! urlid for C. The header `include/urlid.h` is generated from these files; `tests/header.rs` compares the
//! two.
//!
//! The documentation of public items becomes that of the header, so it is written for C.

mod border;
pub mod bytes;
pub mod call;
pub mod code;
pub mod encoder;
pub mod functions;
mod handle;
