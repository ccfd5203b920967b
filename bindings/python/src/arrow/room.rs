//! Limits the bytes of text in one array to the maximum of its 32-bit offsets. A column with more is several
//! arrays.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;

/// The maximum rows of a piece. As many 32-byte values fit 32-bit offsets.
const MOST_ROWS: usize = 1 << 24;

// A variable only for tests, because reaching the real limit needs 2 GiB of text.
static MOST_BYTES: AtomicUsize = AtomicUsize::new(i32::MAX as usize);

/// Returns the maximum bytes of text in one array.
pub(super) fn most_bytes() -> usize {
    MOST_BYTES.load(Ordering::Relaxed)
}

/// Checks that an array can contain this many bytes of text.
///
/// # Errors
/// Fails with `OffsetOverflowError` otherwise, and [`in_pieces`] then runs the kernel on fewer rows.
pub(super) fn check(bytes: usize) -> Result<(), ArrowError> {
    if bytes > most_bytes() { Err(ArrowError::OffsetOverflowError(bytes)) } else { Ok(()) }
}

/// Changes the maximum bytes of text in one array, for tests, and returns the previous number.
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
    // Zero rows are one piece, so that its result has the same type.
    (0..rows.max(1)).step_by(MOST_ROWS).try_for_each(|first| halved(first..rows.min(first + MOST_ROWS), each))
}

/// The size of a result is unknown before it is made. A piece whose result is too large is repeated as two
/// pieces.
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

/// Returns chunks as one array, with offsets of 64 bits if 32 bits are too few for the bytes.
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
        // Concatenation with 32-bit offsets would fail, so the type changes, and `__arrow_c_array__`
        // announces it.
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
