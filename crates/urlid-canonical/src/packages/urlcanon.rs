//! The canonicalizers of urlcanon 0.3.1: lists of rules, most of which they share with
//! `urlcanon-semantic-0.3.1`, and the sessions that they remove from queries and paths.

use UrlcanonStep::{Own, Shared};
use urlid::Error;
use urlid::internal::escape::{C0_CONTROL, EscapeSet};

use crate::draft::Draft;
use crate::profiles::urlcanon::{ESCAPED, PROFILE, is_special};
use crate::rules::{authority, escapes, ipv4, query, session, split, trim};

const HOST: EscapeSet = C0_CONTROL.with(b" ");
// As the URL Standard had them then: `^` in paths and `'` in queries of special schemes are newer.
const PATH: EscapeSet = C0_CONTROL.with(b" \"#<>?`{}");
const QUERY: EscapeSet = C0_CONTROL.with(b" \"#<>");
const USERINFO: EscapeSet = PATH.with(b"/:;=@[\\]^|");

/// A canonicalizer of the package.
///
/// ```
/// use urlid_canonical::packages::Urlcanon;
///
/// let url = Urlcanon::Aggressive.canonicalize(b"https://www.Example.com/A/?b&sid=0123456789abcdef")?;
/// assert_eq!(url.to_bytes(), b"http://example.com/a?b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Urlcanon {
    /// `whatwg`: the URL Standard, as the package has it.
    Whatwg,
    /// `google`: Safe Browsing, with the port kept.
    Google,
    /// `semantic_precise`: `semantic` with the fragment.
    SemanticPrecise,
    /// `semantic`: the profile `urlcanon-semantic-0.3.1`.
    Semantic,
    /// `aggressive`: `semantic` without `https`, `www.`, case and sessions.
    Aggressive,
}

/// A URL that one of the canonicalizers has changed.
///
/// ```
/// use urlid_canonical::packages::{UrlcanonPart, Urlcanon};
///
/// let url = Urlcanon::Whatwg.canonicalize(b"http://u@h:80/?#")?;
/// assert_eq!(url.part(UrlcanonPart::Userinfo), Some(&b"u"[..]));
/// assert_eq!(url.part(UrlcanonPart::Port), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct UrlcanonUrl {
    draft: Draft,
}

/// A part of an [`UrlcanonUrl`], without the delimiters around it.
///
/// ```
/// use urlid_canonical::packages::{Urlcanon, UrlcanonPart};
///
/// let url = Urlcanon::Google.canonicalize(b"h:81")?;
/// assert_eq!(url.part(UrlcanonPart::Scheme), Some(&b"h"[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UrlcanonPart {
    /// The scheme, without its colon.
    Scheme,
    /// User and password, with the colon between them.
    Userinfo,
    /// The host, which is there if two slashes are.
    Host,
    /// The port as written, without its colon.
    Port,
    /// The path, which is always there.
    Path,
    /// The query, without its `?`.
    Query,
    /// The fragment, without its `#`.
    Fragment,
}

impl UrlcanonUrl {
    /// Returns a part, if its delimiter is there.
    pub fn part(&self, part: UrlcanonPart) -> Option<&[u8]> {
        match part {
            UrlcanonPart::Scheme => self.draft.scheme.get(),
            UrlcanonPart::Userinfo => self.draft.userinfo.get(),
            UrlcanonPart::Host => self.draft.host.get(),
            UrlcanonPart::Port => self.draft.port.get(),
            UrlcanonPart::Path => Some(&self.draft.path),
            UrlcanonPart::Query => self.draft.query.get(),
            UrlcanonPart::Fragment => self.draft.fragment.get(),
        }
    }

    /// Returns whether the package takes the host for an IPv4 address: one to four numbers, decimal, octal or
    /// hexadecimal, and not 0. A host can become one by a rule after those that write addresses, as
    /// `www.017.1` does.
    pub fn has_address(&self) -> bool {
        self.draft.host.get().and_then(ipv4::as_python).is_some_and(|number| number != 0)
    }

    /// Puts the parts together.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut draft = self.draft.clone();
        draft.join();
        draft.text
    }
}

