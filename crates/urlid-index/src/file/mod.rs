//! An index file: recognising, opening and making one, its description, transactions on it.
//!
//! docs/index-format.md describes the file. What rows mean and how questions are answered is elsewhere.

pub(crate) mod create;
pub(crate) mod delivery_lock;
pub(crate) mod error;
pub(crate) mod header;
mod loading;
pub(crate) mod meta;
pub(crate) mod open;
pub(crate) mod pending;
pub(crate) mod store;
