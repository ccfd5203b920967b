//! Sorted runs of rows, in unnamed files or in memory. A reader can start at about every thousandth row.
//!
//! A file is made in the directory of the result and vanishes when the process ends, for whatever reason. All
//! runs of a writer share the file and are read at offsets, so a sort of any size has one file open. A row is
//! the length of its bytes (4 bytes, little-endian) and its bytes.

use std::fs::File;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use urlid_io::files::read_exact_at;

/// The bytes of a row's length.
const LEN: usize = 4;
/// Rows between two samples.
const SAMPLE_ROWS: u64 = 1_024;
/// The bytes that are collected before they are written to the file.
const WRITE_BUFFER: usize = 1 << 20;

/// A kind of rows: their order, and their bytes in a run. Every row has at least one byte, and only equal
/// rows have the same bytes.
pub trait SortRow {
    /// A row, which may borrow from the bytes of a run.
    type Row<'r>: Copy + Ord;

    /// Appends the bytes of a row.
    fn write(row: Self::Row<'_>, bytes: &mut Vec<u8>);

    /// Reads a row from its bytes, and returns `None` if they are not a row.
    fn read(bytes: &[u8]) -> Option<Self::Row<'_>>;
}

/// The key of a row of [`KeyedRow`].
pub type SortKey = [u8; 32];

/// Rows of a key and a text, which are ordered by the key, then by the text.
#[derive(Debug)]
pub enum KeyedRow {}

impl SortRow for KeyedRow {
    type Row<'r> = (&'r SortKey, &'r [u8]);

    fn write((key, text): Self::Row<'_>, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(text);
    }

    fn read(bytes: &[u8]) -> Option<Self::Row<'_>> {
        bytes.split_first_chunk()
    }
}

/// Appends a row and its length to a buffer.
pub fn put<R: SortRow>(buffer: &mut Vec<u8>, row: R::Row<'_>) {
    let start = buffer.len();
    buffer.extend_from_slice(&[0; LEN]);
    R::write(row, buffer);
    let len = u32::try_from(buffer.len() - start - LEN).expect("lines are capped long before 4 GiB");
    buffer[start..start + LEN].copy_from_slice(&len.to_le_bytes());
}

