//! The functions of SQL over columns.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::suffix::SuffixList;
use urlid_functions::{Function, Identifier, MOST_ARGUMENTS, Output, Type, Value};

use super::column::{Row, Texts, only_column};
use super::columns::PyColumn;
use super::encode::Encode;
use super::raise_arrow;
use super::rows::{Errors, Refusals};
use crate::error::raise;

/// Returns the results of a function for columns of one length, without the interpreter's lock.
pub(crate) fn evaluate(
    py: Python<'_>,
    function: &'static Function,
    columns: Vec<AnyArray>,
) -> PyResult<PyColumn> {
    let readers = columns.into_iter().map(AnyArray::into_reader).collect::<Result<Vec<_>, _>>()?;
    py.detach(move || {
        let arrays = readers.into_iter().map(|reader| {
            let chunks = reader.map(|chunk| only_column(chunk?)).collect::<Result<Vec<_>, _>>()?;
            match chunks.as_slice() {
                [chunk] => Ok(Arc::clone(chunk)),
                [] => Ok(arrow_array::new_null_array(&DataType::Null, 0)),
                chunks => arrow_select::concat::concat(&chunks.iter().map(AsRef::as_ref).collect::<Vec<_>>()),
            }
        });
        let arrays = arrays.collect::<Result<Vec<_>, ArrowError>>().map_err(raise_arrow)?;
        let values = match (function.identifier, arrays.as_slice()) {
            (Some(identifier), [urls]) => identifiers(identifier, urls).map_err(raise_arrow)?,
            _ => one_by_one(function, &arrays)?,
        };
        let field = Field::new(function.name, values.data_type().clone(), true);
        Ok(PyColumn::new(Arc::new(field), values))
    })
}

/// Encodes a column of URLs in batches.
fn identifiers(identifier: Identifier, urls: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let mut encode = Encode::new(<&SuffixList>::default());
    let mut refusals = Refusals::new(Errors::of(false), urls.len());
    let ids = match identifier {
        Identifier::UrlHash => encode.url_hashes(urls, &mut refusals)?,
        _ => encode.sxurls(urls, &mut refusals)?,
    };
    Ok(ids.column::<32>())
}

/// Calls the function for each row.
fn one_by_one(function: &'static Function, columns: &[ArrayRef]) -> PyResult<ArrayRef> {
    let rows = columns.first().map_or(0, |column| column.len());
    if columns.iter().any(|column| column.len() != rows) {
        return Err(raise_arrow(ArrowError::InvalidArgumentError("columns differ in length".to_owned())));
    }
    let typed = columns.iter().enumerate().map(|(index, column)| {
        match function.arguments.get(index).map(|argument| argument.of) {
            Some(Type::Bytes) => arrow_cast::cast(column, &DataType::Binary),
            _ => Ok(Arc::clone(column)),
        }
    });
    let typed = typed.collect::<Result<Vec<_>, _>>().map_err(raise_arrow)?;
    let arguments = typed.iter().enumerate().map(|(index, column)| {
        match function.arguments.get(index).map(|argument| argument.of) {
            Some(Type::Bytes) => Ok(Argument::Bytes(column.as_binary())),
            _ => Ok(Argument::Texts(Texts::of(column)?)),
        }
    });
    let arguments = arguments.collect::<Result<Vec<_>, _>>().map_err(raise_arrow)?;

    let (mut call, mut results) = (function.call(), Results::new(function.result, rows));
    let mut values = [Value::Null; MOST_ARGUMENTS];
    for row in 0..rows {
        for (value, argument) in values.iter_mut().zip(&arguments) {
            *value = argument.value(row);
        }
        let count = arguments.len().min(MOST_ARGUMENTS);
        results.push(call.run(&values[..count]).map_err(raise)?);
    }
    Ok(results.finish())
}

/// A column of arguments.
enum Argument<'a> {
    Texts(Texts<'a>),
    Bytes(&'a BinaryArray),
}

impl<'a> Argument<'a> {
    fn value(&self, row: usize) -> Value<'a> {
        match self {
            Argument::Texts(texts) => match texts.row(row) {
                Row::Text(text) => Value::Text(text),
                // What is not UTF-8 is no URL and no name.
                Row::Null | Row::NotUtf8 => Value::Null,
            },
            Argument::Bytes(array) if array.is_null(row) => Value::Null,
            Argument::Bytes(array) => Value::Bytes(array.value(row)),
        }
    }
}

/// The results so far, as a column of the function's type.
enum Results {
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Integer(Int64Builder),
    Boolean(BooleanBuilder),
}

impl Results {
    fn new(of: Type, rows: usize) -> Self {
        match of {
            Type::Bytes => Self::Bytes(BinaryBuilder::with_capacity(rows, 32 * rows)),
            Type::Integer => Self::Integer(Int64Builder::with_capacity(rows)),
            Type::Boolean => Self::Boolean(BooleanBuilder::with_capacity(rows)),
            _ => Self::Text(StringBuilder::with_capacity(rows, 32 * rows)),
        }
    }

    /// Appends a result. One of another type than the function's would be NULL; there is none.
    fn push(&mut self, output: Output<'_>) {
        match (self, output) {
            (Self::Text(builder), Output::Text(text)) => builder.append_value(text),
            (Self::Bytes(builder), Output::Id(id)) => builder.append_value(id),
            (Self::Integer(builder), Output::Integer(number)) => builder.append_value(number),
            (Self::Boolean(builder), Output::Boolean(flag)) => builder.append_value(flag),
            (Self::Text(builder), _) => builder.append_null(),
            (Self::Bytes(builder), _) => builder.append_null(),
            (Self::Integer(builder), _) => builder.append_null(),
            (Self::Boolean(builder), _) => builder.append_null(),
        }
    }

    fn finish(mut self) -> ArrayRef {
        match &mut self {
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Bytes(builder) => Arc::new(builder.finish()),
            Self::Integer(builder) => Arc::new(builder.finish()),
            Self::Boolean(builder) => Arc::new(builder.finish()),
        }
    }
}
