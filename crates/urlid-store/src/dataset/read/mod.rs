//! Reading a dataset: its folder, the pages that can hold answers, questions, and verification of every row.

pub(crate) mod dataset;
mod lookup;
mod part;
mod questions;
mod scan;
pub(crate) mod several;
pub(crate) mod verify;

#[cfg(test)]
mod tests;