impl Urlcanon {
    /// Parses and changes a URL.
    ///
    /// # Errors
    /// [`Error`] where the package raises an exception: for a host that is a negative number.
    pub fn canonicalize(self, url: &[u8]) -> Result<UrlcanonUrl, Error> {
        let lists: &[&[UrlcanonStep]] = match self {
            Self::Whatwg => &[WHATWG],
            Self::Google => &[GOOGLE],
            Self::SemanticPrecise => &[SEMANTIC_PRECISE],
            Self::Semantic => &[SEMANTIC_PRECISE, DROP_FRAGMENT],
            Self::Aggressive => &[SEMANTIC_PRECISE, DROP_FRAGMENT, AGGRESSIVE],
        };
        let mut draft = Draft::default();
        draft.begin(url);
        for step in lists.iter().copied().flatten() {
            match step {
                Own(apply) => apply(&mut draft),
                Shared(name) => {
                    let rule = PROFILE.rules().find(|rule| rule.name == *name);
                    rule.expect("the names of the lists are those of the profile").apply(&mut draft)?;
                }
            }
        }
        Ok(UrlcanonUrl { draft })
    }
}

/// A rule of the profile, by its name, or one that it does not have.
#[derive(Clone, Copy)]
enum UrlcanonStep {
    Shared(&'static str),
    Own(fn(&mut Draft)),
}

const WHATWG: &[UrlcanonStep] = &[
    Shared("trim"),
    Shared("split"),
    Shared("authority"),
    Shared("delete-newlines"),
    Own(delete_newlines_of_fragment),
    Shared("default-port"),
    Own(clean_userinfo),
    Own(|d| {
        if is_special(d) {
            escapes::decode_once(d.host.bytes_mut(), |_| true);
        }
    }),
    Shared("address"),
    Shared("host-idna"),
    Own(|d| escapes::encode(d.host.bytes_mut(), &HOST, &mut d.spare)),
    Own(turn_backslashes),
    Own(encode_path),
    Own(root),
    Own(remove_dots),
    Own(|d| change_userinfo(d, |text, spare| escapes::encode(text, &USERINFO, spare))),
    Own(|d| escapes::encode(d.query.bytes_mut(), &QUERY, &mut d.spare)),
    Own(|d| escapes::encode(d.fragment.bytes_mut(), &C0_CONTROL, &mut d.spare)),
];

const GOOGLE: &[UrlcanonStep] = &[
    Shared("trim"),
    Shared("split"),
    Shared("authority"),
    Shared("default-scheme"),
    Shared("delete-newlines"),
    Own(turn_backslashes),
    Shared("default-port"),
    Own(clean_userinfo),
    Own(root),
    Shared("drop-fragment"),
    Shared("decode"),
    Own(|d| change_userinfo(d, |text, _| escapes::decode_to_fixpoint(text))),
    Own(|d| escapes::decode_to_fixpoint(d.query.bytes_mut())),
    Own(remove_dots),
    Shared("host-dots"),
    Shared("slashes"),
    Shared("host-idna"),
    Shared("address"),
    Own(|d| change_userinfo(d, |text, spare| escapes::encode(text, &ESCAPED, spare))),
    Own(|d| {
        let Draft { scheme, host, port, path, query, spare, .. } = d;
        for part in [scheme.bytes_mut(), host.bytes_mut(), port.bytes_mut(), path, query.bytes_mut()] {
            escapes::encode(part, &ESCAPED, spare);
        }
    }),
];

const SEMANTIC_PRECISE: &[UrlcanonStep] = &[
    Shared("trim"),
    Shared("split"),
    Shared("authority"),
    Shared("default-scheme"),
    Shared("delete-newlines"),
    Own(delete_newlines_of_fragment),
    Shared("default-port"),
    Shared("drop-userinfo"),
    Shared("decode"),
    Own(|d| escapes::decode_to_fixpoint(d.fragment.bytes_mut())),
    Shared("address"),
    Shared("host-dots"),
    Shared("host-idna"),
    Shared("encode"),
    Own(|d| escapes::encode(d.fragment.bytes_mut(), &ESCAPED, &mut d.spare)),
    Shared("query"),
    Shared("root"),
    Shared("dots"),
    Shared("slashes"),
    Shared("query-sort"),
];

const DROP_FRAGMENT: &[UrlcanonStep] = &[Shared("drop-fragment")];

const AGGRESSIVE: &[UrlcanonStep] = &[
    Own(|d| {
        if d.scheme.bytes() == b"https" {
            d.scheme.set(b"http");
        }
    }),
    Own(|d| {
        if let Some(length) = authority::www_length(d.host.bytes()) {
            d.host.bytes_mut().drain(..length);
        }
    }),
    Own(|d| d.path.make_ascii_lowercase()),
    Own(|d| d.query.bytes_mut().make_ascii_lowercase()),
    Own(strip_from_query),
    Own(strip_from_path),
    Own(|d| {
        if d.path.len() > 1 && d.path.ends_with(b"/") {
            d.path.pop();
        }
    }),
    Own(|d| {
        d.spare.clear();
        query::join(query::fields(d.query.bytes()).filter(|field| !field.is_empty()), b'&', &mut d.spare);
        core::mem::swap(d.query.bytes_mut(), &mut d.spare);
    }),
    Own(|d| {
        if d.query.is_empty() {
            d.query.remove();
        }
    }),
    // Sorted again: lower case and removed sessions have changed the order of the fields.
    Shared("query-sort"),
];

fn delete_newlines_of_fragment(draft: &mut Draft) {
    trim::delete(draft.fragment.bytes_mut(), trim::is_tab_or_newline);
}

/// A user without a password is written without a colon, and an empty user information without the `@`.
fn clean_userinfo(draft: &mut Draft) {
    let userinfo = &mut draft.userinfo;
    if userinfo.bytes().ends_with(b":")
        && memchr::memchr(b':', userinfo.bytes()) == Some(userinfo.bytes().len() - 1)
    {
        userinfo.bytes_mut().pop();
    }
    if userinfo.is_empty() {
        userinfo.remove();
    }
}

/// Changes user and password separately.
fn change_userinfo(draft: &mut Draft, change: fn(&mut Vec<u8>, &mut Vec<u8>)) {
    let Draft { userinfo, spare, .. } = draft;
    // Apart, because decoding the whole could give a `:` that is no delimiter.
    let (user, password) = split::cut(userinfo.bytes(), b':');
    let (mut user, password) = (user.to_vec(), password.map(<[u8]>::to_vec));
    change(&mut user, spare);
    if let Some(mut password) = password {
        change(&mut password, spare);
        user.push(b':');
        user.append(&mut password);
    }
    if userinfo.get().is_some() {
        userinfo.set(&user);
    }
}

fn turn_backslashes(draft: &mut Draft) {
    if is_special(draft) {
        draft.path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
    }
}

/// Encodes the path. Of an opaque path only controls are escaped.
fn encode_path(draft: &mut Draft) {
    let set = if draft.path.starts_with(b"/") || is_special(draft) { &PATH } else { &C0_CONTROL };
    escapes::encode(&mut draft.path, set, &mut draft.spare);
}

fn root(draft: &mut Draft) {
    if is_special(draft) && !draft.path.starts_with(b"/") {
        draft.path.insert(0, b'/');
    }
}

/// Removes dot segments, `%2e` counting as a dot and, of a special scheme, `\` as a slash. A `..` removes the
/// segment before it; the first slash stays.
fn remove_dots(draft: &mut Draft) {
    let is_special = is_special(draft);
    let is_slash = |byte: u8| byte == b'/' || is_special && byte == b'\\';
    if !draft.path.first().is_some_and(|&byte| is_slash(byte)) {
        return;
    }
    // Slashes and segments in turn.
    let mut tokens: Vec<&[u8]> = Vec::new();
    let mut rest = draft.path.as_slice();
    while let Some((slash, after)) = rest.split_at_checked(1) {
        let end = after.iter().position(|&byte| is_slash(byte)).unwrap_or(after.len());
        tokens.extend([slash, &after[..end]]);
        rest = &after[end..];
    }
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        match dots_of(token) {
            Some(dots) => {
                // The slash before `..` goes, and the segment before that.
                for _ in 0..if dots == 2 { 2 } else { 0 } {
                    if kept.len() > 1 {
                        kept.pop();
                    }
                }
                // The slash after a dot segment goes with it.
                index += 2;
            }
            None => {
                kept.push(token);
                index += 1;
            }
        }
    }
    draft.path = kept.concat();
}

