//! A regular file in splits of equal size, each of which any thread can read.
//!
//! A split consists of the lines that start in it, so the splits together contain each line of the file once.
//! The last line of a split is completed from the bytes after the split, up to the cap.

use std::fs::File;

use memchr::{memchr2, memrchr};
use urlid::Error;

use crate::error;
use crate::files::read_at;
use crate::lines::archive::{IndexLines, MAX_HEAD};
use crate::lines::chunk::{BOM, Chunk};
use crate::lines::framing::{After, decisive_len, end_lines_at_cr, frame, reject_trailing_text};
use crate::lines::options::{LineOptions, TrailingText};

/// The bytes of one read after a split, for the end of its last line.
const STEP: usize = 4 << 10;

/// A plain file in splits of [`LineOptions::chunk`] bytes.
#[derive(Debug)]
pub struct FileSplits {
    file: File,
    /// The offset of the lines in the file.
    start: u64,
    /// The number of bytes of lines.
    size: u64,
    split: usize,
    limit: usize,
    trailing_text: TrailingText,
    /// Whether the lines belong to an archive's index.
    index: IndexLines,
}

impl FileSplits {
    pub(crate) fn new(file: File, start: u64, size: u64, options: LineOptions) -> Self {
        // Room for a byte order mark and one more byte, because only the first split looks for the mark.
        let split = options.chunk.max(BOM.len() + 1);
        let limit = options.max_line;
        let index = IndexLines::new(options.archives);
        let mut splits =
            FileSplits { file, start, size, split, limit, trailing_text: options.trailing_text, index };
        let mut head = vec![0; MAX_HEAD];
        // If the file cannot be read, reading its lines reports that.
        let len = splits.read_at(&mut head, 0).unwrap_or(0);
        splits.index = IndexLines::of_file(&head[..len], options);
        splits
    }

    /// Returns the number of splits.
    pub fn count(&self) -> u64 {
        self.size.div_ceil(self.split as u64)
    }

    /// Reads the lines that start in split `index` into `chunk`, possibly zero lines.
    ///
    /// # Errors
    /// If the file cannot be read. A file that became shorter ends there without an error.
    pub fn read(&self, index: u64, chunk: &mut Chunk) -> Result<(), Error> {
        let first = index.saturating_mul(self.split as u64).min(self.size);
        let after = first.saturating_add(self.split as u64).min(self.size);
        // The byte before the split is included. If it ends a line, the next line starts at the first byte of
        // the split.
        let before = u64::from(first > 0);
        let own = (before + (after - first)) as usize;
        let longest_tail = decisive_len(self.limit);
        let room = chunk.room(own.saturating_add(longest_tail));
        let mut len = self.read_at(&mut room[..own], first - before)?;
        let from = if first > 0 {
            // A line that starts in this split follows a line end. If the split lacks one, it has zero lines.
            let start = memchr2(b'\n', b'\r', &room[..len])
                .map_or(len, |end| end + if room[end..len].starts_with(b"\r\n") { 2 } else { 1 });
            if start >= own { len } else { start }
        } else if room[..len].starts_with(BOM) {
            BOM.len()
        } else {
            0
        };
        if from < len {
            len = self.finish_line(room, from, len, first - before)?;
        }
        let lines = len - from;
        room.copy_within(from..len, 0);
        // The lines of the split are whole at this point, so a continuation cannot follow.
        let mut done = frame(&mut room[..lines], self.limit, After::End);
        self.index.clone().replace_by_urls(room, &mut done);
        // Cloned because several threads read splits. The first line of the file has already decided the
        // layout.
        let is_text = matches!(self.index, IndexLines::No);
        if is_text {
            reject_trailing_text(room, &mut done, self.trailing_text);
        }
        chunk.set(done.lines, done.rejected, !is_text);
        Ok(())
    }

    /// Reads more after `len` bytes until the last line has its end or is over the cap. Returns the new
    /// length.
    fn finish_line(&self, room: &mut [u8], from: usize, mut len: usize, offset: u64) -> Result<usize, Error> {
        end_lines_at_cr(&mut room[from..len]);
        let line = memrchr(b'\n', &room[from..len]).map_or(from, |end| from + end + 1);
        // Only the last byte of the line may be a CR yet.
        let mut searched = len - usize::from(room[line..len].ends_with(b"\r"));
        while line < len && len - line < decisive_len(self.limit) {
            let left = (self.size - (offset + len as u64)).min((room.len() - len) as u64) as usize;
            let n = self.read_at(&mut room[len..len + left.min(STEP)], offset + len as u64)?;
            len += n;
            match memchr2(b'\n', b'\r', &room[searched..len]).map(|end| searched + end) {
                Some(end) if room[end] == b'\n' => return Ok(end + 1),
                Some(end) if room[end..len].starts_with(b"\r\n") => return Ok(end + 2),
                Some(end) if end + 1 < len || n == 0 => {
                    room[end] = b'\n';
                    return Ok(end + 1);
                }
                Some(end) => searched = end,
                None => searched = len,
            }
            if n == 0 {
                break;
            }
        }
        Ok(len)
    }

    /// Reads at `offset` until `room` is full or the file ends.
    fn read_at(&self, room: &mut [u8], offset: u64) -> Result<usize, Error> {
        read_at(&self.file, room, self.start + offset).map_err(error::read)
    }
}
