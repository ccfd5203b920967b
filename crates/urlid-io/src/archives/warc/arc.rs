//! Records of ARC, the format before WARC: one line of fields, then the content
//! (<https://archive.org/web/researcher/ArcFileFormat.php>).
//!
//! The first record describes the file: its content begins with the version, which tells how many fields the lines have.

use super::error::Malformed;
use super::record::{Record, excerpt, number};
use super::types::RecordType;

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
    /// Returns the fields for a version, which is the start of the first record's content: `1 0 InternetArchive`.
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
}

/// Parses the line of a record.
pub(crate) fn read(record: &mut Record, line: &[u8], fields: ArcFields) -> Result<(), Malformed> {
    record.clear();
    record.is_arc = true;
    let line = line.trim_ascii_end();
    // From the end, since a URL may have spaces.
    let mut values: Vec<&[u8]> = line.rsplitn(fields.after_url() + 1, |&byte| byte == b' ').collect();
    let length = values.first().copied().unwrap_or_default();
    let is_description = line.starts_with(MAGIC);
    if !is_description && values.len() <= fields.after_url() {
        return Err(Malformed::ArcFields { found: excerpt(line), expected: fields.after_url() + 1 });
    }
    record.length = number(length).ok_or_else(|| Malformed::Length { found: excerpt(length) })?;
    if is_description {
        record.record_type = RecordType::Warcinfo;
        return Ok(());
    }
    values.reverse();
    record.record_type = RecordType::Response;
    record.set_url(values[0]);
    record.set_date(values[2]);
    record.set_content_type(values[3]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
