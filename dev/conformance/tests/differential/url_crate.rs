//! url 2.5.8: all differences are in the known classes, in which it deviates from the standard.

use urlid::reference::Class;
use urlid::web::{self, Url};

use super::{compare_all, generic, has_new_character, input, parse};

#[test]
fn url_differs_in_the_known_classes_only() {
    compare_all(|choices| {
        let (base, text) = input(choices);
        let ours = parse(&base, &text);
        // A base that the other implementation reads differently is a different base.
        let their_base = match &base {
            Some(base) => match url::Url::parse(base.as_str()) {
                Ok(url) if url.as_str() == base.as_str() => Some(url),
                _ => return Ok(Some("base differs")),
            },
            None => None,
        };
        let parsed =
            std::panic::catch_unwind(|| url::Url::options().base_url(their_base.as_ref()).parse(&text).ok());
        // In debug builds `url` panics on some relative references to `file` URLs.
        let Ok(theirs) = parsed else { return Ok(Some("an assertion of `url` fails")) };
        let (our_text, their_text) = (ours.as_ref().map(Url::as_str), theirs.as_ref().map(url::Url::as_str));
        if our_text == their_text {
            Ok(None)
        } else {
            known_class(&base, &text, our_text, their_text)
                .map(Some)
                .ok_or_else(|| format!("{text:?} onto {base:?}: {our_text:?}, url says {their_text:?}"))
        }
    });
}

/// Returns the class of a difference, by the rule of the standard that `url` does not follow.
pub(super) fn known_class(
    base: &Option<Url>,
    text: &str,
    ours: Option<&str>,
    theirs: Option<&str>,
) -> Option<&'static str> {
    let text = web::clean(text);
    let base_class = base.as_ref().map(|base| base.as_reference().class());
    let is_file = |text: Option<&str>| text.is_some_and(|text| text.starts_with("file:"));
    if has_new_character(&text) {
        Some("Unicode data")
    } else if is_file(ours) || is_file(theirs) || is_file_scheme(&text) {
        // Hosts dropped with a drive, empty segments collapsed, `|` kept.
        Some("file")
    } else if theirs.is_none() && host(ours).is_some_and(|host| host.contains("xn--")) {
        Some("an ASCII host with Punycode that means nothing")
    } else if base_class == Some(Class::Generic) && text.contains('\\') {
        Some("a backslash onto a base that is not special")
    } else if base_class == Some(Class::Web) && leading_slashes(&text) > 2 {
        Some("three slashes onto a special base")
    } else if ours.is_none()
        && generic(&text)
            .authority()
            .and_then(|authority| authority.port)
            .is_some_and(|port| port.contains('\\'))
    {
        Some("a backslash after the port of a scheme that is not special")
    } else if ours.is_none() && generic(&text).authority().is_some_and(|authority| authority.host.is_empty())
    {
        Some("a user without a host in a scheme that is not special")
    } else if without_escapes(ours) == without_escapes(theirs) {
        Some("`^` in a path, or a space at the end of an opaque path")
    } else if theirs.is_some_and(has_drive) {
        Some("`..` after a segment that looks like a drive, outside `file`")
    } else {
        None
    }
}

fn is_file_scheme(text: &str) -> bool {
    text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:"))
}

fn host(text: Option<&str>) -> Option<String> {
    Url::parse(text?).ok()?.host_str().map(str::to_owned)
}

/// Counts the slashes of either kind after the scheme.
fn leading_slashes(text: &str) -> usize {
    let rest = generic(text).scheme().map_or(text, |scheme| &text[scheme.len() + 1..]);
    rest.bytes().take_while(|byte| matches!(byte, b'/' | b'\\')).count()
}

/// Returns whether a segment of the path is a letter and `:` or `|`.
fn has_drive(text: &str) -> bool {
    let is_drive =
        |segment: &str| matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    generic(text).path().split(['/', '\\']).any(is_drive)
}

/// Removes the two characters that the standard escapes and `url` keeps unchanged.
fn without_escapes(text: Option<&str>) -> Option<String> {
    text.map(|text| text.replace("%5E", "^").replace("%20", " "))
}
