//! The splitting and joining of URLs in yarl 1.25.

use crate::draft::Draft;
use crate::error;
use crate::rules::escapes::escaped_byte;
use crate::rules::idna2003::{self, Codec};
use crate::rules::{idna2008, python, query, split};
use crate::unicode::python as unicode;
use urlid::Error;
use urlid::internal::escape::{EscapeSet, UNRESERVED, escaped};
use urlid::internal::push_ipv6_address;

/// Bytes that are escaped in every part: all except unreserved characters and the delimiters without a
/// meaning in queries.
const OTHER: EscapeSet = UNRESERVED.without(b"!$'()*,");
const USERINFO: EscapeSet = OTHER.without(b"+&=;");
pub(crate) const PATH: EscapeSet = USERINFO.without(b"@:/");
/// In a query that is read, the delimiters of fields stay unchanged.
const QUERY: EscapeSet = FIELD.without(b"=+&;");
/// The set for names and values that are written.
pub(crate) const FIELD: EscapeSet = OTHER.without(b"?/:@");

const DEFAULT_PORTS: [(&[u8], u16); 5] =
    [(b"http", 80), (b"https", 443), (b"ws", 80), (b"wss", 443), (b"ftp", 21)];

/// Fails unless brackets contain the whole host, which is an `IPvFuture` or a text with a colon.
pub(crate) fn check_brackets(authority: &[u8]) -> Result<(), Error> {
    if authority.contains(&b'\\') {
        return Err(error::host(authority, "no backslash"));
    }
    python::check_brackets(authority)?;
    if !authority.contains(&b'[') {
        return Ok(());
    }
    let (literal, _) = literal(after_userinfo(authority).1)?;
    let is_valid = match literal.first() {
        Some(b'v') => return python::check_bracketed_host(literal),
        _ => literal.contains(&b':'),
    };
    is_valid.then_some(()).ok_or_else(|| error::host(literal, "a colon in brackets"))
}

/// Splits the userinfo, which ends at the last `@`, off an authority.
fn after_userinfo(authority: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match memchr::memrchr(b'@', authority) {
        Some(at) => (Some(&authority[..at]), &authority[at + 1..]),
        None => (None, authority),
    }
}

/// Returns the text inside the brackets and the text after them, which is empty or starts with `:`.
fn literal(host: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    let is_once = |byte| memchr::memchr_iter(byte, host).count() <= 1;
    let rest = host.strip_prefix(b"[").filter(|_| is_once(b'[') && is_once(b']'));
    let (literal, after) = rest
        .map(|rest| (split::cut(rest, b']').0, split::cut(rest, b']').1.unwrap_or_default()))
        .ok_or_else(|| error::host(host, "one pair of brackets around it"))?;
    match after {
        [] | [b':', ..] => Ok((literal, after)),
        _ => Err(error::host(host, "nothing but a port after `]`")),
    }
}

/// The authority as split by yarl's `split_netloc`.
struct YarlAuthority<'t> {
    /// The user. An empty user counts as absent.
    user: Option<&'t [u8]>,
    password: Option<&'t [u8]>,
    host: &'t [u8],
    port: Option<u16>,
}

impl<'t> YarlAuthority<'t> {
    fn split(authority: &'t [u8]) -> Result<Self, Error> {
        let (userinfo, rest) = after_userinfo(authority);
        let (user, password) = userinfo.map_or((None, None), |userinfo| {
            let (user, password) = split::cut(userinfo, b':');
            (Some(user).filter(|user| !user.is_empty()), password)
        });
        let (host, port) = match rest.contains(&b'[') {
            true => {
                let (host, after) = literal(rest)?;
                (host, after.get(1..).unwrap_or_default())
            }
            false => {
                let (host, port) = split::cut(rest, b':');
                (host, port.unwrap_or_default())
            }
        };
        let port = (!port.is_empty()).then(|| number(port)).transpose()?;
        Ok(Self { user, password, host, port })
    }

    /// Joins the parts, with a port if one is given.
    fn join(&self, host: &[u8], port: Option<u16>) -> Vec<u8> {
        let mut joined = self.user.unwrap_or_default().to_vec();
        if let Some(password) = self.password {
            joined.push(b':');
            joined.extend_from_slice(password);
        }
        // A password does not need a user: `:p@h` stays unchanged, but `@h` loses its `@`.
        if !joined.is_empty() {
            joined.push(b'@');
        }
        joined.extend_from_slice(host);
        if let Some(port) = port {
            joined.push(b':');
            joined.extend_from_slice(itoa::Buffer::new().format(port).as_bytes());
        }
        joined
    }
}

/// Reads a port like Python's `int`, including digits and white space of any script.
fn number(port: &[u8]) -> Result<u16, Error> {
    let value = python::int_of_any_script(port).and_then(|port| u16::try_from(port).ok());
    value.ok_or_else(|| error::port(port, "0 to 65535"))
}

/// Encodes user and password, maps the host, and writes the port as a number.
pub(crate) fn encode_authority(draft: &mut Draft) -> Result<(), Error> {
    let authority = YarlAuthority::split(draft.host.bytes())?;
    let is_special = DEFAULT_PORTS.iter().any(|(scheme, _)| *scheme == draft.scheme.bytes());
    if authority.host.is_empty() && is_special {
        return Err(error::host(draft.host.bytes(), "a host"));
    }
    let host = encode_host(authority.host)?;
    let encoded = |text: Option<&[u8]>| {
        text.map(|text| {
            let mut text = text.to_vec();
            USERINFO_QUOTER.apply(&mut text);
            text
        })
    };
    let (user, password) = (encoded(authority.user), encoded(authority.password));
    let encoded = YarlAuthority { user: user.as_deref(), password: password.as_deref(), ..authority };
    let joined = encoded.join(host.as_bytes(), authority.port);
    draft.host.set(&joined);
    Ok(())
}

