//! The conversions that identifiers of fixed length have in common.
//!
//! The macros only write trait impls. All other methods of an identifier are in the file of its type.

/// Implements the conversions to bytes and digits, for a type with `as_bytes`.
macro_rules! id_traits {
    ($id:ident, $length:literal) => {
        impl AsRef<[u8]> for $id {
            fn as_ref(&self) -> &[u8] {
                self.as_bytes()
            }
        }

        impl From<$id> for [u8; $length] {
            fn from(id: $id) -> Self {
                *id.as_bytes()
            }
        }

        impl core::fmt::LowerHex for $id {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::hex::write_lower(self.as_bytes(), f)
            }
        }

        impl core::fmt::UpperHex for $id {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::hex::write_upper(self.as_bytes(), f)
            }
        }
    };
}

/// Implements [`id_traits`] and the conversions of a hash: from a byte slice of its length, from and to
/// decimal words joined by `-`, and from a URL by reference.
macro_rules! hash_traits {
    ($hash:ident, $length:literal) => {
        $crate::id::id_traits!($hash, $length);

        impl From<[u8; $length]> for $hash {
            fn from(bytes: [u8; $length]) -> Self {
                Self(bytes)
            }
        }

        impl TryFrom<&[u8]> for $hash {
            type Error = $crate::error::Error;

            fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
                $crate::url_hash::words::sized(bytes).map(Self)
            }
        }

        impl From<$crate::web::Url> for $hash {
            fn from(url: $crate::web::Url) -> Self {
                Self::from(&url)
            }
        }

        impl core::fmt::Display for $hash {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::url_hash::words::write_words(&self.0, f)
            }
        }

        impl core::fmt::Debug for $hash {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}({})", stringify!($hash), self.to_hex())
            }
        }

        impl core::str::FromStr for $hash {
            type Err = $crate::error::Error;

            /// Reads decimal words joined by `-`, the form that `Display` writes.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::url_hash::words::parse(text).map(Self)
            }
        }
    };
}

pub(crate) use {hash_traits, id_traits};
