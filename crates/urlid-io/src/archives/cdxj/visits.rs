//! The visits of a WARC or ARC file: the data of the index line of each record.

use std::borrow::Cow;
use std::io::{self, BufRead, Seek};

use sha1::{Digest, Sha1};
use urlid::Error;
use urlid_canonical::Canonicalizer;

use super::json::push_text;
use super::layout::IndexLayout;
use super::request::{self, Appended, BodyFault, BodyRules, MAX_BODY};
use super::text;
use crate::archives::cdx::push_key;
use crate::archives::warc::http::HttpHead;
use crate::archives::{Lost, Malformed, Record, RecordType, Records, StoredRecords, time};
use crate::error;

/// Reads the visits of one WARC or ARC file.
#[derive(Debug)]
pub struct Visits<R: BufRead> {
    stored: StoredRecords<R>,
    records: Records,
    /// The rules for requests, if they are part of keys.
    rules: Option<BodyRules>,
    /// The record that is read, and the one before it where that may be its request or response.
    entries: [Entry; 2],
    /// The index in `entries` of the record that was read but belongs to no other yet.
    held: Option<usize>,
    /// The indexes in `entries` of records that are returned next, in reverse.
    ready: Vec<usize>,
    /// The error behind a record that was held.
    error: Option<Error>,
    body: Vec<u8>,
    is_over: bool,
}

/// The data of a record in an index.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a>(&'a Entry);

/// A record that was read to its end.
#[derive(Debug, Default)]
struct Entry {
    record: Record,
    http: HttpHead,
    /// The digest of the payload, where none is stated.
    digest: Option<String>,
    /// The body of a request as a query.
    sent: Option<Result<Option<String>, BodyFault>>,
    /// The text of the key, where it is not the URL.
    key: Option<Result<String, BodyFault>>,
    /// The request of a response: its body and its method.
    request: Option<(Option<String>, String)>,
    is_wanted: bool,
    offset: u64,
    length: u64,
}

impl<R: BufRead> Visits<R> {
    /// Reads the visits of `source` that are records of these types.
    ///
    /// # Errors
    /// If the first bytes cannot be read, or the dictionary in front of zstd frames is damaged.
    pub fn new(source: R, records: Records) -> io::Result<Self> {
        Ok(Visits {
            stored: StoredRecords::new(source)?,
            records,
            rules: None,
            entries: Default::default(),
            held: None,
            ready: Vec::new(),
            error: None,
            body: Vec::new(),
            is_over: false,
        })
    }

    /// Makes the method and the body of each request part of the key of its response, if the two records are side by side.
    #[must_use]
    pub fn with_requests(self, rules: BodyRules) -> Self {
        Visits { rules: Some(rules), ..self }
    }

    /// Returns the number of stored bytes that were read.
    pub fn bytes_read(&mut self) -> u64 {
        self.stored.stored_offset()
    }

    /// Returns the next visit, or `None` after the last one.
    ///
    /// # Errors
    /// Once, after all visits before it.
    pub fn next_visit(&mut self) -> Result<Option<Visit<'_>>, Error> {
        loop {
            while let Some(index) = self.ready.pop() {
                if self.entries[index].is_wanted {
                    return Ok(Some(Visit(&self.entries[index])));
                }
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if self.is_over {
                return Ok(None);
            }
            self.read_next();
        }
    }

    /// Reads a record, after which it, the one before it, both, or none of them are ready.
    fn read_next(&mut self) {
        let held = self.held.take();
        let index = held.map_or(0, |held| 1 - held);
        let mut entry = std::mem::take(&mut self.entries[index]);
        let read = self.read_entry(&mut entry).map_err(|error| self.stored.explained(error));
        self.entries[index] = entry;
        self.is_over = !matches!(read, Ok(true));
        self.error = read.err();
        if self.is_over {
            self.ready.extend(held);
            return;
        }
        let (Some(rules), [one, other]) = (self.rules, &mut self.entries) else {
            self.ready.push(index);
            return;
        };
        let (before, after) = if index == 1 { (one, other) } else { (other, one) };
        match held {
            Some(held) if before.join(after, rules) => self.ready.extend([index, held]),
            held => {
                self.ready.extend(held);
                self.held = Some(index);
            }
        }
    }

    /// Reads a record to its end and returns whether there was one: the next of the selected ones, or any if requests matter.
    fn read_entry(&mut self, entry: &mut Entry) -> Result<bool, Error> {
        loop {
            if !self.stored.next_record(&mut entry.record)? {
                return Ok(false);
            }
            let (kind, media_type) = (entry.record.record_type, entry.record.content_type());
            entry.key = None;
            entry.request = None;
            entry.sent = None;
            entry.is_wanted = self.records.contains(kind, media_type);
            let is_request = self.rules.is_some() && kind == RecordType::Request;
            if entry.is_wanted || is_request {
                self.read_content(entry, is_request)?;
            }
            (entry.offset, entry.length) = self.finish_record(&entry.record)?;
            if entry.is_wanted || self.rules.is_some() {
                return Ok(true);
            }
        }
    }

