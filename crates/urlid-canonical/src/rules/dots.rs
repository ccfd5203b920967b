//! The removal of dot segments, as the profiles do it.

use std::borrow::Cow;

use super::trim;
use urlid::generic::remove_dot_segments;

/// Applies the rules of the Internet Archive. `.` is dropped. `..` removes the segment before it, even an
/// empty one, and stays if there is none. Then each run of `/` becomes one.
pub(crate) fn remove_as_ia(path: &mut Vec<u8>, spare: &mut Vec<u8>) {
    if !has_dot_or_empty_segment(path) {
        return;
    }
    spare.clear();
    let relative = path.strip_prefix(b"/").unwrap_or(path);
    for segment in relative.split(|&byte| byte == b'/') {
        match segment {
            b"." => {}
            b".." if !spare.is_empty() => remove_last_segment(spare),
            _ => {
                spare.push(b'/');
                spare.extend_from_slice(segment);
            }
        }
    }
    // This cannot be earlier, because a `..` removes an empty segment like any other.
    trim::collapse(spare, b'/');
    if spare.is_empty() {
        spare.push(b'/');
    }
    core::mem::swap(path, spare);
}

/// Removes the last segment and the `/` before it.
fn remove_last_segment(path: &mut Vec<u8>) {
    path.truncate(memchr::memrchr(b'/', path).unwrap_or(0));
}

/// Implements Go's `path.Clean` for a path with a root. `.` and empty segments are dropped. `..` removes the
/// segment before it, or else is dropped. A `/` at the end stays.
pub(crate) fn clean(path: &mut Vec<u8>, spare: &mut Vec<u8>) {
    if !path.is_empty() && !has_dot_or_empty_segment(path) {
        return;
    }
    spare.clear();
    for segment in path.split(|&byte| byte == b'/') {
        match segment {
            b"" | b"." => {}
            b".." => remove_last_segment(spare),
            _ => {
                spare.push(b'/');
                spare.extend_from_slice(segment);
            }
        }
    }
    if spare.is_empty() || path.ends_with(b"/") {
        spare.push(b'/');
    }
    std::mem::swap(path, spare);
}

/// Applies the algorithm of RFC 3986 to a path that starts with `/`.
pub(crate) fn remove_as_rfc3986(path: &mut Vec<u8>) {
    if path.starts_with(b"/")
        && let Ok(text) = core::str::from_utf8(path)
        && let Cow::Owned(removed) = remove_dot_segments(text)
    {
        *path = removed.into_bytes();
    }
}

/// Returns whether a segment is `.` or `..` in the URL Standard, which reads `%2e` as a dot.
pub(crate) fn is_dots(segment: &[u8]) -> bool {
    let after_dot = |rest: &[u8]| match rest {
        [b'.', ..] => Some(1),
        [b'%', b'2', b'e' | b'E', ..] => Some(3),
        _ => None,
    };
    after_dot(segment).is_some_and(|first| {
        let rest = &segment[first..];
        rest.is_empty() || after_dot(rest) == Some(rest.len())
    })
}

/// Returns whether a `/` or a dot follows a `/`, as in every empty or dot segment except the last.
fn has_dot_or_empty_segment(path: &[u8]) -> bool {
    // This is a quick test. It is also true for segments such as `.a`, which the slow path does not change.
    path.first() != Some(&b'/')
        || path.windows(2).any(|pair| pair[0] == b'/' && matches!(pair[1], b'/' | b'.'))
}
