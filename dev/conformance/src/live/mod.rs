//! Compares canonical forms with the implementations that they freeze, which run as separate programs.
//!
//! The arguments of `cargo run --package conformance --bin live` select the comparisons. Tests compare
//! samples.

mod code_points;
mod findings;
mod generated;
mod oracle;
mod selection;

pub use code_points::compare_code_points;
pub use findings::Findings;
pub use generated::{compare_generated, generated_urls};
pub(crate) use selection::has_one_of;
pub use selection::{CodePoints, Selection};
