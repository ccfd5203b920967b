//! The generic syntax: RFC 3986 and RFC 2396 resolution, and RFC 3986's syntax-based normal form.
//!
//! Nothing of the URL Standard applies here: no cleaning, no forcing, no drives, no encoding. `\` is an
//! ordinary byte and `%2e` is not a dot. The WHATWG reading is in [`web`](crate::web).

mod dots;
mod normalise;
mod resolve;

pub use dots::remove_dot_segments;
pub use normalise::normalise;
pub use resolve::{Mode, resolve};
