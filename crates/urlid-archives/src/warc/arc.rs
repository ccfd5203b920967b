//! Records of ARC, the format before WARC: one line of fields, then the content
//! (<https://archive.org/web/researcher/ArcFileFormat.php>).
//!
//! The first record describes the file. Its content starts with the version, which determines the number of
//! fields in the lines. A record that was fetched by its offset lacks this description.

use std::net::IpAddr;

use memchr::{memchr, memchr2};
use urlid::web::is_scheme;

use super::error::Malformed;
use super::record::{Record, excerpt, number};
use super::types::RecordType;
use crate::time;

/// The first bytes of every ARC file. Its name follows.
pub(crate) const MAGIC: &[u8] = b"filedesc://";

/// The most bytes by which a record without the description of its file is recognised.
pub(super) const MAX_START: usize = 4 << 10;

/// Schemes of URLs in archives.
const SCHEMES: [&[u8]; 16] = [
    b"http", b"https", b"ftp", b"ftps", b"sftp", b"dns", b"gopher", b"whois", b"mms", b"rtsp", b"news",
    b"nntp", b"mailto", b"about", b"data", b"urn",
];

/// The fields of the lines of an ARC file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArcFields {
    /// URL, IP address, date, media type, length.
    One,
    /// The fields of version 2, with result code, checksum, location, offset and file name before the length.
    Two,
}

impl ArcFields {
    /// Returns the fields for a version, which is the start of the first record's content:
    /// `1 0 InternetArchive`.
    pub(crate) fn of_version(content: &[u8]) -> Self {
        if content.starts_with(b"2 ") { ArcFields::Two } else { ArcFields::One }
    }

    /// Returns the number of fields after the URL.
    fn after_url(self) -> usize {
        match self {
            ArcFields::One => 4,
            ArcFields::Two => 9,
        }
    }

    /// Returns the number of fields after the media type.
    fn after_type(self) -> usize {
        self.after_url() - 3
    }
}

/// Returns the fields of the lines if bytes start with a record of ARC that is not a description. Such a
/// record has a line with an address and a date, and a response after it. Returns `None` if more bytes are
/// needed.
pub(super) fn begins_record(bytes: &[u8]) -> Option<Option<ArcFields>> {
    let Some(colon) = memchr(b':', bytes) else {
        return if is_part_of_scheme(bytes) { None } else { Some(None) };
    };
    if !is_part_of_scheme(&bytes[..colon]) {
        return Some(None);
    }
    let end = memchr2(b'\n', b'\r', bytes)?;
    let (line, rest) = bytes.split_at(end);
    let rest = match rest {
        [b'\r'] => return None,
        [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => rest,
        _ => return Some(None),
    };
    let Some(fields) = fields_of_line(line) else { return Some(None) };
    // A list of URLs with such columns is not an archive.
    const HTTP: &[u8] = b"HTTP/";
    let is_http = line.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"http"));
    if !is_http || rest.starts_with(HTTP) {
        return Some(Some(fields));
    }
    if HTTP.starts_with(rest) { None } else { Some(None) }
}

/// Returns whether bytes may start a scheme.
fn is_part_of_scheme(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok_and(|text| text.is_empty() || is_scheme(text))
}

/// Returns the fields of a line that has an address, a date and a media type at their places.
fn fields_of_line(line: &[u8]) -> Option<ArcFields> {
    let words: Vec<&[u8]> = line.trim_ascii_end().split(|&byte| byte == b' ').collect();
    let is_read = |fields: ArcFields| {
        words.len() > fields.after_url() && {
            let date = date_index(&words, fields);
            let media_type = words[date + 1];
            is_address(words[date - 1])
                && is_date_and_type(words[date], media_type)
                && number(words[words.len() - 1]).is_some()
        }
    };
    // In version 2 a result code follows the type, and an offset precedes the name of the file.
    let len = words.len();
    let is_two = len > 9 && number(words[len - 6]).is_some() && number(words[len - 3]).is_some();
    match is_two && is_read(ArcFields::Two) {
        true => Some(ArcFields::Two),
        false => is_read(ArcFields::One).then_some(ArcFields::One),
    }
}

