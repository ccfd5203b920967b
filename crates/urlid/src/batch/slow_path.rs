//! The slow path: lines that the phases do not recognise, each encoded alone.

use super::phases::Exception;
use super::text::{LineRange, Text};
use crate::error::ErrorCode;

/// Encodes the lines with the indexes in `unrecognised` by `encode`, which returns a value or the code of an error. Exceptions
/// stay by ascending index.
#[inline]
pub(super) fn take_slow_path<V>(
    unrecognised: &[u32],
    text: Text<'_>,
    lines: &[LineRange],
    ids: &mut [V],
    exceptions: &mut Vec<Exception>,
    encode: impl Fn(&str) -> Result<V, ErrorCode>,
) {
    if unrecognised.is_empty() {
        return;
    }
    for &index in unrecognised {
        let outcome = match str::from_utf8(text.line(lines[index as usize])) {
            Ok("") => Err(None),
            Ok(line) => encode(line).map_err(Some),
            Err(_) => Err(Some(ErrorCode::Utf8)),
        };
        match outcome {
            Ok(id) => ids[index as usize] = id,
            Err(code) => exceptions.push(Exception { index, code }),
        }
    }
    // An earlier phase may have added exceptions, and those of this one belong between them.
    exceptions.sort_unstable_by_key(|exception| exception.index);
}
