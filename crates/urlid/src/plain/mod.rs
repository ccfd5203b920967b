//! Plain URLs, which nearly all real ones are: recognised by one scan, without a parser.
//!
//! Layer 0. [`Boundaries`] says where the parts of a URL are, for one text or for a line of a batch by SIMD windows; [`host`]
//! has the bytes of hosts that are the same in every system. What a system accepts in each part is a constant beside its
//! rules: `web::plain`, `hashed_uri::plain`, `sxurl::plain`. A URL that is not recognised takes the general path of its
//! system, which defines what is right.

pub(crate) mod host;

mod boundaries;

pub(crate) use boundaries::{Boundaries, PlainScheme, window};
