//! The records of a stored WARC or ARC file, one after the other across its members.

use std::io::{self, BufRead};

use urlid::Error;

use super::members::{Members, decode_error};
use super::reader::WarcReader;
use super::record::Record;
use crate::error;

/// Reads the records of a stored file. Reading ends after an error, unless [`StoredRecords::recover`] finds
/// further records.
#[derive(Debug)]
pub struct StoredRecords<R: BufRead> {
    /// The reader, which is at the current record.
    pub reader: WarcReader<Members<R>>,
    /// The offset of the current member, as stored.
    pub(super) member: u64,
    /// In a plain file, the offset of the last record that was read to its end.
    pub(super) last_record: u64,
    pub(super) is_over: bool,
}

impl<R: BufRead> StoredRecords<R> {
    /// Reads the records of `source`.
    ///
    /// # Errors
    /// If the first bytes cannot be read, or the dictionary in front of zstd frames is damaged.
    pub fn new(source: R) -> io::Result<Self> {
        let members = Members::new(source)?;
        let member = members.start();
        Ok(StoredRecords { reader: WarcReader::new(members), member, last_record: 0, is_over: false })
    }

    /// Reads the head of the next record and returns whether there is one.
    ///
    /// # Errors
    /// Once, after all records before it.
    pub fn next_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        if self.is_over {
            return Ok(false);
        }
        let read = self.read_record(record).map_err(|error| self.explained(error));
        self.is_over = !matches!(read, Ok(true));
        read
    }

    /// Reads the next record to its end and returns whether there is one.
    ///
    /// # Errors
    /// Once, after all records before it. `record` then has the fields that were read of the damaged record.
    pub fn next_whole_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        if !self.next_record(record)? {
            return Ok(false);
        }
        let end = self.reader.skip_to_record().map_err(|error| self.explained(error));
        self.is_over = end.is_err();
        end.map(|_| true)
    }

    fn read_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        loop {
            let before = self.reader.record_offset();
            let read = self.reader.next_record(record);
            if self.reader.record_offset() != before {
                self.last_record = before;
            }
            if read? {
                return Ok(true);
            }
            // The end of a member, to the reader the end of its source.
            self.member = self.reader.source().offset();
            let Some(member) = self.reader.source().next_member().map_err(error::read)? else {
                return Ok(false);
            };
            self.member = member;
            self.reader.resume();
        }
    }

    /// Returns the offset of the current member, as stored.
    pub fn member(&self) -> u64 {
        self.member
    }

    /// Returns the number of stored bytes that were read.
    pub fn stored_offset(&mut self) -> u64 {
        self.reader.source().offset()
    }

    /// Returns an error of the reader as an error of the current member, if a decoder caused it.
    pub fn explained(&self, error: Error) -> Error {
        decode_error(error, self.member)
    }
}
