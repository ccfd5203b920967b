//! Questions about the parts of URLs, and plans by which an index of SXURLs answers them.
//!
//! A [`Question`] has conditions as plain texts, not hashes. A [`Plan`] has the ranges of keys that contain
//! every answer. [`search()`] reads the ranges and compares each candidate with its own URL. SQLite is
//! accessed through [`Reader`], so that programs with different builds of it share this code. A caller that
//! is itself called row by row uses the [`Steps`] of a plan. [`schema`] is the schema of an index file
//! (docs/index-format.md).
//!
//! ```
//! use urlid_store::question::{Condition, Layout, Plan, Question};
//!
//! let question = Question::new([(Condition::Tld, "rs"), (Condition::Domain, "docs")])?;
//! let plan = Plan::new(&question, &Layout::default());
//! assert!(plan.to_string().starts_with("48 key ranges"));
//! # Ok::<(), urlid_store::question::QuestionError>(())
//! ```

mod by_text;
mod condition;
mod conditions;
mod hints;
mod other;
mod other_keys;
mod plan;
mod question_error;
mod row;
pub mod schema;
mod search;
pub(crate) mod slice_value;
mod steps;
mod stored;
mod tally;
mod under;

pub use condition::{Compared, Condition};
pub use conditions::Question;
pub use hints::{hints, notes};
pub use other::{OtherUrl, Rewritten, host_key, rewrite};
pub use plan::{Layout, Plan};
pub use question_error::QuestionError;
pub use row::{About, Candidates, Id, Row, RowValue, Table, UrlLookup};
pub use schema::{SLICE_COLUMNS, SliceIndex, is_narrow};
pub use search::{
    EachAnswer, EachCandidate, EachRow, Reader, RowOutcome, Statement, read_candidates, search,
};
pub use steps::{Step, Steps};
pub use stored::StoredUrl;
pub use tally::{Group, GroupBy, Stats, StatsTally, Tally, first_directory};
