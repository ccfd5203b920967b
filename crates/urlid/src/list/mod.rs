//! Hidden lists: URIs published to be recognised, not read (docs/lists.md).
//!
//! Layer 5, above `hashed_uri` and `suffix`. A [`HiddenList`] is a header, which says by which rules it was made, and sorted
//! digests; its text form is a hashed URI a line, its compiled form is read whole. A [`Builder`] makes it from URIs, a
//! [`Reader`] from text, a [`Matcher`] tells by which entry a candidate is matched, an [`Audit`] what a dictionary
//! reveals. Knows nothing about files and threads.

mod audit;
mod builder;
mod compiled;
mod digests;
mod error;
mod header;
mod ladder;
mod matcher;
mod reader;
mod terms;
#[cfg(test)]
mod tests;
mod value;

pub use audit::{Audit, Findings, seconds_for_names};
pub use builder::Builder;
pub use compiled::{CompiledError, MAGIC};
pub use error::{BuildError, HeaderError, KeyError, LineError};
pub use header::Header;
pub use matcher::{Found, Match, Matcher, Scratch};
pub use reader::{ReadError, Reader};
pub use terms::{Date, Ladder, Rules, TermError};
pub use value::{Entries, Entry, HiddenList};
