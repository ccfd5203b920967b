//! The columns of `urlid_find`: the key and the URL as they are stored, the parts of the URL, and the arguments.

use std::ffi::c_int;

use rusqlite::types::Value;
use urlid_plan::{Condition, StoredUrl};

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// The SXURL; NULL if the URL lacks one.
    Id,
    /// The URL as it is stored.
    Url,
    /// An argument: the schema of the index.
    Index,
    /// A part of the URL.
    Part(Condition),
    /// The label before the public suffix, and the suffix.
    RegisteredDomain,
    /// An argument: a condition on URLs that is not one of their parts.
    Argument(Condition),
}

/// The columns, in the order of the declaration.
pub(super) const COLUMNS: [Column; 16] = [
    Column::Id,
    Column::Url,
    Column::Index,
    Column::Part(Condition::Scheme),
    Column::Part(Condition::Host),
    Column::Part(Condition::Tld),
    Column::Part(Condition::Domain),
    Column::Part(Condition::Sub),
    Column::Part(Condition::Port),
    Column::Part(Condition::Path),
    Column::Argument(Condition::PathPrefix),
    Column::Part(Condition::Query),
    Column::Part(Condition::Fragment),
    Column::Argument(Condition::Has),
    Column::Argument(Condition::Lacks),
    Column::RegisteredDomain,
];

/// The position of the argument `index`.
pub(super) const INDEX: c_int = 2;

/// Returns the declaration of the table.
///
/// It has a primary key instead of row numbers. SQLite reads the table more than once for `OR` and for outer joins, and
/// recognises a row that it has seen before by the key.
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
            Self::RegisteredDomain => "registered_domain".to_owned(),
            Self::Part(condition) | Self::Argument(condition) => condition.name().replace('-', "_"),
        }
    }

    fn declared(self) -> &'static str {
        match self {
            Self::Id => "BLOB",
            Self::Url => "TEXT",
            // Without a type, so that SQLite does not convert what was given.
            Self::Index | Self::Argument(_) => "HIDDEN",
            Self::Part(Condition::Port) => "INTEGER HIDDEN",
            Self::Part(_) | Self::RegisteredDomain => "TEXT HIDDEN",
        }
    }

    /// Returns whether the column is an argument, which rows repeat.
    pub(super) fn is_argument(self) -> bool {
        matches!(self, Self::Index | Self::Argument(_))
    }

    /// Returns whether the column is a part of the URL whose values are texts.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Part(_) | Self::RegisteredDomain) && self != Self::Part(Condition::Port)
    }

    /// Returns the value for a URL: NULL for a part that it lacks.
    pub(super) fn value_of(self, url: &StoredUrl<'_>) -> Value {
        let text = match self {
            Self::Part(Condition::Scheme) => url.scheme(),
            Self::Part(Condition::Host) => url.host(),
            Self::Part(Condition::Tld) => url.tld(),
            Self::Part(Condition::Domain) => url.domain(),
            Self::RegisteredDomain if url.domain().is_empty() => "",
            Self::RegisteredDomain => url.registered_domain(),
            // A host without labels before its domain has an empty sub; an address lacks one.
            Self::Part(Condition::Sub) if !url.tld().is_empty() => return Value::Text(url.sub().to_owned()),
            Self::Part(Condition::Port) => {
                return url.port().map_or(Value::Null, |port| Value::Integer(port.into()));
            }
            Self::Part(Condition::Path) => return Value::Text(url.path().to_owned()),
            Self::Part(Condition::Query) => url.query(),
            Self::Part(Condition::Fragment) => url.fragment(),
            Self::Part(_) | Self::Id | Self::Url | Self::Index | Self::Argument(_) => "",
        };
        if text.is_empty() { Value::Null } else { Value::Text(text.to_owned()) }
    }
}
