//! External sort: sorted runs are read back as one sorted sequence without repeated rows.
//!
//! A kind of rows is a [`SortRow`]. The rows of this module are a 32-byte key and a text, ordered by the key
//! and then by the text. [`LineSorter`] sorts lines, with their first bytes as keys.
//!
//! ```
//! use urlid_store::sort::LineSorter;
//!
//! let mut sorter = LineSorter::new(std::env::temp_dir(), 1 << 20);
//! for line in ["b", "a", "b"] {
//!     sorter.push(line)?;
//! }
//! let mut sorted = sorter.finish()?;
//! assert_eq!(sorted.next_line()?, Some("a"));
//! assert_eq!(sorted.next_line()?, Some("b"));
//! assert_eq!(sorted.next_line()?, None);
//! # std::io::Result::Ok(())
//! ```

mod batch;
mod merged;
mod rows;
mod runs;
mod seen;
mod tally;

pub use batch::{RowBatch, RowText};
pub use merged::SortedRows;
pub use rows::{LineSorter, RowSorter, RowsInOrder, SortedLines};
pub use runs::{KeyedRow, RowRange, RunReader, RunWriter, SortKey, SortRow, SortedRun, put, take};
pub use seen::{DigestSet, Sight, TextDigest};
pub use tally::{Tallied, TallyOrder, TextTally};
