//! Support for other crates, each under a feature of its name.
//!
//! With `serde`, values are texts in human-readable formats and bytes in binary formats. With `url`, there
//! are checked conversions from and to `url::Url`.

#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "url")]
mod url;
