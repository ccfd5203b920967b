//! Masks replace parts of a text by a letter if they change by themselves, or repeat the URL of the page.

use memchr::memmem;

use super::units;

/// Replaces a token, a time or a number that changes.
const TOKEN: u8 = b'T';
/// Replaces the URL of the page, or a part of it.
const OWN: &[u8] = b"U";
/// The shortest part of the own URL that is searched. Shorter ones would be found by chance.
const SHORTEST: usize = 4;

/// The masks of one page.
pub(super) struct Masks {
    /// Parts of its own URL, the longer ones first.
    own: Vec<Vec<u8>>,
    /// Its paths, which are masked only if they are not a part of a longer text.
    paths: Vec<Vec<u8>>,
}

impl Masks {
    /// Makes the masks of the page with this URL.
    pub(super) fn new(url: &str) -> Self {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let start = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, rest) = rest.split_at(start);
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let whole = if query.is_empty() { "" } else { rest };
        let own = with_decoded(&[host.strip_prefix("www.").unwrap_or(host), whole, query]);
        Masks { own, paths: with_decoded(&[path]) }
    }

    /// Appends the masked text, and uses `text` as a buffer.
    pub(super) fn apply(&self, text: &mut Vec<u8>, masked: &mut Vec<u8>) {
        for own in &self.own {
            replace(text, own, |_, end| Some(end));
        }
        for path in &self.paths {
            replace(text, path, |text, end| end_of_path(text, end, path.len()));
        }
        mask_tokens(text, masked);
        masked.truncate(masked.trim_ascii_end().len());
    }
}

/// Returns texts, and the same texts without percent-encoding, if they are long enough, the longest first.
fn with_decoded(texts: &[&str]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for text in texts {
        all.push(text.as_bytes().to_vec());
        all.push(crate::parts::decoded(text).into_owned().into_bytes());
    }
    all.retain(|text| text.len() >= SHORTEST);
    // The longest text comes first, because it would not be found after a part of it was replaced.
    all.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    all.dedup();
    all
}

/// Replaces a text wherever `end` returns the end of the replacement. `end` is called with the end of the
/// text.
fn replace(text: &mut Vec<u8>, wanted: &[u8], end: impl Fn(&[u8], usize) -> Option<usize>) {
    let finder = memmem::Finder::new(wanted);
    let Some(mut found) = finder.find(text) else { return };
    let (mut out, mut copied) = (Vec::with_capacity(text.len()), 0);
    loop {
        let mut next = found + wanted.len();
        if let Some(end) = end(text, next) {
            out.extend_from_slice(&text[copied..found]);
            out.extend_from_slice(OWN);
            (copied, next) = (end, end);
        }
        match finder.find(&text[next..]) {
            Some(place) => found = next + place,
            None => break,
        }
    }
    out.extend_from_slice(&text[copied..]);
    *text = out;
}

/// Returns the end of a path and its query, unless it is part of a longer path or a word.
fn end_of_path(text: &[u8], end: usize, length: usize) -> Option<usize> {
    let before = (end - length).checked_sub(1).map(|place| text[place]);
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'/' || byte == b'_') {
        return None;
    }
    let query = match text.get(end) {
        Some(b'?') => text[end..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count(),
        _ => 0,
    };
    let is_end =
        text.get(end + query).is_none_or(|byte| byte.is_ascii_whitespace() || b".,)\"'<".contains(byte));
    is_end.then_some(end + query)
}

/// Appends the text with its tokens masked and its white space joined.
fn mask_tokens(text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let length @ 1.. = blank(rest) {
            if out.last().is_some_and(|byte| *byte != b' ') {
                out.push(b' ');
            }
            at += length;
            continue;
        }
        let is_start = at == 0 || !is_word(text[at - 1]);
        if is_start && let Some(length) = link(rest) {
            at += length;
            continue;
        }
        if is_start && let Some(length) = token(rest) {
            out.push(TOKEN);
            at += length;
            continue;
        }
        // The whole word is copied, so that a part of it does not count as the start of a token.
        let length = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len()).max(1);
        out.extend_from_slice(&rest[..length]);
        at += length;
    }
}

