//! A range of a source that is read at offsets, as a separate source.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Reads at an offset until the room is full or the end is reached, and returns the number of bytes read.
pub type ReadAt = Arc<dyn Fn(&mut [u8], u64) -> io::Result<usize> + Send + Sync>;

/// A range of a source that a function reads at offsets, with a separate position. It counts the bytes that
/// are read.
#[derive(Clone)]
pub struct Range {
    read_at: ReadAt,
    start: u64,
    length: u64,
    at: u64,
    read: Arc<AtomicU64>,
}

impl Range {
    /// Returns `length` bytes from `start`.
    pub fn new(read_at: ReadAt, start: u64, length: u64) -> Self {
        Range { read_at, start, length, at: 0, read: Arc::default() }
    }

    /// Counts the bytes that are read in `read`.
    #[must_use]
    pub fn counted(self, read: Arc<AtomicU64>) -> Self {
        Range { read, ..self }
    }

    /// Returns `length` bytes from an offset of this range, which may lie beyond its end.
    pub(crate) fn part(&self, start: u64, length: u64) -> Self {
        Range { start: self.start.saturating_add(start), length, at: 0, ..self.clone() }
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Range")
            .field("start", &self.start)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

impl Read for Range {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.length.saturating_sub(self.at).min(room.len() as u64) as usize;
        let n = (self.read_at)(&mut room[..len], self.start.saturating_add(self.at))?;
        self.at += n as u64;
        // Relaxed, because the count does not order any other memory.
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl Seek for Range {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
