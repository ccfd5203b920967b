//! IPv4 addresses as WHATWG reads them: one to four parts in decimal, octal or hexadecimal.

use alloc::vec::Vec;
use core::net::Ipv4Addr;

/// Returns whether the last label is a number, so that the host can only be an IPv4 address
/// (WHATWG "ends in a number checker").
pub fn ends_in_number(host: &str) -> bool {
    let labels = host.strip_suffix('.').unwrap_or(host);
    let last = labels.rsplit('.').next().unwrap_or("");
    let Some(first) = last.bytes().next() else { return false };
    // Every number starts with a digit, including `0x1f`. A label of digits always counts: `08` counts
    // although it is not octal.
    first.is_ascii_digit() && (last.bytes().all(|byte| byte.is_ascii_digit()) || number(last).is_some())
}

/// Parses an address (WHATWG "IPv4 parser").
pub(super) fn parse(host: &str) -> Option<Ipv4Addr> {
    let host = host.strip_suffix('.').unwrap_or(host);
    // Five parts are enough to detect that there are too many.
    let parts: Vec<u64> = host.split('.').take(5).map(number).collect::<Option<_>>()?;
    let (&last, leading) = parts.split_last()?;
    // The last part fills the remaining bytes: all four in `2130706433`, two in `127.0.1`.
    let bits_of_last = 8 * 4_u32.checked_sub(leading.len() as u32).filter(|&bytes| bytes > 0)?;
    if leading.iter().any(|&part| part > 255) || last >= 1 << bits_of_last {
        return None;
    }
    let address = leading.iter().enumerate().fold(last, |sum, (index, part)| sum | part << (24 - 8 * index));
    Some(Ipv4Addr::from(address as u32))
}

/// Parses one part. A value that is too large stays larger than every field.
fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [] => return None,
        // `0x` without digits is 0, as in the standard.
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    digits.chars().try_fold(0_u64, |value, digit| {
        let digit = digit.to_digit(radix)?;
        // 2^40 is larger than every field, and far below the value at which later sums would overflow,
        // whatever digits follow.
        Some(value.saturating_mul(u64::from(radix)).saturating_add(u64::from(digit)).min(1 << 40))
    })
}
