//! Splits a text into tokens, that is, finds where each token starts and ends.
//!
//! Parsing fails only for texts of 4 GiB or more, and does not allocate. Values are not validated here: a
//! port or a host may be any text.

use super::authority::Authority;
use crate::error::{Error, ErrorCode, ErrorKind};

/// The rules that split a text.
///
/// ```
/// use urlid::reference::{Class, Context, Reference};
///
/// let hosts = [Context::Rfc3986, Context::Whatwg(Class::Web)]
///     .map(|context| Some(Reference::parse("http:\\\\h", context).ok()?.authority()?.host));
/// assert_eq!(hosts, [None, Some("h")]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// The WHATWG reading: the scheme's class decides about `\` and drives. A text without a scheme has the
    /// given class, which is the class of the base.
    Whatwg(Class),
    /// The split of RFC 3986, Appendix B, for every scheme: drives do not exist, and `\` is an ordinary byte.
    Rfc3986,
}

/// The three ways in which schemes are read.
///
/// ```
/// use urlid::reference::Class;
///
/// assert_eq!(Class::of_scheme("HTTPS"), Class::Web);
/// assert!(!Class::of_scheme("mailto").is_special());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// `http`, `https`, `ws`, `wss`, `ftp`: `\` is a slash up to the query.
    Web,
    /// `file`: `\` is a slash, and there are drives.
    File,
    /// All other schemes.
    Generic,
}

impl Class {
    /// Returns the class of a scheme in any case of letters.
    pub fn of_scheme(scheme: &str) -> Self {
        let is = |name: &str| scheme.eq_ignore_ascii_case(name);
        match scheme.len() {
            2 if is("ws") => Self::Web,
            3 if is("ftp") || is("wss") => Self::Web,
            4 if is("http") => Self::Web,
            4 if is("file") => Self::File,
            5 if is("https") => Self::Web,
            _ => Self::Generic,
        }
    }

    /// Returns whether WHATWG calls these schemes special.
    pub fn is_special(self) -> bool {
        self != Self::Generic
    }
}

/// Offsets are 32 bits wide, which keeps a parsed reference small.
const TOO_LONG: ErrorKind = ErrorKind::new(
    ErrorCode::LineLen,
    "text is too long: found {found} bytes, expected less than 4294967295",
);

/// Returns the error of a text of 4 GiB or more.
pub(crate) fn too_long(length: usize) -> Error {
    TOO_LONG.error().with_shown(length)
}

/// Byte offsets into a text. An absent part is empty and has the offset at which it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Offsets {
    /// The offset after the scheme's colon.
    pub(super) scheme_end: u32,
    /// End of the user. A password is between this offset and `host_start`.
    pub(super) user_end: u32,
    pub(super) host_start: u32,
    pub(super) host_end: u32,
    /// End of the authority.
    pub(super) path_start: u32,
    /// The offset after drive and root.
    pub(super) rel_start: u32,
    /// The offset after the last slash at or after `rel_start`.
    pub(super) file_start: u32,
    pub(super) path_end: u32,
    pub(super) query_end: u32,
    pub(super) text_end: u32,
    pub(super) has_scheme: bool,
    pub(super) has_authority: bool,
    pub(super) has_user: bool,
    pub(super) has_password: bool,
    pub(super) has_port: bool,
    pub(super) has_drive: bool,
    pub(super) has_root: bool,
    pub(super) has_query: bool,
    pub(super) has_fragment: bool,
    pub(super) rfc: bool,
    pub(super) class: Class,
}

impl Offsets {
    pub(super) fn authority_start(&self) -> u32 {
        self.scheme_end + 2
    }

    pub(super) fn drive_end(&self) -> u32 {
        self.rel_start - u32::from(self.has_root)
    }

    pub(super) fn drive_start(&self) -> u32 {
        // A drive is a letter and `:` or `|`.
        self.drive_end() - 2
    }
}

/// Returns whether `byte` separates path segments in `class`.
pub(crate) fn is_slash(byte: u8, class: Class) -> bool {
    byte == b'/' || (byte == b'\\' && class != Class::Generic)
}

