//! Tables in, the same tables with new columns out.

mod dataset;
mod invalid;
mod parquet;
mod text;

use std::path::Path;

use crate::support::{Ran, urlid};

/// Runs a verb on a table.
fn run(verb: &[&str], options: &[&str], table: &Path) -> Ran {
    let table = table.to_str().expect("a temporary name is UTF-8");
    urlid(verb.iter().chain(options).chain(&[table]))
}
