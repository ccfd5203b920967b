//! `slices`: the typed columns of SXURLs, as Parquet files have them (docs/index-format.md, "Parquet").
//!
//! Every slice is a signed integer of its own column, so that Parquet readers skip what a question cannot find.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array};
use arrow_schema::{ArrowError, DataType, Field as ColumnField, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::ErrorCode;
use urlid::sxurl::{Field, Sxurl};

use super::columns::PyColumns;
use super::encode::{Encode, Ids};
use super::rows::{Errors, Refusals};
use super::{Kernel, run};
use crate::choice::choose;
use crate::suffix::PySuffixList;

/// The contents of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Urls,
    Ids,
}

/// Returns columns `sx_header`, `sx_tld`, `sx_domain`, `sx_sub`, `sx_port`, `sx_path`, `sx_params` and `sx_frag`: the fields of each
/// SXURL as signed integers of 32 or 64 bits.
///
/// `of` says what the column holds: `urls`, or `ids` of 32 bytes. The port is 0 if none is written. With `errors` a column
/// `error` has the codes of refused rows.
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
    let encode = Encode::new(PySuffixList::or_compiled(suffixes));
    run(py, column, Slices { of, encode, errors: Errors::of(errors) })
}

struct Slices {
    of: Of,
    encode: Encode,
    errors: Errors,
}

impl Kernel for Slices {
    fn schema(&self) -> Schema {
        let fields =
            Field::ALL.map(|field| ColumnField::new(format!("sx_{}", field.name()), data_type(field), true));
        Schema::new(fields.into_iter().chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let mut refusals = Refusals::new(self.errors, chunk.len());
        let ids = match self.of {
            Of::Urls => self.encode.sxurls(chunk, &mut refusals)?,
            Of::Ids => read_ids(chunk, &mut refusals)?,
        };
        let nulls = ids.nulls();
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(9);
        for field in Field::ALL {
            // Rows without an identifier are zeros, and so are their fields, which the nulls hide.
            let values = ids.bytes().iter().map(|id| field.get(id));
            columns.push(match data_type(field) {
                DataType::Int32 => {
                    Arc::new(Int32Array::new(values.map(|bits| bits as i32).collect(), nulls.clone()))
                }
                _ => Arc::new(Int64Array::new(values.map(|bits| bits as i64).collect(), nulls.clone())),
            });
        }
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}

/// The narrowest signed type that holds the field.
fn data_type(field: Field) -> DataType {
    if field.bits() < 32 { DataType::Int32 } else { DataType::Int64 }
}

fn read_ids(chunk: &ArrayRef, refusals: &mut Refusals) -> Result<Ids, ArrowError> {
    let bytes = arrow_cast::cast(chunk, &DataType::LargeBinary)?;
    let read = |(index, bytes): (usize, Option<&[u8]>)| {
        let bytes = bytes?;
        let id = match <[u8; 32]>::try_from(bytes) {
            Ok(bytes) => Sxurl::from_bytes(bytes).map(Sxurl::to_bytes).map_err(|error| error.code()),
            Err(_) => Err(ErrorCode::IdLength),
        };
        id.map_err(|code| refusals.note(index, code)).ok()
    };
    Ok(Ids::of(bytes.as_binary::<i64>().iter().enumerate().map(read)))
}
