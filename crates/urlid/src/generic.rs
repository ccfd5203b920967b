//! The generic syntax: resolution by RFC 3986 and RFC 2396, and the syntax-based normal form of RFC 3986.
//!
//! The rules of the URL Standard do not apply here: texts are not cleaned, forced or encoded, and drives are
//! not special. `\` is an ordinary byte and `%2e` is not a dot. Module [`web`](crate::web) reads URLs as
//! WHATWG does.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Error, ErrorCode, ErrorKind};
use crate::escape::escaped_byte;
use crate::host::ipv6::has_zone;
use crate::reference::{Authority, Context, Reference, SchemeOf, TokenKind};

/// Removes `.` and `..` segments exactly as in RFC 3986, section 5.2.4.
///
/// A rootless path may gain a root: `a/../b` becomes `/b`.
pub fn remove_dot_segments(path: &str) -> Cow<'_, str> {
    if !path.split('/').any(|segment| segment == "." || segment == "..") {
        return Cow::Borrowed(path);
    }
    let mut input = path;
    let mut output = String::with_capacity(path.len());
    while !input.is_empty() {
        if let Some(rest) = input.strip_prefix("../").or_else(|| input.strip_prefix("./")) {
            input = rest; // 2A
        } else if input.starts_with("/./") {
            input = &input[2..]; // 2B
        } else if input == "/." {
            input = "/";
        } else if input.starts_with("/../") {
            input = &input[3..]; // 2C
            remove_last_segment(&mut output);
        } else if input == "/.." {
            input = "/";
            remove_last_segment(&mut output);
        } else if input == "." || input == ".." {
            input = ""; // 2D
        } else {
            let after_slash = usize::from(input.starts_with('/')); // 2E
            let end = input[after_slash..].find('/').map_or(input.len(), |offset| after_slash + offset);
            output.push_str(&input[..end]);
            input = &input[end..];
        }
    }
    Cow::Owned(output)
}

/// Removes the last segment and the preceding slash, if there is one.
fn remove_last_segment(output: &mut String) {
    output.truncate(output.rfind('/').unwrap_or(0));
}

/// Removes the dot segments of a merged path (RFC 2396, section 5.2, steps 6c to 6f). A `..` without a
/// preceding segment stays.
fn remove_dot_segments_rfc2396(path: &str) -> String {
    let (root, relative) = match path.strip_prefix('/') {
        Some(relative) => ("/", relative),
        None => ("", path),
    };
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = relative.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            // Steps 6d and 6f remove the segment but keep the preceding slash. An empty last segment
            // represents this slash.
            "." if is_last => kept.push(""),
            "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
                if is_last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    [root, &kept.join("/")].concat()
}

/// Removes the dot segments of a relative path that is not empty. A `..` without a preceding segment stays.
/// The result gets the prefix `./` if it would otherwise be empty, start with a slash or have a colon in its
/// first segment.
fn remove_relative_dot_segments(path: &str) -> String {
    let mut path = remove_dot_segments_rfc2396(path);
    // `..` and `../` lead to the same directory, so they share a normal form.
    if path == ".." || path.ends_with("/..") {
        path.push('/');
    }
    let first = path.split('/').next().unwrap_or_default();
    if first.is_empty() || first.contains(':') {
        path.insert_str(0, "./");
    }
    path
}

/// The rules that resolve a reference.
///
/// ```
/// use urlid::generic::{Mode, resolve};
///
/// assert_eq!(resolve("http://h/a/b", "http:c", Mode::Strict)?, "http:c");
/// assert_eq!(resolve("http://h/a/b", "http:c", Mode::Nonstrict)?, "http://h/a/c");
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// RFC 3986: goto.
    Strict,
    /// RFC 3986 for backward compatibility: goto', which ignores a scheme that equals the base's.
    Nonstrict,
    /// RFC 2396: a reference with only a query replaces the file, dot segments are removed from merged paths
    /// only, and a `..` that leads above the root stays.
    Rfc2396,
}

const RELATIVE_BASE: ErrorKind =
    ErrorKind::new(ErrorCode::Relative, "base has no scheme: expected an absolute URI");

/// Resolves `reference` against the absolute `base`.
///
/// Every text is accepted as a reference. The parts are not encoded or checked.
///
/// ```
/// use urlid::generic::{Mode, resolve};
///
/// assert_eq!(resolve("http://a/b/c/d;p?q", "../g", Mode::Strict)?, "http://a/b/g");
/// assert_eq!(resolve("http://a/b/c/d;p?q", "http:g", Mode::Nonstrict)?, "http://a/b/c/g");
/// assert_eq!(resolve("http://a/b/c/d;p?q", "?y", Mode::Rfc2396)?, "http://a/b/c/?y");
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the base has no scheme, or for texts of 4 GiB.
pub fn resolve(base: &str, reference: &str, mode: Mode) -> Result<String, Error> {
    let base = Reference::parse(base, Context::Rfc3986)?;
    let reference = Reference::parse(reference, Context::Rfc3986)?;
    if base.scheme().is_none() {
        return Err(RELATIVE_BASE.error());
    }
    match mode {
        Mode::Rfc2396 => resolve_rfc2396(&base, &reference),
        Mode::Nonstrict if base.has_scheme_of(&reference) => {
            resolve_rfc3986(&base, &reference, reference.ord_after_scheme(), SchemeOf::Base)
        }
        Mode::Strict | Mode::Nonstrict => {
            resolve_rfc3986(&base, &reference, reference.ord(), SchemeOf::Reference)
        }
    }
}

