//! URLs as an index stores them: those with an SXURL by their components, all others by their text.

pub(crate) mod other;
pub(crate) mod refused;
pub(crate) mod row;
pub(crate) mod stored;
