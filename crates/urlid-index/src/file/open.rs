//! An index file that is open, and transactions on it: a reader sees one state, a writer changes all or nothing.
//!
//! A state is the rows with the suffix list and the optional indexes that belong to them. Between two transactions another process may
//! migrate the index, drop an optional index or replace the file, so each transaction begins by looking at what is there.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use urlid::canonical::{Form, Kind as FormKind};
use urlid::suffix::SuffixList;

use super::error::IndexError;
use super::header::{HeldFile, Kind, beside, special};
use super::meta::{self, Basis, Description, RowCounts};
use super::store::{Access, Store};

/// Pages of the log before SQLite copies them into the file by itself.
const CHECKPOINT_PAGES: i64 = 131_072;
const LOG_LIMIT: i64 = 64 << 20;

/// An index that exists and was checked.
#[derive(Debug)]
pub(crate) struct IndexFile {
    // Declared first so that SQLite closes the file before its descriptor is closed.
    store: Store,
    pub(crate) held: HeldFile,
    access: Access,
    last: RefCell<Option<State>>,
}

/// What the last transaction saw.
#[derive(Clone, Debug)]
struct State {
    /// SQLite's number of the state; a commit of another connection changes it.
    version: i64,
    pages: u64,
    description: Arc<Description>,
}

/// One state of an index, within a transaction.
pub(crate) struct View<'i> {
    pub(crate) store: &'i Store,
    pub(crate) description: Arc<Description>,
    pages: u64,
}

impl<'i> View<'i> {
    pub(crate) fn conn(&self) -> &'i Connection {
        &self.store.conn
    }

    /// Gives the operation the steps again that reading the file once takes.
    pub(crate) fn renew_steps(&self) {
        self.store.limit_steps(Some(self.pages));
    }

    pub(crate) fn suffixes(&self) -> &SuffixList {
        &self.description.suffixes
    }

    pub(crate) fn error(&self, error: rusqlite::Error) -> IndexError {
        self.store.error(error).into()
    }

    /// Fails unless rows made on a basis belong in this state.
    pub(crate) fn check_basis(&self, basis: &Basis) -> Result<(), IndexError> {
        let path = || self.store.path.clone();
        if !self.description.has_other() {
            return Err(IndexError::Older { path: path(), version: self.description.format });
        }
        self.check_list(&basis.list)?;
        let ours = basis.form_name();
        match self.description.canonical_form.as_deref().unwrap_or_default() == ours {
            true => Ok(()),
            false => {
                let index = self.description.canonical_form.clone();
                let ours = if ours.is_empty() { "none".to_owned() } else { ours };
                Err(IndexError::Form { path: path(), index, ours })
            }
        }
    }

    /// Fails unless the rows of this state are made with the list and in the canonical form of another one.
    pub(crate) fn check_same(&self, other: &Description) -> Result<(), IndexError> {
        self.check_list(&other.suffixes)?;
        if self.description.canonical_form == other.canonical_form {
            return Ok(());
        }
        let ours = other.canonical_form.clone().unwrap_or_else(|| "none".to_owned());
        let (path, index) = (self.store.path.clone(), self.description.canonical_form.clone());
        Err(IndexError::Form { path, index, ours })
    }

    /// Returns the canonical form that the URLs are in: the one that is given if it has that name.
    pub(crate) fn form(&self, given: Option<&Form>) -> Result<Option<Form>, IndexError> {
        let Some(name) = &self.description.canonical_form else { return Ok(None) };
        if let Some(form) = given.filter(|form| form.to_string() == *name) {
            return Ok(Some(form.clone()));
        }
        let unknown = |source| IndexError::FormName { path: self.store.path.clone(), source };
        name.parse().map(Some).map_err(unknown)
    }

    /// Reads the recorded numbers of rows.
    pub(crate) fn rows(&self) -> Result<RowCounts<u64>, IndexError> {
        meta::rows(self.store, self.description.format)
    }

    /// Fails unless identifiers of this state are made with `list`.
    pub(crate) fn check_list(&self, list: &SuffixList) -> Result<(), IndexError> {
        let (index, ours) = (&self.description.snapshot, meta::snapshot_of(list));
        if *index == ours {
            return Ok(());
        }
        let (path, index) = (self.store.path.clone(), Box::new(index.clone()));
        Err(IndexError::Snapshot { path, index, ours: Box::new(ours) })
    }
}

