//! An index file: its header, opening and creating it, its description, and transactions on it.
//!
//! docs/index-format.md describes the file. The meaning of rows and the answers to questions are elsewhere.

pub(crate) mod create;
pub(crate) mod header;
mod loading;
pub(crate) mod meta;
pub(crate) mod open;
pub(crate) mod store;