/// Returns the length of the white space at the start of a text: ASCII white space, the no-break space and
/// the ideographic space.
fn blank(text: &[u8]) -> usize {
    match text {
        [byte, ..] if byte.is_ascii_whitespace() => 1,
        [0xc2, 0xa0, ..] => 2,
        [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Returns the length of a scheme and `www.` at the start of a text. A page may use either of two names in
/// its links.
fn link(text: &[u8]) -> Option<usize> {
    let scheme = [&b"https://"[..], b"http://"].into_iter().find(|scheme| text.starts_with(scheme));
    let length = scheme.map_or(0, <[u8]>::len);
    let length = length + if text[length..].starts_with(b"www.") { 4 } else { 0 };
    (length > 0).then_some(length)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the length of the part at the start of a word that changes by itself.
fn token(text: &[u8]) -> Option<usize> {
    let first = *text.first()?;
    if !first.is_ascii_alphanumeric() {
        return arabic_number(text).and_then(|digits| span(text, digits));
    }
    let count = |is_part: fn(u8) -> bool| text.iter().position(|byte| !is_part(*byte)).unwrap_or(text.len());
    let word = count(is_word);
    // A shorter word may have these letters by chance, such as `facade`.
    if word >= 12 && text[..word].iter().all(u8::is_ascii_hexdigit) {
        return Some(word);
    }
    let long = count(|byte| is_word(byte) || b"+/-".contains(&byte));
    if long >= 20 {
        // Random base 64 of this length nearly always has all three kinds. Words and paths rarely do.
        let has = |is_kind: fn(&u8) -> bool| text[..long].iter().any(is_kind);
        if has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) {
            let padding = text[long..].iter().take(2).take_while(|byte| **byte == b'=').count();
            return Some(long + padding);
        }
    }
    let digits = text[..word].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    if digits == word && digits >= 8 {
        return Some(digits);
    }
    clock(text, digits).or_else(|| {
        let fraction = match text.get(digits) {
            Some(b'.' | b',') => text[digits + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
            _ => 0,
        };
        let number = if fraction > 0 { digits + 1 + fraction } else { digits };
        let is_measured =
            fraction >= 3 && text[digits] == b'.' && !text.get(number).copied().is_some_and(is_word);
        span(text, number).or(is_measured.then_some(number))
    })
}

/// Returns the length of a time: `10:20` or `10:20:30`, with an optional `am` or `pm`.
fn clock(text: &[u8], digits: usize) -> Option<usize> {
    let pair = |at: usize| {
        text.get(at) == Some(&b':')
            && text.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_digit))
    };
    if digits > 2 || !pair(digits) {
        return None;
    }
    let end = if pair(digits + 3) { digits + 6 } else { digits + 3 };
    if text.get(end).copied().is_some_and(is_word) {
        return None;
    }
    let rest = &text[end..];
    let blanks = blank(rest);
    let half = rest
        .get(blanks..blanks + 2)
        .filter(|half| half.eq_ignore_ascii_case(b"am") || half.eq_ignore_ascii_case(b"pm"));
    Some(end + half.map_or(0, |_| blanks + 2))
}

/// Returns the length of a number of this length and of a following word for a span of time.
fn span(text: &[u8], number: usize) -> Option<usize> {
    let blanks = blank(&text[number..]);
    units::length(&text[number + blanks..]).map(|unit| number + blanks + unit)
}

/// Returns the length of a number in Arabic-Indic digits.
fn arabic_number(text: &[u8]) -> Option<usize> {
    // U+0660 to U+0669.
    let digits =
        text.chunks_exact(2).take_while(|pair| pair[0] == 0xd9 && (0xa0..=0xa9).contains(&pair[1])).count();
    (digits > 0).then_some(2 * digits)
}
