//! URLs and hosts as Ada 2.9.2 reads them, which is the `URL` of Node 20.
//!
//! It follows the URL Standard of 2023 with a few differences. Its own UTS 46 checks direction and joiners
//! label by label and not to the end. It does not escape `^` in paths. Paths keep their dot segments after a
//! segment such as `.a`.

use std::borrow::Cow;

use super::punycode;
use crate::error;
use crate::unicode::idna::Joining;
use crate::unicode::{BidiClass, node};
use urlid::internal::ends_in_number;
use urlid::internal::escape::{self, C0_CONTROL, EscapeSet, FRAGMENT, QUERY, SPECIAL_QUERY};
use urlid::reference::{Authority, Class, Context, Reference};
use urlid::{Error, web};

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';

const PATH: EscapeSet = escape::PATH.without(b"^");
/// The standard's forbidden domain code points.
const FORBIDDEN: EscapeSet = C0_CONTROL.with(b" #%/:<>?@[\\]^|");

/// The parts of a URL in their normal forms, without user and password.
pub(crate) struct AdaUrl {
    pub(crate) scheme: String,
    /// The host. It is absent if `//` does not follow the scheme.
    pub(crate) host: Option<String>,
    pub(crate) port: Option<u16>,
    pub(crate) path: Vec<u8>,
    pub(crate) query: Option<Vec<u8>>,
    pub(crate) fragment: Option<Vec<u8>>,
}

/// Parses an absolute URL.
pub(crate) fn parse(text: &str) -> Result<AdaUrl, Error> {
    let text = web::clean(text);
    let reference = Reference::parse(&text, Context::Whatwg(Class::Generic))?;
    let forced = web::force(&reference)?;
    let reference = forced.as_reference();
    let class = reference.class();
    // The standard's parser provides the errors, scheme and port. Path, query and fragment are Ada's, below.
    let url = urlid::Url::parse(&with_normal_host(&reference)?)?;
    Ok(AdaUrl {
        scheme: url.scheme().to_owned(),
        host: url.host_str().map(str::to_owned),
        port: url.port(),
        path: match reference.path() {
            opaque if !class.is_special() && !opaque.starts_with('/') => opaque_path(opaque),
            written => path(written, class),
        },
        query: reference.query().map(|query| query_of(query, class)),
        fragment: reference.fragment().map(fragment_of),
    })
}

/// Returns the text with the host of a special scheme in its normal form, which the parser of today's
/// standard does not change.
fn with_normal_host<'t>(reference: &Reference<'t>) -> Result<Cow<'t, str>, Error> {
    let (Some(scheme), Some(authority)) = (reference.scheme(), reference.authority()) else {
        return Ok(Cow::Borrowed(reference.as_str()));
    };
    let has_more = authority.user.is_some() || authority.port.is_some();
    // A user or a port is an error in a file URL, but a normal host before a `:` would become a drive.
    let is_error = reference.class() == Class::File && has_more;
    if !reference.class().is_special() || authority.host.is_empty() || is_error {
        return Ok(Cow::Borrowed(reference.as_str()));
    }
    let host = host(authority.host)?;
    let rest = &reference.as_str()[reference.path_start()..];
    Ok(Cow::Owned(format!("{scheme}://{}{rest}", Authority { host: &host, ..authority })))
}

/// Returns the normal form of a non-empty host of a special scheme. For an IPv6 address the parser of the
/// whole URL returns the standard's form.
pub(crate) fn host(written: &str) -> Result<String, Error> {
    if written.starts_with('[') {
        return Ok(written.to_owned());
    }
    let ascii = domain_to_ascii(written).filter(|ascii| !ascii.is_empty());
    let ascii = ascii.ok_or_else(|| error::host(written.as_bytes(), "a name that UTS 46 maps"))?;
    if ascii.bytes().any(|byte| FORBIDDEN.contains(byte)) {
        return Err(error::host(written.as_bytes(), "a name without delimiters and controls"));
    }
    if !ends_in_number(&ascii) {
        return Ok(ascii);
    }
    // Numbers are read like in the standard. If a host ends in a number and is not an address, this is an
    // error.
    let url = urlid::Url::parse(&["http://", &ascii].concat())?;
    Ok(url.host_str().unwrap_or_default().to_owned())
}

