//! SQLite's own check of a file, on a thread and a connection of its own.

use std::sync::mpsc::{Receiver, channel};
use std::thread::{Scope, ScopedJoinHandle};

use urlid::Error;

use super::finding::cause;
use crate::file::database::{Access, Brake, Database};
use crate::file::open::View;

/// A check that is under way.
pub(super) struct Structure<'scope> {
    thread: ScopedJoinHandle<'scope, Vec<String>>,
    brake: Receiver<Brake>,
}

impl<'scope> Structure<'scope> {
    /// Begins to check the file of a view.
    pub(super) fn begin<'env>(scope: &'scope Scope<'scope, 'env>, view: &View<'_>) -> Self {
        let (path, pages) = (view.store.path.clone(), view.pages());
        let (send, brake) = channel();
        let thread = scope.spawn(move || {
            let check = || -> Result<Vec<String>, Error> {
                let store = Database::open(&path, Access::Read)?;
                store.limit_steps(Some(pages));
                // Read only if the check is stopped.
                let _ = send.send(store.brake());
                let lines = || -> rusqlite::Result<Vec<String>> {
                    // A damaged tree may give a line for each of its rows, so their number is bounded.
                    let mut statement = store.conn.prepare("PRAGMA integrity_check(100)")?;
                    let lines = statement.query_map([], |row| row.get(0))?;
                    lines.collect()
                };
                lines().map_err(|error| store.error(error))
            };
            check().unwrap_or_else(|error| vec![cause(&error)])
        });
        Self { thread, brake }
    }

    /// Returns the faults that were found.
    pub(super) fn finish(self) -> Vec<String> {
        let lines = self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        if lines == ["ok"] { Vec::new() } else { lines }
    }

    /// Ends the check early.
    pub(super) fn stop(self) {
        // There is none if the file could not be opened.
        if let Ok(brake) = self.brake.recv() {
            brake.pull();
        }
    }
}
