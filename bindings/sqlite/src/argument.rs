//! The arguments of table functions, which SQLite passes as constraints on hidden columns.
//!
//! A row repeats the arguments with which it was read. A plan is therefore possible only if the statement
//! gives every argument by `=` before the table is read. Otherwise SQLite tries a different plan, or reports
//! an error if there is none. An answer by only some of the arguments would be silently wrong.

use std::ffi::c_int;

use rusqlite::types::ValueRef;
use rusqlite::vtab::{IndexConstraint, IndexConstraintOp, IndexInfo};

/// The way in which a constraint gives a value to its column.
pub(crate) enum Given {
    /// By `=`, before the table is read.
    Before,
    /// By `=`, but from a table that is joined later, so not usable in this order of the tables.
    Later,
    /// By a different operator.
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

/// The constraints whose values SQLite passes to `filter`. Their columns, in order, are the text of the plan.
#[derive(Default)]
pub(crate) struct Taken {
    columns: Vec<c_int>,
}

impl Taken {
    /// Requests the value of a constraint. SQLite also compares the value with each row, except for an
    /// argument, which every row repeats.
    pub(crate) fn take(&mut self, info: &mut IndexInfo, constraint: usize, column: c_int, is_argument: bool) {
        self.columns.push(column);
        let mut usage = info.constraint_usage(constraint);
        // Counted from 1, because 0 would mean that the value is not wanted.
        usage.set_argv_index(self.columns.len() as c_int);
        usage.set_omit(is_argument);
    }

    pub(crate) fn has(&self, column: c_int) -> bool {
        self.columns.contains(&column)
    }

    /// Returns whether the statement names a column whose value was not taken.
    pub(crate) fn lacks(&self, column: c_int, info: &IndexInfo) -> bool {
        // `colUsed` has a bit for each column in the statement, in conditions or in results. Its bit 63
        // represents all columns from the 64th on, which these tables do not have.
        info.col_used() & (1 << column) != 0 && !self.has(column)
    }

    /// Writes the columns into the plan.
    pub(crate) fn plan(&self, info: &mut IndexInfo) {
        let columns: Vec<String> = self.columns.iter().map(c_int::to_string).collect();
        info.set_idx_str(&columns.join(","));
    }

    /// Reads the columns of a plan.
    pub(crate) fn columns(plan: Option<&str>) -> impl Iterator<Item = c_int> {
        plan.unwrap_or_default().split(',').filter_map(|column| column.parse().ok())
    }
}

/// The values by which a table is read, with their columns.
#[derive(Default)]
pub(crate) struct Arguments {
    values: Vec<(c_int, String)>,
}

impl Arguments {
    /// Replaces the values. Returns false if none of the rows can match, because a value never equals NULL or
    /// two different texts, and an argument is a text.
    pub(crate) fn keep<'v>(&mut self, values: impl Iterator<Item = (c_int, ValueRef<'v>)>) -> bool {
        self.values.clear();
        for (column, value) in values {
            let Some(text) = text_of(value) else { return false };
            match self.get(column) {
                None => self.values.push((column, text.to_owned())),
                Some(other) if other == text => {}
                Some(_) => return false,
            }
        }
        true
    }

    /// Returns the value of a column, if one was given.
    pub(crate) fn get(&self, column: c_int) -> Option<&str> {
        self.values.iter().find(|(given, _)| *given == column).map(|(_, value)| &**value)
    }
}

/// Returns a value if it is a text.
pub(crate) fn text_of(value: ValueRef<'_>) -> Option<&str> {
    match value {
        ValueRef::Text(text) => str::from_utf8(text).ok(),
        _ => None,
    }
}
