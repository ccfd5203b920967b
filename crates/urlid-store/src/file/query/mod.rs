//! Questions to an index and their answers. Questions themselves and their plans are in `question`.

pub(crate) mod find;
pub(crate) mod get;
pub(crate) mod group;
pub(crate) mod index;
