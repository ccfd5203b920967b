//! Values in serde's data model. They are written like `Display` in human-readable formats such as JSON, and
//! as bytes in binary formats. Reading applies every check in both cases.

use alloc::borrow::Cow;
use core::fmt::Display;
use core::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::Bytes;

#[cfg(feature = "compat")]
use crate::compat::{CrateUrlHash, CrateUrlShortHash, CrateUrlVeryShortHash};
#[cfg(feature = "hashed-uri")]
use crate::hashed_uri::{HashedUri, Keep};
use crate::sxurl::Sxurl;
use crate::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use crate::web::Url;

/// Implements `Serialize` and `Deserialize` for identifiers of fixed length.
macro_rules! id_values {
    ($($id:ty),+ $(,)?) => {$(
        impl Serialize for $id {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_bytes(self.as_bytes())
                }
            }
        }

        impl<'de> Deserialize<'de> for $id {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    parse(deserializer)
                } else {
                    let bytes: Cow<'_, [u8]> = serde_bytes::deserialize(deserializer)?;
                    Self::try_from(&*bytes).map_err(D::Error::custom)
                }
            }
        }
    )+};
}

id_values!(Sxurl, UrlHash, UrlShortHash, UrlVeryShortHash);
#[cfg(feature = "compat")]
id_values!(CrateUrlHash, CrateUrlShortHash, CrateUrlVeryShortHash);

impl Serialize for Url {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Url {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse(deserializer)
    }
}

/// In a binary format, the value is a tuple: the algorithm's identifier, the digest's bytes, and two flags
/// that tell whether the query and the fragment were kept.
#[cfg(feature = "hashed-uri")]
impl Serialize for HashedUri {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Keep { query, fragment } = self.keep();
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            // The text would be longer: its digits need twice as many bytes as the digest.
            (self.algorithm().name(), Bytes::new(self.digest()), query, fragment).serialize(serializer)
        }
    }
}

#[cfg(feature = "hashed-uri")]
impl<'de> Deserialize<'de> for HashedUri {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return parse(deserializer);
        }
        let (algorithm, digest, query, fragment) =
            <(Cow<'_, str>, serde_bytes::ByteBuf, bool, bool)>::deserialize(deserializer)?;
        let algorithm = algorithm.parse().map_err(D::Error::custom)?;
        Self::from_parts(algorithm, &digest, Keep { query, fragment }).map_err(D::Error::custom)
    }
}

fn parse<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}
