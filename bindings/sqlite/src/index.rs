//! An index in a database of the connection.

use rusqlite::{Connection, Error, Result};
use urlid::ErrorCode;
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};
use urlid_store::question::schema::{APPLICATION_ID, FORMAT_VERSION, Object, check};
use urlid_store::question::{Layout, SliceIndex};

/// An index that has passed the checks.
pub(crate) struct Index {
    /// The schema as a quoted identifier of SQL.
    schema: String,
    slice_indexes: Vec<SliceIndex>,
    suffixes: &'static SuffixList,
}

impl Index {
    /// Checks that a schema is an index made with the compiled suffix list.
    pub(crate) fn open(connection: &Connection, name: &str) -> Result<Self> {
        let schema = format!("\"{}\"", name.replace('"', "\"\""));
        let number = |pragma: &str| -> Result<u32> {
            connection.query_row(&format!("PRAGMA {schema}.{pragma}"), [], |row| row.get(0))
        };
        if number("application_id")? != APPLICATION_ID || number("user_version")? != FORMAT_VERSION {
            return Err(fail(
                ErrorCode::IndexFormat,
                format!("{name} is not an index that this version reads"),
            ));
        }
        let slice_indexes = check(&objects(connection, &schema)?).map_err(|object| {
            fail(ErrorCode::IndexFormat, format!("the schema of index {name} is altered: found {object}"))
        })?;
        let snapshot: String = connection.query_row(
            &format!("SELECT value FROM {schema}.meta WHERE key = 'snapshot'"),
            [],
            |row| row.get(0),
        )?;
        let snapshot = snapshot.parse::<Snapshot>();
        let snapshot = snapshot.map_err(|_| {
            fail(ErrorCode::IndexDamaged, format!("index {name} has a snapshot that cannot be read"))
        })?;
        let sections = if snapshot.psl_sections == "icann" { Sections::Icann } else { Sections::All };
        let suffixes = SuffixList::compiled_with(sections);
        let ours = Snapshot::new(suffixes);
        if (&snapshot.psl_sections, &snapshot.psl_sha256) != (&ours.psl_sections, &ours.psl_sha256) {
            let message = format!(
                "index {name} has a different suffix list: found {}, expected {}",
                snapshot.psl_version, ours.psl_version
            );
            return Err(fail(ErrorCode::Snapshot, message));
        }
        Ok(Index { schema, slice_indexes, suffixes })
    }

    /// Returns the properties that affect planning.
    pub(crate) fn layout(&self) -> Layout<'_> {
        Layout { suffixes: self.suffixes, slice_indexes: &self.slice_indexes }
    }

    /// Returns the schema as a quoted identifier of SQL.
    pub(crate) fn schema(&self) -> &str {
        &self.schema
    }

    /// Returns the list that splits its hosts.
    pub(crate) fn suffixes(&self) -> &'static SuffixList {
        self.suffixes
    }
}

fn objects(connection: &Connection, schema: &str) -> Result<Vec<Object>> {
    let mut statement = connection.prepare(&format!("SELECT type, name, sql FROM {schema}.sqlite_schema"))?;
    let rows = statement
        .query_map([], |row| Ok(Object { kind: row.get(0)?, name: row.get(1)?, sql: row.get(2)? }))?;
    rows.collect()
}

/// Returns an error of the query.
pub(crate) fn fail(code: ErrorCode, message: String) -> Error {
    Error::ModuleError(format!("{code}: {message}"))
}
