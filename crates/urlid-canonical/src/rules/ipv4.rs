//! Hosts that are IPv4 addresses, as the implementations read them.

use super::python;

/// Returns the low 32 bits of a number of any length, or `None` for other texts.
pub(crate) fn low_32_bits(digits: &[u8]) -> Option<u32> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let add = |sum: u32, &digit: &u8| sum.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
    is_number.then(|| digits.iter().fold(0, add))
}

/// Reads one to four decimal or octal parts like C's `inet_aton`. The last part fills the remaining bytes.
pub(crate) fn inet_aton(host: &[u8]) -> Option<u32> {
    let mut address = 0_u64;
    let mut count = 0;
    let mut parts = host.split(|&byte| byte == b'.').peekable();
    while let Some(part) = parts.next() {
        // The last part fills the remaining bytes, so `127.1` is `127.0.0.1`. There are no bytes for a fifth
        // part.
        let is_last = parts.peek().is_none();
        let value = c_number(part)?;
        let bits = if is_last { 8 * 4_u32.checked_sub(count)? } else { 8 };
        if bits == 0 || value >= 1 << bits {
            return None;
        }
        address = address << bits | value;
        count += 1;
    }
    u32::try_from(address).ok()
}

/// Reads a decimal number, or an octal one after a `0`. More than 32 bits are too many for every place.
fn c_number(text: &[u8]) -> Option<u64> {
    let radix = if text.len() > 1 && text[0] == b'0' { 8 } else { 10 };
    number(text, radix)
}

/// Reads digits of a radix. A value that does not fit stays too large.
pub(crate) fn number(text: &[u8], radix: u32) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |value, &byte| {
        let digit = char::from(byte).to_digit(radix)?;
        // 2^40 is too large for an address, whatever follows, and 16 times this value fits in 64 bits.
        Some((value * u64::from(radix) + u64::from(digit)).min(1 << 40))
    })
}

/// Returns the low 32 bits of a number below 2 to the 63.
pub(crate) fn dword(digits: &[u8]) -> Option<u32> {
    // Java parses a `long` and reads longer digits as a name.
    let value: i64 =
        core::str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_digit))?.parse().ok()?;
    Some(value as u32)
}

/// Reads four parts, which are octal if the first digit is `0` and decimal otherwise.
pub(crate) fn quad_as_java(host: &[u8]) -> Option<u32> {
    let radix = if host.first()? == &b'0' { 8 } else { 10 };
    let mut bytes = [0; 4];
    let mut parts = host.split(|&byte| byte == b'.');
    for byte in &mut bytes {
        *byte = number(parts.next()?, radix).and_then(|value| u8::try_from(value).ok())?;
    }
    parts.next().is_none().then(|| u32::from_be_bytes(bytes))
}

/// Reads one to four parts, which are decimal, octal after `0` or hexadecimal after `0x`. Each part except
/// the last counts with its low byte, and the last fills the rest. In at most 15 bytes, a space and any text
/// may follow a dotted quad.
pub(crate) fn lenient(host: &[u8]) -> Option<u32> {
    let host = if host.len() <= 15 { quad_before_space(host).unwrap_or(host) } else { host };
    let mut address = 0_u32;
    let mut parts = host.split(|&byte| byte == b'.').peekable();
    let mut bits_left = 32_u32;
    while let Some(part) = parts.next() {
        let value = match part {
            [b'0', b'x' | b'X', digits @ ..] => number(digits, 16)?,
            _ => c_number(part)?,
        };
        let value = u32::try_from(value).ok()?;
        let bits = if parts.peek().is_some() { 8 } else { bits_left };
        bits_left = bits_left.checked_sub(bits).filter(|_| bits > 0)?;
        let mask = u32::MAX >> (32 - bits);
        // A single part is 32 bits wide. There is nothing to shift, and the shift would be out of range.
        address = address.checked_shl(bits).unwrap_or(0) | value & mask;
    }
    Some(address)
}

/// Reads one to four numbers like urlcanon with Python's `int`. All except the first and the last are below
/// 256. A `.` may follow, and an empty number is 0. The sum may be negative, which is not an address.
pub(crate) fn as_python(host: &[u8]) -> Option<i128> {
    let host = host.strip_suffix(b".").or((!host.is_empty()).then_some(host))?;
    let parts: Vec<&[u8]> = host.split(|&byte| byte == b'.').collect();
    let last = Some(parts.len() - 1).filter(|&last| last < 4)?;
    let mut address = 0;
    for (index, part) in parts.into_iter().enumerate() {
        let value = match part {
            b"" | [b'0', b'x' | b'X'] => 0,
            [b'0', b'x' | b'X', digits @ ..] => python::int(digits, 16)?,
            [b'0', digits @ ..] if !digits.is_empty() => python::int(digits, 8)?,
            _ => python::int(part, 10)?,
        };
        let bits = if index < last { 8 } else { 8 * (4 - index) };
        if index > 0 && value >= 1 << bits {
            return None;
        }
        // `int` caps values at 2^80, and at most 24 bits are added below the first one, so 128 bits are
        // enough.
        address = (address << bits) + value;
    }
    (address < 1 << 32).then_some(address)
}

fn quad_before_space(host: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b' ', host)?;
    let parts = host[..end].split(|&byte| byte == b'.');
    let is_part = |part: &[u8]| (1..=3).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    (parts.clone().count() == 4 && parts.clone().all(is_part)).then_some(&host[..end])
}

/// Writes an address over the host.
pub(crate) fn write(address: u32, host: &mut Vec<u8>) {
    host.clear();
    for (index, byte) in address.to_be_bytes().into_iter().enumerate() {
        if index > 0 {
            host.push(b'.');
        }
        host.extend_from_slice(itoa::Buffer::new().format(byte).as_bytes());
    }
}
