//! The sessions that urlcanon removes from queries and paths.

use crate::draft::Draft;
use crate::rules::session;

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
