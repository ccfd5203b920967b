//! Operations on an existing index: seal, compact, optional indexes, delete, migrate, merge, verify.

pub(crate) mod finding;
pub(crate) mod indexes;
pub(crate) mod merge;
pub(crate) mod migrate;
mod rows;
pub(crate) mod set_aside;
mod structure;
pub(crate) mod verify;
