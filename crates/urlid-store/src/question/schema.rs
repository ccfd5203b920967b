//! The objects of an index file and the numbers in its header (docs/index-format.md, sections 1, 2 and 5),
//! and the columns of slices.
//!
//! It has the required objects, and compares them with the objects of a file. It does not open files or read
//! rows.

use std::ops::Range;

use urlid::hex;
use urlid::sxurl::{Field, Pattern, Slice};

/// The `application_id` of an index file: `URLI` in ASCII.
pub const APPLICATION_ID: u32 = 0x5552_4c49;

/// The `user_version` of the format.
pub const FORMAT_VERSION: u32 = 1;

/// The table of URLs with an SXURL.
pub const URL_TABLE: &str = "CREATE TABLE url(id BLOB, url TEXT, PRIMARY KEY(id, url)) WITHOUT ROWID, STRICT";
/// The table of all other URLs.
pub const OTHER_TABLE: &str =
    "CREATE TABLE other(host_key TEXT, url TEXT, PRIMARY KEY(host_key, url)) WITHOUT ROWID, STRICT";
/// The table of the description of the index.
pub const META_TABLE: &str = "CREATE TABLE meta(key TEXT, value ANY, PRIMARY KEY(key)) WITHOUT ROWID, STRICT";
/// The view with identifiers as hexadecimal digits.
pub const HEX_VIEW: &str = "CREATE VIEW url_hex(id_hex, url) AS SELECT lower(hex(id)), url FROM url";

/// An optional index over the whole bytes of one slice.
///
/// ```
/// use urlid_store::question::SliceIndex;
///
/// assert_eq!(SliceIndex::ALL.map(SliceIndex::name), ["path", "query", "fragment", "sub"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SliceIndex {
    /// `url_path`, of all rows
    Path,
    /// `url_query`, of rows with a query
    Query,
    /// `url_fragment`, of rows with a fragment
    Fragment,
    /// `url_sub`, of rows with a subdomain
    Sub,
}

impl SliceIndex {
    /// Every optional index, in the order of the format's text.
    pub const ALL: [Self; 4] = [Self::Path, Self::Query, Self::Fragment, Self::Sub];

    /// Returns its name for users: `path`, `query`, `fragment` or `sub`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Fragment => "fragment",
            Self::Sub => "sub",
        }
    }

    /// Returns the name of the index in the file.
    #[must_use]
    pub fn object(self) -> &'static str {
        match self {
            Self::Path => "url_path",
            Self::Query => "url_query",
            Self::Fragment => "url_fragment",
            Self::Sub => "url_sub",
        }
    }

    pub(crate) fn slice(self) -> Slice {
        match self {
            Self::Path => Slice::Path,
            Self::Query => Slice::Params,
            Self::Fragment => Slice::Frag,
            Self::Sub => Slice::Sub,
        }
    }

    /// Returns the range of the bytes of an identifier that it indexes. These are the whole bytes of the
    /// slice, without an odd nibble.
    #[must_use]
    pub fn bytes(self) -> Range<usize> {
        self.slice().field().byte_range()
    }

    /// Returns the indexed expression. `substr` counts from 1.
    pub(crate) fn expression(self) -> String {
        let bytes = self.bytes();
        format!("substr(id, {}, {})", bytes.start + 1, bytes.len())
    }

    /// Returns the condition of a partial index, which is that the part is present.
    pub(crate) fn condition(self) -> Option<String> {
        let digits = hex::encode(&self.absent()?.as_bytes()[self.bytes()]);
        Some(format!("{} <> x'{digits}'", self.expression()))
    }

    /// Returns whether identifiers with these digits are in the index. A text that is present may have the
    /// digits of an absent part, by chance or because an attacker searched for one.
    pub(crate) fn has(self, pattern: &Pattern) -> bool {
        self.absent().is_none_or(|absent| absent.as_bytes()[self.bytes()] != pattern.as_bytes()[self.bytes()])
    }

    /// Returns the digits of an absent part, which are not in the index. Returns `None` for paths, because
    /// every URL has one.
    fn absent(self) -> Option<Pattern> {
        (self != Self::Path).then(|| Pattern::ANY.with_hash(self.slice(), ""))
    }

    /// Returns the statement that creates the index.
    #[must_use]
    pub fn sql(self) -> String {
        let condition = self.condition().map(|condition| format!(" WHERE {condition}"));
        format!(
            "CREATE INDEX {} ON url({}){}",
            self.object(),
            self.expression(),
            condition.unwrap_or_default()
        )
    }
}

/// One row of `sqlite_schema`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// `table`, `index`, `view` or `trigger`.
    pub kind: String,
    /// The name of the object.
    pub name: String,
    /// The statement that created it, or `None` for objects that SQLite creates itself.
    pub sql: Option<String>,
}

/// The required objects of a file.
const REQUIRED: [(&str, &str, &str); 4] = [
    ("table", "url", URL_TABLE),
    ("table", "meta", META_TABLE),
    ("view", "url_hex", HEX_VIEW),
    ("table", "other", OTHER_TABLE),
];

