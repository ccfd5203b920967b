//! The end of reading a row group.

use std::io;

use urlid::Error;

use crate::error;

/// The reason that reading a row group ended early.
#[derive(Debug)]
pub(super) enum End {
    Io(io::Error),
    Damaged(String),
    Stopped,
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<String> for End {
    fn from(detail: String) -> Self {
        Self::Damaged(detail)
    }
}

impl End {
    /// Returns the error of a row group, counted from 0, before which so many rows of the file were read.
    pub(super) fn into_error(self, row_group: usize, rows: u64) -> Error {
        match self {
            End::Io(source) => error::file(source),
            End::Damaged(detail) => {
                let error = error::VALUES.error().with_subject(row_group.to_string());
                error.with_shown(detail).with_number(rows)
            }
            End::Stopped => error::file(io::ErrorKind::Interrupted.into()),
        }
    }
}
