//! `slices`: the typed columns of SXURLs, as in Parquet files (docs/index-format.md, "Parquet").
//!
//! Every slice is a signed integer in a separate column, so that Parquet readers skip rows that cannot
//! answer a question.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, Int32Array, Int64Array};
use arrow_schema::{ArrowError, DataType, Field as ColumnField};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::ErrorCode;
use urlid::sxurl::{Field, Sxurl};

use super::columns::PyColumns;
use super::encode::{Encode, Ids};
use super::rows::Rejections;
use super::run;
use crate::choice::choose;
use crate::suffix::PySuffixList;

/// The contents of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Urls,
    Ids,
}

/// Returns columns `sx_header`, `sx_tld`, `sx_domain`, `sx_sub`, `sx_port`, `sx_path`, `sx_params` and
/// `sx_frag`: the fields of each SXURL as signed integers of 32 or 64 bits.
///
/// `of` is the contents of the column: `urls`, or `ids` of 32 bytes. The port is 0 if it is not written.
/// With `errors` a column `error` has the codes of rejected rows.
#[pyfunction]
#[pyo3(signature = (column, of = "urls", *, suffixes = None, errors = false))]
pub(crate) fn slices(
    py: Python<'_>,
    column: AnyArray,
    of: &str,
    suffixes: Option<&PySuffixList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let of = choose("of", of, &[("urls", Of::Urls), ("ids", Of::Ids)])?;
    let mut encode = Encode::new(PySuffixList::or_compiled(suffixes));
    let fields =
        Field::ALL.map(|field| ColumnField::new(format!("sx_{}", field.name()), data_type(field), true));
    run(py, column, errors, fields, |chunk, rejections| {
        let ids = match of {
            Of::Urls => encode.sxurls(chunk, rejections)?,
            Of::Ids => read_ids(chunk, rejections)?,
        };
        let nulls = ids.nulls();
        // Rows without an identifier are zeros, and so are their fields, which the nulls mask.
        let column = |field: Field| -> ArrayRef {
            let values = ids.bytes().iter().map(|id| field.get(id));
            match data_type(field) {
                DataType::Int32 => {
                    Arc::new(Int32Array::new(values.map(|bits| bits as i32).collect(), nulls.clone()))
                }
                _ => Arc::new(Int64Array::new(values.map(|bits| bits as i64).collect(), nulls.clone())),
            }
        };
        Ok(Field::ALL.map(column).into())
    })
}

/// The narrowest signed type that holds the field.
fn data_type(field: Field) -> DataType {
    // Values are never negative, because the widest field has 60 bits.
    if field.bits() < 32 { DataType::Int32 } else { DataType::Int64 }
}

fn read_ids(chunk: &ArrayRef, rejections: &mut Rejections) -> Result<Ids, ArrowError> {
    // One layout for binary, fixed-size and view columns. Offsets of 64 bits suffice for all of them.
    let bytes = arrow_cast::cast(chunk, &DataType::LargeBinary)?;
    let read = |(index, bytes): (usize, Option<&[u8]>)| {
        let bytes = bytes?;
        let id = match <[u8; 32]>::try_from(bytes) {
            Ok(bytes) => Sxurl::from_bytes(bytes).map(Sxurl::to_bytes).map_err(|error| error.code()),
            Err(_) => Err(ErrorCode::IdLength),
        };
        id.map_err(|code| rejections.note(index, code)).ok()
    };
    Ok(Ids::of(bytes.as_binary::<i64>().iter().enumerate().map(read)))
}