fn domain_to_ascii(written: &str) -> Option<String> {
    let name = percent_decoded(written)?;
    if name.is_ascii() {
        let name = name.to_ascii_lowercase();
        return name.split('.').all(is_valid_ascii).then_some(name);
    }
    let mapped = node::map(&name)?;
    let mut ascii = String::with_capacity(mapped.len());
    for (index, label) in node::nfc(&mapped).split('.').enumerate() {
        if index > 0 {
            ascii.push('.');
        }
        push_ascii(label, &mut ascii)?;
    }
    Some(ascii)
}

fn percent_decoded(written: &str) -> Option<Cow<'_, str>> {
    if !written.contains('%') {
        return Some(Cow::Borrowed(written));
    }
    let mut bytes = written.as_bytes().to_vec();
    super::escapes::decode_once(&mut bytes, |_| true);
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn push_ascii(label: &str, out: &mut String) -> Option<()> {
    if label.is_ascii() {
        out.push_str(label);
        return is_valid_ascii(label).then_some(());
    }
    // UTS 46, section 4.1: a label that is valid in its decoded form never starts with the prefix.
    if label.starts_with(punycode::PREFIX) || !is_valid(label) {
        return None;
    }
    let mut digits = Vec::new();
    punycode::encode(label.as_bytes(), &mut digits)?;
    out.push_str(punycode::PREFIX);
    out.extend(digits.into_iter().map(char::from));
    Some(())
}

/// Returns whether an ASCII label is valid. A label with the prefix of Punycode must be the encoding, in any
/// spelling, of a valid label, which may be ASCII.
fn is_valid_ascii(label: &str) -> bool {
    let Some(digits) = label.strip_prefix(punycode::PREFIX) else { return true };
    let Some(decoded) = decode_punycode(digits) else { return false };
    !decoded.is_empty()
        && node::map(&decoded).as_deref() == Some(&*decoded)
        && node::nfc(&decoded) == decoded
        && is_valid(&decoded)
}

/// Returns the label for the digits of Punycode in lower case. They may start with a `-`, a label has any
/// length, and a surrogate is not a character.
///
/// The algorithm of the RFC inserts each code point into the label, which moves all later ones. Here the
/// final places are computed instead, from the last code point to the first. Each one gets the place with its
/// number among the free places. The basic code points fill the rest. The time is *n* log *n*.
fn decode_punycode(digits: &str) -> Option<String> {
    let (basic, digits) = digits.rsplit_once('-').unwrap_or(("", digits));
    let mut digits = digits.as_bytes();
    let mut inserted: Vec<(usize, char)> = Vec::new();
    let (mut i, mut n, mut bias) = (0_i32, punycode::INITIAL_N as u32, punycode::INITIAL_BIAS);
    while !digits.is_empty() {
        let before = i;
        i = punycode::read_delta(&mut digits, i, bias)?;
        let count = i32::try_from(basic.len() + inserted.len() + 1).ok()?;
        bias = punycode::adapt(i - before, count, before == 0);
        n = n.checked_add((i / count) as u32)?;
        i %= count;
        inserted.push((i as usize, char::from_u32(n)?));
        i += 1;
    }
    // The last insertion is at its final place. Each earlier one is at the place with its number, counting
    // only places that later ones have left free.
    let mut label: Vec<Option<char>> = vec![None; basic.len() + inserted.len()];
    let mut free = punycode::Counts::of_all(label.len());
    for (number, character) in inserted.into_iter().rev() {
        label[free.take(number)] = Some(character);
    }
    let mut basic = basic.chars();
    label.into_iter().map(|character| character.or_else(|| basic.next())).collect()
}

/// Returns whether a mapped label is valid. It must not start with a mark, and its joiners and directions
/// must be in order. Only the first joiner is checked.
fn is_valid(label: &str) -> bool {
    if label.chars().next().is_some_and(node::is_mark) {
        return false;
    }
    match label.find([NON_JOINER, JOINER]) {
        Some(offset) => has_valid_joiner(&label[..offset], &label[offset..]),
        None => has_valid_directions(label),
    }
}

