//! The records of a damaged archive, including the records after the damage.

use std::io::{self, BufReader, Read, Seek};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use urlid::Error;

use crate::error;
use crate::lines::archive::RecordSource;
use urlid_archives::{Lost, Record, StoredRecords};

/// The bytes that are read at once.
const BUFFER: usize = 64 << 10;

/// A range of an archive without a record that could be read.
#[derive(Debug)]
pub struct Loss {
    /// The name of the archive in a WACZ file.
    pub entry: Option<String>,
    /// The range, in bytes as stored.
    pub range: Lost,
    /// The error at its start.
    pub error: Error,
}

/// Called with each range of an input that is lost.
pub(crate) type OnLoss = Arc<Mutex<dyn FnMut(Loss) + Send>>;

/// Reads the records of an archive, and continues after damage.
pub(crate) struct Recovered<R: Read> {
    records: StoredRecords<BufReader<R>>,
    /// The name of the archive in a WACZ file.
    entry: Option<String>,
    on_loss: OnLoss,
    /// Set to the offset after the bytes that were read.
    offset: Arc<AtomicU64>,
}

impl<R: Read> Recovered<R> {
    /// Reads the records of `file`.
    ///
    /// # Errors
    /// If the first bytes cannot be read, or the dictionary in front of zstd frames is damaged.
    pub(crate) fn new(file: R, entry: Option<String>, on_loss: OnLoss) -> io::Result<Self> {
        let records = StoredRecords::new(BufReader::with_capacity(BUFFER, file))?;
        Ok(Recovered { records, entry, on_loss, offset: Arc::default() })
    }

    /// Stores the offset after the bytes that were read in `offset`.
    pub(crate) fn counted(self, offset: Arc<AtomicU64>) -> Self {
        Recovered { offset, ..self }
    }
}

impl<R: Read + Seek + Send> RecordSource for Recovered<R> {
    fn next_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        loop {
            // The record is read to its end first, because its URL may be wrong if the checksum of its member
            // differs.
            let read = self.records.next_whole_record(record);
            self.offset.store(self.records.stored_offset(), Ordering::Relaxed);
            match read {
                // A file that cannot be read is not damaged.
                Err(error) if !error.is(error::READ) => {
                    let range = self.records.recover()?;
                    let loss = Loss { entry: self.entry.clone(), range, error };
                    self.on_loss.lock().unwrap_or_else(PoisonError::into_inner)(loss);
                }
                read => return read,
            }
        }
    }

    fn is_ready(&mut self) -> bool {
        true
    }
}
