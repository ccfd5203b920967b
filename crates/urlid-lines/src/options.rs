//! How lines are read.

use urlid_archives::Records;

/// How lines are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most bytes that a line may have without its line end; [`Options::MOST`] at most, and 1 MiB by default.
    pub max_line: usize,
    /// The bytes that a chunk holds at most; 1 MiB by default, and more where the longest line needs it.
    pub chunk: usize,
    /// The records of a WARC file whose URLs are lines.
    pub records: Records,
}

impl Options {
    /// The largest value of each option, in bytes; a larger one means this.
    pub const MOST: usize = 1 << 30;

    pub(crate) fn clamped(self) -> Self {
        Options { max_line: self.max_line.min(Self::MOST), chunk: self.chunk.min(Self::MOST), ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { max_line: 1 << 20, chunk: 1 << 20, records: Records::default() }
    }
}