/// Returns whether `text` is a drive: a letter and `:` or `|`.
pub(crate) fn is_drive(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

pub(super) fn split(text: &str, context: Context) -> Result<Offsets, Error> {
    // Offsets have 32 bits, including the offset of the end of the text.
    if text.len() >= u32::MAX as usize {
        return Err(too_long(text.len()));
    }
    let bytes = text.as_bytes();
    let scheme_end = scheme_end(bytes);
    let class = match context {
        Context::Rfc3986 => Class::Generic,
        Context::Whatwg(_) if scheme_end > 0 => Class::of_scheme(&text[..scheme_end - 1]),
        Context::Whatwg(class) => class,
    };
    let slash_at = |offset: usize| bytes.get(offset).is_some_and(|&byte| is_slash(byte, class));

    let has_authority = slash_at(scheme_end) && slash_at(scheme_end + 1);
    let authority = if has_authority {
        Bounds::of_authority(text, scheme_end + 2, class)
    } else {
        Bounds::absent(scheme_end)
    };
    let path_start = authority.end;

    let rest = &bytes[path_start..];
    // `?` and `#` cannot come before this offset, because they end the authority and are not allowed in a
    // scheme.
    let path_end = path_start + memchr::memchr2(b'?', b'#', rest).unwrap_or(rest.len());
    let has_query = bytes.get(path_end) == Some(&b'?');
    let query_end = if has_query {
        path_end + memchr::memchr(b'#', &bytes[path_end..]).unwrap_or(bytes.len() - path_end)
    } else {
        path_end
    };

    let drive_end = (class == Class::File).then(|| drive_end(&bytes[..path_end], path_start)).flatten();
    let root_start = drive_end.unwrap_or(path_start);
    let has_root = root_start < path_end && slash_at(root_start);
    let rel_start = root_start + usize::from(has_root);
    let relative = &bytes[rel_start..path_end];
    // In a generic URL, `\` is part of a name. Only special URLs read it as a slash.
    let last_slash = match class {
        Class::Generic => memchr::memrchr(b'/', relative),
        Class::Web | Class::File => memchr::memrchr2(b'/', b'\\', relative),
    };

    Ok(Offsets {
        scheme_end: scheme_end as u32,
        user_end: authority.user_end as u32,
        host_start: authority.host_start as u32,
        host_end: authority.host_end as u32,
        path_start: path_start as u32,
        rel_start: rel_start as u32,
        file_start: (rel_start + last_slash.map_or(0, |offset| offset + 1)) as u32,
        path_end: path_end as u32,
        query_end: query_end as u32,
        text_end: bytes.len() as u32,
        has_scheme: scheme_end > 0,
        has_authority,
        has_user: authority.has_user,
        has_password: authority.has_password,
        has_port: authority.has_port,
        has_drive: drive_end.is_some(),
        has_root,
        has_query,
        // Before the end of the text, only a `#` ends a query.
        has_fragment: query_end < bytes.len(),
        rfc: context == Context::Rfc3986,
        class,
    })
}

/// Returns the offset after the colon of the scheme, or 0 if the text has no scheme.
fn scheme_end(bytes: &[u8]) -> usize {
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    let length = bytes
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))
        .unwrap_or(bytes.len());
    if bytes.get(length) == Some(&b':') { length + 1 } else { 0 }
}

/// Offsets of an authority's parts.
struct Bounds {
    user_end: usize,
    host_start: usize,
    host_end: usize,
    end: usize,
    has_user: bool,
    has_password: bool,
    has_port: bool,
}

impl Bounds {
    fn absent(at: usize) -> Self {
        Self {
            user_end: at,
            host_start: at,
            host_end: at,
            end: at,
            has_user: false,
            has_password: false,
            has_port: false,
        }
    }

    /// Finds the parts of the authority at `start`. A drive in this place is not an authority.
    fn of_authority(text: &str, start: usize, class: Class) -> Self {
        let rest = &text.as_bytes()[start..];
        let length = match class {
            Class::Generic => memchr::memchr3(b'/', b'?', b'#', rest),
            // `memchr` searches for at most three bytes.
            Class::Web | Class::File => {
                rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#' | b'\\'))
            }
        };
        let end = start + length.unwrap_or(rest.len());
        let authority = &text[start..end];
        if class == Class::File && is_drive(authority.as_bytes()) {
            // The two slashes are present, so the token is present: an authority with an empty text, before a
            // path that starts with the drive.
            return Self::absent(start);
        }

        let Authority { user, password, host, port } = Authority::split(authority);
        let user_end = start + user.map_or(0, str::len);
        let host_end = end - port.map_or(0, |port| port.len() + 1);
        Self {
            user_end,
            host_start: host_end - host.len(),
            host_end,
            end,
            has_user: user.is_some(),
            has_password: password.is_some(),
            has_port: port.is_some(),
        }
    }
}

/// Returns the offset after the drive of a path, if the path starts with one. A slash may precede the drive.
fn drive_end(path: &[u8], path_start: usize) -> Option<usize> {
    let slash = |offset: usize| path.get(offset).is_some_and(|&byte| is_slash(byte, Class::File));
    let start = path_start + usize::from(slash(path_start));
    let end = start + 2;
    // A drive is a whole segment, so `c:x` is a name.
    let is_whole = end == path.len() || slash(end);
    (is_drive(path.get(start..end)?) && is_whole).then_some(end)
}
