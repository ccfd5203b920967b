//! The rows of `meta` with lines that are stored but not delivered yet (docs/index-format.md, section 10).
//!
//! The key is `pending.`, the number of the delivery in 8 hex digits, a dot and the number of the row in 16, so keys sort by
//! these numbers. The value is a list of lines, each as its length in bytes in decimal, a colon, the line and LF: a line may
//! contain any character.

use std::ops::Range;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Statement};
use urlid::Error;

use super::meta::damaged_value;
use super::open::View;

/// The beginning of all keys, and the least text behind them: `/` follows `.` in ASCII.
const FIRST: &str = "pending.";
const BEHIND: &str = "pending/";

/// The length in bytes from which on a row is full.
///
/// One row for a whole batch could pass SQLite's largest value, and adding lines one at a time would rewrite it each time. A
/// row for each line takes a third more CPU than storing the URLs.
const ROW_LEN: usize = 64 << 10;

fn key(delivery: u32, row: u64) -> String {
    format!("{FIRST}{delivery:08x}.{row:016x}")
}

/// Returns the numbers of the delivery and the row in a key.
fn numbers(key: &str) -> Option<(u32, u64)> {
    let (delivery, row) = key.strip_prefix(FIRST)?.split_once('.')?;
    let numbers = (u32::from_str_radix(delivery, 16).ok()?, u64::from_str_radix(row, 16).ok()?);
    // Other spellings of the numbers (upper case, a sign, fewer digits) would sort elsewhere.
    (self::key(numbers.0, numbers.1) == key).then_some(numbers)
}

/// Marks lines as pending, within a transaction.
pub(crate) struct Marker<'c> {
    insert: Statement<'c>,
    delivery: u32,
    next: u64,
    /// The lines of the next row.
    row: String,
}

impl<'c> Marker<'c> {
    /// Begins with row number `next`, which is greater than those of the rows that the delivery has.
    pub(crate) fn new(conn: &'c Connection, delivery: u32, next: u64) -> rusqlite::Result<Self> {
        let insert = conn.prepare("INSERT INTO meta(key, value) VALUES(?1, ?2)")?;
        Ok(Self { insert, delivery, next, row: String::new() })
    }

    pub(crate) fn mark(&mut self, line: &str) -> rusqlite::Result<()> {
        self.row.push_str(&line.len().to_string());
        self.row.push(':');
        self.row.push_str(line);
        self.row.push('\n');
        if self.row.len() >= ROW_LEN { self.write() } else { Ok(()) }
    }

    /// Writes the last row, and returns the number behind it.
    pub(crate) fn finish(mut self) -> rusqlite::Result<u64> {
        if !self.row.is_empty() {
            self.write()?;
        }
        Ok(self.next)
    }

    fn write(&mut self) -> rusqlite::Result<()> {
        self.insert.execute((key(self.delivery, self.next), &self.row))?;
        self.row.clear();
        self.next += 1;
        Ok(())
    }
}

/// Splits the first line off a row.
fn first_line(row: &str) -> Option<(&str, &str)> {
    let (len, rest) = row.split_once(':')?;
    // `parse` would also accept `+5`.
    let is_plain = !len.is_empty() && len.bytes().all(|byte| byte.is_ascii_digit());
    let (line, rest) = rest.split_at_checked(len.parse().ok().filter(|_| is_plain)?)?;
    Some((line, rest.strip_prefix('\n')?))
}

/// Calls `each` with the lines of a row and returns their number, or `None` if the row is damaged.
fn each_of_row(row: ValueRef<'_>, each: &mut dyn FnMut(&str)) -> Option<u64> {
    let (mut rest, mut count) = (row.as_str().ok()?, 0);
    while !rest.is_empty() {
        let (line, next) = first_line(rest)?;
        each(line);
        rest = next;
        count += 1;
    }
    Some(count)
}

/// Deletes rows of a delivery, within a transaction.
pub(crate) fn delete(conn: &Connection, delivery: u32, rows: Range<u64>) -> rusqlite::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut delete = conn.prepare_cached("DELETE FROM meta WHERE key >= ?1 AND key < ?2")?;
    delete.execute((key(delivery, rows.start), key(delivery, rows.end))).map(drop)
}

/// Returns the number of pending lines.
pub(crate) fn count(view: &View<'_>) -> Result<u64, Error> {
    each_of_all(view, &mut |_| {})
}

