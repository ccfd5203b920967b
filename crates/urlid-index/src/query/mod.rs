//! Questions to an index and their answers; what a question is and how it is planned is in `urlid-plan`.

pub(crate) mod find;
pub(crate) mod get;
pub(crate) mod group;
pub(crate) mod index;
pub(crate) mod stats;
