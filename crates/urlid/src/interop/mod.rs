//! Support for other crates, each under a feature of its name.
//!
//! With `serde`, values are texts in formats for people and bytes in binary ones. With `url`, there are
//! checked conversions from and to `url::Url`.

#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "url")]
mod url;
