//! The path: opaque, or segments without dots (WHATWG "path state" and "opaque path state").
//!
//! Drives are dynamic: the path that is built so far decides, so `/./C|` and `x/../C|` become drives.

use alloc::string::String;

use crate::escape::{C0_CONTROL, PATH};
use crate::reference::{Class, Reference, is_drive, is_slash};

/// Appends the normal form of the path.
pub(super) fn push(reference: &Reference<'_>, out: &mut String) {
    let (path, class) = (reference.path(), reference.class());
    if reference.is_opaque() {
        push_opaque(path, reference.query().or(reference.fragment()).is_some(), out);
    // Special URLs always have a root, but `foo://h` keeps its empty path.
    } else if class.is_special() || !path.is_empty() {
        if is_plain(path, class) { out.push_str(path) } else { push_segments(path, class, out) }
    }
}

/// Appends a path without structure. A last space before `?` or `#` is escaped, so that dropping the query or
/// fragment never leaves a space that would be trimmed.
fn push_opaque(path: &str, is_followed: bool, out: &mut String) {
    match path.strip_suffix(' ').filter(|_| is_followed) {
        Some(path) => {
            C0_CONTROL.encode(path, out);
            out.push_str("%20");
        }
        None => C0_CONTROL.encode(path, out),
    }
}

/// Returns whether the path is its own normal form: it is rooted and has no byte to escape, no dot segment,
/// no `\` and no drive.
fn is_plain(path: &str, class: Class) -> bool {
    let bytes = path.as_bytes();
    // The preceding segments decide whether a segment is a drive, so file paths use the long path.
    if class == Class::File || bytes.first() != Some(&b'/') {
        return false;
    }
    let mut previous = b'/';
    for &byte in bytes {
        let may_start_dot_segment = previous == b'/' && matches!(byte, b'.' | b'%');
        if may_start_dot_segment || PATH.contains(byte) || byte == b'\\' {
            return false;
        }
        previous = byte;
    }
    true
}

fn push_segments(path: &str, class: Class, out: &mut String) {
    let path_start = out.len();
    let slash = |byte: u8| is_slash(byte, class);
    let mut rest = match path.bytes().next() {
        Some(first) if slash(first) => &path[1..],
        _ => path,
    };
    loop {
        let end = rest.bytes().position(slash);
        let segment = &rest[..end.unwrap_or(rest.len())];
        match dots(segment.as_bytes()) {
            Some(dots) => {
                if dots == Dots::Two {
                    shorten(path_start, class, out);
                }
                // A dot segment at the end leaves an empty segment: `/a/.` and `/a/b/..` are `/a/`.
                if end.is_none() {
                    out.push('/');
                }
            }
            None if class == Class::File && out.len() == path_start && is_drive(segment.as_bytes()) => {
                out.push('/');
                // The bar of a drive becomes a colon, and its letter keeps its case.
                out.push_str(&segment[..1]);
                out.push(':');
            }
            None => {
                out.push('/');
                PATH.encode(segment, out);
            }
        }
        match end {
            Some(end) => rest = &rest[end + 1..],
            None => break,
        }
    }
}

/// Removes the last segment, unless it is a drive that is the only segment.
fn shorten(path_start: usize, class: Class, out: &mut String) {
    let path = &out[path_start..];
    let is_sole_drive = class == Class::File
        && matches!(path.as_bytes(), [b'/', letter, b':'] if letter.is_ascii_alphabetic());
    if let Some(offset) = path.rfind('/').filter(|_| !is_sole_drive) {
        out.truncate(path_start + offset);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    One,
    Two,
}

/// Returns whether a path has dot segments, which parsing removes.
pub(super) fn has_dot_segments(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|segment| dots(segment).is_some())
}

/// Reads a dot segment. Each dot may be written `%2e`.
fn dots(segment: &[u8]) -> Option<Dots> {
    fn strip_dot(text: &[u8]) -> Option<&[u8]> {
        match text {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => Some(rest),
            _ => None,
        }
    }
    match strip_dot(segment)? {
        [] => Some(Dots::One),
        rest if strip_dot(rest)?.is_empty() => Some(Dots::Two),
        _ => None,
    }
}