fn encode_host(host: &[u8]) -> Result<String, Error> {
    let host = core::str::from_utf8(host).map_err(|_| error::NOT_UTF8.error())?;
    if let Some(address) = address(host) {
        return Ok(address);
    }
    if host.is_ascii() {
        // yarl does not apply IDNA to ASCII, so a malformed `xn--` label passes.
        return Ok(host.to_ascii_lowercase());
    }
    // IDNA would drop these silently, so yarl rejects the host instead.
    if host.contains(is_default_ignorable) {
        return Err(error::host(host.as_bytes(), "no character that a host loses"));
    }
    let ascii = idna2008::encode(host).or_else(|| idna2003::to_ascii(host, Codec::Python));
    ascii.ok_or_else(|| error::host(host.as_bytes(), "a name by IDNA 2008 or 2003"))
}

/// Writes an address in its shortest form. A zone keeps its spelling, and IPv4 addresses may also have one.
fn address(host: &str) -> Option<String> {
    // yarl reads an address only from such a host, so `1.2.3.4.` is a name.
    if !host.contains(':') && !host.ends_with(unicode::is_digit) {
        return None;
    }
    let zone = host.find("%25").or_else(|| host.find('%')).unwrap_or(host.len());
    let (address, zone) = host.split_at(zone);
    if address.parse::<core::net::Ipv4Addr>().is_ok() {
        return Some(host.to_owned());
    }
    let (address, _) = python::ipv6(address.as_bytes())?;
    let mut shortest = String::from("[");
    push_ipv6_address(&address, &mut shortest);
    shortest.push_str(zone);
    shortest.push(']');
    Some(shortest)
}

/// Returns whether IDNA may drop a code point: `Default_Ignorable_Code_Point` and table B.1 of RFC 3454.
fn is_default_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{1806}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Drops the default port of the scheme. yarl reads its written authority a second time, and may then find a
/// different port, or one that it cannot read.
pub(crate) fn drop_default_port(draft: &mut Draft) -> Result<(), Error> {
    let authority = YarlAuthority::split(draft.host.bytes())?;
    let Some(port) = authority.port else { return Ok(()) };
    if DEFAULT_PORTS.contains(&(draft.scheme.bytes(), port)) {
        let host = match authority.host.contains(&b':') {
            true => [b"[", authority.host, b"]"].concat(),
            false => authority.host.to_vec(),
        };
        let joined = authority.join(&host, None);
        draft.host.set(&joined);
    }
    Ok(())
}

/// The encoding of a part that may have escapes.
pub(crate) struct Quoter {
    encoded: EscapeSet,
    /// Bytes outside of `encoded` with escapes that stay. All other escapes outside of it are decoded.
    protected: &'static [u8],
    space: &'static [u8],
}

const USERINFO_QUOTER: Quoter = Quoter { encoded: USERINFO, protected: b"", space: b"%20" };
pub(crate) const PATH_QUOTER: Quoter = Quoter { encoded: PATH, protected: b"/+", space: b"%20" };
pub(crate) const QUERY_QUOTER: Quoter = Quoter { encoded: QUERY, protected: b"=+&;", space: b"+" };

impl Quoter {
    pub(crate) fn apply(&self, text: &mut Vec<u8>) {
        if !text.iter().any(|&byte| byte == b'%' || self.encoded.contains(byte)) {
            return;
        }
        let mut quoted = Vec::with_capacity(text.len());
        let mut rest = text.as_slice();
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            let escape = (byte == b'%').then(|| escaped_byte(after)).flatten();
            match escape {
                Some(byte) if self.encoded.contains(byte) || self.protected.contains(&byte) => {
                    quoted.extend_from_slice(&escaped(byte));
                }
                Some(byte) => quoted.push(byte),
                None if byte == b' ' => quoted.extend_from_slice(self.space),
                // A `%` that does not start an escape is also encoded.
                None => self.encoded.encode_bytes(&[byte], &mut quoted),
            }
            if escape.is_some() {
                rest = &rest[2..];
            }
        }
        *text = quoted;
    }
}

/// Drops `.` segments. A `..` removes the segment before it, even an empty one, or is dropped. If the last
/// segment is one of these, it leaves an empty segment.
pub(crate) fn remove_dots(path: &mut Vec<u8>, spare: &mut Vec<u8>) {
    if !path.contains(&b'.') {
        return;
    }
    let (root, relative) = path.split_at(usize::from(path.starts_with(b"/")));
    let mut segments: Vec<&[u8]> = Vec::new();
    for segment in relative.split(|&byte| byte == b'/') {
        match segment {
            b"." => {}
            b".." => drop(segments.pop()),
            _ => segments.push(segment),
        }
    }
    if matches!(relative.rsplit(|&byte| byte == b'/').next(), Some(b"." | b"..")) {
        segments.push(b"");
    }
    spare.clear();
    spare.extend_from_slice(root);
    query::join(segments, b'/', spare);
    core::mem::swap(path, spare);
}
