//! Web archives: the records of WARC and ARC files, the files in WACZ files, and the lines of CDX and CDXJ
//! indexes.
//!
//! ```text
//!  bytes ─▶ WarcReader ─▶ Record (type, target URI, date, …) and its content
//!  stored file ─▶ Members ─▶ cdxj::Visits ─▶ lines of an index
//!  line of an index ─▶ cdx::CdxLayout ─▶ the URL that it is about
//! ```
//!
//! All input is untrusted. Memory does not grow with it, and no bytes cause a panic: a malformed record is an
//! error with its number and offset. Nothing here opens a file: bytes come from a `Read`, or from a [`Range`]
//! of what is read at offsets.
//!
//! ```
//! use urlid_archives::{Record, WarcReader};
//!
//! let file = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: <http://a/>\r\n\
//!     Content-Length: 2\r\n\r\nhi\r\n\r\n";
//! let (mut reader, mut record) = (WarcReader::new(&file[..]), Record::default());
//! assert!(reader.next_record(&mut record)?);
//! assert_eq!(record.url(), Some(&b"http://a/"[..]));
//! assert!(!reader.next_record(&mut record)?);
//! # Ok::<(), urlid::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod cdx;
pub mod cdxj;
pub mod error;
mod payload;
mod range;
mod time;
mod wacz;
mod warc;
pub mod zstd;

pub use payload::PayloadDigest;
pub use range::{Range, ReadAt};
pub use wacz::{Wacz, WaczContent, WaczEntry, WaczPart};
pub(crate) use warc::Malformed;
pub use warc::{
    AllMembers, HttpHead, Lost, MAGIC, MAX_HEAD, Members, Record, RecordType, Records, StoredRecords,
    UnknownType, WarcReader, begins_arc_record, without_chunks, without_line_ends,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
