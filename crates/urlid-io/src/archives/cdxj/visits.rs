//! The visits of a WARC or ARC file: the data of the index line of each record.

use std::borrow::Cow;
use std::io::{self, BufRead};

use sha1::{Digest, Sha1};
use urlid::Error;
use urlid_canonical::Canonicalizer;

use super::columns::CdxColumns;
use super::json::push_text;
use super::time;
use crate::archives::cdx::push_key;
use crate::archives::warc::http::HttpHead;
use crate::archives::warc::members::decode_error;
use crate::archives::{Malformed, Members, Record, RecordType, Records, WarcReader};
use crate::error;

/// Reads the visits of one WARC or ARC file.
#[derive(Debug)]
pub struct Visits<R: BufRead> {
    pub(super) reader: WarcReader<Members<R>>,
    records: Records,
    record: Record,
    http: HttpHead,
    digest: Option<String>,
    /// The offset of the current member, as stored.
    pub(super) member: u64,
    /// The offset of the last record that was read to its end, in a plain file.
    pub(super) last_record: u64,
    pub(super) is_over: bool,
}

/// The data of a record in an index.
#[derive(Debug)]
pub struct Visit<'a> {
    record: &'a Record,
    http: &'a HttpHead,
    digest: Option<Cow<'a, str>>,
    length: u64,
    offset: u64,
}

impl<R: BufRead> Visits<R> {
    /// Reads the visits of `source` that are records of these types.
    ///
    /// # Errors
    /// If the first bytes cannot be read, or the dictionary in front of zstd frames is damaged.
    pub fn new(source: R, records: Records) -> io::Result<Self> {
        let members = Members::new(source)?;
        let member = members.start();
        Ok(Visits {
            reader: WarcReader::new(members),
            records,
            record: Record::default(),
            http: HttpHead::default(),
            digest: None,
            member,
            last_record: 0,
            is_over: false,
        })
    }

    /// Returns the number of stored bytes that were read.
    pub fn bytes_read(&mut self) -> u64 {
        self.reader.source().offset()
    }

    /// Returns the next visit, or `None` after the last one.
    ///
    /// # Errors
    /// Once, after all visits before it.
    pub fn next_visit(&mut self) -> Result<Option<Visit<'_>>, Error> {
        if self.is_over {
            return Ok(None);
        }
        let place = self.read_visit().map_err(|error| decode_error(error, self.member));
        self.is_over = !matches!(place, Ok(Some(_)));
        let Some((offset, length)) = place? else { return Ok(None) };
        let stated = self.record.payload_digest().map(text).filter(|digest| !digest.is_empty());
        // The stated digest is not checked; like cdxj-indexer, it is computed only where none is stated.
        let digest = stated.or(self.digest.as_deref().map(Cow::Borrowed));
        Ok(Some(Visit { record: &self.record, http: &self.http, digest, length, offset }))
    }

    /// Reads up to the end of the next visit. Returns its offset and length as stored.
    fn read_visit(&mut self) -> Result<Option<(u64, u64)>, Error> {
        loop {
            if !self.reader.next_record(&mut self.record)? {
                // The end of a member, to the reader the end of its source.
                self.member = self.reader.source().offset();
                if !self.reader.source().next_member().map_err(error::read)? {
                    return Ok(None);
                }
                self.reader.resume();
                continue;
            }
            let is_wanted = self.records.contains(self.record.record_type, self.record.content_type());
            if is_wanted {
                self.read_content()?;
            }
            let place = self.finish_record()?;
            self.last_record = self.record.offset;
            if is_wanted {
                return Ok(Some(place));
            }
        }
    }

    /// Reads the head of HTTP and computes the digest, for the selected record.
    fn read_content(&mut self) -> Result<(), Error> {
        let is_http =
            matches!(
                self.record.record_type,
                RecordType::Response | RecordType::Revisit | RecordType::Request
            ) && self.record.url().is_some_and(|url| url.starts_with(b"http:") || url.starts_with(b"https:"));
        self.http = match is_http && self.record.length > 0 {
            true => HttpHead::read(&mut self.reader)?,
            false => HttpHead::default(),
        };
        self.digest = None;
        let has_no_payload = matches!(self.record.record_type, RecordType::Revisit | RecordType::Warcinfo);
        if has_no_payload || self.record.payload_digest().is_some_and(|digest| !digest.is_empty()) {
            return Ok(());
        }
        let mut hasher = Sha1::new();
        loop {
            let piece = self.reader.content()?;
            if piece.is_empty() {
                break;
            }
            hasher.update(piece);
            let len = piece.len();
            self.reader.consume(len);
        }
        self.digest = Some(format!("sha1:{}", base32(&hasher.finalize().into())));
        Ok(())
    }

    /// Reads to the end of the record. Returns its offset and length as stored.
    fn finish_record(&mut self) -> Result<(u64, u64), Error> {
        if !self.reader.source().are_compressed() {
            // Without the empty lines behind the record.
            while let len @ 1.. = self.reader.content()?.len() {
                self.reader.consume(len);
            }
            return Ok((self.record.offset, self.reader.offset() - self.record.offset));
        }
        if self.reader.skip_to_record()? {
            // An index names members, so a second record in one cannot be named.
            let repair = self.reader.source().repair();
            return Err(self.reader.malformed(Malformed::NotAlone { repair }));
        }
        let end = self.reader.source().offset();
        Ok((self.member, end - self.member))
    }
}