/// Implements RFC 5892, appendix A.1 and A.2, but joining characters may be anywhere before and after a
/// non-joiner.
fn has_valid_joiner(before: &str, from_joiner: &str) -> bool {
    if before.chars().next_back().is_some_and(node::is_virama) {
        return true;
    }
    let joins = |text: &str, side: Joining| {
        text.chars().map(node::joining).any(|joining| joining == Joining::Dual || joining == side)
    };
    let after = from_joiner.strip_prefix(NON_JOINER);
    after.is_some_and(|after| joins(before, Joining::Left) && joins(after, Joining::Right))
}

/// Implements RFC 5893, section 2, for labels with right-to-left characters. A label that starts
/// left-to-right may end right-to-left, and a label that starts with neither is right-to-left.
fn has_valid_directions(label: &str) -> bool {
    use BidiClass::{AL, AN, BN, CS, EN, ES, ET, L, NSM, ON, R};
    let classes: Vec<Option<BidiClass>> = label.chars().map(node::bidi_class).collect();
    let Some(last) = classes.iter().rposition(|class| *class != Some(NSM)) else { return false };
    let contains = |wanted: &[BidiClass]| classes.iter().flatten().any(|class| wanted.contains(class));
    if !contains(&[R, AL, AN]) {
        return true;
    }
    let all = |classes: &[Option<BidiClass>], allowed: &[BidiClass]| {
        classes.iter().all(|class| class.is_some_and(|class| allowed.contains(&class)))
    };
    // RFC 5893, rule 5. Rule 6, about the end of such a label, is not checked, because the last class is left
    // out.
    if classes[0] == Some(L) {
        return all(&classes[..last], &[L, EN, ES, CS, ET, ON, BN, NSM]);
    }
    // Rules 2 to 4. Rule 1, about the first character of such a label, is not checked.
    all(&classes[..=last], &[R, AL, AN, EN, ES, CS, ET, ON, BN, NSM])
        && all(&classes[last..=last], &[R, AL, AN, EN])
        && !(contains(&[EN]) && contains(&[AN]))
}

/// Returns the normal form of a path that cannot be split, as in `mailto:`.
fn opaque_path(written: &str) -> Vec<u8> {
    let mut path = Vec::with_capacity(written.len());
    C0_CONTROL.encode_bytes(written.as_bytes(), &mut path);
    path
}

/// Returns the normal form of a path that is not opaque.
fn path(written: &str, class: Class) -> Vec<u8> {
    let relative = without_first_slash(written, class);
    if is_kept(relative, class) {
        let mut path = Vec::with_capacity(relative.len() + 1);
        path.push(b'/');
        path.extend_from_slice(relative.as_bytes());
        return path;
    }
    segments(relative, class)
}

/// Returns the separators of segments. A `\` separates them only if the scheme is special.
fn separators(class: Class) -> &'static [char] {
    if class.is_special() { &['/', '\\'] } else { &['/'] }
}

fn without_first_slash(path: &str, class: Class) -> &str {
    path.strip_prefix(separators(class)).unwrap_or(path)
}

fn segments(relative: &str, class: Class) -> Vec<u8> {
    let mut path = Vec::with_capacity(relative.len() + 1);
    let mut segments = relative.split(separators(class)).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match dots(segment) {
            Some(dots) => {
                // If the last `..` of a scheme that is not special removes no segment, Ada does not write a
                // `/` for it.
                let has_slash = class.is_special() || dots == Dots::One || !path.is_empty();
                if dots == Dots::Two {
                    remove_last_segment(&mut path, class);
                }
                if is_last && has_slash {
                    path.push(b'/');
                }
            }
            None if class == Class::File && path.is_empty() && is_drive(segment.as_bytes()) => {
                // URL Standard, path state: a drive letter at the start of a file's path is written with `:`,
                // not `|`.
                path.extend_from_slice(&[b'/', segment.as_bytes()[0], b':']);
            }
            None => {
                path.push(b'/');
                PATH.encode_bytes(segment.as_bytes(), &mut path);
            }
        }
    }
    path
}