    /// Reads the head of HTTP, the body of a request, and computes the digest of a selected record.
    fn read_content(&mut self, entry: &mut Entry, is_request: bool) -> Result<(), Error> {
        let record = &entry.record;
        let is_http =
            matches!(record.record_type, RecordType::Response | RecordType::Revisit | RecordType::Request)
                && record.url().is_some_and(|url| url.starts_with(b"http:") || url.starts_with(b"https:"));
        entry.http = match is_http && record.length > 0 {
            true => HttpHead::read(&mut self.stored.reader)?,
            false => HttpHead::default(),
        };
        let rules = self.rules.filter(|_| is_request && request::has_body(&entry.http.method));
        let has_no_payload = matches!(record.record_type, RecordType::Revisit | RecordType::Warcinfo);
        let has_digest = record.payload_digest().is_some_and(|digest| !digest.is_empty());
        // The stated digest is not checked; like cdxj-indexer, it is computed only where none is stated.
        let mut hasher = (entry.is_wanted && !has_no_payload && !has_digest).then(Sha1::new);
        self.body.clear();
        loop {
            let room = if rules.is_some() { (MAX_BODY + 1).saturating_sub(self.body.len()) } else { 0 };
            if room == 0 && hasher.is_none() {
                break;
            }
            let piece = self.stored.reader.content()?;
            if piece.is_empty() {
                break;
            }
            if let Some(hasher) = &mut hasher {
                hasher.update(piece);
            }
            self.body.extend_from_slice(&piece[..piece.len().min(room)]);
            let len = piece.len();
            self.stored.reader.consume(len);
        }
        entry.digest = hasher.map(|hasher| format!("sha1:{}", base32(&hasher.finalize().into())));
        entry.sent = rules.map(|rules| request::query(&entry.http, &self.body, rules));
        Ok(())
    }

    /// Reads to the end of the record. Returns its offset and length as stored.
    fn finish_record(&mut self, record: &Record) -> Result<(u64, u64), Error> {
        if !self.stored.reader.source().are_compressed() {
            // Without the empty lines behind the record.
            while let len @ 1.. = self.stored.reader.content()?.len() {
                self.stored.reader.consume(len);
            }
            return Ok((record.offset, self.stored.reader.offset() - record.offset));
        }
        if self.stored.reader.skip_to_record()? {
            // An index names members, so a second record in one cannot be named.
            let repair = self.stored.reader.source().repair();
            return Err(self.stored.reader.malformed(Malformed::NotAlone { repair }));
        }
        let end = self.stored.reader.source().offset();
        Ok((self.stored.member(), end - self.stored.member()))
    }
}

impl<R: BufRead + Seek> Visits<R> {
    /// After an error, moves to the next record behind its place and returns the range between the two. At the end of the file
    /// there are no more visits.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn recover(&mut self) -> Result<Lost, Error> {
        self.held = None;
        self.ready.clear();
        self.error = None;
        self.is_over = true;
        let lost = self.stored.recover()?;
        self.is_over = false;
        Ok(lost)
    }
}

impl Entry {
    /// Makes the request among two records part of the key of the response, if `next` says that it was made together with the one
    /// before it. Returns whether the two are request and response.
    fn join(&mut self, next: &mut Self, rules: BodyRules) -> bool {
        // Also if both name nothing.
        if next.record.concurrent_to() != self.record.id() || next.url() != self.url() {
            return false;
        }
        let is_response = |kind| match rules {
            BodyRules::CdxjIndexer => kind == RecordType::Response,
            BodyRules::Pywb => kind != RecordType::Request,
        };
        let (request, response) = match (self.record.record_type, next.record.record_type) {
            (RecordType::Request, kind) if is_response(kind) => (self, next),
            (kind, RecordType::Request) if is_response(kind) => (next, self),
            _ => return false,
        };
        let url = request.url().unwrap_or_default().into_owned();
        let appended = request::appended(&url, &request.http.method, request.sent.take(), rules);
        if let Some(appended) = appended {
            request.key =
                Some(appended.as_ref().map(|appended| appended.key.clone()).map_err(|fault| *fault));
            (response.key, response.request) = match appended {
                Ok(Appended { key, method, body }) => (Some(Ok(key)), Some((body, method))),
                Err(fault) => (Some(Err(fault)), None),
            };
        }
        true
    }

    /// Returns the URL with its spaces as `%20`.
    fn url(&self) -> Option<Cow<'_, str>> {
        let url = text(self.record.url()?);
        Some(if url.contains(' ') { Cow::Owned(url.replace(' ', "%20")) } else { url })
    }
}