fn is_date_and_type(date: &[u8], media_type: &[u8]) -> bool {
    time::of_arc(date).is_some()
        && (media_type.contains(&b'/') || [&b"no-type"[..], b"unknown"].contains(&media_type))
}

/// Returns whether a line belongs to a record with a date and starts with a whole scheme. If the length of
/// the content before it is wrong, a part of the content precedes the scheme, as in `hihttp`, or a part of
/// the scheme is missing, as in `ttp`.
pub(super) fn is_line_after_content(line: &[u8], fields: ArcFields) -> bool {
    let Some(colon) = memchr(b':', line) else { return false };
    let scheme = line[..colon].to_ascii_lowercase();
    let is_other = || {
        let is_like = |known: &&[u8]| scheme.ends_with(known) || known.ends_with(&scheme);
        line[colon..].starts_with(b"://") && is_part_of_scheme(&scheme) && !SCHEMES.iter().any(is_like)
    };
    (SCHEMES.contains(&&scheme[..]) || is_other()) && is_line(line, fields)
}

/// Returns whether a line belongs to a record with a date.
pub(super) fn is_line(line: &[u8], fields: ArcFields) -> bool {
    let mut record = Record::default();
    let is_read = read(&mut record, line, fields).is_ok();
    is_read && record.date().is_some_and(|date| time::of_arc(date).is_some())
}

/// Parses the line of a record.
pub(crate) fn read(record: &mut Record, line: &[u8], fields: ArcFields) -> Result<(), Malformed> {
    record.clear();
    record.is_arc = true;
    let line = line.trim_ascii_end();
    let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    let length = words.last().copied().unwrap_or_default();
    let is_description = line.starts_with(MAGIC);
    if !is_description && words.len() <= fields.after_url() {
        return Err(Malformed::ArcFields { found: excerpt(line), expected: fields.after_url() + 1 });
    }
    record.length = number(length).ok_or_else(|| Malformed::Length { found: excerpt(length) })?;
    if is_description {
        record.record_type = RecordType::Warcinfo;
        return Ok(());
    }
    let date = date_index(&words, fields);
    // The text from one word to the other as written in the line, with all spaces between them.
    let text = |first: &[u8], last: &[u8]| {
        let start = first.as_ptr() as usize - line.as_ptr() as usize;
        &line[start..last.as_ptr() as usize - line.as_ptr() as usize + last.len()]
    };
    record.record_type = RecordType::Response;
    record.set_url(text(words[0], words[date - 2]));
    record.set_date(words[date]);
    record.set_content_type(text(words[date + 1], words[words.len() - fields.after_type() - 1]));
    Ok(())
}

/// Returns the index of the date. A URL and a media type may consist of several words. The date is therefore
/// the last word before the type that is a date after an address. Otherwise it is the last word that is a
/// date. Otherwise it is the index that a type of one word gives.
fn date_index(words: &[&[u8]], fields: ArcFields) -> usize {
    let last = words.len() - fields.after_type() - 2;
    let is_date = |&index: &usize| time::of_arc(words[index]).is_some();
    // At least a URL and an address precede the date.
    let dates = || (2..=last).rev().filter(is_date);
    dates().find(|&index| is_address(words[index - 1])).or_else(|| dates().next()).unwrap_or(last)
}

