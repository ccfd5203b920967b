//! URLs as evidence shows them, without parts that may be a secret of a visitor.

use std::collections::BTreeSet;

use urlid_canonical::{RuleKind, Rules};

use crate::parts::{Parts, decoded, is_token, sessions};

/// Replaces a value that is not shown.
const HIDDEN: &str = "…";
/// The most characters of a URL that are shown.
const LONGEST: usize = 160;

/// Returns a URL with the values of its fields and sessions, and the segments of its path, hidden if they may
/// be secrets. The values of fields with a decoded name that `is_hidden` accepts are always hidden.
#[must_use]
pub fn shown(url: &str, is_hidden: impl Fn(&str) -> bool) -> String {
    let Some(parts) = Parts::parse(url) else { return HIDDEN.to_owned() };
    let mut text = format!("{}://{}{}", parts.scheme, parts.host, parts.port);
    let mut path = String::with_capacity(parts.path.len());
    let mut copied = 0;
    for (range, name) in sessions(parts.path) {
        path.extend([&parts.path[copied..range.start + 2 + name.len()], HIDDEN]);
        copied = range.end;
    }
    path.push_str(&parts.path[copied..]);
    for (number, segment) in path.split('/').enumerate() {
        text.push_str(if number > 0 { "/" } else { "" });
        text.push_str(if is_secret(segment) { HIDDEN } else { segment });
    }
    for (number, field) in parts.fields.iter().enumerate() {
        text.push(if number > 0 { '&' } else { '?' });
        match field.value {
            Some(value) if is_hidden(&decoded(field.name)) || is_token(value) => {
                text.extend([field.name, "=", if value.is_empty() { "" } else { HIDDEN }]);
            }
            None if is_secret(field.name) => text.push_str(HIDDEN),
            _ => text.push_str(field.text),
        }
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}{HIDDEN}", &text[..end]),
        None => text,
    }
}

/// Returns the decoded names of the fields of a URL that a rule `drop` or `keep` drops. A value that
/// `default` drops is in the file.
pub(crate) fn dropped(url: &str, rules: &Rules) -> BTreeSet<String> {
    let mut is_dropping = false;
    let mut defaults = BTreeSet::new();
    let key = rules.apply(url, |rule| {
        let Some(rule) = rules.rule(rule) else { return };
        is_dropping |= matches!(rule.kind, RuleKind::Drop | RuleKind::Keep);
        if rule.kind == RuleKind::Default {
            defaults.extend(rule.word.split('=').next().map(|name| decoded(name).into_owned()));
        }
    });
    let names = |url: &str| -> BTreeSet<String> {
        let fields = Parts::parse(url).map(|parts| parts.fields).unwrap_or_default();
        fields.iter().map(|field| decoded(field.name).into_owned()).collect()
    };
    if !is_dropping {
        return BTreeSet::new();
    }
    let (before, after) = (names(url), names(&key));
    before.into_iter().filter(|name| !after.contains(name) && !defaults.contains(name)).collect()
}

/// Returns the decoded names of the fields in which two URLs differ.
pub(crate) fn differing(one: &str, other: &str) -> BTreeSet<String> {
    let [one, other] = [one, other].map(|url| {
        let fields = Parts::parse(url).map(|parts| parts.fields).unwrap_or_default();
        let fields = fields.iter().map(|field| (decoded(field.name).into_owned(), field.text));
        fields.collect::<BTreeSet<_>>()
    });
    one.symmetric_difference(&other).map(|(name, _)| name.clone()).collect()
}

/// Returns whether a segment of a path may be a secret. The segments of articles are long as well, but
/// consist of words.
fn is_secret(segment: &str) -> bool {
    segment.split(['-', '_', '.', ';', ' ', '+', '=']).any(|word| {
        word.chars().count() > 12 && is_token(word) && {
            let digits = word.bytes().filter(u8::is_ascii_digit).count();
            digits >= 3
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden() {
        for (url, expected) in [
            ("http://h/a?id=5&sid=x", "http://h/a?id=5&sid=…"),
            ("http://h/a;jsessionid=ABC/b?q=0123456789", "http://h/a;jsessionid=…/b?q=…"),
            ("http://h/reset/aB3dE5gH7jK9mN1pQ3sT", "http://h/reset/…"),
            (
                "http://h/a-page-with-a-long-name-of-words?0123456789abcdef",
                "http://h/a-page-with-a-long-name-of-words?…",
            ),
            ("http://user:password@h/", "…"),
        ] {
            assert_eq!(shown(url, |name| name == "sid"), expected);
        }
    }
}
