//! The arguments of table functions, which SQLite gives as constraints on hidden columns.

use rusqlite::vtab::{IndexConstraint, IndexConstraintOp};

/// How a constraint gives a value to its column.
pub(crate) enum Given {
    /// By `=`, before the table is read.
    Before,
    /// By `=`, from a table that is joined later: it cannot be used in this order of the tables.
    Later,
    /// By another operator.
    Otherwise,
}

impl Given {
    pub(crate) fn by(constraint: &IndexConstraint<'_>) -> Self {
        match (constraint.operator(), constraint.is_usable()) {
            (IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ, true) => Self::Before,
            (IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ, false) => Self::Later,
            _ => Self::Otherwise,
        }
    }
}
