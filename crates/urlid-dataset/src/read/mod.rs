//! Reading a dataset: its folder, the pages that can hold answers, questions, and verification of every row.

pub(crate) mod dataset;
mod part;
pub(crate) mod questions;
mod scan;
mod store;
pub(crate) mod verify;
