//! urlid for C. The header `include/urlid.h` is made of these files; `tests/header.rs` compares the two.
//!
//! Documentation comments of public items are those of the header, so they speak of C.

mod border;
pub mod bytes;
pub mod call;
pub mod code;
pub mod encoder;
pub mod functions;
