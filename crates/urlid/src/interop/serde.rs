//! Values as the texts that they display as, read back with every check.

use alloc::borrow::Cow;
use core::fmt::Display;
use core::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[cfg(feature = "hashed-uri")]
use crate::hashed_uri::HashedUri;
use crate::sxurl::Sxurl;
use crate::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use crate::web::Url;

/// Implements both traits for types whose `Display` and `FromStr` are each other's inverse.
macro_rules! as_text {
    ($($value:ty),+ $(,)?) => {$(
        impl Serialize for $value {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $value {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                parse(deserializer)
            }
        }
    )+};
}

#[cfg(feature = "hashed-uri")]
as_text!(HashedUri);
as_text!(Sxurl, Url, UrlHash, UrlShortHash, UrlVeryShortHash);

fn parse<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}
