//! What the other crates of this repository share with the library: encoding sets, digests, the recogniser of plain URLs. Not part of
//! the public API: any release may change it.

pub use crate::default_ports::default_port;
pub use crate::error::excerpt::Excerpt;
#[cfg(feature = "hashed-uri")]
pub use crate::hashed_uri::internal::*;
pub use crate::host::error::FORBIDDEN_BYTE;
pub use crate::host::{ends_in_number, push_ipv6_address};

pub mod digest {
    pub use crate::digest::*;
}
pub mod escape {
    pub use crate::escape::*;
}
pub mod hex {
    pub use crate::hex::*;
}
pub mod plain {
    pub use crate::plain::*;
}
