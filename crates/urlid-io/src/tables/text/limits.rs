//! The limits of tables of text.

/// The most columns that a header may name.
pub(super) const MOST_COLUMNS: usize = 10_000;
/// The most bytes of a column's name.
pub(super) const MOST_NAME: usize = 4 << 10;
/// The most bytes of a record, without its line end.
pub(super) const MOST_RECORD: usize = 64 << 20;
