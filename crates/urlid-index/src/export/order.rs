//! Rows in the order of their domains: public suffix, domain, sub, port, path, query, fragment, header.
//!
//! Within one header the table is in this order already, so the rows of the 48 headers are merged as they are read. Sorting
//! 20 million rows in memory instead took 2.9 GB.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::types::Value;
use rusqlite::{Connection, Rows, Statement};
use urlid::sxurl::{Field, Header, Pattern};

use crate::id::{Id, id_of};

/// The position of a row in the order: its identifier without the header, then the header.
type Place = (Id, u16);

fn place_of(id: &Id) -> Place {
    let mut rest = *id;
    // The header is the first 12 bits: a byte and the high half of the next.
    rest[0] = 0;
    rest[1] &= 0x0f;
    (rest, Field::Header.get(id) as u16)
}

/// Calls `each` with every row in the order of domains. Skips rows that no loader wrote and returns their number.
pub(crate) fn by_domain(
    conn: &Connection,
    each: &mut dyn FnMut(&Id, &str) -> ControlFlow<()>,
) -> rusqlite::Result<u64> {
    let prepare = |_| conn.prepare("SELECT id, url FROM url WHERE id >= ?1 AND id <= ?2 ORDER BY id, url");
    let mut statements: Vec<Statement<'_>> = Header::all().map(prepare).collect::<Result<_, _>>()?;
    let mut streams = Vec::with_capacity(48);
    for (statement, header) in statements.iter_mut().zip(Header::all()) {
        let range = Pattern::ANY.with_header(header).range();
        streams.push(statement.query((range.start().as_slice(), range.end().as_slice()))?);
    }
    let mut damaged = rows_elsewhere(conn)?;
    // The heap holds the position of the current row of each statement; its text stays in SQLite until the row's turn.
    let mut heap = BinaryHeap::with_capacity(48);
    for (number, stream) in streams.iter_mut().enumerate() {
        if let Some(place) = advance(stream, &mut damaged)? {
            heap.push(Reverse((place, number)));
        }
    }
    while let Some(Reverse((_, number))) = heap.pop() {
        let stream = &mut streams[number];
        if let Some(row) = stream.get()
            && let Some(id) = id_of(row.get_ref(0)?)
            && let Ok(url) = row.get_ref(1)?.as_str()
            && each(id, url).is_break()
        {
            break;
        }
        if let Some(place) = advance(stream, &mut damaged)? {
            heap.push(Reverse((place, number)));
        }
    }
    Ok(damaged)
}

/// Counts the rows whose keys begin with none of the 48 headers, which the merge does not read.
fn rows_elsewhere(conn: &Connection) -> rusqlite::Result<u64> {
    let mut count = 0_i64;
    // The gaps between the ranges of the headers. Strict bounds also count keys that are longer than 32 bytes, such as the end
    // of a range followed by another byte. A number sorts before every key, the empty one too.
    let mut after = Value::Integer(0);
    for range in Header::all().map(|header| Pattern::ANY.with_header(header).range()) {
        count += conn.query_row(
            "SELECT count(*) FROM url WHERE id > ?1 AND id < ?2",
            (&after, range.start().as_slice()),
            |row| row.get::<_, i64>(0),
        )?;
        after = Value::Blob(range.end().to_vec());
    }
    count +=
        conn.query_row("SELECT count(*) FROM url WHERE id > ?1", [&after], |row| row.get::<_, i64>(0))?;
    Ok(count.unsigned_abs())
}

/// Moves to the next row with a key of 32 bytes and a text, and returns its position. Counts the others.
fn advance(stream: &mut Rows<'_>, damaged: &mut u64) -> rusqlite::Result<Option<Place>> {
    while let Some(row) = stream.next()? {
        match (id_of(row.get_ref(0)?), row.get_ref(1)?.as_str()) {
            (Some(id), Ok(_)) => return Ok(Some(place_of(id))),
            _ => *damaged += 1,
        }
    }
    Ok(None)
}
