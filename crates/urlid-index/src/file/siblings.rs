//! More connections to a file, which see the same state as the first one (docs/decisions/0049).
//!
//! SQLite lets several connections read at the same time, but each begins with the state that it finds. One more connection proves
//! that nobody wrote meanwhile: its `PRAGMA data_version` is the same before the first of them begins and after the last.

use urlid::Error;

use super::open::{IndexFile, Shared, View};
use super::store::{Access, Store};

/// Attempts to find a moment in which nobody writes.
const ATTEMPTS: usize = 4;

/// A connection within a transaction, which sees the state of another one.
#[derive(Debug)]
pub(crate) struct Sibling(Store);

impl Sibling {
    /// Returns the state as a connection of this thread reads it.
    pub(crate) fn view<'s>(&'s self, of: &Shared) -> View<'s> {
        View::beside(&self.0, of)
    }
}

impl IndexFile {
    /// Calls `read` with one state, within a transaction, with what `prepare` makes of that state, and with as many more
    /// connections to it as `prepare` returns.
    ///
    /// There are none if this is a transaction within another one, if no moment without a writer is found, or if the file cannot be
    /// opened once more.
    pub(crate) fn read_with_siblings<P, T>(
        &self,
        prepare: impl Fn(&View<'_>) -> (P, usize),
        read: impl FnOnce(&View<'_>, P, Vec<Sibling>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.is_within_transaction() {
            return self.read(|view| read(view, prepare(view).0, Vec::new()));
        }
        let first = self.begin_read()?;
        let view = self.view()?;
        let (prepared, count) = prepare(&view);
        if count == 0 {
            return read(&view, prepared, Vec::new());
        }
        drop(first);
        let path = &self.store().path;
        let Ok(witness) = Store::open(path, Access::Read) else {
            return self.read(|view| read(view, prepare(view).0, Vec::new()));
        };
        for _ in 0..ATTEMPTS {
            let before = version(&witness);
            let attempt = self.begin_read()?;
            let view = self.view()?;
            let siblings: Option<Vec<Sibling>> = (0..count).map(|_| begin(&view)).collect();
            if before.is_some()
                && version(&witness) == before
                && let Some(siblings) = siblings
            {
                // What was opened by name was this file, if it still has its name.
                self.held.check_name(path)?;
                return read(&view, prepare(&view).0, siblings);
            }
            drop(attempt);
        }
        self.read(|view| read(view, prepare(view).0, Vec::new()))
    }
}

/// Opens a connection and begins its state.
fn begin(view: &View<'_>) -> Option<Sibling> {
    let store = Store::open(&view.store.path, Access::Read).ok()?;
    store.limit_steps(Some(view.pages()));
    store.conn.execute_batch("BEGIN").ok()?;
    // The first statement that reads begins the state.
    store.conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).ok()?;
    Some(Sibling(store))
}

/// Returns the version of the file, which a commit of any other connection changes.
fn version(store: &Store) -> Option<i64> {
    store.conn.pragma_query_value(None, "data_version", |row| row.get(0)).ok()
}
