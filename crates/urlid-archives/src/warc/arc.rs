//! Records of ARC, the format before WARC: one line of fields, then the content
//! (<https://archive.org/web/researcher/ArcFileFormat.php>).
//!
//! The first record describes the file: its content begins with the version, which tells how many fields the
//! lines have.

use std::net::IpAddr;

use super::error::Malformed;
use super::record::{Record, excerpt, number};
use super::types::RecordType;
use crate::time;

/// The first bytes of every ARC file; its name follows.
pub(crate) const MAGIC: &[u8] = b"filedesc://";

/// The fields of the lines of an ARC file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArcFields {
    /// URL, IP address, date, media type, length.
    One,
    /// In version 2, result code, checksum, location, offset and file name are before the length.
    Two,
}

impl ArcFields {
    /// Returns the fields for a version, which is the start of the first record's content: `1 0
    /// InternetArchive`.
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
    // The text from one word to another as it stands in the line, with all spaces between them.
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

/// Returns the place of the date. A URL and a media type may be several words, so it is the last word before
/// the type that is a date after an address; or else one that is a date; or else, with a type of one word,
/// that place.
fn date_index(words: &[&[u8]], fields: ArcFields) -> usize {
    let last = words.len() - fields.after_type() - 2;
    let is_date = |&index: &usize| time::of_arc(words[index]).is_some();
    let is_address = |index: usize| {
        let word = str::from_utf8(words[index - 1]).unwrap_or_default();
        word.parse::<IpAddr>().is_ok() || word == "-"
    };
    // Before the date there are at least a URL and an address.
    let dates = || (2..=last).rev().filter(is_date);
    dates().find(|&index| is_address(index)).or_else(|| dates().next()).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_several_words_is_no_part_of_the_url() {
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