fn resolve_rfc3986(
    base: &Reference<'_>,
    reference: &Reference<'_>,
    order: TokenKind,
    scheme: SchemeOf,
) -> Result<String, Error> {
    let target = base.splice(reference, order, scheme)?;
    let target = target.as_reference();
    // A reference without a path copies the base's path unchanged, including its dots (RFC 3986, section
    // 5.2.2).
    if order < TokenKind::Query {
        Ok(with_path(&target, &remove_dot_segments(target.path())))
    } else {
        Ok(target.as_str().to_owned())
    }
}

fn resolve_rfc2396(base: &Reference<'_>, reference: &Reference<'_>) -> Result<String, Error> {
    let order = match reference.ord() {
        // RFC 2396, 5.2 (6): the empty path of such a reference is merged with the base's path.
        TokenKind::Query => TokenKind::File,
        order => order,
    };
    let target = base.splice(reference, order, SchemeOf::Reference)?;
    let target = target.as_reference();
    match order {
        TokenKind::Directory | TokenKind::File => {
            Ok(with_path(&target, &remove_dot_segments_rfc2396(target.path())))
        }
        _ => Ok(target.as_str().to_owned()),
    }
}

/// Returns the target's text with a different path.
fn with_path(target: &Reference<'_>, path: &str) -> String {
    let text = target.as_str();
    [&text[..target.path_start()], guard(target, path), path, &text[target.path_end()..]].concat()
}

/// Returns the text that prevents `path` from being read as an authority if `target` lacks one: `/.` before a
/// path that starts with `//` (T-13, H-19).
fn guard(target: &Reference<'_>, path: &str) -> &'static str {
    match target.authority() {
        None if path.starts_with("//") => "/.",
        _ => "",
    }
}

const NOT_URI: ErrorKind = ErrorKind::new(
    ErrorCode::NotUri,
    "not a URI: found {found} at byte {place}, expected characters of RFC 3986",
);

/// RFC 6874 allowed zones and RFC 9844 withdrew it.
const ZONE: ErrorKind = ErrorKind::new(
    ErrorCode::NotUri,
    "not a URI: found {found} at byte {place}, expected an IPv6 address without a zone",
);

/// Returns the normal form of a URI or relative reference: scheme and host in lower case, escapes in upper
/// case, escaped unreserved characters decoded, dot segments removed.
///
/// The normal form of a relative reference resolves to the same URI from every base that has an authority or
/// a root. It keeps the `..` segments that lead out of the base's directory. It starts with `./` if the path
/// would otherwise be empty, start with a slash, or have a colon in its first segment.
///
/// ```
/// use urlid::generic::normalise;
///
/// assert_eq!(normalise("HTTP://Example.com/%7ea/./b%2f")?, "http://example.com/~a/b%2F");
/// assert_eq!(normalise("a/../../b/./c")?, "../b/c");
/// assert_eq!(normalise("a/../x:y")?, "./x:y");
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the text is not a URI reference.
pub fn normalise(text: &str) -> Result<String, Error> {
    let uri = Reference::parse(text, Context::Rfc3986)?;
    check(&uri)?;

    let mut out = String::with_capacity(text.len() + 2);
    if let Some(scheme) = uri.scheme() {
        out.push_str(&scheme.to_ascii_lowercase());
        out.push(':');
    }
    if let Some(authority) = uri.authority() {
        push_authority(&authority, &mut out);
    }
    push_path(&uri, &mut out);
    push_decoded(&text[uri.path_end()..], Case::Kept, &mut out);
    Ok(out)
}

/// Appends the path: normalises its escapes, then removes its dot segments.
fn push_path(uri: &Reference<'_>, out: &mut String) {
    let mut path = String::with_capacity(uri.path().len());
    // Escapes come first, because `%2e%2e` is a dot segment once its unreserved bytes are decoded (6.2.2.2).
    push_decoded(uri.path(), Case::Kept, &mut path);
    let is_relative = uri.scheme().is_none() && uri.authority().is_none() && !uri.has_root();
    if is_relative && !path.is_empty() {
        out.push_str(&remove_relative_dot_segments(&path));
    } else {
        let path = remove_dot_segments(&path);
        out.push_str(guard(uri, &path));
        out.push_str(&path);
    }
}

/// Checks that each part holds only the characters that the grammar of RFC 3986 (appendix A) allows there.
fn check(uri: &Reference<'_>) -> Result<(), Error> {
    if let Some(authority) = uri.authority() {
        check_part(uri, authority.user, |byte| is_userinfo_byte(byte) && byte != b':')?;
        check_part(uri, authority.password, is_userinfo_byte)?;
        check_host(uri, authority.host)?;
        check_part(uri, authority.port, |byte| byte.is_ascii_digit())?;
    }
    check_part(uri, Some(uri.path()), |byte| is_path_byte(byte) || byte == b'/')?;
    if uri.scheme().is_none() && uri.authority().is_none() {
        // path-noscheme: the first segment has no colon.
        check_part(uri, uri.path().split('/').next(), |byte| byte != b':')?;
    }
    check_part(uri, uri.query(), is_query_byte)?;
    check_part(uri, uri.fragment(), is_query_byte)
}

fn check_host(uri: &Reference<'_>, host: &str) -> Result<(), Error> {
    match host.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(literal) if is_ip_literal(literal) => Ok(()),
        Some(_) if has_zone(host) => Err(not_uri(uri, host).with_kind(ZONE)),
        Some(_) => Err(not_uri(uri, host)),
        None => check_part(uri, Some(host), |byte| is_userinfo_byte(byte) && byte != b':'),
    }
}

