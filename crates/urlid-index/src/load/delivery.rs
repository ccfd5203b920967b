//! The lines that a set has to deliver: its own, and those left by sets that are gone.
//!
//! The state is in memory, the rows are those of `pending`. Acknowledged lines are deleted in the next transaction, because one
//! of their own would sync twice as often. A set that is killed before delivers them again; no line is lost.

use std::ops::Range;
use std::path::Path;

use rusqlite::Connection;
use urlid::Error;

use crate::file::delivery_lock::DeliveryLock;
use crate::file::open::{IndexFile, View};
use crate::file::pending::{self, Marker};

/// The deliveries that a set holds.
#[derive(Debug)]
pub(crate) struct Delivery {
    /// The one that the set's new lines belong to.
    own: Held,
    /// Those of sets that are gone.
    taken: Vec<Held>,
}

/// One delivery.
#[derive(Debug)]
struct Held {
    lock: DeliveryLock,
    /// The rows in the file whose lines this set is responsible for.
    rows: Range<u64>,
    /// Rows before this one are acknowledged. They are in the file until the next transaction.
    acknowledged: u64,
}

impl Held {
    /// Takes over all lines that the delivery has in the file.
    fn new(lock: DeliveryLock, view: &View<'_>) -> Result<Self, Error> {
        let rows = pending::rows(view, lock.number())?;
        Ok(Self { lock, acknowledged: rows.start, rows })
    }

    /// Rows whose lines are to be delivered.
    fn due(&self) -> Range<u64> {
        self.acknowledged..self.rows.end
    }
}

impl Delivery {
    /// Begins a delivery under the first free number. Lines that an earlier set left under it are not taken over.
    pub(crate) fn begin(file: &IndexFile, path: &Path) -> Result<Self, Error> {
        // The lock comes first: once it is held, nobody else adds rows of that number.
        let lock = DeliveryLock::first_free(path)?;
        let mut own = file.read(|view| Held::new(lock, view))?;
        // Lines that an earlier set left under this number are not due before `take`.
        own.rows.start = own.rows.end;
        own.acknowledged = own.rows.end;
        Ok(Self { own, taken: Vec::new() })
    }

    /// Takes over the lines of sets that are gone.
    pub(crate) fn take(&mut self, file: &IndexFile, path: &Path) -> Result<(), Error> {
        for number in file.read(pending::deliveries)? {
            if number == self.own.lock.number() {
                // Left under our number by an earlier set, which is gone: its lock was free.
                let first = file.read(|view| pending::rows(view, number))?.start;
                self.own.acknowledged = first.min(self.own.acknowledged);
                self.own.rows.start = first.min(self.own.rows.start);
            } else if let Some(lock) = DeliveryLock::take(path, number)? {
                // Not one of `taken`: its lock is held, which excludes other descriptors of this process too.
                self.taken.push(file.read(|view| Held::new(lock, view))?);
            }
        }
        Ok(())
    }

    /// Calls `each` with every line to be delivered, and returns their number.
    pub(crate) fn each(&self, view: &View<'_>, each: &mut dyn FnMut(&str)) -> Result<u64, Error> {
        let held = self.taken.iter().chain([&self.own]);
        held.map(|held| pending::each(view, held.lock.number(), held.due(), each)).sum()
    }

    /// Counts the lines that were left by sets that are gone and are not taken over yet.
    pub(crate) fn left(&self, file: &IndexFile, path: &Path) -> Result<u64, Error> {
        let mut left = 0;
        for number in file.read(pending::deliveries)? {
            let is_own = number == self.own.lock.number();
            // Held while its lines are counted, so that no other set takes them meanwhile.
            let lock = if is_own { None } else { DeliveryLock::take(path, number)? };
            if is_own || lock.is_some() {
                left += file.read(|view| {
                    let first = pending::rows(view, number)?.start;
                    let behind = if is_own { self.own.rows.start } else { u64::MAX };
                    pending::each(view, number, first..behind, &mut |_| {})
                })?;
            }
        }
        Ok(left)
    }

    /// Marks all lines as delivered.
    pub(crate) fn acknowledge(&mut self) {
        for held in self.taken.iter_mut().chain([&mut self.own]) {
            held.acknowledged = held.rows.end;
        }
    }

    /// Returns whether acknowledged lines are still in the file.
    pub(crate) fn is_behind(&self) -> bool {
        self.taken.iter().chain([&self.own]).any(|held| held.acknowledged > held.rows.start)
    }

    /// Deletes acknowledged lines, within a transaction. Call [`recorded`](Self::recorded) after its commit, not before: after
    /// a rollback the lines are still there.
    pub(crate) fn record(&self, conn: &Connection) -> rusqlite::Result<()> {
        let mut held = self.taken.iter().chain([&self.own]);
        held.try_for_each(|held| {
            pending::delete(conn, held.lock.number(), held.rows.start..held.acknowledged)
        })
    }

    /// Returns a writer of pending lines, within a transaction.
    pub(crate) fn marker<'c>(&self, conn: &'c Connection) -> rusqlite::Result<Marker<'c>> {
        Marker::new(conn, self.own.lock.number(), self.own.rows.end)
    }

    /// Updates the state after the commit of a transaction that deleted acknowledged lines and wrote rows up to `behind`.
    pub(crate) fn recorded(&mut self, behind: u64) {
        for held in self.taken.iter_mut().chain([&mut self.own]) {
            held.rows.start = held.acknowledged;
        }
        self.own.rows.end = behind;
        self.taken.retain(|held| !held.rows.is_empty());
    }

    /// Returns the number behind the last row.
    pub(crate) fn next(&self) -> u64 {
        self.own.rows.end
    }
}
