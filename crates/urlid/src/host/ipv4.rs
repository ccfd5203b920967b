//! IPv4 addresses as WHATWG reads them: decimal, octal and hexadecimal, one to four parts.

use alloc::vec::Vec;
use core::net::Ipv4Addr;

/// Returns whether the last label is a number, so that the host can only be an IPv4 address
/// (WHATWG "ends in a number checker").
pub fn ends_in_number(host: &str) -> bool {
    let labels = host.strip_suffix('.').unwrap_or(host);
    let last = labels.rsplit('.').next().unwrap_or("");
    let Some(first) = last.bytes().next() else { return false };
    // Every number begins with a digit, `0x1f` too. Digits alone are enough: `08` counts, though it is not
    // octal.
    first.is_ascii_digit() && (last.bytes().all(|byte| byte.is_ascii_digit()) || number(last).is_some())
}

/// Parses an address (WHATWG "IPv4 parser").
pub(super) fn parse(host: &str) -> Option<Ipv4Addr> {
    let host = host.strip_suffix('.').unwrap_or(host);
    // Five parts show that there are too many.
    let parts: Vec<u64> = host.split('.').take(5).map(number).collect::<Option<_>>()?;
    let (&last, leading) = parts.split_last()?;
    // The last part fills the bytes that the others leave: all four in `2130706433`, two in `127.0.1`.
    let bits_of_last = 8 * 4_u32.checked_sub(leading.len() as u32).filter(|&bytes| bytes > 0)?;
    if leading.iter().any(|&part| part > 255) || last >= 1 << bits_of_last {
        return None;
    }
    let address = leading.iter().enumerate().fold(last, |sum, (index, part)| sum | part << (24 - 8 * index));
    Some(Ipv4Addr::from(address as u32))
}

/// Parses one part. A value that does not fit stays too large for any place.
fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [] => return None,
        // Without digits after it, `0x` is 0, as in the standard.
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    digits.chars().try_fold(0_u64, |value, digit| {
        let digit = digit.to_digit(radix)?;
        // 2^40 is larger than any place takes and far from where later sums would overflow, whatever digits
        // follow.
        Some(value.saturating_mul(u64::from(radix)).saturating_add(u64::from(digit)).min(1 << 40))
    })
}
