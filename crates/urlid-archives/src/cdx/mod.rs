//! CDX and CDXJ: indexes of web archives, with a line for each visit of a URL.
//!
//! A line has the key of its URL, the time of the visit, and the place of its record. In CDX the fields are
//! separated by spaces and named by a header line. In CDXJ a JSON object follows the key and the time.

mod find;
mod keys;
mod layout;
mod rows;

pub use find::{IndexBlock, Take, find, is_zipnum, plan};
pub use keys::{LineRange, MatchType, key, key_text, push_key, styled_key, written_key};
pub use layout::{CdxError, CdxLayout, MAX_FIRST_LINE};