impl Visit<'_> {
    /// Returns the number of the record in its file, from 1.
    pub fn number(&self) -> u64 {
        self.0.record.number
    }

    /// Returns the URL with its spaces as `%20`.
    pub fn url(&self) -> Option<Cow<'_, str>> {
        self.0.url()
    }

    /// Appends the line of an index of this layout, without its line end. `filename` is the name of the archive in it.
    ///
    /// # Errors
    /// If the record lacks a date, if the body of its request cannot be read, or if a field of CDX has a space or a line end, which
    /// separate fields and lines. Nothing is appended then.
    pub fn write_line(
        &self,
        keys: &mut Canonicalizer<'_>,
        filename: &str,
        layout: IndexLayout,
        out: &mut String,
    ) -> Result<(), Error> {
        let time = self.time()?;
        let key = match &self.0.key {
            None => self.url().unwrap_or_default(),
            Some(Ok(key)) => Cow::Borrowed(key.as_str()),
            Some(Err(fault)) => return Err(error::BODY.error().with_shown(fault)),
        };
        let start = out.len();
        push_key(keys, &key, out);
        out.push(' ');
        out.push_str(&time);
        out.push(' ');
        if layout == IndexLayout::Cdxj {
            self.push_json(filename, out);
            return Ok(());
        }
        self.push_fields(filename, layout.names(), out);
        let line = &out[start..];
        if line.split(' ').count() == layout.names().len() + 2 && !line.contains(['\n', '\r']) {
            return Ok(());
        }
        let error = error::CDX_FIELD.error().with_shown(crate::archives::warc::excerpt(line.as_bytes()));
        out.truncate(start);
        Err(error)
    }

    /// Appends the fields as JSON.
    fn push_json(&self, filename: &str, out: &mut String) {
        let mut separator = "{";
        let mut push = |name: &str, value: Option<&str>| {
            out.push_str(separator);
            separator = ", ";
            out.push('"');
            out.push_str(name);
            out.push_str("\": ");
            match value {
                Some(value) => push_text(value, out),
                None => out.push_str("null"),
            }
        };
        for name in IndexLayout::Cdxj.names() {
            if let Some(value) = self.field(name, filename) {
                push(name, Some(&value));
            }
        }
        if let Some((body, method)) = &self.0.request {
            push("requestBody", body.as_deref());
            push("method", Some(method));
        }
        out.push('}');
    }

    /// Appends the fields with these names, with a space between two.
    fn push_fields(&self, filename: &str, names: &[&str], out: &mut String) {
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            let value = self.field(name, filename);
            out.push_str(match (*name, value.as_deref().unwrap_or("-")) {
                // Without the name of the algorithm.
                ("digest", digest) => digest.rsplit(':').next().unwrap_or_default(),
                (_, value) => value,
            });
        }
    }

    /// Returns the time of the visit in 14 digits.
    fn time(&self) -> Result<String, Error> {
        let date = self.0.record.date().unwrap_or_default();
        let (time, kind) = match self.0.record.is_arc {
            true => (time::of_arc(date), error::ARC_DATE),
            false => (time::digits(date), error::DATE),
        };
        time.ok_or_else(|| kind.error().with_shown(crate::archives::warc::excerpt(date)))
    }

    /// Returns a field of an index.
    fn field<'v>(&'v self, name: &str, filename: &'v str) -> Option<Cow<'v, str>> {
        let stated = || self.0.record.payload_digest().map(text).filter(|digest| !digest.is_empty());
        match name {
            "url" => self.url(),
            "mime" => self.mime(),
            "status" => self.http_status(),
            "digest" => stated().or(self.0.digest.as_deref().map(Cow::Borrowed)),
            "length" => Some(Cow::Owned(self.0.length.to_string())),
            "offset" => Some(Cow::Owned(self.0.offset.to_string())),
            "filename" => Some(Cow::Borrowed(filename)),
            _ => None,
        }
    }

    /// Returns the status of a response.
    fn http_status(&self) -> Option<Cow<'_, str>> {
        let has_status = matches!(self.0.record.record_type, RecordType::Response | RecordType::Revisit);
        self.0.http.status.as_deref().filter(|_| has_status).map(text)
    }

    /// Returns the media type of the visited document, without its parameters.
    fn mime(&self) -> Option<Cow<'_, str>> {
        let value = match self.0.record.record_type {
            RecordType::Revisit => return Some(Cow::Borrowed("warc/revisit")),
            RecordType::Response | RecordType::Request => self.0.http.content_type.as_deref()?,
            _ => self.0.record.content_type()?,
        };
        let ends = |byte: &u8| *byte == b';' || byte.is_ascii_whitespace();
        Some(text(value.split(ends).next().unwrap_or_default()))
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
