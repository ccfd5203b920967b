//! Dot segments: RFC 3986's `remove_dot_segments`, and the older rule of RFC 2396.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Removes `.` and `..` segments (RFC 3986, section 5.2.4, to the letter).
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

/// Removes the last segment and the slash before it, if there is one.
fn remove_last_segment(output: &mut String) {
    output.truncate(output.rfind('/').unwrap_or(0));
}

/// Removes the dot segments of a merged path (RFC 2396, section 5.2, steps 6c to 6f). A `..` that has no
/// segment before it stays.
pub(super) fn remove_dot_segments_rfc2396(path: &str) -> String {
    let (root, relative) = match path.strip_prefix('/') {
        Some(relative) => ("/", relative),
        None => ("", path),
    };
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = relative.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            // Steps 6d and 6f remove the segment, not the slash before it. An empty last segment stands for
            // that slash.
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

/// Removes the dot segments of a relative path that is not empty. A `..` that has no segment before it stays,
/// and `./` begins a path that would be empty, begin with a slash or have a colon in its first segment.
pub(super) fn remove_relative_dot_segments(path: &str) -> String {
    let mut path = remove_dot_segments_rfc2396(path);
    // `..` and `../` lead to the same directory, and so have one normal form.
    if path == ".." || path.ends_with("/..") {
        path.push('/');
    }
    let first = path.split('/').next().unwrap_or_default();
    if first.is_empty() || first.contains(':') {
        path.insert_str(0, "./");
    }
    path
}
