//! The bytes that no host may hold.

/// WHATWG "forbidden host code point".
pub(super) fn is_forbidden_host_byte(byte: u8) -> bool {
    matches!(
        byte,
        0 | b'\t'
            | b'\n'
            | b'\r'
            | b' '
            | b'#'
            | b'/'
            | b':'
            | b'<'
            | b'>'
            | b'?'
            | b'@'
            | b'['
            | b'\\'
            | b']'
            | b'^'
            | b'|'
    )
}

/// WHATWG "forbidden domain code point".
pub(super) fn is_forbidden_domain_byte(byte: u8) -> bool {
    byte <= 0x1f || byte == 0x7f || byte == b'%' || is_forbidden_host_byte(byte)
}
