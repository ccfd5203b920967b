//! Questions to an index and their answers.

pub(crate) mod condition;
pub(crate) mod find;
pub(crate) mod get;
pub(crate) mod group;
pub(crate) mod index;
pub(crate) mod other;
pub(crate) mod other_keys;
pub(crate) mod plan;
pub(crate) mod question;
pub(crate) mod question_error;
pub(crate) mod stats;
mod wanted_host;
