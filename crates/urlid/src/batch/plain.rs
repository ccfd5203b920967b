//! The plain path, for lines that are not in fast form.

use super::output::Exception;
use super::text::{Line, Text};
use crate::error_code::ErrorCode;

/// Takes the lines with the indexes in `plain` through `identify`, which gives bytes or the code of a refusal, and puts what comes
/// of each in its place; exceptions stay by ascending index.
pub(super) fn take_plain_path(
    plain: &[u32],
    text: Text<'_>,
    lines: &[Line],
    ids: &mut [[u8; 32]],
    exceptions: &mut Vec<Exception>,
    identify: impl Fn(&str) -> Result<[u8; 32], ErrorCode>,
) {
    if plain.is_empty() {
        return;
    }
    for &index in plain {
        let outcome = match str::from_utf8(text.line(lines[index as usize])) {
            Ok("") => Err(None),
            Ok(line) => identify(line).map_err(Some),
            Err(_) => Err(Some(ErrorCode::Utf8)),
        };
        match outcome {
            Ok(id) => ids[index as usize] = id,
            Err(code) => exceptions.push(Exception { index, code }),
        }
    }
    exceptions.sort_unstable_by_key(|exception| exception.index);
}