/// Returns whether a word is an address, or `-` in place of one.
fn is_address(word: &[u8]) -> bool {
    let word = str::from_utf8(word).unwrap_or_default();
    word.parse::<IpAddr>().is_ok() || word == "-"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_several_words_is_not_part_of_the_url() {
        let check = |line: &str, fields, url: &str, media_type: &str| {
            let mut record = Record::default();
            assert_eq!(read(&mut record, line.as_bytes(), fields), Ok(()), "{line}");
            let found = [record.url(), record.date(), record.content_type()];
            let expected = [url, "20040925001013", media_type].map(|text| Some(text.as_bytes()));
            assert_eq!(found, expected, "{line}");
        };
        let (one, two) = (ArcFields::One, ArcFields::Two);
        let line = "http://a/ 192.0.2.1 20040925001013 text/html; charset=utf-8; x 5";
        check(line, one, "http://a/", "text/html; charset=utf-8; x");
        check("http://a/b c 192.0.2.1 20040925001013 a b 5", one, "http://a/b c", "a b");
        check("http://a/ 2001:db8::1 20040925001013  5", one, "http://a/", "");
        check("http://a/ - 20040925001013 text/html 5", one, "http://a/", "text/html");
        check("http://a/ host 20040925001013 a b 5", one, "http://a/", "a b");
        let line = "http://a/ 1.2.3.4 19990101000000 http://b/ 192.0.2.1 20040925001013 a b 5";
        check(line, one, "http://a/ 1.2.3.4 19990101000000 http://b/", "a b");
        let line = "http://a/b c 192.0.2.1 20040925001013 text/html; x=y 200 - - 20050101000000 a.arc 7";
        check(line, two, "http://a/b c", "text/html; x=y");
        let mut record = Record::default();
        let line = b"http://a/ 192.0.2.1 nodate text/html 5";
        assert_eq!((read(&mut record, line, one), record.url()), (Ok(()), Some(&b"http://a/"[..])));
    }

    #[test]
    fn lines_are_split_from_their_end() {
        let mut record = Record::default();
        let line = b"http://a/b c 192.0.2.1 20260102030405 text/html 12\n";
        assert_eq!(read(&mut record, line, ArcFields::One), Ok(()));
        assert_eq!((record.url(), record.length), (Some(&b"http://a/b c"[..]), 12));
        assert_eq!(
            (record.date(), record.content_type()),
            (Some(&b"20260102030405"[..]), Some(&b"text/html"[..]))
        );
        let line = b"http://a/ 192.0.2.1 20260102030405 text/html 200 - - 123 a.arc 7";
        assert_eq!(read(&mut record, line, ArcFields::Two), Ok(()));
        assert_eq!((record.url(), record.length), (Some(&b"http://a/"[..]), 7));
        let line = b"filedesc://a.arc 0.0.0.0 20260102030405 text/plain 76";
        assert_eq!(read(&mut record, line, ArcFields::Two), Ok(()));
        assert_eq!((record.url(), record.length, record.record_type), (None, 76, RecordType::Warcinfo));
    }

    #[test]
    fn lines_with_missing_fields_are_malformed() {
        let mut record = Record::default();
        for (line, fields, found) in [
            (&b"http://a/ 20260102030405 text/html 12"[..], ArcFields::One, "http://a/ 20260102030405"),
            (b"http://a/ 192.0.2.1 20260102030405 text/html 12", ArcFields::Two, "http://a/ 192.0.2.1 2026"),
            (b"12", ArcFields::One, "12"),
            (b"", ArcFields::One, ""),
        ] {
            let expected = fields.after_url() + 1;
            let error = Malformed::ArcFields { found: found.to_owned(), expected };
            assert_eq!(read(&mut record, line, fields), Err(error));
        }
        for length in ["-1", "x", "18446744073709551616"] {
            let line = format!("http://a/ 192.0.2.1 20260102030405 text/html {length}");
            let error = Malformed::Length { found: length.to_owned() };
            assert_eq!(read(&mut record, line.as_bytes(), ArcFields::One), Err(error));
        }
        assert_eq!(
            read(&mut record, b"filedesc://", ArcFields::One),
            Err(Malformed::Length { found: "filedesc://".into() })
        );
    }
}
