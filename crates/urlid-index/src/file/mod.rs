//! An index file: recognising, opening and making one, its schema, what it says about itself, and its settings in SQLite.
//!
//! docs/index-format.md describes the file. Rows and questions are elsewhere.

pub(crate) mod create;
pub(crate) mod header;
pub(crate) mod meta;
pub(crate) mod open;
pub(crate) mod schema;
pub(crate) mod store;
