//! Sorted runs, in memory while there is room and else in files without names. They can be entered at every thousandth row.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;

use urlid_io::files::read_exact_at;

use crate::key::{Place, Split};

/// Rows between two samples.
pub(super) const SAMPLE_ROWS: u64 = 1_024;
/// Bytes that are written at once.
const BUFFER: usize = 512 << 10;
/// The bytes of a row before its host key and its text: the lengths of both, the port, and four offsets. The length of the host key
/// is [`SAME_HOST`] if it is that of the row before.
const HEAD: usize = 7 * 4;
const SAME_HOST: u32 = u32::MAX;

/// A sorted run.
#[derive(Clone, Debug)]
pub(super) struct Run {
    place: RunPlace,
    start: u64,
    end: u64,
    pub(super) rows: u64,
    /// Keys of rows, and where the rows begin.
    pub(super) samples: Arc<[(Vec<u8>, u64)]>,
}

/// Where the bytes of a run are.
#[derive(Clone, Debug)]
enum RunPlace {
    Memory(Bytes),
    File(Arc<File>),
}

/// The bytes that runs may still take in memory.
#[derive(Debug)]
pub(super) struct RunMemory(AtomicUsize);

impl RunMemory {
    pub(super) fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Takes bytes for a run, or none if fewer are left.
    pub(super) fn take(&self, bytes: usize) -> bool {
        // Nothing else is passed between threads by this number.
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// Returns the most bytes that a run takes: of so many rows, with so many bytes of texts and of the keys of all hosts.
pub(super) fn most_bytes(rows: usize, texts: usize, host_keys: usize, longest_key: usize) -> usize {
    // Rows of a host are neighbours, so its key is written once, and again at each sample.
    texts + rows * HEAD + host_keys + (rows / SAMPLE_ROWS as usize + 1) * longest_key
}

/// Writes runs one behind the other.
#[derive(Debug)]
pub(super) struct RunFile {
    file: Arc<File>,
    len: u64,
}

impl RunFile {
    pub(super) fn create(directory: &Path) -> io::Result<Self> {
        Ok(Self { file: Arc::new(tempfile::tempfile_in(directory)?), len: 0 })
    }

    /// Begins a run.
    pub(super) fn begin(&mut self) -> RunWriter<'_> {
        let start = self.len;
        RunWriter { file: Some(self), start, ..RunWriter::in_memory(0) }
    }
}

/// Writes the rows of a run, which ascend.
pub(super) struct RunWriter<'f> {
    /// The file; without one, the run stays in the buffer.
    file: Option<&'f mut RunFile>,
    start: u64,
    rows: u64,
    buffer: Vec<u8>,
    host_key: Vec<u8>,
    samples: Vec<(Vec<u8>, u64)>,
}

impl RunWriter<'_> {
    /// Begins a run in memory of at most so many bytes.
    pub(super) fn in_memory(most: usize) -> Self {
        let (buffer, host_key, samples) = (Vec::with_capacity(most), Vec::new(), Vec::new());
        Self { file: None, start: 0, rows: 0, buffer, host_key, samples }
    }

    pub(super) fn push(&mut self, place: Place<'_>) -> io::Result<()> {
        let is_sample = self.rows.is_multiple_of(SAMPLE_ROWS);
        if is_sample {
            let mut key = Vec::new();
            place.write(&mut key);
            self.samples.push((key, self.offset()));
        }
        // A reader may begin at a sample, without the row before it.
        let has_host = is_sample || place.host_key != self.host_key;
        let Split { port, path, query } = place.split;
        let host_len = if has_host { place.host_key.len() as u32 } else { SAME_HOST };
        for number in [host_len, place.text.len() as u32, port, path[0], path[1], query[0], query[1]] {
            self.buffer.extend_from_slice(&number.to_le_bytes());
        }
        if has_host {
            self.buffer.extend_from_slice(place.host_key);
            place.host_key.clone_into(&mut self.host_key);
        }
        self.buffer.extend_from_slice(place.text);
        self.rows += 1;
        if self.buffer.len() >= BUFFER { self.write() } else { Ok(()) }
    }

    /// Returns where the next row begins.
    fn offset(&self) -> u64 {
        self.file.as_ref().map_or(0, |file| file.len) + self.buffer.len() as u64
    }

    fn write(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        (&*file.file).write_all(&self.buffer)?;
        file.len += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Ends the run.
    pub(super) fn finish(mut self) -> io::Result<Run> {
        self.write()?;
        let end = self.offset();
        let Self { file, start, rows, samples, buffer, .. } = self;
        let place = match file {
            Some(file) => RunPlace::File(Arc::clone(&file.file)),
            None => RunPlace::Memory(buffer.into()),
        };
        Ok(Run { place, start, end, rows, samples: samples.into() })
    }
}