/// Splits the first row off a buffer. Returns `None` if the buffer has no whole row.
pub fn take<R: SortRow>(buffer: &[u8]) -> Option<(R::Row<'_>, &[u8])> {
    let (len, rest) = buffer.split_first_chunk::<LEN>()?;
    let (row, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    Some((R::read(row)?, rest))
}

/// Rows in one place of a file, in the order of their keys.
#[derive(Clone, Debug)]
pub struct SortedRun {
    place: RunPlace,
    start: u64,
    end: u64,
    rows: u64,
    /// The bytes of every 1,024th row from the first on, and the offset of the row.
    samples: Arc<[(Box<[u8]>, u64)]>,
}

/// The storage of a run, which may hold further runs.
#[derive(Clone, Debug)]
enum RunPlace {
    Memory(Arc<Vec<u8>>),
    File(Arc<File>),
}

impl SortedRun {
    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

/// Writes runs one after the other.
#[derive(Debug)]
pub struct RunWriter<R> {
    /// The file. Without one, each run stays in memory.
    file: Option<Arc<File>>,
    buffer: Vec<u8>,
    /// Bytes written to the file or still in the buffer.
    len: u64,
    /// The start offset of the current run.
    start: u64,
    rows: u64,
    samples: Vec<(Box<[u8]>, u64)>,
    done: Vec<SortedRun>,
    kind: PhantomData<R>,
}

impl<R: SortRow> RunWriter<R> {
    /// Makes an empty file in `directory`.
    pub fn create(directory: &Path) -> io::Result<Self> {
        let file = Some(Arc::new(tempfile::tempfile_in(directory)?));
        Ok(Self { file, ..Self::in_memory(0) })
    }

    /// Makes a writer of runs in memory. The first run has a capacity of `capacity` bytes.
    pub fn in_memory(capacity: usize) -> Self {
        Self {
            file: None,
            buffer: Vec::with_capacity(capacity),
            len: 0,
            start: 0,
            rows: 0,
            samples: Vec::new(),
            done: Vec::new(),
            kind: PhantomData,
        }
    }

    /// Adds a row to the current run. Rows must come in order, each once.
    pub fn push(&mut self, row: R::Row<'_>) -> io::Result<()> {
        let before = self.buffer.len();
        put::<R>(&mut self.buffer, row);
        if self.rows.is_multiple_of(SAMPLE_ROWS) {
            self.samples.push((self.buffer[before + LEN..].into(), self.len));
        }
        self.len += (self.buffer.len() - before) as u64;
        self.rows += 1;
        if self.buffer.len() >= WRITE_BUFFER { self.write() } else { Ok(()) }
    }

    /// Ends the current run, and the next row starts a new one. An empty run is dropped.
    pub fn end_run(&mut self) {
        if self.rows > 0 {
            let (start, end, rows) = (self.start, self.len, self.rows);
            let samples = std::mem::take(&mut self.samples).into();
            let place = match &self.file {
                Some(file) => RunPlace::File(Arc::clone(file)),
                None => {
                    // Each run in memory has its own buffer, so its offsets start at 0.
                    self.len = 0;
                    RunPlace::Memory(Arc::new(std::mem::take(&mut self.buffer)))
                }
            };
            self.done.push(SortedRun { place, start, end, rows, samples });
        }
        (self.start, self.rows) = (self.len, 0);
    }

    /// Writes rows as one run.
    pub fn push_run<'r>(&mut self, rows: impl IntoIterator<Item = R::Row<'r>>) -> io::Result<()> {
        rows.into_iter().try_for_each(|row| self.push(row))?;
        self.end_run();
        Ok(())
    }

    /// Returns the number of rows of all complete runs.
    pub fn rows(&self) -> u64 {
        self.done.iter().map(SortedRun::rows).sum()
    }

    /// Ends the current run, writes the buffer and returns all runs, in the order in which they were written.
    pub fn finish(mut self) -> io::Result<Vec<SortedRun>> {
        self.end_run();
        self.write()?;
        Ok(self.done)
    }

    fn write(&mut self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        (&**file).write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// A range of rows, from a first row to an end row (exclusive). Both are the bytes of rows.
#[derive(Clone, Debug, Default)]
pub struct RowRange {
    from: Option<Arc<[u8]>>,
    before: Option<Arc<[u8]>>,
}

impl RowRange {
    /// Returns ranges that divide the rows of runs into parts of about `rows` rows, and rarely more.
    pub fn divide<R: SortRow>(runs: &[SortedRun], rows: u64) -> Vec<Self> {
        let samples = runs.iter().flat_map(|run| run.samples.iter().map(|(row, _)| &**row));
        let mut samples: Vec<&[u8]> = samples.collect();
        samples.sort_unstable_by(|a, b| R::read(a).cmp(&R::read(b)));
        // A sample represents the rows up to the next sample of its run, so a range may have that many extra
        // rows from each run.
        let step = (rows / SAMPLE_ROWS).saturating_sub(runs.len() as u64).max(1) as usize;
        let mut bounds: Vec<Arc<[u8]>> =
            samples.into_iter().skip(step).step_by(step).map(Arc::from).collect();
        // Runs may share a sample, and a range between equal bounds would be empty.
        bounds.dedup();
        let starts = std::iter::once(None).chain(bounds.iter().cloned().map(Some));
        let ends = bounds.iter().cloned().map(Some).chain([None]);
        starts.zip(ends).map(|(from, before)| Self { from, before }).collect()
    }
}

/// The bytes of a run that are in memory.
#[derive(Debug)]
enum Buffer {
    /// All of the range, of a run in memory.
    Whole(Arc<Vec<u8>>),
    /// A block of the range, of a run in a file.
    Block(Arc<File>, Vec<u8>),
}

impl Buffer {
    fn bytes(&self) -> &[u8] {
        match self {
            Buffer::Whole(bytes) => bytes,
            Buffer::Block(_, bytes) => bytes,
        }
    }
}

/// Reads the rows of a run that are in a range.
#[derive(Debug)]
pub struct RunReader<R> {
    buffer: Buffer,
    /// The end of the buffer as an offset in the run's file or memory.
    offset: u64,
    /// The end of the bytes that are read.
    end: u64,
    buffer_len: usize,
    /// The offset of the current row in the buffer, including its length. `len` is 0 after the last row.
    start: usize,
    len: usize,
    /// From this offset on, rows are compared with the end of the range.
    check_from: u64,
    range_end: Option<Arc<[u8]>>,
    kind: PhantomData<R>,
}

impl<R: SortRow> RunReader<R> {
    /// Opens a run at its first row in a range, with a buffer of about `buffer_len` bytes.
    pub fn open(run: &SortedRun, range: &RowRange, buffer_len: usize) -> io::Result<Self> {
        let samples = &run.samples;
        // Reading starts at the last sample that is not after the start of the range, and stops at the first
        // sample that is not before its end. Only the rows between these samples and the bounds are compared,
        // below and in `advance`.
        let from = range.from.as_deref();
        let start = from.map_or(0, |from| samples.partition_point(|(row, _)| R::read(row) <= R::read(from)));
        let start = start.checked_sub(1).map_or(run.start, |index| samples[index].1);
        let (mut check_from, mut end) = (run.end, run.end);
        if let Some(before) = &range.before {
            let after = samples.partition_point(|(row, _)| R::read(row) < R::read(before));
            end = samples.get(after).map_or(run.end, |(_, offset)| *offset);
            check_from = after.checked_sub(1).map_or(run.start, |index| samples[index].1);
        }
        let (offset, start, buffer) = match &run.place {
            RunPlace::Memory(bytes) => (end, start.min(end) as usize, Buffer::Whole(Arc::clone(bytes))),
            RunPlace::File(file) => (start.min(end), 0, Buffer::Block(Arc::clone(file), Vec::new())),
        };
        let range_end = range.before.clone();
        let kind = PhantomData;
        let mut reader = Self { buffer, offset, end, buffer_len, start, len: 0, check_from, range_end, kind };
        reader.advance()?;
        if let Some(from) = from {
            while reader.row().is_some_and(|row| Some(row) < R::read(from)) {
                reader.advance()?;
            }
        }
        Ok(reader)
    }

    /// Returns the bytes of the current row. They are empty after the last row.
    pub fn bytes(&self) -> &[u8] {
        self.buffer.bytes().get(self.start + LEN..self.start + self.len).unwrap_or_default()
    }

    /// Returns the current row, or `None` after the last one. A row that cannot be read is an error.
    /// Otherwise it would look like the end of the run, and the rows after it would be lost.
    pub fn current(&self) -> io::Result<Option<R::Row<'_>>> {
        match self.row() {
            None if self.len > 0 => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "a run of the sort is damaged"))
            }
            row => Ok(row),
        }
    }

    /// Returns the row of a successful [`current`](Self::current), for comparisons.
    pub(super) fn row(&self) -> Option<R::Row<'_>> {
        if self.len == 0 { None } else { R::read(self.bytes()) }
    }

    /// Moves to the next row.
    pub fn advance(&mut self) -> io::Result<()> {
        self.start += self.len;
        self.len = 0;
        // Rows never cross the end of a range, so an empty rest of the buffer at this point is the regular
        // end.
        let offset = self.offset - self.left() as u64;
        if offset >= self.end {
            return Ok(());
        }
        self.fill(LEN)?;
        let len = self.buffer.bytes()[self.start..].first_chunk().copied().unwrap_or_default();
        let len = LEN + u32::from_le_bytes(len) as usize;
        self.fill(len)?;
        self.len = len;
        if offset >= self.check_from
            && let Some(range_end) = &self.range_end
            && self.row() >= R::read(range_end)
        {
            (self.len, self.end) = (0, offset);
        }
        Ok(())
    }

    /// Returns the number of bytes from the current row to the end of the buffer, or of the range.
    fn left(&self) -> usize {
        match &self.buffer {
            Buffer::Whole(_) => self.offset as usize - self.start,
            Buffer::Block(_, bytes) => bytes.len() - self.start,
        }
    }

    /// Reads until the buffer has at least `wanted` bytes from `start` on.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let left = self.left();
        if left >= wanted {
            return Ok(());
        }
        // Only a failing disk gets here, because other processes cannot open an unnamed file.
        let ends_early = || io::Error::new(io::ErrorKind::UnexpectedEof, "a run of the sort ends too early");
        let Buffer::Block(file, buffer) = &mut self.buffer else { return Err(ends_early()) };
        // The rest of the last block moves to the front. A row that is longer than the buffer makes the
        // buffer grow.
        buffer.drain(..self.start);
        self.start = 0;
        let more = (self.buffer_len.max(wanted) - left) as u64;
        let more = more.min(self.end - self.offset) as usize;
        if left + more < wanted {
            return Err(ends_early());
        }
        buffer.resize(left + more, 0);
        read_exact_at(file, &mut buffer[left..], self.offset)?;
        self.offset += more as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Reader = RunReader<KeyedRow>;

    fn rows() -> Vec<(SortKey, String)> {
        let row = |n: u32| {
            let mut id = [0; 32];
            id[..4].copy_from_slice(&n.to_be_bytes());
            (id, "u".repeat(n as usize % 300))
        };
        (0..10_000).map(row).collect()
    }

    fn write(mut runs: RunWriter<KeyedRow>, rows: &[(SortKey, String)], run_rows: usize) -> Vec<SortedRun> {
        for part in rows.chunks(run_rows) {
            runs.push_run(part.iter().map(|(id, url)| (id, url.as_bytes()))).expect("writes");
        }
        assert_eq!(runs.rows(), rows.len() as u64);
        runs.finish().expect("writes")
    }

    #[test]
    fn written_rows_are_read_back_with_any_buffer() {
        let directory = tempfile::tempdir().expect("a directory");
        let rows = rows();
        let in_file = write(RunWriter::create(directory.path()).expect("creates"), &rows, 3_000);
        let in_memory = write(RunWriter::in_memory(100), &rows, 3_000);
        assert_eq!((in_file.len(), in_memory.len()), (4, 4));
        for buffer_len in [0, 1, 37, 64, 100, 1000, 1 << 20] {
            for runs in [&in_file, &in_memory] {
                for (run, part) in runs.iter().zip(rows.chunks(3_000)) {
                    let mut reader = Reader::open(run, &RowRange::default(), buffer_len).expect("reads");
                    for (id, url) in part {
                        assert_eq!(reader.row(), Some((id, url.as_bytes())));
                        reader.advance().expect("steps");
                    }
                    assert_eq!(reader.row(), None);
                    reader.advance().expect("stays at the end");
                    assert_eq!(reader.row(), None);
                }
            }
        }
        let names = || std::fs::read_dir(directory.path()).expect("lists").count();
        // On Windows a file has a name as long as it is open.
        assert_eq!(names(), usize::from(cfg!(windows)));
        drop(in_file);
        assert_eq!(names(), 0);
    }

    #[test]
    fn each_row_is_in_one_range() {
        let directory = tempfile::tempdir().expect("a directory");
        let rows = rows();
        let mut runs = write(RunWriter::create(directory.path()).expect("creates"), &rows[..4_000], 3_000);
        runs.extend(write(RunWriter::in_memory(0), &rows[4_000..], 5_000));
        // Bounds that are samples, and others: rows of the one half of the runs are not samples of the other.
        let ranges = RowRange::divide::<KeyedRow>(&runs, 2_048);
        assert!(ranges.len() > 3, "{}", ranges.len());
        let all = [&ranges[..], &[RowRange::default()]].concat();
        for run in &runs {
            let mut of_ranges = Vec::new();
            for range in &all {
                let mut reader = Reader::open(run, range, 100).expect("reads");
                while let Some((id, _)) = reader.row() {
                    of_ranges.push(*id);
                    reader.advance().expect("steps");
                }
            }
            let (parts, whole) = of_ranges.split_at(of_ranges.len() / 2);
            assert!(parts == whole && whole.len() as u64 == run.rows());
        }
    }

    #[test]
    fn a_run_cut_short_is_an_error() {
        let directory = tempfile::tempdir().expect("a directory");
        let rows = [([1; 32], "abc".to_owned()), ([1; 32], "def".to_owned())];
        let runs = write(RunWriter::create(directory.path()).expect("creates"), &rows, 2);
        let RunPlace::File(file) = &runs[0].place else { panic!("not in a file") };
        file.set_len(60).expect("cuts");
        let read = Reader::open(&runs[0], &RowRange::default(), 39).and_then(|mut reader| reader.advance());
        assert_eq!(read.expect_err("the second row is cut").kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_damaged_row_is_an_error_and_not_the_end() {
        let rows = [([1; 32], "abc".to_owned()), ([2; 32], "def".to_owned())];
        let [mut run] =
            <[SortedRun; 1]>::try_from(write(RunWriter::in_memory(0), &rows, 2)).expect("is one run");
        let RunPlace::Memory(bytes) = &mut run.place else { panic!("not in memory") };
        // The length of the first row: shorter than a key.
        Arc::get_mut(bytes).expect("no reader is open")[0] = 5;
        let reader = Reader::open(&run, &RowRange::default(), 0).expect("opens");
        let error = reader.current().expect_err("the row has no key");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