fn dots_of(segment: &[u8]) -> Option<usize> {
    let (mut rest, mut count) = (segment, 0);
    while !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return None,
        };
        count += 1;
    }
    (1..=2).contains(&count).then_some(count)
}

/// A session parameter: its name, the bytes of its value, and the fewest of them.
struct Session {
    name: &'static [u8],
    is_value: fn(u8) -> bool,
    fewest: usize,
}

const SESSIONS: [Session; 4] = [
    Session { name: b"jsessionid=", is_value: |byte| is_lower_or_digit(byte) || byte == b'$', fewest: 10 },
    Session { name: b"sessionid=", is_value: is_lower_or_digit, fewest: 16 },
    Session { name: b"phpsessid=", is_value: is_lower_or_digit, fewest: 16 },
    Session { name: b"sid=", is_value: is_lower_or_digit, fewest: 16 },
];

fn is_lower_or_digit(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Returns how long a session parameter at the start is, if it is all of a field or two.
fn session_length(text: &[u8]) -> Option<usize> {
    let run = |text: &[u8], is_value: fn(u8) -> bool| text.iter().take_while(|byte| is_value(**byte)).count();
    let named = SESSIONS.iter().find_map(|Session { name, is_value, fewest }| {
        let value = run(text.strip_prefix(*name)?, *is_value);
        (value >= *fewest).then_some(name.len() + value)
    });
    let of_asp = || {
        let value = text.strip_prefix(b"aspsessionid")?;
        let is_named = value.get(..8)?.iter().all(u8::is_ascii_lowercase) && value.get(8) == Some(&b'=');
        let length = run(value.get(9..)?, is_lower_or_digit);
        (is_named && length >= 16).then_some(12 + 9 + length)
    };
    let of_cold_fusion = || {
        let digits = run(text.strip_prefix(b"cfid=")?, |byte| byte.is_ascii_digit());
        let token = text[5 + digits..].strip_prefix(b"&cftoken=")?;
        let length = run(token, |byte| is_lower_or_digit(byte) || byte == b'-');
        (digits > 0 && length > 0).then_some(5 + digits + 9 + length)
    };
    let length = named.or_else(of_asp).or_else(of_cold_fusion)?;
    matches!(text.get(length), None | Some(b'&')).then_some(length)
}

/// Removes session parameters from left to right. The `&` after one is not the `&` before the next.
pub(super) fn strip_from_query(draft: &mut Draft) {
    let Draft { query, spare, .. } = draft;
    spare.clear();
    let text = query.bytes();
    let mut offset = 0;
    while offset < text.len() || offset == 0 {
        let start = offset + usize::from(text.get(offset) == Some(&b'&'));
        let is_start = start > offset || offset == 0;
        match is_start.then(|| session_length(&text[start..])).flatten() {
            Some(length) => {
                spare.extend_from_slice(&text[offset..start]);
                let end = start + length;
                spare.extend(text.get(end));
                // The package's regular expression consumes this `&`, so no match can begin with it.
                offset = end + 1;
            }
            None => {
                spare.extend(text.get(offset));
                offset += 1;
            }
        }
    }
    core::mem::swap(query.bytes_mut(), spare);
}

/// Removes sessions of ASP.NET from the path of a file `*.aspx`, and a Java session at the end.
pub(super) fn strip_from_path(draft: &mut Draft) {
    if draft.path.ends_with(b".aspx") {
        let path = core::mem::take(&mut draft.path);
        let mut offset = 0;
        while offset < path.len() {
            let is_after_slash = offset > 0 && path[offset - 1] == b'/';
            match is_after_slash.then(|| session::directory_length(&path[offset..])).flatten() {
                Some(length) => offset += length,
                None => {
                    draft.path.push(path[offset]);
                    offset += 1;
                }
            }
        }
    }
    const NAME: &[u8] = b";jsessionid=";
    if let Some(start) = draft.path.len().checked_sub(NAME.len() + 32) {
        let end = &draft.path[start..];
        if end.starts_with(NAME) && end[NAME.len()..].iter().all(|&byte| is_lower_or_digit(byte)) {
            draft.path.truncate(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_ends_early_is_none() {
        let whole = b"aspsessionidabcdefgh=abcdefghijklmnop";
        assert_eq!(session_length(whole), Some(whole.len()));
        assert!((0..whole.len()).all(|end| session_length(&whole[..end]).is_none()));
        let whole = b"cfid=1&cftoken=2";
        assert!((0..whole.len()).all(|end| session_length(&whole[..end]).is_none()));
    }
}
