//! Rows in the order of their domains: public suffix, domain, sub, port, path, query, fragment, and the header last.
//!
//! Under one header the table is in this order already, so the rows of all 48 headers are merged as they are read; nothing is sorted.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::{Rows, Statement};

use crate::id::Id;
use crate::query::find::id_of;
use crate::query::index::Index;

/// The place of a row in the order: its identifier without the header, then the header.
type Place = (Id, u16);

/// The headers that identifiers can have, ascending.
fn headers() -> impl Iterator<Item = u16> {
    (0..48).map(|number: u16| 0x100 + number / 16 * 32 + number % 16 * 2)
}

fn place_of(id: &Id) -> Place {
    let mut rest = *id;
    let header = u16::from(rest[0]) << 4 | u16::from(rest[1] >> 4);
    rest[0] = 0;
    rest[1] &= 0x0f;
    (rest, header)
}

/// Hands every row to `each` in the order of domains; rows that no loader wrote are counted and passed over.
pub(crate) fn by_domain(
    index: &Index,
    each: &mut dyn FnMut(&Id, &str) -> ControlFlow<()>,
) -> rusqlite::Result<u64> {
    let conn = &index.opened.store.conn;
    let prepare = |_| conn.prepare("SELECT id, url FROM url WHERE id >= ?1 AND id < ?2 ORDER BY id, url");
    let mut statements: Vec<Statement<'_>> = headers().map(prepare).collect::<Result<_, _>>()?;
    let mut streams = Vec::with_capacity(48);
    for (statement, header) in statements.iter_mut().zip(headers()) {
        // The last bit of a header is 0, so the next number is the end of its range.
        let bound = |header: u16| [(header >> 4) as u8, (header << 4) as u8];
        streams.push(statement.query((bound(header).as_slice(), bound(header + 1).as_slice()))?);
    }
    let mut damaged = 0;
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

/// Steps to the next row that can be one of ours and returns its place.
fn advance(stream: &mut Rows<'_>, damaged: &mut u64) -> rusqlite::Result<Option<Place>> {
    while let Some(row) = stream.next()? {
        match (id_of(row.get_ref(0)?), row.get_ref(1)?.as_str()) {
            (Some(id), Ok(_)) => return Ok(Some(place_of(id))),
            _ => *damaged += 1,
        }
    }
    Ok(None)
}
