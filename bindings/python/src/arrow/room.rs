//! The bytes of text in one array: at most as many as its 32-bit offsets count. A column with more is several
//! arrays.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;

/// The most rows of a piece: 32-byte values of as many fit 32-bit offsets.
const MOST_ROWS: usize = 1 << 24;

// A variable for tests alone: reaching the real limit takes 2 GiB of text.
static MOST_BYTES: AtomicUsize = AtomicUsize::new(i32::MAX as usize);

/// Returns the most bytes of text in one array.
pub(super) fn most_bytes() -> usize {
    MOST_BYTES.load(Ordering::Relaxed)
}

/// Checks that an array can have so many bytes of text.
///
/// # Errors
/// `OffsetOverflowError` if it cannot, upon which [`in_pieces`] runs the kernel on fewer rows.
pub(super) fn check(bytes: usize) -> Result<(), ArrowError> {
    if bytes > most_bytes() { Err(ArrowError::OffsetOverflowError(bytes)) } else { Ok(()) }
}

/// Changes the most bytes of text in one array, for tests, and returns the number before.
#[pyfunction]
#[pyo3(name = "_set_most_bytes")]
pub(crate) fn set_most_bytes(bytes: usize) -> usize {
    MOST_BYTES.swap(bytes, Ordering::Relaxed)
}

/// Calls `each` with ranges of rows in order, each small enough for its results to fit an array.
pub(super) fn in_pieces(
    rows: usize,
    each: &mut impl FnMut(Range<usize>) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    // No rows are one piece, whose result has the type of the others.
    (0..rows.max(1)).step_by(MOST_ROWS).try_for_each(|first| halved(first..rows.min(first + MOST_ROWS), each))
}

/// The bytes of a result are not known before it is made. A piece whose result is too large is done again as
/// two.
fn halved(
    rows: Range<usize>,
    each: &mut impl FnMut(Range<usize>) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    match each(rows.clone()) {
        Err(ArrowError::OffsetOverflowError(_)) if rows.len() > 1 => {
            let half = rows.start + rows.len() / 2;
            halved(rows.start..half, each)?;
            halved(half..rows.end, each)
        }
        Err(ArrowError::OffsetOverflowError(bytes)) => Err(ArrowError::InvalidArgumentError(format!(
            "the result of one row is too large for a column: found {bytes} bytes, expected at most {}",
            most_bytes()
        ))),
        done => done,
    }
}

/// Returns chunks as one array; its offsets are of 64 bits where 32 do not count the bytes.
pub(super) fn joined(chunks: &[ArrayRef], data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    let joined = |chunks: &[ArrayRef]| {
        arrow_select::concat::concat(&chunks.iter().map(AsRef::as_ref).collect::<Vec<_>>())
    };
    let large = match data_type {
        DataType::Utf8 => DataType::LargeUtf8,
        DataType::Binary => DataType::LargeBinary,
        _ => data_type.clone(),
    };
    match chunks {
        [] => Ok(arrow_array::new_empty_array(data_type)),
        [chunk] => Ok(Arc::clone(chunk)),
        chunks if chunks.iter().map(bytes_of).sum::<usize>() <= most_bytes() => joined(chunks),
        // Concatenation with 32-bit offsets would fail, so the type changes; `__arrow_c_array__` announces
        // it.
        chunks => {
            let chunks = chunks.iter().map(|chunk| arrow_cast::cast(chunk, &large));
            joined(&chunks.collect::<Result<Vec<_>, _>>()?)
        }
    }
}

/// Returns the number of bytes that the offsets of an array span.
fn bytes_of(chunk: &ArrayRef) -> usize {
    let counted = |offsets: &[i32]| match offsets {
        // A slice keeps the offsets of the whole array, so the first need not be 0.
        [first, .., last] => (last - first) as usize,
        _ => 0,
    };
    match chunk.data_type() {
        DataType::Utf8 => counted(chunk.as_string::<i32>().value_offsets()),
        DataType::Binary => counted(chunk.as_binary::<i32>().value_offsets()),
        _ => 0,
    }
}
