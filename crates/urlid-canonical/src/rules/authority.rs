//! The authority: userinfo, host and port, as the implementations read them.

use crate::draft::Draft;
use crate::error;
use crate::unicode::java;
use urlid::Error;
use urlid::internal::default_port;

/// The treatment of port 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PortZero {
    /// It stays.
    Kept,
    /// It counts as absent.
    Dropped,
}

/// Splits the authority like Python's `urlsplit`. The host is the text after the last `@`, between `[` and
/// `]` or before the first `:`. A port is a number up to 65535, and an empty port counts as absent.
pub(crate) fn split_as_python(draft: &mut Draft, zero: PortZero) -> Result<(), Error> {
    let Some(authority) = draft.host.get() else { return Ok(()) };
    let at = memchr::memrchr(b'@', authority);
    let (userinfo, rest) = match at {
        Some(offset) => (Some(&authority[..offset]), &authority[offset + 1..]),
        None => (None, authority),
    };
    let (host, after) = match super::split::cut(rest, b'[') {
        (_, Some(rest)) => {
            let (host, after) = super::split::cut(rest, b']');
            (host, after.and_then(|after| super::split::cut(after, b':').1))
        }
        (_, None) => super::split::cut(rest, b':'),
    };
    let port = after.filter(|port| !port.is_empty()).map(number_to_65535).transpose()?;
    // The host is a slice of the authority. Its offset is kept to cut the authority down to it in place,
    // after the last borrow.
    let (start, length) = (host.as_ptr() as usize - authority.as_ptr() as usize, host.len());
    draft.userinfo.set_option(userinfo);
    match port {
        Some(port) if port > 0 || zero == PortZero::Kept => {
            draft.port.set(itoa::Buffer::new().format(port).as_bytes())
        }
        Some(_) | None => draft.port.remove(),
    }
    let host = draft.host.bytes_mut();
    host.truncate(start + length);
    host.drain(..start);
    Ok(())
}

/// Splits the authority like Java's `URLParser`. The host is the text after the first `@` and before a `:`.
/// If the authority starts with `[`, the `:` is searched for after the `]`. A port is any 32-bit number, and
/// -1 is absent.
pub(crate) fn split_as_java(draft: &mut Draft) -> Result<(), Error> {
    let authority = draft.host.get().filter(|authority| !authority.is_empty());
    let authority = authority.ok_or_else(|| error::host(b"", "an authority"))?;
    let (userinfo, start) = match memchr::memchr(b'@', authority) {
        Some(offset) => (Some(&authority[..offset]), offset + 1),
        None => (None, 0),
    };
    let host = &authority[start..];
    // After an `@` the parser looks for the `[` one character too early, and does not find it.
    let is_literal = userinfo.is_none() && host.starts_with(b"[");
    let literal = if is_literal { memchr::memchr(b']', host).unwrap_or(0) } else { 0 };
    let colon = memchr::memchr(b':', &host[literal..]).map(|offset| literal + offset);
    let port = colon.map(|offset| &host[offset + 1..]).filter(|port| !port.is_empty());
    // The parser uses -1 for a missing port, so a written -1 also counts as missing.
    let port = port.map(number_as_java).transpose()?.filter(|&port| port != -1);
    let length = colon.unwrap_or(host.len());
    draft.userinfo.set_option(userinfo);
    draft.port.set_option(port.map(|port| port.to_string()).as_deref().map(str::as_bytes));
    let host = draft.host.bytes_mut();
    host.truncate(start + length);
    host.drain(..start);
    Ok(())
}

/// Reads a 32-bit number like `Integer.parseInt`.
fn number_as_java(port: &[u8]) -> Result<i32, Error> {
    let value = core::str::from_utf8(port).ok().and_then(|port| java::parse_int(port, 10));
    value.ok_or_else(|| error::port(port, "a number of 32 bits"))
}

/// Reads a port of ASCII digits.
pub(crate) fn number_to_65535(port: &[u8]) -> Result<u16, Error> {
    let value = super::ipv4::number(port, 10).and_then(|value| u16::try_from(value).ok());
    value.ok_or_else(|| error::port(port, "0 to 65535"))
}

/// Drops the default port of the scheme, if the scheme is one of `schemes`.
pub(crate) fn drop_default_port(draft: &mut Draft, schemes: &[&str]) {
    let is_scheme = |scheme: &&&str| draft.scheme.bytes().eq_ignore_ascii_case(scheme.as_bytes());
    let port = schemes.iter().find(is_scheme).and_then(|scheme| default_port(scheme));
    if port.is_some_and(|port| draft.port.bytes() == itoa::Buffer::new().format(port).as_bytes()) {
        draft.port.remove();
    }
}

/// Returns the length of `www`, digits and a dot at the start of a host.
pub(crate) fn www_length(host: &[u8]) -> Option<usize> {
    let rest = host.strip_prefix(b"www")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (rest.get(digits) == Some(&b'.')).then_some(3 + digits + 1)
}

/// Appends the labels of a host in reverse order, with commas.
pub(crate) fn push_reversed(host: &[u8], out: &mut Vec<u8>) {
    super::query::join(host.rsplit(|&byte| byte == b'.'), b',', out);
}
