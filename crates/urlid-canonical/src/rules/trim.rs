//! The pre-pass on the whole text, which cuts bytes at its ends and deletes bytes in it.

/// ASCII white space: 09 to 0D and 20.
pub(crate) fn is_ascii_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// C0 controls and the space: 00 to 20.
pub(crate) fn is_control_or_space(byte: u8) -> bool {
    byte <= b' '
}

/// Returns whether a byte is a tab, line feed or carriage return, which parsers delete at any position.
pub(crate) fn is_tab_or_newline(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Cuts these bytes at both ends.
pub(crate) fn trim(text: &mut Vec<u8>, is_cut: fn(u8) -> bool) {
    trim_end(text, is_cut);
    trim_start(text, is_cut);
}

/// Cuts these bytes at the end.
pub(crate) fn trim_end(text: &mut Vec<u8>, is_cut: fn(u8) -> bool) {
    let end = text.iter().rposition(|&byte| !is_cut(byte)).map_or(0, |offset| offset + 1);
    text.truncate(end);
}

/// Cuts these bytes at the start.
pub(crate) fn trim_start(text: &mut Vec<u8>, is_cut: fn(u8) -> bool) {
    let start = text.iter().position(|&byte| !is_cut(byte)).unwrap_or(text.len());
    text.drain(..start);
}

/// Deletes these bytes at any position.
pub(crate) fn delete(text: &mut Vec<u8>, is_deleted: fn(u8) -> bool) {
    if text.iter().any(|&byte| is_deleted(byte)) {
        text.retain(|&byte| !is_deleted(byte));
    }
}

/// Collapses each run of `byte` into one.
pub(crate) fn collapse(text: &mut Vec<u8>, byte: u8) {
    text.dedup_by(|a, b| *a == byte && *b == byte);
}
