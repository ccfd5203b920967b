//! The generic syntax: RFC 3986 and RFC 2396 resolution, and RFC 3986's syntax-based normal form.
//!
//! Layer 2, on the Theory of URLs alone: no cleaning, no forcing, no drives, no encoding. `\` is a plain byte and
//! `%2e` is no dot. The WHATWG reading is in `web`.

mod dots;
mod normalise;
mod resolve;

pub use dots::remove_dot_segments;
pub use normalise::{NormaliseError, normalise};
pub use resolve::{Mode, ResolveError, resolve};
