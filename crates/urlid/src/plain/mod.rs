//! Plain URLs, which nearly all real ones are: recognised by one scan, without a parser.
//!
//! Layer 0. [`scan`] recognises a single text, [`Boundaries::of_line`] finds the parts of a line in a batch by SIMD windows;
//! both give the same [`Boundaries`]. [`host`] has the bytes of hosts that are the same in every system. What a system
//! accepts in the other parts is a constant beside its rules: `web::plain`, `hashed_uri::plain`, `sxurl::plain`. A URL that is
//! not recognised is parsed by its system, which defines what is right.

mod boundaries;
pub(crate) mod host;
mod scan;

pub(crate) use boundaries::{Boundaries, PlainScheme, window};
pub(crate) use scan::{Accepted, FRAGMENT, INNER_PATH, PATH, QUERY, scan};