/// Returns whether a path, without its first slash, is kept without further checks. Its bytes are neither
/// escaped nor part of an escape, and its first `/.` does not start a dot segment. A later `/.` may start
/// one.
fn is_kept(path: &str, class: Class) -> bool {
    if path.bytes().any(|byte| PATH.contains(byte) || matches!(byte, b'%' | b'\\')) {
        return false;
    }
    let has_drive = class == Class::File
        && is_drive(&path.as_bytes()[..path.len().min(2)])
        && matches!(path.as_bytes().get(2), None | Some(b'/'));
    let begins_no_dots = match path.find("/.") {
        Some(offset) => !matches!(path.as_bytes().get(offset + 2), None | Some(b'.' | b'/')),
        None => true,
    };
    !has_drive && !path.starts_with('.') && begins_no_dots
}

/// Removes the last segment. The only segment of a file stays if it starts like a drive, whatever follows.
fn remove_last_segment(path: &mut Vec<u8>, class: Class) {
    let Some(slash) = memchr::memrchr(b'/', path) else { return };
    let begins_with_drive = matches!(path[..], [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
    if !(class == Class::File && slash == 0 && begins_with_drive) {
        path.truncate(slash);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    One,
    Two,
}

fn dots(segment: &str) -> Option<Dots> {
    let is = |text: &&str| segment.eq_ignore_ascii_case(text);
    if [".", "%2e"].iter().any(is) {
        Some(Dots::One)
    } else if ["..", ".%2e", "%2e.", "%2e%2e"].iter().any(is) {
        Some(Dots::Two)
    } else {
        None
    }
}

fn is_drive(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// The parts of a URL after a path that is set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behind {
    Nothing,
    QueryOrFragment,
}

/// Returns a path as the setter `pathname` leaves it. Dot segments stay only if the path is the end of the
/// URL.
pub(crate) fn set_path(written: &str, class: Class, behind: Behind) -> Vec<u8> {
    let written = without_tabs_and_newlines(written);
    match behind {
        Behind::Nothing => path(&written, class),
        Behind::QueryOrFragment => segments(without_first_slash(&written, class), class),
    }
}

/// Returns a query as the setter `search` leaves it. It is passed without its `?`.
pub(crate) fn set_query(written: &str, class: Class) -> Vec<u8> {
    query_of(&without_tabs_and_newlines(written), class)
}

fn without_tabs_and_newlines(text: &str) -> Cow<'_, str> {
    let removed = ['\t', '\n', '\r'];
    if text.contains(removed) { Cow::Owned(text.replace(removed, "")) } else { Cow::Borrowed(text) }
}

fn query_of(written: &str, class: Class) -> Vec<u8> {
    let mut query = Vec::with_capacity(written.len());
    let set = if class.is_special() { SPECIAL_QUERY } else { QUERY };
    set.encode_bytes(written.as_bytes(), &mut query);
    query
}

fn fragment_of(written: &str) -> Vec<u8> {
    let mut fragment = Vec::with_capacity(written.len());
    FRAGMENT.encode_bytes(written.as_bytes(), &mut fragment);
    fragment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_of_any_length_is_decoded_as_it_was_encoded() {
        let mut seed = 7_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 16
        };
        for length in (0..200).chain([5_000]) {
            let character = |value: u32| {
                char::from_u32(if value.is_multiple_of(3) { 97 + value % 26 } else { 0xa0 + value % 40 })
            };
            let label: String = (0..length).filter_map(|_| character(next())).collect();
            let digits = punycode::encoded(label.as_bytes()).expect("its numbers are small");
            assert_eq!(decode_punycode(&digits).as_deref(), Some(&*label));
        }
        assert_eq!(decode_punycode("-9ca").as_deref(), Some("é"));
        assert_eq!(decode_punycode("abc-").as_deref(), Some("abc"));
        for digits in ["9", "99999999", "9c_", "ib9b"] {
            assert_eq!(decode_punycode(digits), None, "{digits}");
        }
    }
}
