//! Hidden lists: URIs published to be recognised, not read (docs/lists.md).
//!
//! Layer 5, above `hashed_uri`, `web` and `suffix`. A [`HiddenList`] is a header, which says by which [`Rules`] it was
//! made, and sorted digests; its text form is a hashed URI a line, its compiled form is read whole. A [`ListBuilder`]
//! makes it from URIs, a [`ListReader`] from text, a [`ListMatcher`] finds the entry that matches a candidate, an
//! [`Audit`] counts what a dictionary reveals. Files and threads are elsewhere.

mod audit;
mod builder;
mod compiled;
mod date;
mod digests;
mod error;
mod header;
mod intake;
mod ladder;
mod matcher;
mod merge;
mod on_refused;
mod reader;
mod rules;
#[cfg(test)]
mod tests;
mod value;

pub use audit::{Audit, Findings, seconds_for_names};
pub use builder::ListBuilder;
pub use compiled::{CompiledError, MAGIC};
pub use date::Date;
pub use error::{BuildError, HeaderError, KeyError, LineError};
pub use header::ListHeader;
pub use intake::IntakeError;
pub use matcher::{ListMatcher, Match, Scratch};
pub use merge::{Difference, Differences, MergeError};
pub use on_refused::{OnRefused, refusal_marker};
pub use reader::{ListReader, ReadError};
pub use rules::{Intake, Ladder, Rules, SettingError};
pub use value::{Entries, Entry, HiddenList};
