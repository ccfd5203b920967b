//! A range of a file as a source of its own.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::read_at;

/// A range of a file, whose own position stays where it is. It counts the bytes that are read.
#[derive(Clone, Debug)]
pub(crate) struct FileRange {
    file: Arc<File>,
    start: u64,
    length: u64,
    at: u64,
    read: Arc<AtomicU64>,
}

impl FileRange {
    /// Returns `length` bytes from `start`.
    pub(crate) fn new(file: Arc<File>, start: u64, length: u64) -> Self {
        FileRange { file, start, length, at: 0, read: Arc::default() }
    }

    /// Counts the bytes that are read in `read`.
    pub(crate) fn counted(self, read: Arc<AtomicU64>) -> Self {
        FileRange { read, ..self }
    }
}

impl Read for FileRange {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.length.saturating_sub(self.at).min(room.len() as u64) as usize;
        let n = read_at(&self.file, &mut room[..len], self.start.saturating_add(self.at))?;
        self.at += n as u64;
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl Seek for FileRange {
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
