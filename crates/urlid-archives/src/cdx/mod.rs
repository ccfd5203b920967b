//! CDX and CDXJ: indexes of web archives, a line for each visit of a URL.
//!
//! A line has the key of its URL, the time of the visit, and where its record is. In CDX the fields are
//! separated by spaces and named by a header line; in CDXJ the key and the time are followed by a JSON
//! object.

mod find;
mod keys;
mod layout;
mod rows;

pub use find::{IndexBlock, Take, find, is_zipnum, plan};
pub use keys::{LineRange, MatchType, key, key_text, push_key, styled_key, written_key};
pub use layout::{CdxError, CdxLayout, MAX_FIRST_LINE};