/// Returns the optional indexes of a schema.
///
/// # Errors
/// If an object is missing, altered or not part of the format. The error is the name of the first such
/// object.
pub fn check(objects: &[Object]) -> Result<Vec<SliceIndex>, String> {
    // Statements are compared as texts. A foreign file could have a table `url` with generated columns or
    // triggers, and our query would run its expressions.
    for (kind, name, sql) in REQUIRED {
        if objects.iter().filter(|object| object.is(kind, name, sql)).count() != 1 {
            return Err(name.to_owned());
        }
    }
    let mut indexes = Vec::new();
    for object in objects {
        if REQUIRED.iter().any(|(kind, name, sql)| object.is(kind, name, sql)) || is_statistics(object) {
            continue;
        }
        let known =
            SliceIndex::ALL.into_iter().find(|index| object.is("index", index.object(), &index.sql()));
        match known {
            Some(index) if !indexes.contains(&index) => indexes.push(index),
            _ => return Err(object.name.clone()),
        }
    }
    Ok(indexes)
}

impl Object {
    /// Returns whether it is this object. The name is not enough, because a trigger can have the name of a
    /// table.
    fn is(&self, kind: &str, name: &str, sql: &str) -> bool {
        self.kind == kind && self.name == name && self.sql.as_deref() == Some(sql)
    }
}

/// Returns whether `ANALYZE` made an object. SQLite reserves names with the prefix `sqlite_`.
fn is_statistics(object: &Object) -> bool {
    object.kind == "table" && matches!(object.name.as_str(), "sqlite_stat1" | "sqlite_stat4")
}

/// The columns, in the order of the files. All are signed, because Spark reads UINT64 as `decimal(20,0)` and
/// does not prune on it. The longest slice has 60 bits, so values are never negative.
pub const SLICE_COLUMNS: [(&str, Field); 8] = [
    ("sx_header", Field::Header),
    ("sx_tld", Field::Tld),
    ("sx_domain", Field::Domain),
    ("sx_sub", Field::Sub),
    ("sx_port", Field::Port),
    ("sx_path", Field::Path),
    ("sx_params", Field::Params),
    ("sx_frag", Field::Frag),
];

/// Returns whether the column of a field has 32 bits instead of 64.
#[must_use]
pub fn is_narrow(field: Field) -> bool {
    // The fields of at most 24 bits, which a signed column of 32 bits holds.
    matches!(field, Field::Header | Field::Tld | Field::Port | Field::Frag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(kind: &str, name: &str, sql: &str) -> Object {
        Object { kind: kind.to_owned(), name: name.to_owned(), sql: Some(sql.to_owned()) }
    }

    fn whole() -> Vec<Object> {
        vec![
            object("table", "url", URL_TABLE),
            object("table", "meta", META_TABLE),
            object("view", "url_hex", HEX_VIEW),
            object("table", "other", OTHER_TABLE),
        ]
    }

    #[test]
    fn the_format_and_its_indexes_are_accepted() {
        assert_eq!(check(&whole()), Ok(vec![]));
        let mut objects = whole();
        for index in SliceIndex::ALL {
            objects.push(object("index", index.object(), &index.sql()));
        }
        assert_eq!(check(&objects), Ok(SliceIndex::ALL.to_vec()));
        objects.push(object("table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"));
        assert_eq!(check(&objects), Ok(SliceIndex::ALL.to_vec()));
    }

    #[test]
    fn optional_indexes_match_the_specified_sql() {
        let statements = [
            "CREATE INDEX url_path ON url(substr(id, 18, 7))",
            "CREATE INDEX url_query ON url(substr(id, 26, 4)) WHERE substr(id, 26, 4) <> x'354b043a'",
            "CREATE INDEX url_fragment ON url(substr(id, 30, 3)) WHERE substr(id, 30, 3) <> x'29e356'",
            "CREATE INDEX url_sub ON url(substr(id, 12, 4)) WHERE substr(id, 12, 4) <> x'440f00a9'",
        ];
        assert_eq!(SliceIndex::ALL.map(SliceIndex::sql), statements);
    }

    #[test]
    fn every_other_object_is_named() {
        let hostile = [
            object("trigger", "t", "CREATE TRIGGER t AFTER INSERT ON url BEGIN DELETE FROM url; END"),
            object("index", "url_path", "CREATE INDEX url_path ON url(evil(id))"),
            object("table", "other", OTHER_TABLE),
            object("trigger", "url", "CREATE TRIGGER url AFTER INSERT ON url BEGIN DELETE FROM url; END"),
            object("index", "meta", "CREATE INDEX meta ON url(url)"),
            object("trigger", "url_hex", HEX_VIEW),
            object("table", "url", URL_TABLE),
            object("view", "sqlite_stat1", "CREATE VIEW sqlite_stat1 AS SELECT 1"),
        ];
        for extra in hostile {
            let mut objects = whole();
            objects.push(extra.clone());
            assert_eq!(check(&objects), Err(extra.name));
        }
    }

    #[test]
    fn a_missing_or_altered_object_is_named() {
        for index in 0..4 {
            let mut objects = whole();
            let name = objects[index].name.clone();
            objects[index].sql = Some(objects[index].sql.clone().unwrap_or_default() + " ");
            assert_eq!(check(&objects), Err(name.clone()));
            objects.remove(index);
            assert_eq!(check(&objects), Err(name));
        }
    }
}
