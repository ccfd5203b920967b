//! The building blocks of the rules of profiles: small functions on the bytes of a part, each with its
//! parameters.
//!
//! Each profile's file has the order and the parameters. This folder also has the rules that several profiles
//! share.

pub(super) mod ada;
pub(super) mod authority;
pub(super) mod dots;
pub(crate) mod escapes;
pub(super) mod go;
pub(super) mod idna2003;
pub(super) mod idna2008;
pub(super) mod ipv4;
pub(super) mod javascript;
pub(super) mod normalize_url;
mod punycode;
pub(super) mod python;
pub(super) mod query;
pub(super) mod session;
pub(super) mod split;
pub(super) mod surt_key;
pub(super) mod trim;
pub(super) mod url_normalize;
pub(super) mod url_search;
pub(super) mod w3lib;
pub(super) mod yarl;
