//! An open index file, and transactions on it. A reader sees one state, and a writer changes all or nothing.
//!
//! A state is the rows with their suffix list and optional indexes. Between two transactions a different
//! process may migrate the index, drop an optional index or replace the file. Each transaction therefore
//! starts by checking the name and the description of the file.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_canonical::{Form, Kind as FormKind, Rules};

use super::database::{Access, Database, is_about_a_log};
use super::header::{FileKind, HeldFile, beside, special};
use super::meta::{self, Basis, IndexState, RowCounts};
use crate::description::{Description, StoredKind};
use crate::file::error::{self, io};

/// The pages of the log (512 MiB) after which SQLite copies them into the file by itself.
///
/// Its default of 1,000 copies the same pages again and again. With this number, inserting batches of 10,000
/// rows was 1.5 times as fast.
const CHECKPOINT_PAGES: i64 = 131_072;
/// The bytes to which the file of the log is cut after a checkpoint. Otherwise the file never shrinks: two
/// writers once left a log of 1 GB next to an index of 60 MB.
const LOG_LIMIT: i64 = 64 << 20;

/// An existing index with a file that was checked.
#[derive(Debug)]
pub(crate) struct IndexFile {
    // This is declared, and therefore dropped, before `held`, because closing that descriptor releases
    // SQLite's locks.
    store: Database,
    pub(crate) held: HeldFile,
    access: Access,
    last: RefCell<Option<FileState>>,
}

/// The state that the last transaction saw. It saves reading the description again while nothing changes.
#[derive(Clone, Debug)]
struct FileState {
    /// `PRAGMA data_version`, which changes with each commit of a different connection.
    version: i64,
    pages: u64,
    state: Arc<IndexState>,
}

/// One state of an index, within a transaction.
pub(crate) struct View<'i> {
    pub(crate) store: &'i Database,
    pub(crate) state: Arc<IndexState>,
    pages: u64,
}

impl<'i> View<'i> {
    pub(crate) fn conn(&self) -> &'i Connection {
        &self.store.conn
    }

    /// Returns the number of pages of the file.
    pub(crate) fn pages(&self) -> u64 {
        self.pages
    }

    /// Resets the limit of steps to the number needed for one more pass over the file.
    pub(crate) fn renew_steps(&self) {
        self.store.limit_steps(Some(self.pages));
    }

    pub(crate) fn suffixes(&self) -> &SuffixList {
        &self.state.suffixes
    }

    pub(crate) fn error(&self, error: rusqlite::Error) -> Error {
        self.store.error(error)
    }

    /// Fails unless rows with the description `other` may be added to this state.
    pub(crate) fn check_like(&self, other: &Description) -> Result<(), Error> {
        self.state.description.check_like(other, &self.store.path)
    }

    /// Returns the rules of sites that the form names, or `None` if it does not name any.
    pub(crate) fn rules(&self) -> Result<Option<Rules>, Error> {
        meta::stored_rules(self.store, &self.state)
    }

    /// Returns the canonical form of the URLs. `given` is needed if it contains a list of the user.
    pub(crate) fn form(&self, given: Option<&Form>) -> Result<Option<Form>, Error> {
        self.state.description.form(given, &self.store.path, || self.rules())
    }

    /// Returns the recorded numbers of rows, without counting.
    pub(crate) fn rows(&self) -> Result<RowCounts<u64>, Error> {
        meta::rows(self.store)
    }
}

