//! Indexing WARC files: a line of CDXJ or CDX for each visit, as cdxj-indexer 1.5 writes it.

mod json;
mod layout;
mod request;
mod visit;
mod visits;
mod zipnum;

use std::borrow::Cow;

pub use layout::IndexLayout;
pub use request::BodyRules;
pub use visit::Visit;
pub use visits::Visits;
pub use zipnum::ZipNumWriter;

/// Returns bytes as text: as UTF-8 if valid, otherwise as ISO 8859-1, like warcio.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}
