//! Parts of all kernels: a loop over rows, the column of error codes, and text columns that are filled row by
//! row.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, StringArray};
use arrow_schema::ArrowError;
use urlid::ErrorCode;

use super::column::{Row, Texts};
use super::room;

/// The code of bytes that are not text.
pub(super) const NOT_UTF8: ErrorCode = ErrorCode::Utf8;

/// The rejections of one chunk: a code for each row that has one.
pub(super) struct Rejections {
    codes: Option<Vec<Option<ErrorCode>>>,
}

impl Rejections {
    /// Keeps the codes of this many rows if `are_kept`.
    pub(super) fn new(are_kept: bool, rows: usize) -> Self {
        Self { codes: are_kept.then(|| vec![None; rows]) }
    }

    /// Records a rejection. The first one of a row stays.
    pub(super) fn note(&mut self, index: usize, code: ErrorCode) {
        if let Some(codes) = &mut self.codes {
            codes[index].get_or_insert(code);
        }
    }

    /// Appends the column, if rejections are returned.
    pub(super) fn push_to(self, columns: &mut Vec<ArrayRef>) {
        if let Some(codes) = self.codes {
            // No overflow: a piece has at most 2^24 rows, and a code is short.
            let texts = codes.into_iter().map(|code| code.map(ErrorCode::as_str));
            columns.push(Arc::new(texts.collect::<StringArray>()));
        }
    }
}

/// Makes a value of each row, or records its rejection.
pub(super) fn one_by_one<'t, T>(
    texts: &'t Texts<'_>,
    rejections: &'t mut Rejections,
    make: impl Fn(&str) -> Result<T, ErrorCode> + 't,
) -> impl Iterator<Item = Option<T>> + 't {
    texts.rows().enumerate().map(move |(index, row)| {
        let value = match row {
            Row::Null => return None,
            Row::Text(text) => make(text),
            Row::NotUtf8 => Err(NOT_UTF8),
        };
        value.map_err(|code| rejections.note(index, code)).ok()
    })
}

/// A column of texts that is filled row by row.
pub(super) struct TextColumn {
    builder: StringBuilder,
}

impl TextColumn {
    /// Reserves space for this many rows with this many bytes each.
    pub(super) fn new(rows: usize, bytes: usize) -> Self {
        // No overflow: a piece has at most 2^24 rows, and callers ask for at most 64 bytes each.
        Self { builder: StringBuilder::with_capacity(rows, rows * bytes) }
    }

    /// Appends a row.
    ///
    /// # Errors
    /// Fails with `OffsetOverflowError` if the value does not fit into the column, and the kernel then runs on
    /// fewer rows.
    pub(super) fn push(&mut self, value: Option<&str>) -> Result<(), ArrowError> {
        // Checked first, because the builder panics when its offsets overflow.
        room::check(self.builder.values_slice().len() + value.map_or(0, str::len))?;
        self.builder.append_option(value);
        Ok(())
    }

    /// Returns the column.
    pub(super) fn finish(&mut self) -> ArrayRef {
        Arc::new(self.builder.finish())
    }
}

/// Columns of texts that are filled row by row.
pub(super) struct TextColumns<const N: usize> {
    columns: [TextColumn; N],
}

impl<const N: usize> TextColumns<N> {
    pub(super) fn new(rows: usize) -> Self {
        Self { columns: std::array::from_fn(|_| TextColumn::new(rows, 8)) }
    }

    /// Appends a row.
    pub(super) fn push(&mut self, values: [Option<&str>; N]) -> Result<(), ArrowError> {
        self.columns.iter_mut().zip(values).try_for_each(|(column, value)| column.push(value))
    }

    /// Returns the columns.
    pub(super) fn finish(&mut self) -> Vec<ArrayRef> {
        self.columns.iter_mut().map(TextColumn::finish).collect()
    }
}