/// Returns the numbers of the deliveries that have lines, in order.
pub(crate) fn deliveries(view: &View<'_>) -> Result<Vec<u32>, Error> {
    let (mut found, mut behind) = (Vec::new(), FIRST.to_owned());
    let next = |from: &str| -> rusqlite::Result<Option<String>> {
        let sql = "SELECT key FROM meta WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT 1";
        view.conn().prepare_cached(sql)?.query_row((from, BEHIND), |row| row.get(0)).optional()
    };
    while let Some(key) = next(&behind).map_err(|e| view.error(e))? {
        // One lookup for each delivery, which may have thousands of rows.
        let (delivery, _) = numbers(&key).ok_or_else(|| damaged(view))?;
        found.push(delivery);
        // `/` follows `.`: behind all rows of this delivery.
        behind = format!("{FIRST}{delivery:08x}/");
    }
    Ok(found)
}

/// Returns the row numbers of a delivery, from the first to behind the last; `0..0` without rows.
pub(crate) fn rows(view: &View<'_>, delivery: u32) -> Result<Range<u64>, Error> {
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

/// Calls `each` with the lines of rows of a delivery, in order, and returns their number.
pub(crate) fn each(
    view: &View<'_>,
    delivery: u32,
    rows: Range<u64>,
    each: &mut dyn FnMut(&str),
) -> Result<u64, Error> {
    each_line(view, &key(delivery, rows.start), &key(delivery, rows.end), each)
}

/// Calls `each` with the lines of all deliveries, one after the other.
pub(crate) fn each_of_all(view: &View<'_>, each: &mut dyn FnMut(&str)) -> Result<u64, Error> {
    each_line(view, FIRST, BEHIND, each)
}

fn each_line(view: &View<'_>, first: &str, behind: &str, each: &mut dyn FnMut(&str)) -> Result<u64, Error> {
    let (mut count, mut is_damaged) = (0, false);
    each_row(view, first, behind, &mut |_, row| match each_of_row(row, each) {
        Some(lines) => count += lines,
        None => is_damaged = true,
    })?;
    if is_damaged { Err(damaged(view)) } else { Ok(count) }
}

/// Calls `report` with the key of each damaged row.
pub(crate) fn verify(view: &View<'_>, report: &mut dyn FnMut(String)) -> Result<(), Error> {
    each_row(view, FIRST, BEHIND, &mut |key, row| {
        if numbers(key).is_none() || each_of_row(row, &mut |_| {}).is_none() {
            report(key.to_owned());
        }
    })
}

/// Calls `each` with the rows whose keys are in `first..behind`.
fn each_row(
    view: &View<'_>,
    first: &str,
    behind: &str,
    each: &mut dyn FnMut(&str, ValueRef<'_>),
) -> Result<(), Error> {
    let mut read = || -> rusqlite::Result<()> {
        let sql = "SELECT key, value FROM meta WHERE key >= ?1 AND key < ?2 ORDER BY key";
        let mut statement = view.conn().prepare_cached(sql)?;
        let mut rows = statement.query((first, behind))?;
        while let Some(row) = rows.next()? {
            each(row.get_ref(0)?.as_str()?, row.get_ref(1)?);
        }
        Ok(())
    };
    read().map_err(|e| view.error(e))
}

fn damaged(view: &View<'_>) -> Error {
    damaged_value(view.store, "pending")
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

    #[test]
    fn a_row_has_its_lines_and_nothing_else() {
        let lines = |row: &str| {
            let mut lines = Vec::new();
            each_of_row(ValueRef::Text(row.as_bytes()), &mut |line| lines.push(line.to_owned()))
                .map(|_| lines)
        };
        assert_eq!(lines("3:abc\n4:\n1:x\n0:\n"), Some(vec!["abc".into(), "\n1:x".into(), String::new()]));
        assert_eq!(lines("2:\u{fc}\n"), Some(vec!["\u{fc}".into()]));
        for bad in [
            "abc",
            "3:abc",
            "4:abc\n",
            "2:abc\n",
            "+3:abc\n",
            ":\n",
            "1:\u{fc}\n",
            "99999999999999999999999:a\n",
        ] {
            assert_eq!(lines(bad), None, "{bad}");
        }
    }
}
