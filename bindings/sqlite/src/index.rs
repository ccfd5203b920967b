//! An index of the program in a database that the connection has open, read through the connection's own SQLite.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Error, Result, Statement as Prepared, ToSql, params_from_iter};
use urlid::ErrorCode;
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};
use urlid_plan::schema::{APPLICATION_ID, FORMAT_VERSION, Object, check};
use urlid_plan::{EachRow, Layout, Reader, SliceIndex, Statement, Value};

/// An index that was checked.
pub(crate) struct Index<'c> {
    connection: &'c Connection,
    /// The schema with its quotes.
    schema: String,
    version: u32,
    slice_indexes: Vec<SliceIndex>,
    suffixes: &'static SuffixList,
}

impl<'c> Index<'c> {
    /// Checks that a schema is an index, and one by the compiled suffix list.
    pub(crate) fn open(connection: &'c Connection, name: &str) -> Result<Self> {
        let schema = format!("\"{}\"", name.replace('"', "\"\""));
        let number = |pragma: &str| -> Result<u32> {
            connection.query_row(&format!("PRAGMA {schema}.{pragma}"), [], |row| row.get(0))
        };
        let version = number("user_version")?;
        if number("application_id")? != APPLICATION_ID || !(1..=FORMAT_VERSION).contains(&version) {
            return Err(fail(ErrorCode::IndexFormat, format!("{name} is no index that this version reads")));
        }
        let slice_indexes = check(&objects(connection, &schema)?, version).map_err(|object| {
            fail(ErrorCode::IndexFormat, format!("the schema of index {name} is altered: found {object}"))
        })?;
        let snapshot: String = connection.query_row(
            &format!("SELECT value FROM {schema}.meta WHERE key = 'snapshot'"),
            [],
            |row| row.get(0),
        )?;
        let snapshot = snapshot.parse::<Snapshot>();
        let snapshot = snapshot.map_err(|_| {
            fail(ErrorCode::IndexDamaged, format!("index {name} has no snapshot that can be read"))
        })?;
        let sections = if snapshot.psl_sections == "icann" { Sections::Icann } else { Sections::All };
        let suffixes = SuffixList::compiled(sections);
        let ours = Snapshot::of(suffixes);
        if (&snapshot.psl_sections, &snapshot.psl_sha256) != (&ours.psl_sections, &ours.psl_sha256) {
            let message = format!(
                "index {name} is by another suffix list: found {}, expected {}",
                snapshot.psl_version, ours.psl_version
            );
            return Err(fail(ErrorCode::Snapshot, message));
        }
        Ok(Index { connection, schema, version, slice_indexes, suffixes })
    }

    /// Returns what a plan depends on.
    pub(crate) fn layout(&self) -> Layout<'_> {
        let has_other = self.version >= 2;
        Layout { suffixes: self.suffixes, slice_indexes: &self.slice_indexes, has_other }
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

impl Reader for Index<'_> {
    type Error = Error;
    type Statement<'r>
        = Rows<'r>
    where
        Self: 'r;

    fn schema(&self) -> &str {
        &self.schema
    }

    fn prepare(&self, sql: &str) -> Result<Rows<'_>> {
        self.connection.prepare(sql).map(Rows)
    }
}

/// A statement of the connection.
pub(crate) struct Rows<'r>(Prepared<'r>);

impl Statement for Rows<'_> {
    type Error = Error;

    fn read(&mut self, parameters: &[Value<'_>], each: &mut EachRow<'_>) -> Result<()> {
        let mut rows = self.0.query(params_from_iter(parameters.iter().map(|value| Parameter(*value))))?;
        while let Some(row) = rows.next()? {
            if each([value(row.get_ref(0)?), value(row.get_ref(1)?)]).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// A parameter of a statement.
struct Parameter<'v>(Value<'v>);

impl ToSql for Parameter<'_> {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Blob(bytes) => ValueRef::Blob(bytes),
            Value::Text(text) => ValueRef::Text(text),
            Value::Other => ValueRef::Null,
        }))
    }
}

fn value(value: ValueRef<'_>) -> Value<'_> {
    match value {
        ValueRef::Blob(bytes) => Value::Blob(bytes),
        ValueRef::Text(text) => Value::Text(text),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Value::Other,
    }
}
