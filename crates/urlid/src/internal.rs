//! Items that the other crates of this repository share with the library: encoding sets, digests, the
//! recogniser of plain URLs. Not part of the public API: any release may change it.

pub use crate::default_ports::default_port;
pub use crate::error::excerpt::Excerpt;
#[cfg(feature = "hashed-uri")]
pub use crate::hashed_uri::internal::*;
pub use crate::host::error::FORBIDDEN_BYTE;
pub use crate::host::ipv4::ends_in_number;
pub use crate::host::ipv6::push as push_ipv6_address;

pub mod digest {
    pub use crate::digest::{Sha256Stream, sha256};
}
pub mod escape {
    pub use crate::escape::*;
}
pub mod plain {
    pub use crate::plain::*;
}

/// Reads `2 * N` hexadecimal digits.
pub fn decode_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    crate::hex::decode(text).ok()
}
