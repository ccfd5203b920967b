//! SXURL: a 256-bit identifier in which each part of a URL has its own slice.
//!
//! [`Components`] are the parts of a URL by section 3 of the specification, and [`Sxurl`] is the identifier.
//! Path, query and fragment are the raw bytes, without a WHATWG parser. Where the specification is open,
//! urlid has a numbered decision, such as S-3.
//!
//! ```
//! use urlid::sxurl::{Slice, Sxurl};
//!
//! let id = Sxurl::encode("https://docs.rs/")?;
//! assert_eq!(id.to_string(), "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356");
//! assert!(id.matches(Slice::Domain, "docs"));
//! # Ok::<(), urlid::Error>(())
//! ```

mod components;
mod dns;
pub(crate) mod error;
mod hash;
mod header;
mod layout;
mod pack;
mod pattern;
mod value;

pub use components::Components;

pub use dns::is_plain_normal_text;
pub use header::{Flags, Header, Scheme};
pub use layout::{Field, HostPart, Slice};
pub use pattern::{Pattern, key_ranges};
pub use value::Sxurl;

pub(crate) use components::HostAndPort;
pub(crate) use dns::{PlainName, map as map_host};
pub(crate) use hash::{PRECOMPUTED, PrecomputedHashes};
#[cfg(feature = "std")]
pub(crate) use pack::{HEADER_SHIFT, join_halves, pack_left, pack_right};
