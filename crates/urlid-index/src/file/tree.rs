//! Keys that divide a table into parts of about the same size, read from the inner pages of its tree without SQLite.
//!
//! SQLite has no statement for this. The layout is that of its file format, sections 1.6 and 2.1; every key of an inner page is one of
//! the table, and all leaves are about equally full. The file may lag behind its log, and may be damaged: then the parts differ in
//! size, or there are fewer. What is read of the parts does not depend on it.

use std::fs::File;

use urlid_io::files::read_exact_at;

/// The types of pages of tables without row numbers.
const INNER: u8 = 2;
/// The most pages that are read.
const MOST_PAGES: usize = 4_096;
/// The deepest tree: one of full pages this deep has more pages than a file can.
const MOST_LEVELS: usize = 12;

/// The first column of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Blob(Vec<u8>),
    Text(String),
}

/// Returns up to `wanted` keys of the table with this root page, ascending.
pub(crate) fn dividing_keys(file: &File, page_len: usize, root: u32, wanted: usize) -> Vec<Key> {
    let (mut level, mut keys, mut read) = (vec![root], Vec::new(), 0);
    for _ in 0..MOST_LEVELS {
        let mut children = Vec::new();
        for page in &level {
            read += 1;
            if read > MOST_PAGES {
                break;
            }
            let mut bytes = vec![0; page_len];
            let Some(offset) = u64::from(*page).checked_sub(1).map(|page| page * page_len as u64) else {
                continue;
            };
            if read_exact_at(file, &mut bytes, offset).is_ok() {
                // A page that is none leaves its part of the level out.
                let _ = inner_page(&bytes, &mut children, &mut keys);
            }
        }
        if children.is_empty() || keys.len() >= wanted || read > MOST_PAGES {
            break;
        }
        level = children;
    }
    keys.sort_unstable();
    keys.dedup();
    let step = keys.len().div_ceil(wanted.max(1)).max(1);
    keys.into_iter().step_by(step).collect()
}

/// Appends the children and the keys of an inner page.
fn inner_page(bytes: &[u8], children: &mut Vec<u32>, keys: &mut Vec<Key>) -> Option<()> {
    // The root of the schema is page 1; no table of rows has it.
    if *bytes.first()? != INNER {
        return None;
    }
    // An inner page has its type at 0, the number of cells at 3, the last child at 8, and the places of the cells from 12 on.
    let cells = usize::from(u16::from_be_bytes(*bytes.get(3..)?.first_chunk()?));
    for cell in 0..cells {
        let place = u16::from_be_bytes(*bytes.get(12 + 2 * cell..)?.first_chunk()?);
        let (child, mut rest) = bytes.get(usize::from(place)..)?.split_first_chunk::<4>()?;
        children.push(u32::from_be_bytes(*child));
        let _payload_len = varint(&mut rest)?;
        keys.extend(first_column(rest));
    }
    children.push(u32::from_be_bytes(*bytes.get(8..)?.first_chunk()?));
    Some(())
}

/// Returns the first column of a record. Of the columns of keys the first is short enough to be in the page.
fn first_column(record: &[u8]) -> Option<Key> {
    let mut head = record;
    let head_len = usize::try_from(varint(&mut head)?).ok()?;
    let kind = varint(&mut head)?;
    let bytes = |len: u64| record.get(head_len..)?.get(..usize::try_from(len).ok()?);
    // Below 12 are null and numbers. From 12 on an even type is a blob of (type - 12) / 2 bytes, an odd one a text.
    match kind {
        0..12 => None,
        kind if kind.is_multiple_of(2) => Some(Key::Blob(bytes((kind - 12) / 2)?.to_vec())),
        kind => Some(Key::Text(str::from_utf8(bytes((kind - 13) / 2)?).ok()?.to_owned())),
    }
}

/// Splits off a number of SQLite: seven bits a byte, the most significant first, and eight in the ninth byte.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for index in 0..9 {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if index == 8 {
            return Some(number << 8 | u64::from(*byte));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if *byte < 0x80 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn keys_divide_a_table_into_parts_of_about_the_same_size() {
        let directory = tempfile::tempdir().expect("a directory");
        for page_len in [512, 4_096, 65_536] {
            let path = directory.path().join(page_len.to_string());
            let conn = Connection::open(&path).expect("opens");
            conn.execute_batch(&format!(
                "PRAGMA page_size = {page_len};
                 CREATE TABLE t(id BLOB, url TEXT, PRIMARY KEY(id, url)) WITHOUT ROWID;
                 WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                 INSERT INTO t SELECT unhex(printf('%064x', i * i)), printf('%.*c', i % 90, 'x') FROM n;
                 CREATE TABLE small(host TEXT, url TEXT, PRIMARY KEY(host, url)) WITHOUT ROWID;
                 INSERT INTO small VALUES('a', 'b')"
            ))
            .expect("fills");
            let root = |table: &str| -> u32 {
                let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
                conn.query_row(sql, [table], |row| row.get(0)).expect("is there")
            };
            let file = File::open(&path).expect("opens");
            let keys = dividing_keys(&file, page_len, root("t"), 32);
            assert!((8..=32).contains(&keys.len()) && keys.is_sorted(), "{page_len}: {}", keys.len());
            let mut before = 0;
            for key in keys {
                let Key::Blob(key) = key else { panic!("another type") };
                let sql = "SELECT count(*), sum(id = ?1) FROM t WHERE id < ?1 OR id = ?1";
                let (rows, same): (i64, i64) =
                    conn.query_row(sql, [key], |row| Ok((row.get(0)?, row.get(1)?))).expect("counts");
                assert!(same == 1 && (1..6_000).contains(&(rows - before)), "{page_len}: {}", rows - before);
                before = rows;
            }
            assert_eq!(dividing_keys(&file, page_len, root("small"), 32), []);
            assert_eq!(dividing_keys(&file, page_len, 1_000_000, 32), []);
            assert_eq!(dividing_keys(&file, page_len, 0, 32), []);
        }
    }

    #[test]
    fn no_bytes_of_a_page_panic() {
        let mut random = urlid_generators::Seeded::new(7);
        for _ in 0..2_000 {
            let mut bytes = random.bytes(256);
            bytes[0] = INNER;
            let _ = inner_page(&bytes, &mut Vec::new(), &mut Vec::new());
        }
    }
}
