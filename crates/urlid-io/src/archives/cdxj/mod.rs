//! Indexing WARC files: a line of CDXJ for each visit, as cdxj-indexer 1.5 writes it.

mod json;
mod recover;
mod time;
mod visits;
mod zipnum;

pub use recover::Lost;
pub use visits::{Visit, Visits};
pub use zipnum::ZipNumWriter;
