//! Sorted runs of rows, all in one unnamed file.
//!
//! The file is made in the directory of the result and vanishes with the process, however that ends. All runs share it and are
//! read at offsets, so a sort of any size has one file open. A row is its identifier (32 bytes), the length of its text (4 bytes,
//! little-endian) and its text.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use crate::files::read_exact_at;

/// The key that rows are ordered by before their texts, as bytes.
pub type Key = [u8; 32];

/// The bytes of a row before its text: identifier and length.
const HEAD_LEN: usize = 36;
/// The bytes that are collected before they are written to the file.
const WRITE_BUFFER: usize = 1 << 20;

/// Appends a row to a buffer.
pub fn put(buffer: &mut Vec<u8>, id: &Key, url: &str) {
    buffer.extend_from_slice(id);
    let len = u32::try_from(url.len()).expect("lines are capped long before 4 GiB");
    buffer.extend_from_slice(&len.to_le_bytes());
    buffer.extend_from_slice(url.as_bytes());
}

/// Splits the first row off a buffer: its key, its text and the rest. Returns `None` if the buffer has no whole row.
pub fn take(buffer: &[u8]) -> Option<(&Key, &[u8], &[u8])> {
    let (id, rest) = buffer.split_first_chunk::<32>()?;
    let (len, rest) = rest.split_first_chunk::<4>()?;
    let (url, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    Some((id, url, rest))
}

/// Writes runs one after the other.
#[derive(Debug)]
pub struct RunWriter {
    file: File,
    buffer: Vec<u8>,
    /// Bytes written to the file or still in the buffer.
    len: u64,
    /// The offset at which the current run begins.
    start: u64,
    rows: u64,
    done: Vec<Run>,
}

/// The place of a run in its file: offsets of its first byte and behind its last, and the number of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    start: u64,
    end: u64,
    rows: u64,
}

/// Complete runs, in the order in which they were written.
#[derive(Debug)]
pub struct Runs {
    /// All runs, one after the other. It has no name, and readers share it.
    pub file: Arc<File>,
    /// The place of each run in the file.
    pub places: Vec<Run>,
}

impl RunWriter {
    /// Makes an empty file in `directory`.
    pub fn create(directory: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(directory)?;
        Ok(Self { file, buffer: Vec::new(), len: 0, start: 0, rows: 0, done: Vec::new() })
    }

    /// Adds a row to the current run. Rows must come in order, each once.
    pub fn push(&mut self, id: &Key, url: &str) -> io::Result<()> {
        let before = self.buffer.len();
        put(&mut self.buffer, id, url);
        self.len += (self.buffer.len() - before) as u64;
        self.rows += 1;
        if self.buffer.len() >= WRITE_BUFFER { self.write() } else { Ok(()) }
    }

    /// Ends the current run; the next row begins another. An empty run is not kept.
    pub fn end_run(&mut self) {
        if self.rows > 0 {
            self.done.push(Run { start: self.start, end: self.len, rows: self.rows });
        }
        (self.start, self.rows) = (self.len, 0);
    }