impl IndexFile {
    /// Opens and checks an existing file. Files that are not an index are rejected before SQLite opens them,
    /// because SQLite may write to them.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self, Error> {
        let metadata = std::fs::metadata(path).map_err(|e| io(path, e))?;
        // This is checked before the file is opened, because opening a FIFO would block.
        if let Some(found) = special(&metadata) {
            let found = StoredKind::of_path(path).map_or(found, StoredKind::name);
            return Err(error::SPECIAL.error().with_path(path).with_shown(found));
        }
        let (held, kind) = HeldFile::open(path).map_err(|e| io(path, e))?;
        let has_log = match kind {
            FileKind::Index { has_log } => has_log,
            FileKind::Empty => return Err(error::EMPTY.error().with_path(path)),
            FileKind::Foreign => return Err(error::FOREIGN.error().with_path(path)),
            FileKind::Other(id) => return Err(error::other(path, id)),
            FileKind::Version(version) => return Err(error::version(path, version)),
        };
        if access == Access::Write {
            held.check_only_name(path)?;
        }
        // After a crash a file with a log may end anywhere, because the log has the missing pages. This is
        // checked before SQLite opens the file and replays the log.
        let is_logged = std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
        let unsealed = |error| match has_log && access == Access::Read && is_about_a_log(&error) {
            // SQLite's own message mentions neither the log nor a remedy.
            true => error.with_kind(error::UNSEALED),
            false => error,
        };
        let store = Database::open(path, access).map_err(unsealed)?;
        let file = Self { store, held, access, last: RefCell::new(None) };
        // The first transaction checks the schema and the description.
        file.read(|_| Ok(())).map_err(unsealed)?;
        if !is_logged {
            file.check_length()?;
        }
        Ok(file)
    }

    /// Rejects a file that ends within a page. SQLite would read the rest of that page as zeros.
    fn check_length(&self) -> Result<(), Error> {
        let store = &self.store;
        let read = store.conn.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0));
        let page_size = u64::from(read.map_err(|e| store.error(e))?);
        let length = std::fs::metadata(&store.path).map_err(|e| io(&store.path, e))?.len();
        if length.is_multiple_of(page_size) {
            return Ok(());
        }
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        let message = "the file ends within a page".to_owned();
        Err(store.error(rusqlite::Error::SqliteFailure(code, Some(message))))
    }

    /// Prepares the file for writing: WAL mode, so that readers and writers do not wait for each other, and
    /// durable commits.
    pub(crate) fn use_log(&self) -> Result<(), Error> {
        self.store.journal_mode("wal")?;
        // FULL syncs the log at each commit. NORMAL may lose the last commits in a power cut, and was not
        // measurably faster.
        self.store.synchronous(2)?;
        self.store.pragma("wal_autocheckpoint", CHECKPOINT_PAGES)?;
        self.store.pragma("journal_size_limit", LOG_LIMIT)
    }

    /// Calls `read` with one state, within a transaction. Inside a transaction of this file, this is the
    /// state of that transaction.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&View<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let conn = &self.store.conn;
        if !conn.is_autocommit() {
            // SQLite does not nest transactions.
            return read(&self.view()?);
        }
        self.held.check_name(&self.store.path)?;
        // Dropping it rolls back. Nothing was written.
        let _transaction = Transaction::new_unchecked(conn, TransactionBehavior::Deferred)
            .map_err(|error| self.store.error(error))?;
        read(&self.view()?)
    }

    /// Calls `write` within a transaction, and commits the transaction if `write` succeeds. Its steps are
    /// limited like the steps of a reader.
    pub(crate) fn change<T>(&self, write: impl FnOnce(&View<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let failed = |error| self.store.error(error);
        self.held.check_only_name(&self.store.path)?;
        // An immediate transaction acquires the write lock now. A deferred transaction that reads first
        // fails, without waiting, if a different process commits before its first write.
        let begun = Transaction::new_unchecked(&self.store.conn, TransactionBehavior::Immediate);
        let transaction = begun.map_err(failed)?;
        let value = write(&self.view()?)?;
        transaction.commit().map_err(failed)?;
        // This is checked again, because a commit to a file that lost its name, or got a second one, is not
        // kept under the name.
        self.held.check_only_name(&self.store.path)?;
        Ok(value)
    }

    /// Prepares the file for rows with a list and a canonical form, and returns their basis.
    ///
    /// Without a form, the form of the file is used. An empty file gets the given form.
    pub(crate) fn begin_adding(&self, list: &SuffixList, form: Option<Form>) -> Result<Basis, Error> {
        check_form(form.as_ref(), list)?;
        let mut basis = Basis { list: list.clone(), form };
        let is_to_take_form = self.read(|view| {
            if basis.form.is_none() {
                basis.form = view.form(None)?;
            }
            let is_empty = view.rows()? == RowCounts::default();
            match view.check_like(&basis.describe()) {
                Err(error) if is_empty && error.is(error::FORM) => Ok(true),
                checked => checked.map(|()| false),
            }
        })?;
        self.use_log()?;
        if is_to_take_form {
            self.change(|view| {
                // A different process may have added rows meanwhile. Then nothing changes here, and the first
                // `add` reports the form.
                match view.rows()? == RowCounts::default() {
                    true => meta::write(view.conn(), &basis).map_err(|e| view.error(e)),
                    false => Ok(()),
                }
            })?;
            // Commits of this connection do not change `data_version`, so the cached description is dropped.
            self.last.replace(None);
        }
        Ok(basis)
    }

    /// Calls `write` within a transaction that adds rows of a basis.
    pub(crate) fn add<T>(
        &self,
        basis: &Basis,
        write: impl FnOnce(&View<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.change(|view| {
            view.check_like(&basis.describe())?;
            // A load may insert any number of rows, whatever the size of the file was before.
            self.store.limit_steps(None);
            write(view)
        })
    }

    /// Returns the state that the current transaction sees.
    fn view(&self) -> Result<View<'_>, Error> {
        let store = &self.store;
        // The pages are not counted yet, so these first statements get only the steps that do not depend on
        // them.
        store.limit_steps(Some(0));
        let number = |pragma: &str| -> Result<i64, Error> {
            let read = store
                .conn
                .prepare_cached(pragma)
                .and_then(|mut pragma| pragma.query_row([], |row| row.get(0)));
            read.map_err(|e| store.error(e))
        };
        // The first statement that reads fixes the transaction's state, so all later reads belong to the same
        // version.
        let version = number("PRAGMA data_version")?;
        let mut last = self.last.borrow_mut();
        let now = match &*last {
            Some(last) if last.version == version => last.clone(),
            before => {
                let before = before.as_ref().map(|last| &*last.state);
                let state = Arc::new(meta::describe(store, before)?);
                let pages = number("PRAGMA page_count")?.unsigned_abs();
                FileState { version, pages, state }
            }
        };
        let view = View { store, state: Arc::clone(&now.state), pages: now.pages };
        *last = Some(now);
        view.renew_steps();
        Ok(view)
    }

    /// Returns the connection, for work on the whole file outside a transaction.
    pub(crate) fn store(&self) -> &Database {
        &self.store
    }

    /// Copies the log into the file and empties it, as far as this is possible without waiting for other
    /// processes.
    pub(crate) fn checkpoint(&self) -> Result<(), Error> {
        self.held.check_only_name(&self.store.path)?;
        self.store.checkpoint()
    }

    /// Empties the log after a commit, if possible. The commit is already durable. If the disk is full or the
    /// size of files is limited, the log stays, and the next checkpoint copies it.
    pub(crate) fn committed(&self) -> Result<(), Error> {
        self.held.check_only_name(&self.store.path)?;
        let _ = self.store.checkpoint();
        Ok(())
    }
}

/// Fails if a canonical form gives keys, which are not URLs, or names rules that could not be read with the
/// suffix list of the file.
pub(crate) fn check_form(form: Option<&Form>, list: &SuffixList) -> Result<(), Error> {
    let Some(form) = form else { return Ok(()) };
    if form.profile().kind == FormKind::Key {
        return Err(error::KEY_FORM.error().with_subject(form.to_string()));
    }
    form.rules().map_or(Ok(()), |rules| Rules::parse_with(rules.text(), list).map(drop))
}

impl Drop for IndexFile {
    fn drop(&mut self) {
        // SQLite removes the log by name when the last connection closes. By now the name may belong to the
        // log of a different file.
        let is_named = match self.access {
            Access::Read => self.held.check_name(&self.store.path),
            Access::Write | Access::Fill => self.held.check_only_name(&self.store.path),
        };
        if is_named.is_err() {
            // The log then stays as it does after a crash, and SQLite recovers from it.
            let _ = self.store.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }
}
