//! Indexing WARC files: a line of CDXJ or CDX for each visit, as cdxj-indexer 1.5 writes it.

mod columns;
mod json;
mod recover;
mod time;
mod visits;
mod zipnum;

pub use columns::CdxColumns;
pub use recover::Lost;
pub use visits::{Visit, Visits};
pub use zipnum::ZipNumWriter;
