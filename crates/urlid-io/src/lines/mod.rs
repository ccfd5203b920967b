//! Lines from files and pipes, decompressed, in chunks and with a length cap.
//!
//! ```text
//!  path, stdin, reader ─open─▶ Input ─┬─ lines ──▶ LineReader    one line at a time, numbered
//!   decompressed by content           ├─ chunks ─▶ ChunkReader   whole lines in recycled buffers
//!                                     ├─ splits ─▶ FileSplits    a regular file, any part by any thread
//!                                     └─ column ─▶ CsvColumn     one column of comma-separated values
//! ```
//!
//! The first three ways to read give the same lines. LF, CR LF or a lone CR ends a line, a byte order mark is
//! dropped only at byte 0, and the last line may lack its end. UTF-16 with a byte order mark is decoded. A
//! line that is longer than the cap or not UTF-8 is an error of this one line, and the lines around it are
//! read. Memory does not grow with the input.
//!
//! A NUL or any other byte of valid UTF-8 is text. PDF, SQLite and other kinds of files ([`FileKind`]) are an
//! error and are recognised by their first bytes.
//!
//! ```
//! use urlid_io::lines::{Input, LineError, LineOptions};
//!
//! let input = Input::from_reader(&b"https://example.com/\r\nbad \xff byte\n"[..])?;
//! let mut lines = input.lines(LineOptions::default());
//!
//! let first = lines.next_line()?.expect("two lines were written");
//! assert_eq!((first.number, first.text), (1, Ok("https://example.com/")));
//!
//! let second = lines.next_line()?.expect("two lines were written");
//! assert_eq!(second.text, Err(LineError::Utf8 { offset: 4 }));
//! assert!(lines.next_line()?.is_none());
//! # Ok::<(), urlid::Error>(())
//! ```

mod archive;
mod bookmarks;
mod chunk;
mod chunk_reader;
mod decode;
mod framing;
mod input;
mod kind;
mod options;
mod recovered;
mod robots;
mod sitemap;
mod splits;
mod stream;
mod utf16;
mod wacz;

pub use chunk::{Chunk, Line, LineError, Lines, SLACK_AFTER, SLACK_BEFORE};
pub use chunk_reader::{ChunkReader, LineReader};
pub use decode::{Compression, MAX_ZSTD_WINDOW};
pub use framing::UrlRow;
pub use input::{BytesRead, Content, Input, range_of};
pub use kind::{FileKind, InputKind, is_control};
pub use options::{Archives, LineOptions, Sitemaps, TrailingText};
pub use recovered::Loss;
pub use splits::FileSplits;
pub use stream::Interrupt;
