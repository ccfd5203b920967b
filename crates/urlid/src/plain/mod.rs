//! Plain URLs: URLs that one scan recognises as normal, without a parser. Nearly all real URLs are plain.
//!
//! [`scan()`] recognises a single text, [`host_of`] only its authority, and [`Boundaries::of_line`] finds the
//! parts of a line in a batch by SIMD windows. `scan` and `of_line` return the same [`Boundaries`]. [`host`]
//! has the bytes of hosts that are the same in every system. The bytes that a system accepts in the other
//! parts are constants in its own module: `web::plain`, `hashed_uri::plain`, `sxurl::dns`. A URL that is not
//! recognised is parsed by its system.

mod boundaries;
pub mod host;

pub use boundaries::{
    Accepted, Boundaries, FRAGMENT, INNER_PATH, PATH, PlainScheme, PlainUrl, QUERY, first_bits, host_of,
    scan, window,
};
