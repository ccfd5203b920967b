//! One line at a time, over chunks.

use crate::lines::chunk::{Chunk, Cursor};
use crate::lines::chunk_reader::ChunkReader;
use crate::lines::line::Line;
use urlid::Error;

/// Reads an input line by line.
#[derive(Debug)]
pub struct LineReader {
    chunks: ChunkReader,
    chunk: Chunk,
    /// The position in `chunk`. Its line number counts through all chunks.
    cursor: Cursor,
}

impl LineReader {
    pub(crate) fn new(chunks: ChunkReader) -> Self {
        LineReader { chunks, chunk: Chunk::new(), cursor: Cursor::at(1) }
    }

    /// Returns the next line, or `None` after the last one.
    ///
    /// A line that is too long or not UTF-8 is a [`Line`] whose `text` is an error; reading continues after it.
    ///
    /// # Errors
    /// Once, after all lines before it.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, Error> {
        if self.cursor.is_at_end_of(&self.chunk) {
            if !self.chunks.read(&mut self.chunk)? {
                return Ok(None);
            }
            self.cursor = Cursor::at(self.cursor.number());
        }
        Ok(self.chunk.line_at(&mut self.cursor, None))
    }

    /// Returns whether the next line is in memory, so that `next_line` does not wait.
    pub fn has_line(&self) -> bool {
        !self.cursor.is_at_end_of(&self.chunk)
    }
}
