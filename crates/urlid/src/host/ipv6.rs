//! IPv6 addresses: WHATWG's parser and its compressed print.

use std::net::Ipv6Addr;

/// Parses the text between the brackets (WHATWG "IPv6 parser").
///
/// A `::` stands for one group of zero at least.
pub(super) fn parse(text: &str) -> Option<Ipv6Addr> {
    let mut groups = [0_u16; 8];
    let mut count = 0;
    let mut compressed_at = None;
    let mut rest = text.as_bytes();

    if let Some(after) = rest.strip_prefix(b"::") {
        count = 1;
        compressed_at = Some(count);
        rest = after;
    } else if rest.first() == Some(&b':') {
        return None;
    }
    while !rest.is_empty() {
        if count == 8 {
            return None;
        }
        if rest[0] == b':' {
            count += 1;
            if compressed_at.replace(count).is_some() {
                return None;
            }
            rest = &rest[1..];
            continue;
        }
        let digits = rest.iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if rest.get(digits) == Some(&b'.') {
            let [high, low] = embedded_ipv4(rest)?;
            *groups.get_mut(count)? = high;
            *groups.get_mut(count + 1)? = low;
            count += 2;
            break;
        }
        groups[count] = rest[..digits].iter().fold(0, |value, byte| value << 4 | hex_value(*byte));
        count += 1;
        rest = match &rest[digits..] {
            [] if digits > 0 => &[],
            [b':', after @ ..] if digits > 0 && !after.is_empty() => after,
            _ => return None,
        };
    }

    match compressed_at {
        // What was read after the `::` moves to the end; the zeros fill its place.
        Some(start) => groups[start..].rotate_left(count - start),
        None if count < 8 => return None,
        None => {}
    }
    Some(Ipv6Addr::from(groups))
}

fn hex_value(digit: u8) -> u16 {
    char::from(digit).to_digit(16).unwrap_or(0) as u16
}

/// Parses a dotted quad that ends the address: decimal, without leading zeros.
fn embedded_ipv4(text: &[u8]) -> Option<[u16; 2]> {
    let parts: Vec<u16> = std::str::from_utf8(text)
        .ok()?
        .split('.')
        .take(5)
        .map(|part| match part.as_bytes() {
            [b'0'] => Some(0),
            [b'1'..=b'9', rest @ ..] if rest.len() < 3 && rest.iter().all(u8::is_ascii_digit) => {
                part.parse().ok()
            }
            _ => None,
        })
        .collect::<Option<_>>()?;
    match parts[..] {
        [a, b, c, d] if parts.iter().all(|&part| part < 256) => Some([a << 8 | b, c << 8 | d]),
        _ => None,
    }
}

/// Appends the address in its compressed form (WHATWG "IPv6 serializer"): lower case, the first longest run of two
/// or more zero groups as `::`, never a dotted quad.
pub(super) fn push(address: &Ipv6Addr, out: &mut String) {
    let groups = address.segments();
    let (start, length) = longest_zero_run(&groups);
    let mut index = 0;
    while index < groups.len() {
        if index == start && length > 1 {
            out.push_str("::");
            index += length;
            continue;
        }
        out.push_str(&format!("{:x}", groups[index]));
        index += 1;
        if index < groups.len() && !(index == start && length > 1) {
            out.push(':');
        }
    }
}

fn longest_zero_run(groups: &[u16; 8]) -> (usize, usize) {
    let mut best = (0, 0);
    for start in 0..groups.len() {
        let length = groups[start..].iter().take_while(|&&group| group == 0).count();
        if length > best.1 {
            best = (start, length);
        }
    }
    best
}