/// `IPv6address / IPvFuture`
fn is_ip_literal(text: &str) -> bool {
    match text.strip_prefix(['v', 'V']).and_then(|text| text.split_once('.')) {
        Some((version, address)) => {
            !version.is_empty()
                && version.bytes().all(|byte| byte.is_ascii_hexdigit())
                && !address.is_empty()
                && address.bytes().all(|byte| is_userinfo_byte(byte) && byte != b'%')
        }
        None => text.parse::<core::net::Ipv6Addr>().is_ok(),
    }
}

fn check_part(uri: &Reference<'_>, part: Option<&str>, is_allowed: impl Fn(u8) -> bool) -> Result<(), Error> {
    let part = part.unwrap_or_default();
    let bytes = part.as_bytes();
    let bad = bytes.iter().enumerate().position(|(index, &byte)| match byte {
        b'%' => escaped_byte(&bytes[index + 1..]).is_none(),
        _ => !is_allowed(byte),
    });
    match bad {
        Some(offset) => Err(not_uri(uri, part.get(offset..).unwrap_or(part))),
        None => Ok(()),
    }
}

fn not_uri(uri: &Reference<'_>, found: &str) -> Error {
    // `found` is a slice of the text.
    let offset = found.as_ptr() as usize - uri.as_str().as_ptr() as usize;
    NOT_URI.found(found).with_offset(offset)
}

/// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"`
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// `*( unreserved / sub-delims / ":" )`. The escapes are checked separately.
fn is_userinfo_byte(byte: u8) -> bool {
    is_unreserved(byte)
        || matches!(byte, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' | b':')
}

/// `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`
fn is_path_byte(byte: u8) -> bool {
    is_userinfo_byte(byte) || byte == b'@'
}

/// `*( pchar / "/" / "?" )`
fn is_query_byte(byte: u8) -> bool {
    is_path_byte(byte) || matches!(byte, b'/' | b'?')
}

fn push_authority(authority: &Authority<'_>, out: &mut String) {
    out.push_str("//");
    if let Some(user) = authority.user {
        push_decoded(user, Case::Kept, out);
        if let Some(password) = authority.password {
            out.push(':');
            push_decoded(password, Case::Kept, out);
        }
        out.push('@');
    }
    push_decoded(authority.host, Case::Lower, out);
    // An empty port keeps its colon, because only scheme-specific rules remove it (RFC 3986, section 6.2.3).
    if let Some(port) = authority.port {
        out.push(':');
        out.push_str(port);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Kept,
    Lower,
}

/// Appends `text` with its escapes in normal form: unreserved characters decoded, all others in upper case.
fn push_decoded(text: &str, case: Case, out: &mut String) {
    let convert = |letter: char| if case == Case::Lower { letter.to_ascii_lowercase() } else { letter };
    let mut pieces = text.split('%');
    out.extend(pieces.next().unwrap_or_default().chars().map(convert));
    for piece in pieces {
        // `check_part` has checked that two digits follow every `%`.
        let (digits, rest) = piece.split_at_checked(2).unwrap_or((piece, ""));
        match escaped_byte(digits.as_bytes()).filter(|&byte| is_unreserved(byte)) {
            // A decoded letter of a host is lower-cased like a literal letter.
            Some(byte) => out.push(convert(char::from(byte))),
            None => {
                out.push('%');
                out.push_str(&digits.to_ascii_uppercase());
            }
        }
        out.extend(rest.chars().map(convert));
    }
}
