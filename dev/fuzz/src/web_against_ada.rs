//! WHATWG parse and join: every part is the same as from ada-url, and the normal form is idempotent.

use urlid::web::Url;

use crate::text::texts;

/// Reads a text and a base.
pub fn target(data: &[u8]) {
    let [text, base] = texts(data);
    compare(&text, None);
    if let Ok(base) = Url::parse(&base) {
        compare(&text, Some(&base));
    }
}

fn compare(text: &str, base: Option<&Url>) {
    let ours = match base {
        Some(base) => base.join(text).ok(),
        None => Url::parse(text).ok(),
    };
    if let Some(url) = &ours {
        assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(url), "the normal form is its own");
    }
    let theirs = ada_url::Url::parse(text, base.map(Url::as_str)).ok();
    if has_recent_character(text) {
        return;
    }
    let theirs = theirs
        .as_ref()
        .map(|url| (url.href(), url.hostname(), url.pathname(), url.username(), url.password()));
    let ours = ours.as_ref().map(|url| {
        (
            url.as_str(),
            url.host_str().unwrap_or_default(),
            url.path(),
            url.username(),
            url.password().unwrap_or_default(),
        )
    });
    assert_eq!(ours, theirs, "{text:?} onto {base:?}");
}

/// Returns whether a text holds, or escapes, a character beyond ASCII. In hosts the two sides map such
/// characters by Unicode data of different years; `differential` in `conformance` compares the characters
/// that all versions have.
fn has_recent_character(text: &str) -> bool {
    let escapes = text
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0] == b'%' && matches!(pair[1], b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F'));
    let controls =
        text.bytes().filter(|byte| matches!(byte, b'\t' | b'\n' | b'\r')).count() > 0 && text.contains('%');
    !text.is_ascii() || escapes || controls
}