/// The bytes of a run that are at hand.
enum Buffer {
    /// All of the range, of a run in memory.
    Whole(Bytes),
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

/// Reads the rows of a run whose keys are in a range.
pub(super) struct RunReader {
    buffer: Buffer,
    /// The offset in the run's file of the first byte behind the buffer.
    offset: u64,
    end: u64,
    buffer_len: usize,
    /// The place of the current row in the buffer; `len` is 0 behind the last row.
    start: usize,
    len: usize,
    host_key: Vec<u8>,
    split: Split,
    text_start: usize,
    /// From this offset on, rows are compared with the end of the range.
    check_from: u64,
    behind: Option<Arc<[u8]>>,
}

impl RunReader {
    /// Begins at the first row whose key is at least `from`; rows from `behind` on are left out.
    pub(super) fn open(
        run: &Run,
        from: Option<&[u8]>,
        behind: Option<&Arc<[u8]>>,
        buffer_len: usize,
    ) -> io::Result<Self> {
        let samples = &run.samples;
        // Reading begins at the last sample that is not behind `from`, and ends at the first that is not before the end of the
        // range. Only the rows between these samples and the bounds are compared, below and in `advance`.
        let start = from.map_or(0, |from| samples.partition_point(|(key, _)| key.as_slice() <= from));
        let start = start.checked_sub(1).map_or(run.start, |index| samples[index].1);
        let (mut check_from, mut end) = (run.end, run.end);
        if let Some(behind) = behind {
            let after = samples.partition_point(|(key, _)| key.as_slice() < &**behind);
            end = samples.get(after).map_or(run.end, |(_, offset)| *offset);
            check_from = after.checked_sub(1).map_or(run.start, |index| samples[index].1);
        }
        let start = start.min(end);
        let (buffer, offset) = match &run.place {
            RunPlace::Memory(bytes) => (Buffer::Whole(bytes.slice(start as usize..end as usize)), end),
            RunPlace::File(file) => (Buffer::Block(Arc::clone(file), Vec::new()), start),
        };
        let mut reader = Self {
            buffer,
            offset,
            end,
            buffer_len,
            start: 0,
            len: 0,
            host_key: Vec::new(),
            split: Split::default(),
            text_start: 0,
            check_from,
            behind: behind.cloned(),
        };
        reader.advance()?;
        if let Some(from) = from {
            let mut key = Vec::new();
            while let Some(place) = reader.place() {
                key.clear();
                place.write(&mut key);
                if key.as_slice() >= from {
                    break;
                }
                reader.advance()?;
            }
        }
        Ok(reader)
    }

    /// Returns the current row, or `None` behind the last one.
    pub(super) fn place(&self) -> Option<Place<'_>> {
        let text = self.buffer.bytes().get(self.text_start..self.start + self.len)?;
        (self.len > 0).then_some(Place { host_key: &self.host_key, split: self.split, text })
    }

    /// Moves to the next row.
    pub(super) fn advance(&mut self) -> io::Result<()> {
        self.start += self.len;
        self.len = 0;
        // Rows never cross the end of a range, so an empty rest of the buffer there is the regular end.
        if self.start == self.buffer.bytes().len() && self.offset >= self.end {
            return Ok(());
        }
        self.fill(HEAD)?;
        let row_offset = self.offset - (self.buffer.bytes().len() - self.start) as u64;
        let head = &self.buffer.bytes()[self.start..][..HEAD];
        let mut numbers = head.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let [host_len, text_len, port, path_start, path_end, query_start, query_end] =
            std::array::from_fn(|_| numbers.next().unwrap_or_default());
        self.split = Split { port, path: [path_start, path_end], query: [query_start, query_end] };
        let host_len = if host_len == SAME_HOST { None } else { Some(host_len as usize) };
        let len = HEAD + host_len.unwrap_or(0) + text_len as usize;
        self.fill(len)?;
        if let Some(host_len) = host_len {
            let host = self.start + HEAD;
            self.host_key.clear();
            self.host_key.extend_from_slice(&self.buffer.bytes()[host..host + host_len]);
        }
        self.text_start = self.start + HEAD + host_len.unwrap_or(0);
        self.len = len;
        if row_offset >= self.check_from && self.is_behind() {
            // As if the run ended here: `advance` and `place` then find no more.
            (self.len, self.start, self.offset) = (0, self.buffer.bytes().len(), self.end);
        }
        Ok(())
    }

    fn is_behind(&self) -> bool {
        let (Some(behind), Some(place)) = (&self.behind, self.place()) else { return false };
        let mut key = Vec::new();
        place.write(&mut key);
        key.as_slice() >= &**behind
    }

    /// Reads until the buffer has at least `wanted` bytes from `start` on.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let left = self.buffer.bytes().len() - self.start;
        if left >= wanted {
            return Ok(());
        }
        let ends_early = || io::Error::new(io::ErrorKind::UnexpectedEof, "a run of the sort ends too early");
        let Buffer::Block(file, buffer) = &mut self.buffer else { return Err(ends_early()) };
        // The rest of the last block moves to the front; a row longer than the buffer makes it grow.
        buffer.drain(..self.start);
        self.start = 0;
        let more = (self.buffer_len.max(wanted) - left) as u64;
        let more = more.min(self.end - self.offset) as usize;
        // Only a failing disk gets here: nobody else can open a file without a name.
        if left + more < wanted {
            return Err(ends_early());
        }
        buffer.resize(left + more, 0);
        read_exact_at(file, &mut buffer[left..], self.offset)?;
        self.offset += more as u64;
        Ok(())
    }
}
