//! What other crates know our values by; each behind a feature of its name.
//!
//! Layer 6. Adds no meaning: texts for `serde`, checked conversions for `url`.

#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "url")]
mod url;

#[cfg(feature = "url")]
pub use url::NormalFormDiffers;