impl Visit<'_> {
    /// Returns the number of the record in its file, from 1.
    pub fn number(&self) -> u64 {
        self.record.number
    }

    /// Returns the URL with its spaces as `%20`.
    pub fn url(&self) -> Option<Cow<'_, str>> {
        let url = text(self.record.url()?);
        Some(if url.contains(' ') { Cow::Owned(url.replace(' ', "%20")) } else { url })
    }

    /// Appends the line of the index without its line end: key, time, JSON.
    ///
    /// # Errors
    /// If the record lacks a date. Nothing is appended then.
    pub fn write_line(
        &self,
        keys: &mut Canonicalizer<'_>,
        filename: &str,
        out: &mut String,
    ) -> Result<(), Error> {
        let time = self.time()?;
        push_key(keys, self.url().as_deref().unwrap_or_default(), out);
        out.push(' ');
        out.push_str(&time);
        out.push(' ');
        let mut members = self.fields(filename).into_iter().filter_map(|(name, value)| Some((name, value?)));
        out.push('{');
        if let Some((name, value)) = members.next() {
            push_member(name, &value, out);
        }
        for (name, value) in members {
            out.push_str(", ");
            push_member(name, &value, out);
        }
        out.push('}');
        Ok(())
    }

    /// Appends the line of an index of CDX with these columns, without its line end.
    ///
    /// # Errors
    /// If the record lacks a date, or a field has a space or a line end, which separate fields and lines. Nothing is appended
    /// then.
    pub fn write_cdx_line(
        &self,
        keys: &mut Canonicalizer<'_>,
        filename: &str,
        columns: CdxColumns,
        out: &mut String,
    ) -> Result<(), Error> {
        let start = out.len();
        let time = self.time()?;
        push_key(keys, self.url().as_deref().unwrap_or_default(), out);
        let fields = self.fields(filename);
        let of = |wanted: &str| fields.iter().find(|(name, _)| *name == wanted)?.1.as_deref();
        for name in columns.names() {
            let value = match *name {
                "timestamp" => Some(&*time),
                // Without the name of the algorithm.
                "digest" => of(name).map(|digest| digest.rsplit(':').next().unwrap_or_default()),
                _ => of(name),
            };
            out.push(' ');
            out.push_str(value.unwrap_or("-"));
        }
        let line = &out[start..];
        if line.split(' ').count() == columns.names().len() + 1 && !line.contains(['\n', '\r']) {
            return Ok(());
        }
        let error = error::CDX_FIELD.error().with_shown(crate::archives::warc::excerpt(line.as_bytes()));
        out.truncate(start);
        Err(error)
    }

    /// Returns the time of the visit in 14 digits.
    fn time(&self) -> Result<String, Error> {
        let date = self.record.date().unwrap_or_default();
        let (time, kind) = match self.record.is_arc {
            true => (time::of_arc(date), error::ARC_DATE),
            false => (time::digits(date), error::DATE),
        };
        time.ok_or_else(|| kind.error().with_shown(crate::archives::warc::excerpt(date)))
    }

    /// Returns the fields of an index beside key and time, in the order of CDXJ.
    fn fields<'v>(&'v self, filename: &'v str) -> [(&'static str, Option<Cow<'v, str>>); 7] {
        [
            ("url", self.url()),
            ("mime", self.mime()),
            ("status", self.http_status()),
            ("digest", self.digest.as_deref().map(Cow::Borrowed)),
            ("length", Some(Cow::Owned(self.length.to_string()))),
            ("offset", Some(Cow::Owned(self.offset.to_string()))),
            ("filename", Some(Cow::Borrowed(filename))),
        ]
    }

    /// Returns the status of a response.
    fn http_status(&self) -> Option<Cow<'_, str>> {
        let has_status = matches!(self.record.record_type, RecordType::Response | RecordType::Revisit);
        self.http.status.as_deref().filter(|_| has_status).map(text)
    }

    /// Returns the media type of the visited document, without its parameters.
    fn mime(&self) -> Option<Cow<'_, str>> {
        let value = match self.record.record_type {
            RecordType::Revisit => return Some(Cow::Borrowed("warc/revisit")),
            RecordType::Response | RecordType::Request => self.http.content_type.as_deref()?,
            _ => self.record.content_type()?,
        };
        let ends = |byte: &u8| *byte == b';' || byte.is_ascii_whitespace();
        Some(text(value.split(ends).next().unwrap_or_default()))
    }
}

fn push_member(name: &str, value: &str, out: &mut String) {
    out.push('"');
    out.push_str(name);
    out.push_str("\": ");
    push_text(value, out);
}

/// Returns bytes as text: as UTF-8 if valid, otherwise as ISO 8859-1, like warcio.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Returns a digest in base 32 (RFC 4648).
fn base32(digest: &[u8; 20]) -> String {
    const DIGITS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let groups = digest.as_chunks::<5>().0;
    // 5 bytes are 8 digits of 5 bits; 20 bytes are 4 such groups, so there is no padding.
    let bits = |group: &[u8; 5]| group.iter().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
    let digits = |group| (0..8).rev().map(move |place| DIGITS[(bits(group) >> (5 * place) & 31) as usize]);
    groups.iter().flat_map(digits).map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_in_base_32() {
        // The digest of the empty text, as archives write it.
        assert_eq!(base32(&Sha1::digest(b"").into()), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    }
}