impl IndexFile {
    /// Opens and checks an existing file. What is not an index of this format is rejected before SQLite opens it.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self, IndexError> {
        let metadata = std::fs::metadata(path).map_err(|e| IndexError::io(path, e))?;
        if let Some(found) = special(&metadata) {
            return Err(IndexError::Special { path: path.to_owned(), found });
        }
        let (held, kind) = HeldFile::open(path).map_err(|e| IndexError::io(path, e))?;
        let owned = || path.to_owned();
        let has_log = match kind {
            Kind::Index { has_log } => has_log,
            Kind::Empty => return Err(IndexError::Empty { path: owned() }),
            Kind::Foreign => return Err(IndexError::Foreign { path: owned() }),
            Kind::Other(application_id) => return Err(IndexError::Other { path: owned(), application_id }),
            Kind::Unversioned => return Err(IndexError::Unversioned { path: owned() }),
            Kind::Newer(version) => return Err(IndexError::Newer { path: owned(), version }),
        };
        if access == Access::Write {
            held.check_only_name(path)?;
        }
        // Beside a log the file may end anywhere after a crash; the log has what is missing.
        let is_logged = std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
        let unsealed = |error| match error {
            IndexError::Store(source) if has_log && access == Access::Read && source.is_about_a_log() => {
                IndexError::Unsealed { path: owned(), source }
            }
            error => error,
        };
        let store = Store::open(path, access).map_err(|error| unsealed(error.into()))?;
        let file = Self { store, held, access, last: RefCell::new(None) };
        file.read(|_| Ok(())).map_err(unsealed)?;
        if !is_logged {
            file.check_length()?;
        }
        Ok(file)
    }

    /// Rejects a file that ends within a page: SQLite would take the rest of that page for zeros.
    fn check_length(&self) -> Result<(), IndexError> {
        let store = &self.store;
        let read = store.conn.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0));
        let page_size = u64::from(read.map_err(|e| store.error(e))?);
        let length = std::fs::metadata(&store.path).map_err(|e| IndexError::io(&store.path, e))?.len();
        if length.is_multiple_of(page_size) {
            return Ok(());
        }
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        let message = "the file ends within a page".to_owned();
        Err(store.error(rusqlite::Error::SqliteFailure(code, Some(message))).into())
    }

    /// Gives the file a log, if it has none, so that writing and reading do not wait for each other.
    pub(crate) fn use_log(&self) -> Result<(), IndexError> {
        self.store.journal_mode("wal")?;
        self.store.synchronous(2)?;
        self.store.pragma("wal_autocheckpoint", CHECKPOINT_PAGES)?;
        self.store.pragma("journal_size_limit", LOG_LIMIT)?;
        Ok(())
    }

    /// Reads one state. Within another transaction of this file it is the state of that one.
    pub(crate) fn read<T, E: From<IndexError>>(
        &self,
        read: impl FnOnce(&View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let conn = &self.store.conn;
        if !conn.is_autocommit() {
            return read(&self.view()?);
        }
        self.held.check_name(&self.store.path)?;
        let begun = Transaction::new_unchecked(conn, TransactionBehavior::Deferred);
        // Dropping it ends it; nothing was written.
        let _transaction = begun.map_err(|e| IndexError::from(self.store.error(e)))?;
        read(&self.view()?)
    }

    /// Changes all of what `write` does, or nothing. Its steps are limited like those of a reader.
    pub(crate) fn change<T, E: From<IndexError>>(
        &self,
        write: impl FnOnce(&View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let failed = |error| IndexError::from(self.store.error(error));
        self.held.check_only_name(&self.store.path)?;
        let begun = Transaction::new_unchecked(&self.store.conn, TransactionBehavior::Immediate);
        let transaction = begun.map_err(failed)?;
        let value = write(&self.view()?)?;
        transaction.commit().map_err(failed)?;
        // What was written to a file that has lost its name, or has two, is not kept.
        self.held.check_only_name(&self.store.path)?;
        Ok(value)
    }

    /// Gets the file ready for rows made with a list and in a canonical form, and returns their basis.
    ///
    /// Without a form it is that of the file. An empty file takes the form that is given.
    pub(crate) fn begin_adding(&self, list: &SuffixList, form: Option<Form>) -> Result<Basis, IndexError> {
        check_form(form.as_ref())?;
        let mut basis = Basis { list: list.clone(), form };
        let is_to_take_form = self.read(|view| {
            if basis.form.is_none() {
                basis.form = view.form(None)?;
            }
            let is_empty = view.description.has_other() && view.rows()? == RowCounts::default();
            match view.check_basis(&basis) {
                Err(IndexError::Form { .. }) if is_empty => Ok(true),
                checked => checked.map(|()| false),
            }
        })?;
        self.use_log()?;
        if is_to_take_form {
            self.change(|view| {
                // Another process may have added rows meanwhile; then the next look at the basis fails.
                match view.rows()? == RowCounts::default() {
                    true => meta::replace_form(view.conn(), &basis).map_err(|e| view.error(e)),
                    false => Ok(()),
                }
            })?;
            // Commits of this connection do not change the number that says whether to look again.
            self.last.replace(None);
        }
        Ok(basis)
    }

    /// Adds rows made on a basis: all of what `write` adds, or nothing.
    pub(crate) fn add<T, E: From<IndexError>>(
        &self,
        basis: &Basis,
        write: impl FnOnce(&View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.change(|view| {
            view.check_basis(basis)?;
            self.store.limit_steps(None);
            write(view)
        })
    }

    /// Returns the state that the present transaction sees.
    fn view(&self) -> Result<View<'_>, IndexError> {
        let store = &self.store;
        store.limit_steps(Some(0));
        let number = |pragma: &str| -> Result<i64, IndexError> {
            let read = store
                .conn
                .prepare_cached(pragma)
                .and_then(|mut pragma| pragma.query_row([], |row| row.get(0)));
            Ok(read.map_err(|e| store.error(e))?)
        };
        let version = number("PRAGMA data_version")?;
        let mut last = self.last.borrow_mut();
        let state = match &*last {
            Some(state) if state.version == version => state.clone(),
            before => {
                let before = before.as_ref().map(|state| &*state.description);
                let description = Arc::new(meta::describe(store, before)?);
                let pages = number("PRAGMA page_count")?.unsigned_abs();
                State { version, pages, description }
            }
        };
        let view = View { store, description: Arc::clone(&state.description), pages: state.pages };
        *last = Some(state);
        view.renew_steps();
        Ok(view)
    }

    /// Works on the file as a whole, outside a transaction.
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Empties the log into the file as far as that needs no waiting for other processes. What was committed is kept without it too.
    pub(crate) fn checkpoint(&self) -> Result<(), IndexError> {
        self.held.check_only_name(&self.store.path)?;
        Ok(self.store.checkpoint()?)
    }
}

/// Fails if a canonical form gives keys, which are no URLs.
pub(crate) fn check_form(form: Option<&Form>) -> Result<(), IndexError> {
    match form.filter(|form| form.profile().kind == FormKind::Key) {
        Some(form) => Err(IndexError::KeyForm { form: form.to_string() }),
        None => Ok(()),
    }
}

impl Drop for IndexFile {
    fn drop(&mut self) {
        // SQLite removes the log by its name when the last connection closes, and that may be the log of another file by now.
        let is_named = match self.access {
            Access::Read => self.held.check_name(&self.store.path),
            Access::Write | Access::Fill => self.held.check_only_name(&self.store.path),
        };
        if is_named.is_err() {
            // Without this setting the log is kept by no worse means than a crash would leave it.
            let _ = self.store.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }
}
