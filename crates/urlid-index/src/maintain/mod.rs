//! Verbs on an index that exists: seal, compact, optional indexes, delete, migrate, merge, verify.

pub(crate) mod care;
pub(crate) mod change;
pub(crate) mod merge;
pub(crate) mod verify;
