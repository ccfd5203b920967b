//! The visits of a WARC or ARC file, each a record with its request.

use std::io::{self, BufRead, Seek};

use sha1::{Digest, Sha1};
use urlid::Error;

use super::request::{self, BodyRules, MAX_BODY};
use super::visit::{Entry, Visit};
use crate::payload::base32;
use crate::warc::http::HttpHead;
use crate::{Lost, Malformed, Record, RecordType, Records, StoredRecords};

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
    /// The error after a record that was held, which is returned first.
    error: Option<Error>,
    body: Vec<u8>,
    is_over: bool,
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

    /// Makes the method and the body of each request part of the key of its response, if the two records are
    /// side by side.
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
        // The entry beside that of the record that is held.
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

    /// Reads a record to its end and returns whether there was one: the next of the selected ones, or any if
    /// requests matter.
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
        entry.http = match record.has_http_head() {
            true => HttpHead::read(&mut self.stored.reader)?,
            false => HttpHead::default(),
        };
        let rules = self.rules.filter(|_| is_request && request::has_body(&entry.http.first));
        let has_no_payload = matches!(record.record_type, RecordType::Revisit | RecordType::Warcinfo);
        let has_digest = record.payload_digest().is_some_and(|digest| !digest.is_empty());
        // The stated digest is not checked; like cdxj-indexer, it is computed only where none is stated.
        let is_hashed = entry.is_wanted && !has_no_payload && !has_digest;
        let mut hasher = is_hashed.then(Sha1::new);
        self.body.clear();
        loop {
            // One byte more tells a body that is too long.
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
        entry.digest = hasher.map(|hasher| format!("sha1:{}", base32(&hasher.finalize())));
        entry.sent = rules.map(|rules| request::query(&entry.http, &self.body, rules));
        Ok(())
    }

    /// Reads to the end of the record. Returns its offset and length as stored.
    fn finish_record(&mut self, record: &Record) -> Result<(u64, u64), Error> {
        if !self.stored.reader.source().are_compressed() {
            // Without the empty lines after the record.
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
    /// After an error, moves to the next record after its place and returns the range between the two. At the
    /// end of the file there are no more visits.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn recover(&mut self) -> Result<Lost, Error> {
        self.held = None;
        self.ready.clear();
        self.error = None;
        self.is_over = true;
        // If this fails there are no more visits, so `is_over` stays.
        let lost = self.stored.recover()?;
        self.is_over = false;
        Ok(lost)
    }
}
