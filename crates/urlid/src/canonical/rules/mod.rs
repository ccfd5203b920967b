//! What the rules of profiles are made of: small functions on the bytes of a part, each with its parameters.
//!
//! A profile's own file puts them in order and gives them their parameters.

pub(super) mod authority;
pub(super) mod decode;
pub(super) mod dots;
pub(super) mod encode;
pub(super) mod idna2003;
pub(super) mod ipv4;
pub(super) mod python;
pub(super) mod query;
pub(super) mod session;
pub(super) mod split;
pub(super) mod trim;
