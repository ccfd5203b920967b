//! Indexing WARC files: a line of CDXJ or CDX for each visit, in the format of cdxj-indexer 1.5.

mod json;
mod request;
mod visit;
mod visits;
mod zipnum;

use crate::warc::text;
pub use json::IndexLayout;
pub use request::BodyRules;
pub use visit::Visit;
pub use visits::Visits;
pub use zipnum::ZipNumWriter;
