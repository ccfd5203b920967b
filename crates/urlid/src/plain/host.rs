//! Hosts and ports that are their own normal form in every system.

use urlid_simd::AsciiSet;

/// The bytes of a domain name that no system changes: lower-case letters, digits, `-`, `.` and `_`.
pub(crate) const BYTES: AsciiSet = AsciiSet::EMPTY.with_range(b'a', b'z').with_range(b'0', b'9').with(b"-._");

static IS_BYTE: [bool; 256] = BYTES.to_table();

/// Returns whether a host consists of [`BYTES`].
#[inline]
pub(crate) fn has_plain_bytes(host: &str) -> bool {
    host.bytes().all(|byte| IS_BYTE[usize::from(byte)])
}

/// Returns whether a host of plain bytes is a name and not an address: its last label is not empty and begins with no digit.
#[inline(always)]
pub(crate) fn is_name(host: &[u8]) -> bool {
    let last_label = host.iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    host.get(last_label).is_some_and(|byte| !byte.is_ascii_digit())
}

/// Splits an authority without a user at the `:` of its port. Returns `None` if the port is not in normal form: decimal,
/// at most 65535, without leading zeros.
pub(crate) fn split_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let Some((host, port)) = authority.split_once(':') else { return Some((authority, None)) };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit()) && (port == "0" || !port.starts_with('0'));
    let number = port.parse().ok().filter(|_| is_number)?;
    Some((host, Some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_normal_form_is_split_off() {
        let split =
            [("h", Some(("h", None))), ("h:0", Some(("h", Some(0)))), ("h:65535", Some(("h", Some(65535))))];
        let none = ["h:", "h:00", "h:080", "h:65536", "h:+1", "h:1:2", "h:x", "h:99999999999"]
            .map(|text| (text, None));
        for (authority, expected) in split.into_iter().chain(none) {
            assert_eq!(split_port(authority), expected, "{authority}");
        }
    }
}
