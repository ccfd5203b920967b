//! The columns of `urlid_find`: the stored key and URL, the parts of the URL, and the arguments.

use std::ffi::c_int;

use rusqlite::types::Value;
use urlid_store::question::{Compared, Condition, StoredUrl};

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// The SXURL; NULL if the URL lacks one.
    Id,
    /// The stored URL.
    Url,
    /// An argument: the schema of the index.
    Index,
    /// A part of the URL.
    Part(Condition),
    /// An argument: a condition on URLs that is not a comparison of a part.
    Argument(Condition),
}

/// The columns, in the order of the declaration. The conditions are in the order of their table.
pub(super) const COLUMNS: [Column; Condition::ALL.len() + 3] = {
    let mut columns = [Column::Id; Condition::ALL.len() + 3];
    columns[1] = Column::Url;
    columns[INDEX as usize] = Column::Index;
    let mut index = 0;
    while index < Condition::ALL.len() {
        let condition = Condition::ALL[index];
        columns[index + 3] = match condition.compared() {
            Compared::Text | Compared::Number => Column::Part(condition),
            Compared::Property => Column::Argument(condition),
        };
        index += 1;
    }
    columns
};

/// The position of the argument `index`.
pub(super) const INDEX: c_int = 2;

/// Returns the declaration of the table.
///
/// It has a primary key instead of row numbers. For `OR` and for outer joins, SQLite reads the table more
/// than once and recognises a repeated row by the key.
pub(super) fn declaration() -> String {
    let columns = COLUMNS.map(|column| format!("\"{}\" {}", column.name(), column.declared()));
    format!("CREATE TABLE urlid_find({}, PRIMARY KEY(url, \"index\")) WITHOUT ROWID", columns.join(", "))
}

impl Column {
    pub(super) fn name(self) -> String {
        match self {
            Self::Id => "id".to_owned(),
            Self::Url => "url".to_owned(),
            Self::Index => "index".to_owned(),
            Self::Part(condition) | Self::Argument(condition) => condition.name().replace('-', "_"),
        }
    }

    fn declared(self) -> &'static str {
        match self {
            Self::Id => "BLOB",
            Self::Url => "TEXT",
            // Without a type, so that SQLite does not convert the given value.
            Self::Index | Self::Argument(_) => "HIDDEN",
            Self::Part(condition) if condition.compared() == Compared::Number => "INTEGER HIDDEN",
            Self::Part(_) => "TEXT HIDDEN",
        }
    }

    /// Returns whether the column is an argument, which rows repeat.
    pub(super) fn is_argument(self) -> bool {
        matches!(self, Self::Index | Self::Argument(_))
    }

    /// Returns whether the column is a part of the URL whose values are texts.
    pub(super) fn is_text(self) -> bool {
        match self {
            Self::Part(condition) => condition.compared() == Compared::Text,
            Self::Id | Self::Url | Self::Index | Self::Argument(_) => false,
        }
    }

    /// Returns the value for a URL, which is NULL for a missing part.
    pub(super) fn value_of(self, url: &StoredUrl<'_>) -> Value {
        let text = match self {
            Self::Part(condition) => url.part(condition),
            Self::Id | Self::Url | Self::Index | Self::Argument(_) => None,
        };
        match text.map(String::from) {
            None => Value::Null,
            Some(text) if self.is_text() => Value::Text(text),
            Some(number) => number.parse().map_or(Value::Null, Value::Integer),
        }
    }
}
