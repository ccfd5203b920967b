//! The kinds of files that are not lines of text. `recognise` finds them.

use std::fmt;

/// A kind of file that is not lines of text.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An ARC file, which WARC replaced.
    Arc,
    /// A ZIP archive; WACZ, EPUB and office files are such.
    Zip,
    /// Data that is compressed by bzip2.
    Bzip2,
    /// Data that is compressed by xz.
    Xz,
    /// Data that is compressed by LZ4.
    Lz4,
    /// A 7z archive.
    SevenZip,
    /// A Parquet file.
    Parquet,
    /// A Parquet file whose footer is encrypted.
    EncryptedParquet,
    /// An Arrow file.
    Arrow,
    /// A SQLite database.
    Sqlite,
    /// A PDF file.
    Pdf,
    /// A program or library in the format ELF.
    Elf,
}

impl FileKind {
    /// Returns what it is called, with its article.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Arc => "an ARC file",
            FileKind::Zip => "a ZIP archive, as WACZ files are",
            FileKind::Bzip2 => "bzip2 data",
            FileKind::Xz => "xz data",
            FileKind::Lz4 => "LZ4 data",
            FileKind::SevenZip => "a 7z archive",
            FileKind::Parquet => "a Parquet file",
            FileKind::EncryptedParquet => "an encrypted Parquet file",
            FileKind::Arrow => "an Arrow file",
            FileKind::Sqlite => "a SQLite database",
            FileKind::Pdf => "a PDF file",
            FileKind::Elf => "an ELF file",
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Returns whether a byte is a control character that lists of URLs do not have: none but TAB, LF and CR.
#[must_use]
pub fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')
}
