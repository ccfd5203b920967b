//! A column of texts of any Arrow type: strings, bytes that should be UTF-8, views, dictionaries, nulls.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    AnyDictionaryArray, Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray,
    StringArray, StringViewArray, make_array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType};

/// One row of a column of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row<'a> {
    Null,
    Text(&'a str),
    /// Bytes that are not UTF-8.
    NotUtf8,
}

/// A chunk of a column of texts.
pub(super) enum Texts<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
    /// The index of the value of each row, the null rows, and the values.
    Dictionary(Vec<usize>, Option<NullBuffer>, Box<Texts<'a>>),
    Null(usize),
}

impl<'a> Texts<'a> {
    /// Reads a chunk that [`plain`] has seen.
    pub(super) fn of(chunk: &'a ArrayRef) -> Result<Self, ArrowError> {
        Ok(match chunk.data_type() {
            DataType::Utf8 => Self::Utf8(chunk.as_string()),
            DataType::LargeUtf8 => Self::LargeUtf8(chunk.as_string()),
            DataType::Utf8View => Self::Utf8View(chunk.as_string_view()),
            DataType::Binary => Self::Binary(chunk.as_binary()),
            DataType::LargeBinary => Self::LargeBinary(chunk.as_binary()),
            DataType::BinaryView => Self::BinaryView(chunk.as_binary_view()),
            DataType::Dictionary(..) => Self::of_dictionary(chunk.as_any_dictionary())?,
            DataType::Null => Self::Null(chunk.len()),
            other => {
                let message = format!("not a column of texts: found {other}, expected strings or bytes");
                return Err(ArrowError::InvalidArgumentError(message));
            }
        })
    }

    /// Keeps the keys and the values separate, because rows can repeat a text so often that one array cannot
    /// contain the rows.
    fn of_dictionary(dictionary: &'a dyn AnyDictionaryArray) -> Result<Self, ArrowError> {
        let values = Self::of(dictionary.values())?;
        // Keys of an empty dictionary are all null, and `normalized_keys` would panic.
        Ok(if dictionary.values().is_empty() {
            Self::Null(dictionary.len())
        } else {
            // The normalized key of a null row is arbitrary, so null rows are kept separately.
            Self::Dictionary(dictionary.normalized_keys(), dictionary.logical_nulls(), Box::new(values))
        })
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Utf8(array) => array.len(),
            Self::LargeUtf8(array) => array.len(),
            Self::Utf8View(array) => array.len(),
            Self::Binary(array) => array.len(),
            Self::LargeBinary(array) => array.len(),
            Self::BinaryView(array) => array.len(),
            Self::Dictionary(keys, ..) => keys.len(),
            Self::Null(rows) => *rows,
        }
    }

    /// Returns the bitmap of null rows.
    pub(super) fn nulls(&self) -> Option<NullBuffer> {
        match self {
            Self::Utf8(array) => array.nulls().cloned(),
            Self::LargeUtf8(array) => array.nulls().cloned(),
            Self::Utf8View(array) => array.nulls().cloned(),
            Self::Binary(array) => array.nulls().cloned(),
            Self::LargeBinary(array) => array.nulls().cloned(),
            Self::BinaryView(array) => array.nulls().cloned(),
            Self::Dictionary(_, nulls, _) => nulls.clone(),
            // Arrow's type of nulls does not have a bitmap.
            Self::Null(rows) => Some(NullBuffer::new_null(*rows)),
        }
    }

    #[inline]
    pub(super) fn row(&self, index: usize) -> Row<'a> {
        fn text(is_null: bool, value: &str) -> Row<'_> {
            if is_null { Row::Null } else { Row::Text(value) }
        }
        fn bytes(is_null: bool, value: &[u8]) -> Row<'_> {
            // A null row may have any bytes in Arrow, so invalid UTF-8 in it is not an error.
            match std::str::from_utf8(value) {
                _ if is_null => Row::Null,
                Ok(value) => Row::Text(value),
                Err(_) => Row::NotUtf8,
            }
        }
        match self {
            Self::Utf8(array) => text(array.is_null(index), array.value(index)),
            Self::LargeUtf8(array) => text(array.is_null(index), array.value(index)),
            Self::Utf8View(array) => text(array.is_null(index), array.value(index)),
            Self::Binary(array) => bytes(array.is_null(index), array.value(index)),
            Self::LargeBinary(array) => bytes(array.is_null(index), array.value(index)),
            Self::BinaryView(array) => bytes(array.is_null(index), array.value(index)),
            Self::Dictionary(_, Some(nulls), _) if nulls.is_null(index) => Row::Null,
            Self::Dictionary(keys, _, values) => values.row(keys[index]),
            Self::Null(_) => Row::Null,
        }
    }

    /// Returns the rows in order.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = Row<'a>> + '_ {
        (0..self.len()).map(|index| self.row(index))
    }
}

/// Returns the chunk of a column, which may be passed as a table with one column.
pub(super) fn only_column(chunk: ArrayRef) -> Result<ArrayRef, ArrowError> {
    match chunk.data_type() {
        // In Arrow's C interface a table is a stream of structs.
        DataType::Struct(_) => match chunk.as_struct().columns() {
            [column] => only_column(with_nulls(column, chunk.nulls())?),
            columns => {
                let message =
                    format!("not a column: found a table of {} columns, expected one", columns.len());
                Err(ArrowError::InvalidArgumentError(message))
            }
        },
        _ => Ok(chunk),
    }
}

/// Returns a column of a struct with the null rows of the struct, which the column may lack.
fn with_nulls(column: &ArrayRef, nulls: Option<&NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let all = NullBuffer::union(column.nulls(), nulls.filter(|nulls| nulls.null_count() > 0));
    // Arrow's type of nulls does not have a bitmap.
    if all.as_ref() == column.nulls() || *column.data_type() == DataType::Null {
        return Ok(Arc::clone(column));
    }
    Ok(make_array(column.to_data().into_builder().nulls(all).build()?))
}
