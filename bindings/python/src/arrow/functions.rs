//! The functions of SQL over columns.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, Int64Builder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeBinaryArray};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::prelude::*;
use pyo3_arrow::ffi::ArrayReader;
use pyo3_arrow::input::AnyArray;
use urlid::suffix::SuffixList;
use urlid_ops::IdKind;
use urlid_ops::functions::{Function, MOST_ARGUMENTS, Output, SqlValue, Type};

use super::column::{Row, Texts, only_column};
use super::columns::PyColumn;
use super::encode::Encode;
use super::rows::{Rejections, TextColumn};
use super::{external, raise_arrow, room};

/// Returns the results of a function for columns of the same length, without the interpreter's lock.
pub(crate) fn evaluate(
    py: Python<'_>,
    function: &'static Function,
    columns: Vec<AnyArray>,
) -> PyResult<PyColumn> {
    let readers = columns.into_iter().map(AnyArray::into_reader).collect::<Result<Vec<_>, _>>()?;
    let field = Arc::new(Field::new(function.name, Results::data_type(function.result), true));
    py.detach(move || {
        let mut chunks = Vec::new();
        each_row_group(readers, |columns, rows| {
            room::in_pieces(rows, &mut |rows| {
                let columns: Vec<ArrayRef> =
                    columns.iter().map(|column| column.slice(rows.start, rows.len())).collect();
                chunks.push(match (function.identifier, columns.as_slice()) {
                    // Only with one column. Any other number must reach the check of arguments in
                    // `Call::run`.
                    (Some(identifier), [urls]) => identifiers(identifier, urls)?,
                    (_, columns) => one_by_one(function, columns)?,
                });
                Ok(())
            })
        })
        .map_err(raise_arrow)?;
        Ok(PyColumn::new(field, chunks))
    })
}

/// Calls `each` with rows that are in one chunk of every column, and with their number. Columns may have
/// different chunk boundaries.
fn each_row_group(
    mut readers: Vec<Box<dyn ArrayReader + Send>>,
    mut each: impl FnMut(&[ArrayRef], usize) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    let mut rest: Vec<Option<ArrayRef>> = vec![None; readers.len()];
    loop {
        for (chunk, reader) in rest.iter_mut().zip(&mut readers) {
            // A stream may have empty chunks, which must not look like the end of a column.
            while chunk.as_ref().is_none_or(|chunk| chunk.is_empty()) {
                match reader.next() {
                    Some(next) => *chunk = Some(only_column(next?)?),
                    None => break,
                }
            }
        }
        let rows = rest.iter().map(|chunk| chunk.as_ref().map_or(0, |chunk| chunk.len()));
        // A column that has ended contributes 0 rows, so the lengths differ if other columns have rows left.
        let (least, most) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
        if most == 0 {
            return Ok(());
        }
        if least == 0 {
            return Err(ArrowError::InvalidArgumentError("columns differ in length".to_owned()));
        }
        let columns: Vec<ArrayRef> = rest.iter().flatten().map(|chunk| chunk.slice(0, least)).collect();
        each(&columns, least)?;
        for chunk in rest.iter_mut().flatten() {
            *chunk = chunk.slice(least, chunk.len() - least);
        }
    }
}

/// Encodes a column of URLs in batches.
fn identifiers(identifier: IdKind, urls: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let mut encode = Encode::new(SuffixList::compiled());
    // Codes are not kept, because a function of SQL returns NULL for a rejected URL.
    let mut rejections = Rejections::new(false, urls.len());
    let ids = match identifier {
        IdKind::UrlHash => encode.url_hashes(urls, &mut rejections)?,
        _ => encode.sxurls(urls, &mut rejections)?,
    };
    Ok(ids.column::<32>())
}

