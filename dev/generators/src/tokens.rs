//! Sequences of tokens that satisfy the Theory's constraints, with values that are hazards when they are
//! written as text.

use crate::choices::Choices;

/// The type of a token, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A scheme, without its colon.
    Scheme,
    /// An authority, without its slashes.
    Authority,
    /// A drive: a letter and `:` or `|`.
    Drive,
    /// The slash before the first segment.
    Root,
    /// A segment, without the slash after it.
    Directory,
    /// The last segment.
    File,
    /// The text after the first `?`.
    Query,
    /// The text after the first `#`.
    Fragment,
}

const NAMES: [&str; 16] =
    ["a", "b", "", ".", "..", "x:y", "c:", "D|", "%2e", "a b", "é", "@", "a;b", "\\", "a/b", "?#"];

/// Returns a valid sequence. It has any set of types, up to three directories, a root where it is required,
/// a drive only without a scheme or with `file`, and in file URLs only a host in the authority.
///
/// The result is valid as a sequence, but it may not be possible to write it as a text. A text cannot
/// contain a file with an empty name, a directory with a slash in its name or a root `x`.
pub fn tokens(choices: &mut Choices<'_>) -> Vec<(Kind, &'static str)> {
    let mut tokens = Vec::new();
    let scheme = choices.is(8).then(|| choices.one(&["http", "s", "file", "HTTP", "S", "FILE", "foo"]));
    tokens.extend(scheme.map(|scheme| (Kind::Scheme, scheme)));
    let is_file = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"));

    let authority = choices.is(6).then(|| {
        if is_file {
            choices.one(&["h", "", "H.x"])
        } else {
            choices.one(&["h", "", "u@h", "u:p@h:80", "h:0", "[::1]:8", "@h", "h:", "a:@h"])
        }
    });
    tokens.extend(authority.map(|authority| (Kind::Authority, authority)));

    let has_drive = (scheme.is_none() || is_file) && choices.is(4);
    if has_drive {
        tokens.push((Kind::Drive, choices.one(&["c:", "D|", "Z:"])));
    }

    let directories = choices.below(4);
    let has_file = choices.is(8);
    let needs_root = (authority.is_some() || has_drive) && (directories > 0 || has_file);
    if choices.is(8) || needs_root {
        tokens.push((Kind::Root, choices.one(&["/", "/", "/", "/", "/", "/", "/", "x"])));
    }
    for _ in 0..directories {
        tokens.push((Kind::Directory, choices.one(&NAMES)));
    }
    if has_file {
        tokens.push((Kind::File, choices.one(&NAMES)));
    }
    if choices.is(4) {
        tokens.push((Kind::Query, choices.one(&["q", "", "a=b?c/d", "é", "a#b"])));
    }
    if choices.is(4) {
        tokens.push((Kind::Fragment, choices.one(&["f", "", "a#b?c", "日"])));
    }
    tokens
}
