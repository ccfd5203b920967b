//! A sorted run of rows in a file without a name.
//!
//! The file is made in the directory of the index and vanishes with the process, however that ends. A row is its
//! identifier, the length of its text (4 bytes, little-endian) and its text. Runs are read by `merge`.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::id::Id;

const HEAD_LEN: usize = 36;
const WRITE_BUFFER: usize = 1 << 20;

/// Writes rows one behind the other into a buffer.
pub(crate) fn put(buffer: &mut Vec<u8>, id: &Id, url: &str) {
    buffer.extend_from_slice(id);
    let len = u32::try_from(url.len()).expect("lines are capped long before 4 GiB");
    buffer.extend_from_slice(&len.to_le_bytes());
    buffer.extend_from_slice(url.as_bytes());
}

/// Takes the first row of a buffer and returns it with the rest, or nothing if no whole row is there.
pub(crate) fn take(buffer: &[u8]) -> Option<(&Id, &[u8], &[u8])> {
    let (id, rest) = buffer.split_first_chunk::<32>()?;
    let (len, rest) = rest.split_first_chunk::<4>()?;
    let (url, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    Some((id, url, rest))
}

/// A run that is written.
#[derive(Debug)]
pub(crate) struct Run {
    file: File,
    rows: u64,
}

impl Run {
    /// Writes sorted rows into a new file in `directory`.
    pub(crate) fn write<'r>(
        directory: &Path,
        rows: impl IntoIterator<Item = (&'r Id, &'r str)>,
    ) -> io::Result<Self> {
        let mut writer = RunWriter::new(directory)?;
        for (id, url) in rows {
            writer.push(id, url)?;
        }
        writer.finish()
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Reads the run from its beginning with a buffer of `buffer_len` bytes.
    pub(crate) fn read(mut self, buffer_len: usize) -> io::Result<RunReader> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut reader = RunReader {
            file: self.file,
            buffer: Vec::with_capacity(buffer_len.max(HEAD_LEN)),
            start: 0,
            len: 0,
            left: self.rows,
        };
        reader.advance()?;
        Ok(reader)
    }
}

/// A run that is being written.
#[derive(Debug)]
pub(crate) struct RunWriter {
    file: File,
    buffer: Vec<u8>,
    rows: u64,
}

impl RunWriter {
    pub(crate) fn new(directory: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(directory)?;
        Ok(Self { file, buffer: Vec::with_capacity(WRITE_BUFFER + (1 << 16)), rows: 0 })
    }

    pub(crate) fn push(&mut self, id: &Id, url: &str) -> io::Result<()> {
        put(&mut self.buffer, id, url);
        self.rows += 1;
        if self.buffer.len() >= WRITE_BUFFER {
            self.file.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<Run> {
        self.file.write_all(&self.buffer)?;
        Ok(Run { file: self.file, rows: self.rows })
    }
}

/// A run that is being read; stands on a row until the run is over.
#[derive(Debug)]
pub(crate) struct RunReader {
    file: File,
    buffer: Vec<u8>,
    start: usize,
    len: usize,
    left: u64,
}

impl RunReader {
    /// Returns the row that the reader stands on, or nothing behind the last one.
    pub(crate) fn row(&self) -> Option<(&Id, &[u8])> {
        let (id, url, _) = take(&self.buffer[self.start..self.start + self.len])?;
        Some((id, url))
    }

    /// Steps to the next row.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        self.start += self.len;
        self.len = 0;
        if self.left == 0 {
            return Ok(());
        }
        self.fill(HEAD_LEN)?;
        let head = &self.buffer[self.start..];
        let len = u32::from_le_bytes([head[32], head[33], head[34], head[35]]) as usize;
        self.fill(HEAD_LEN + len)?;
        self.len = HEAD_LEN + len;
        self.left -= 1;
        Ok(())
    }

    /// Makes at least `wanted` bytes stand behind `start`.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.buffer.len() - self.start >= wanted {
            return Ok(());
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        let room = self.buffer.capacity().max(wanted) - self.buffer.len();
        (&mut self.file).take(room as u64).read_to_end(&mut self.buffer)?;
        if self.buffer.len() < wanted {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a run of the sort ends too early"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_with_any_buffer() {
        let directory = tempfile::tempdir().expect("a directory");
        let rows: Vec<(Id, String)> = (0..1000_u32)
            .map(|n| {
                let mut id = [0; 32];
                id[..4].copy_from_slice(&n.to_be_bytes());
                (id, "u".repeat(n as usize % 300))
            })
            .collect();
        for buffer_len in [0, 1, 37, 64, 100, 1000, 1 << 20] {
            let run = Run::write(directory.path(), rows.iter().map(|(id, url)| (id, url.as_str())))
                .expect("writes");
            assert_eq!(run.rows(), 1000);
            let mut reader = run.read(buffer_len).expect("reads");
            for (id, url) in &rows {
                assert_eq!(reader.row(), Some((id, url.as_bytes())));
                reader.advance().expect("steps");
            }
            assert_eq!(reader.row(), None);
            reader.advance().expect("stays at the end");
            assert_eq!(reader.row(), None);
        }
        assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 0);
    }

    #[test]
    fn a_run_cut_short_is_an_error() {
        let directory = tempfile::tempdir().expect("a directory");
        let id = [1; 32];
        let run = Run::write(directory.path(), [(&id, "abc"), (&id, "def")]).expect("writes");
        run.file.set_len(60).expect("cuts");
        let mut reader = run.read(1 << 10).expect("reads the first row");
        assert_eq!(reader.advance().expect_err("the second is cut").kind(), io::ErrorKind::UnexpectedEof);
    }
}
