//! Prepared statements, which are read row by row across several calls from SQLite.
//!
//! Rows of `rusqlite` borrow from their statement. A cursor, which SQLite owns, cannot contain both.

use std::ffi::{CStr, c_int, c_void};
use std::slice;

use rusqlite::{Error, Result, ffi};
use urlid_store::question::RowValue;

/// Statements of one connection, each prepared once.
pub(crate) struct Statements {
    db: *mut ffi::sqlite3,
    prepared: Vec<(String, Statement)>,
}

impl Statements {
    /// Prepares statements of a connection, which must stay open until they are dropped.
    pub(crate) fn of(db: *mut ffi::sqlite3) -> Self {
        Self { db, prepared: Vec::new() }
    }

    /// Binds parameters to a statement, rewinds it, and returns its position.
    pub(crate) fn begin(&mut self, sql: &str, parameters: &[RowValue<'_>]) -> Result<usize> {
        let place = match self.prepared.iter().position(|(text, _)| text == sql) {
            Some(place) => place,
            None => {
                self.prepared.push((sql.to_owned(), Statement::prepare(self.db, sql)?));
                self.prepared.len() - 1
            }
        };
        self.at(place).begin(parameters)?;
        Ok(place)
    }

    /// Returns the statement at a position.
    pub(crate) fn at(&mut self, place: usize) -> &mut Statement {
        &mut self.prepared[place].1
    }

    /// Returns the key in the only row of a statement with one parameter, if there is a row.
    pub(crate) fn seek(&mut self, sql: &str, from: RowValue<'_>) -> Result<Option<[u8; 32]>> {
        let place = self.begin(sql, &[from])?;
        let statement = self.at(place);
        let found = statement.step()?;
        Ok(found.then(|| statement.row()[0].to_padded_id()))
    }
}

/// A statement of a connection that stays open longer.
pub(crate) struct Statement {
    db: *mut ffi::sqlite3,
    raw: *mut ffi::sqlite3_stmt,
}

impl Statement {
    fn prepare(db: *mut ffi::sqlite3, sql: &str) -> Result<Self> {
        // Also dropped on failure. SQLite then leaves the pointer null, which `sqlite3_finalize` accepts.
        let mut statement = Self { db, raw: std::ptr::null_mut() };
        let length = length(sql.as_bytes())?;
        // SAFETY: the connection is open, and the text has the given length.
        let code = unsafe {
            ffi::sqlite3_prepare_v2(db, sql.as_ptr().cast(), length, &mut statement.raw, std::ptr::null_mut())
        };
        statement.check(code)?;
        Ok(statement)
    }

    /// Rewinds the statement and binds parameters.
    fn begin(&mut self, parameters: &[RowValue<'_>]) -> Result<()> {
        // SAFETY: the statement is prepared. The returned code repeats the code of the last step, which was
        // reported.
        unsafe { ffi::sqlite3_reset(self.raw) };
        for (number, parameter) in (1..).zip(parameters) {
            self.bind(number, *parameter)?;
        }
        Ok(())
    }

    fn bind(&mut self, number: c_int, value: RowValue<'_>) -> Result<()> {
        let (RowValue::Blob(bytes) | RowValue::Text(bytes)) = value else { return Ok(()) };
        let length = length(bytes)?;
        // SAFETY: the bytes have the given length, and SQLite copies them.
        let code = unsafe {
            match value {
                RowValue::Text(_) => ffi::sqlite3_bind_text(
                    self.raw,
                    number,
                    bytes.as_ptr().cast(),
                    length,
                    ffi::SQLITE_TRANSIENT(),
                ),
                _ => ffi::sqlite3_bind_blob(
                    self.raw,
                    number,
                    bytes.as_ptr().cast(),
                    length,
                    ffi::SQLITE_TRANSIENT(),
                ),
            }
        };
        self.check(code)
    }

    /// Moves to the next row. Returns false after the last row.
    pub(crate) fn step(&mut self) -> Result<bool> {
        // SAFETY: the statement is prepared.
        match unsafe { ffi::sqlite3_step(self.raw) } {
            ffi::SQLITE_ROW => Ok(true),
            ffi::SQLITE_DONE => Ok(false),
            code => self.check(code).map(|()| false),
        }
    }

    /// Returns the first two columns of the current row.
    pub(crate) fn row(&self) -> [RowValue<'_>; 2] {
        [self.column(0), self.column(1)]
    }

    fn column(&self, index: c_int) -> RowValue<'_> {
        // SAFETY: the returned bytes live until the next step, which borrows the statement mutably. The length is read last,
        // because reading a text may convert it.
        unsafe {
            match ffi::sqlite3_column_type(self.raw, index) {
                ffi::SQLITE_BLOB => {
                    let bytes = ffi::sqlite3_column_blob(self.raw, index);
                    RowValue::Blob(self.bytes(bytes, index))
                }
                ffi::SQLITE_TEXT => {
                    let text = ffi::sqlite3_column_text(self.raw, index);
                    RowValue::Text(self.bytes(text.cast(), index))
                }
                _ => RowValue::Other,
            }
        }
    }

    /// # Safety
    /// SQLite must have returned the bytes for this column.
    unsafe fn bytes(&self, bytes: *const c_void, index: c_int) -> &[u8] {
        if bytes.is_null() {
            return &[];
        }
        // SAFETY: promised by the caller. The length is the length of the same column.
        unsafe { slice::from_raw_parts(bytes.cast(), ffi::sqlite3_column_bytes(self.raw, index) as usize) }
    }

    fn check(&self, code: c_int) -> Result<()> {
        if code == ffi::SQLITE_OK {
            return Ok(());
        }
        // SAFETY: the connection is open, and its message is a text that ends with a zero.
        let message = unsafe { CStr::from_ptr(ffi::sqlite3_errmsg(self.db)) };
        Err(Error::SqliteFailure(ffi::Error::new(code), Some(message.to_string_lossy().into_owned())))
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: the statement is not used again.
        unsafe { ffi::sqlite3_finalize(self.raw) };
    }
}

fn length(bytes: &[u8]) -> Result<c_int> {
    c_int::try_from(bytes.len()).map_err(|_| Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_TOOBIG), None))
}
