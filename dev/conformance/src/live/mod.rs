//! Canonical forms beside the implementations that they freeze, which run as programs of their own.
//!
//! `cargo run --package conformance --bin live` takes what is compared as arguments; tests compare samples.

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
