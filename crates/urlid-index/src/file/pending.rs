//! Lines that are stored and not delivered yet: the rows of `meta` that hold them (docs/index-format.md, section 10).
//!
//! The key is `pending.`, the number of the delivery in 8 hex digits, a dot and the number of the line in 16; the value is the line.

use std::ops::Range;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Statement};

use super::error::{IndexError, MetaError};
use super::open::View;

/// What the keys begin with, and the text behind all that do.
const FIRST: &str = "pending.";
const BEHIND: &str = "pending/";

fn key(delivery: u32, line: u64) -> String {
    format!("{FIRST}{delivery:08x}.{line:016x}")
}

/// Reads the numbers of a key.
fn numbers(key: &str) -> Option<(u32, u64)> {
    let (delivery, line) = key.strip_prefix(FIRST)?.split_once('.')?;
    let numbers = (u32::from_str_radix(delivery, 16).ok()?, u64::from_str_radix(line, 16).ok()?);
    // Other spellings of the same numbers are in another order.
    (self::key(numbers.0, numbers.1) == key).then_some(numbers)
}

/// Marks lines as pending, within a transaction.
pub(crate) struct Marker<'c> {
    insert: Statement<'c>,
    delivery: u32,
    next: u64,
}

impl<'c> Marker<'c> {
    /// Begins with the line of a number, which is behind all of its delivery.
    pub(crate) fn new(conn: &'c Connection, delivery: u32, next: u64) -> rusqlite::Result<Self> {
        let insert = conn.prepare("INSERT INTO meta(key, value) VALUES(?1, ?2)")?;
        Ok(Self { insert, delivery, next })
    }

    pub(crate) fn mark(&mut self, line: &str) -> rusqlite::Result<()> {
        self.insert.execute((key(self.delivery, self.next), line))?;
        self.next += 1;
        Ok(())
    }

    /// Returns the number behind the last line.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }
}

/// Deletes lines of a delivery, within a transaction.
pub(crate) fn delete(conn: &Connection, delivery: u32, lines: Range<u64>) -> rusqlite::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut delete = conn.prepare_cached("DELETE FROM meta WHERE key >= ?1 AND key < ?2")?;
    delete.execute((key(delivery, lines.start), key(delivery, lines.end))).map(drop)
}

/// Returns how many lines are pending.
pub(crate) fn count(view: &View<'_>) -> Result<u64, IndexError> {
    each_of_all(view, &mut |_| {})
}

/// Returns the numbers of the deliveries that have lines, in order.
pub(crate) fn deliveries(view: &View<'_>) -> Result<Vec<u32>, IndexError> {
    let (mut found, mut behind) = (Vec::new(), FIRST.to_owned());
    let next = |from: &str| -> rusqlite::Result<Option<String>> {
        let sql = "SELECT key FROM meta WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT 1";
        view.conn().prepare_cached(sql)?.query_row((from, BEHIND), |row| row.get(0)).optional()
    };
    while let Some(key) = next(&behind).map_err(|e| view.error(e))? {
        let (delivery, _) = numbers(&key).ok_or_else(|| damaged(view))?;
        found.push(delivery);
        // The character after the dot.
        behind = format!("{FIRST}{delivery:08x}/");
    }
    Ok(found)
}

/// Returns the range from the first to behind the last line of a delivery; an empty one at 0 if there is none.
pub(crate) fn lines(view: &View<'_>, delivery: u32) -> Result<Range<u64>, IndexError> {
    let ends = || -> rusqlite::Result<[Option<String>; 2]> {
        let sql = "SELECT min(key), max(key) FROM meta WHERE key >= ?1 AND key <= ?2";
        let bounds = (key(delivery, 0), key(delivery, u64::MAX));
        view.conn().prepare_cached(sql)?.query_row(bounds, |row| Ok([row.get(0)?, row.get(1)?]))
    };
    let [Some(first), Some(last)] = ends().map_err(|e| view.error(e))? else { return Ok(0..0) };
    match (numbers(&first), numbers(&last)) {
        (Some((_, first)), Some((_, last))) => Ok(first..last.saturating_add(1)),
        _ => Err(damaged(view)),
    }
}

/// Calls `each` with lines of a delivery, in order, and returns how many there are.
pub(crate) fn each(
    view: &View<'_>,
    delivery: u32,
    lines: Range<u64>,
    each: &mut dyn FnMut(&str),
) -> Result<u64, IndexError> {
    each_line(view, &key(delivery, lines.start), &key(delivery, lines.end), each)
}

/// Calls `each` with the lines of all deliveries, one after the other.
pub(crate) fn each_of_all(view: &View<'_>, each: &mut dyn FnMut(&str)) -> Result<u64, IndexError> {
    each_line(view, FIRST, BEHIND, each)
}

fn each_line(
    view: &View<'_>,
    first: &str,
    behind: &str,
    each: &mut dyn FnMut(&str),
) -> Result<u64, IndexError> {
    let (mut count, mut is_damaged) = (0, false);
    each_row(view, first, behind, &mut |_, line| match line.as_str() {
        Ok(line) => {
            count += 1;
            each(line);
        }
        Err(_) => is_damaged = true,
    })?;
    if is_damaged { Err(damaged(view)) } else { Ok(count) }
}

/// Calls `report` with each row that is not as it was written.
pub(crate) fn verify(view: &View<'_>, report: &mut dyn FnMut(String)) -> Result<(), IndexError> {
    each_row(view, FIRST, BEHIND, &mut |key, line| {
        if numbers(key).is_none() || line.as_str().is_err() {
            report(key.to_owned());
        }
    })
}

/// Calls `each` with the rows whose keys are from one text to before another.
fn each_row(
    view: &View<'_>,
    first: &str,
    behind: &str,
    each: &mut dyn FnMut(&str, ValueRef<'_>),
) -> Result<(), IndexError> {
    let mut read = || -> rusqlite::Result<()> {
        let sql = "SELECT key, value FROM meta WHERE key >= ?1 AND key < ?2 ORDER BY key";
        let mut statement = view.conn().prepare_cached(sql)?;
        let mut rows = statement.query((first, behind))?;
        while let Some(row) = rows.next()? {
            each(row.get_ref(0)?.as_str()?, row.get_ref(1)?);
        }
        Ok(())
    };
    Ok(read().map_err(|e| view.error(e))?)
}

fn damaged(view: &View<'_>) -> IndexError {
    IndexError::Meta { path: view.store.path.clone(), source: MetaError::Value { key: "pending" } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_as_their_numbers_and_have_one_spelling() {
        let ascending =
            [(0, 0), (0, 1), (0, 16), (0, u64::MAX), (1, 0), (9, 3), (10, 2), (u32::MAX, u64::MAX)];
        let keys = ascending.map(|(delivery, line)| key(delivery, line));
        assert!(keys.is_sorted_by(|a, b| a < b));
        assert!(keys.iter().all(|key| (FIRST..BEHIND).contains(&key.as_str())));
        assert_eq!(keys.each_ref().map(|key| numbers(key)), ascending.map(Some));
        for other in
            ["pending.", "pending.0.0", "pending.0000000A.0000000000000000", "pending.00000000/0", "rows"]
        {
            assert_eq!(numbers(other), None, "{other}");
        }
    }
}