    /// Writes rows as one run.
    pub fn push_run<'r>(&mut self, rows: impl IntoIterator<Item = (&'r Key, &'r str)>) -> io::Result<()> {
        rows.into_iter().try_for_each(|(id, url)| self.push(id, url))?;
        self.end_run();
        Ok(())
    }

    /// Returns the number of rows of all runs.
    pub fn rows(&self) -> u64 {
        self.done.iter().map(|run| run.rows).sum()
    }

    /// Ends the current run, writes the buffer and returns all runs.
    pub fn finish(mut self) -> io::Result<Runs> {
        self.end_run();
        self.write()?;
        Ok(Runs { file: Arc::new(self.file), places: self.done })
    }

    fn write(&mut self) -> io::Result<()> {
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// Reads a run row by row.
#[derive(Debug)]
pub struct RunReader {
    file: Arc<File>,
    /// The offset in the file of the first byte behind the buffer.
    offset: u64,
    /// The offset behind the last byte of the run.
    end: u64,
    buffer: Vec<u8>,
    buffer_len: usize,
    /// The place of the current row in the buffer; `len` is 0 behind the last row.
    start: usize,
    len: usize,
}

impl RunReader {
    /// Opens a run at its first row, with a buffer of about `buffer_len` bytes.
    pub fn open(file: &Arc<File>, run: Run, buffer_len: usize) -> io::Result<Self> {
        let mut reader = Self {
            file: Arc::clone(file),
            offset: run.start,
            end: run.end,
            buffer: Vec::new(),
            buffer_len,
            start: 0,
            len: 0,
        };
        reader.advance()?;
        Ok(reader)
    }

    /// Returns the current row, or `None` behind the last one.
    pub fn row(&self) -> Option<(&Key, &[u8])> {
        let (id, url, _) = take(&self.buffer[self.start..self.start + self.len])?;
        Some((id, url))
    }

    /// Moves to the next row.
    pub fn advance(&mut self) -> io::Result<()> {
        self.start += self.len;
        self.len = 0;
        // Rows never cross the end of a run, so an empty rest of the buffer there is the regular end.
        if self.start == self.buffer.len() && self.offset == self.end {
            return Ok(());
        }
        self.fill(HEAD_LEN)?;
        let head = &self.buffer[self.start..];
        let len = u32::from_le_bytes([head[32], head[33], head[34], head[35]]) as usize;
        self.fill(HEAD_LEN + len)?;
        self.len = HEAD_LEN + len;
        Ok(())
    }

    /// Reads until the buffer has at least `wanted` bytes from `start` on.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let left = self.buffer.len() - self.start;
        if left >= wanted {
            return Ok(());
        }
        // The rest of the last block moves to the front; a row longer than the buffer makes it grow.
        self.buffer.drain(..self.start);
        self.start = 0;
        let more = (self.buffer_len.max(wanted) - left) as u64;
        let more = more.min(self.end - self.offset) as usize;
        // Only a failing disk gets here: nobody else can open a file without a name.
        if left + more < wanted {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a run of the sort ends too early"));
        }
        self.buffer.resize(left + more, 0);
        read_exact_at(&self.file, &mut self.buffer[left..], self.offset)?;
        self.offset += more as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_with_any_buffer() {
        let directory = tempfile::tempdir().expect("a directory");
        let rows: Vec<(Key, String)> = (0..1000_u32)
            .map(|n| {
                let mut id = [0; 32];
                id[..4].copy_from_slice(&n.to_be_bytes());
                (id, "u".repeat(n as usize % 300))
            })
            .collect();
        let mut runs = RunWriter::create(directory.path()).expect("creates");
        for part in rows.chunks(300) {
            runs.push_run(part.iter().map(|(id, url)| (id, url.as_str()))).expect("writes");
        }
        assert_eq!(runs.rows(), 1000);
        let Runs { file, places: runs } = runs.finish().expect("writes");
        assert_eq!(runs.len(), 4);
        for buffer_len in [0, 1, 37, 64, 100, 1000, 1 << 20] {
            for (run, part) in runs.iter().zip(rows.chunks(300)) {
                let mut reader = RunReader::open(&file, *run, buffer_len).expect("reads");
                for (id, url) in part {
                    assert_eq!(reader.row(), Some((id, url.as_bytes())));
                    reader.advance().expect("steps");
                }
                assert_eq!(reader.row(), None);
                reader.advance().expect("stays at the end");
                assert_eq!(reader.row(), None);
            }
        }
        let names = || std::fs::read_dir(directory.path()).expect("lists").count();
        // On Windows a file has a name as long as it is open.
        assert_eq!(names(), usize::from(cfg!(windows)));
        drop(file);
        assert_eq!(names(), 0);
    }

    #[test]
    fn a_run_cut_short_is_an_error() {
        let directory = tempfile::tempdir().expect("a directory");
        let id = [1; 32];
        let mut runs = RunWriter::create(directory.path()).expect("creates");
        runs.push_run([(&id, "abc"), (&id, "def")]).expect("writes");
        let Runs { file, places: runs } = runs.finish().expect("writes");
        file.set_len(60).expect("cuts");
        let read = RunReader::open(&file, runs[0], 39).and_then(|mut reader| reader.advance());
        assert_eq!(read.expect_err("the second row is cut").kind(), io::ErrorKind::UnexpectedEof);
    }
}