/// Calls the function for each row.
fn one_by_one(function: &'static Function, columns: &[ArrayRef]) -> Result<ArrayRef, ArrowError> {
    let rows = columns.first().map_or(0, |column| column.len());
    let is_bytes =
        |index: usize| function.arguments.get(index).is_some_and(|argument| argument.of == Type::Bytes);
    let typed = columns.iter().enumerate().map(|(index, column)| match is_bytes(index) {
        // Offsets of 64 bits, because the bytes of a piece may exceed 32 bits.
        true => arrow_cast::cast(column, &DataType::LargeBinary),
        false => Ok(Arc::clone(column)),
    });
    let typed = typed.collect::<Result<Vec<_>, _>>()?;
    let arguments = typed.iter().enumerate().map(|(index, column)| {
        if is_bytes(index) {
            Ok(Argument::Bytes(column.as_binary()))
        } else {
            Ok(Argument::Texts(Texts::of(column)?))
        }
    });
    let arguments = arguments.collect::<Result<Vec<_>, ArrowError>>()?;

    let (mut call, mut results) = (function.call(), Results::new(function.result, rows));
    // One more than any function accepts, so that `run` counts an extra column.
    let mut values = [SqlValue::Null; MOST_ARGUMENTS + 1];
    for row in 0..rows {
        for (value, argument) in values.iter_mut().zip(&arguments) {
            *value = argument.value(row);
        }
        let count = arguments.len().min(values.len());
        results.push(call.run(&values[..count]).map_err(|error| external(&error))?)?;
    }
    Ok(results.finish())
}

/// A column of arguments.
enum Argument<'a> {
    Texts(Texts<'a>),
    Bytes(&'a LargeBinaryArray),
}

impl<'a> Argument<'a> {
    fn value(&self, row: usize) -> SqlValue<'a> {
        match self {
            Argument::Texts(texts) => match texts.row(row) {
                Row::Text(text) => SqlValue::Text(text),
                // Bytes that are not UTF-8 are neither a URL nor a name.
                Row::Null | Row::NotUtf8 => SqlValue::Null,
            },
            Argument::Bytes(array) if array.is_null(row) => SqlValue::Null,
            Argument::Bytes(array) => SqlValue::Bytes(array.value(row)),
        }
    }
}

/// The results so far, as a column of the function's type.
enum Results {
    Text(TextColumn),
    Bytes(BinaryBuilder),
    Integer(Int64Builder),
    Boolean(BooleanBuilder),
}

impl Results {
    fn new(of: Type, rows: usize) -> Self {
        match of {
            // No overflow: a piece has at most 2^24 rows of 32 bytes.
            Type::Bytes => Self::Bytes(BinaryBuilder::with_capacity(rows, 32 * rows)),
            Type::Integer => Self::Integer(Int64Builder::with_capacity(rows)),
            Type::Boolean => Self::Boolean(BooleanBuilder::with_capacity(rows)),
            _ => Self::Text(TextColumn::new(rows, 32)),
        }
    }

    /// Returns the type of the column.
    fn data_type(of: Type) -> DataType {
        match of {
            Type::Bytes => DataType::Binary,
            Type::Integer => DataType::Int64,
            Type::Boolean => DataType::Boolean,
            _ => DataType::Utf8,
        }
    }

    /// Appends a result. Functions return only their type or NULL, so a result of a different type never
    /// occurs.
    fn push(&mut self, output: Output<'_>) -> Result<(), ArrowError> {
        match (self, output) {
            (Self::Text(column), Output::Text(text)) => column.push(Some(&text))?,
            (Self::Bytes(builder), Output::Id(id)) => builder.append_value(id),
            (Self::Integer(builder), Output::Integer(number)) => builder.append_value(number),
            (Self::Boolean(builder), Output::Boolean(flag)) => builder.append_value(flag),
            (Self::Text(column), _) => column.push(None)?,
            (Self::Bytes(builder), _) => builder.append_null(),
            (Self::Integer(builder), _) => builder.append_null(),
            (Self::Boolean(builder), _) => builder.append_null(),
        }
        Ok(())
    }

    fn finish(mut self) -> ArrayRef {
        match &mut self {
            Self::Text(column) => column.finish(),
            Self::Bytes(builder) => Arc::new(builder.finish()),
            Self::Integer(builder) => Arc::new(builder.finish()),
            Self::Boolean(builder) => Arc::new(builder.finish()),
        }
    }
}
