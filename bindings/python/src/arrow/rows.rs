//! What kernels share: the column of refusals, and a table of text columns that is filled row by row.

use std::sync::Arc;
use urlid::ErrorCode;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::{DataType, Field};

/// Whether a kernel says why rows are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Errors {
    Told,
    Untold,
}

impl Errors {
    pub(super) fn of(is_told: bool) -> Self {
        if is_told { Self::Told } else { Self::Untold }
    }

    /// Returns the field of the refusals, if they are told.
    pub(super) fn field(self) -> Option<Field> {
        (self == Self::Told).then(|| Field::new("error", DataType::Utf8, true))
    }
}

/// The code of bytes that are no text.
pub(super) const NOT_UTF8: ErrorCode = ErrorCode::Utf8;

/// The refusals of one chunk: a code for each row that has one.
pub(super) struct Refusals {
    codes: Option<Vec<Option<ErrorCode>>>,
}

impl Refusals {
    pub(super) fn new(errors: Errors, rows: usize) -> Self {
        Self { codes: (errors == Errors::Told).then(|| vec![None; rows]) }
    }

    /// Notes a refusal; the first of a row stays.
    pub(super) fn note(&mut self, index: usize, code: ErrorCode) {
        if let Some(codes) = &mut self.codes {
            codes[index].get_or_insert(code);
        }
    }

    /// Appends the column, if refusals are told.
    pub(super) fn push_to(self, columns: &mut Vec<ArrayRef>) {
        if let Some(codes) = self.codes {
            columns.push(Arc::new(
                codes
                    .into_iter()
                    .map(|code| code.map(ErrorCode::as_str))
                    .collect::<arrow_array::StringArray>(),
            ));
        }
    }
}

/// Columns of texts that are filled row by row.
pub(super) struct TextColumns<const N: usize> {
    builders: [StringBuilder; N],
}

impl<const N: usize> TextColumns<N> {
    pub(super) fn new(rows: usize) -> Self {
        Self { builders: std::array::from_fn(|_| StringBuilder::with_capacity(rows, rows * 8)) }
    }

    /// Appends a row.
    pub(super) fn push(&mut self, values: [Option<&str>; N]) {
        for (builder, value) in self.builders.iter_mut().zip(values) {
            builder.append_option(value);
        }
    }

    /// Returns the columns.
    pub(super) fn finish(&mut self) -> Vec<ArrayRef> {
        self.builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect()
    }
}
