//! How lines are read.

use urlid_archives::Records;

/// How lines are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineOptions {
    /// The most bytes that a line may have without its line end; [`LineOptions::MOST`] at most, and 1 MiB by default.
    pub max_line: usize,
    /// The bytes that a chunk holds at most; 1 MiB by default, and more where the longest line needs it.
    pub chunk: usize,
    /// What web archives are read as; by default as their URLs.
    pub archives: Archives,
}

/// What web archives are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Archives {
    /// A line is the URL of one of these records of a WARC file, or of a line of a CDX or CDXJ index.
    Urls(Records),
    /// A line is a line, as of any other text.
    Text,
}

impl LineOptions {
    /// The largest value of each option, in bytes; a larger one means this.
    pub const MOST: usize = 1 << 30;

    pub(crate) fn clamped(self) -> Self {
        LineOptions { max_line: self.max_line.min(Self::MOST), chunk: self.chunk.min(Self::MOST), ..self }
    }
}

impl Default for LineOptions {
    fn default() -> Self {
        LineOptions { max_line: 1 << 20, chunk: 1 << 20, archives: Archives::Urls(Records::default()) }
    }
}
