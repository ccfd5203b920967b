//! The conversions from and to bytes and digits that every identifier of fixed length implements.

/// Implements them for a tuple struct of one array of bytes.
macro_rules! id_traits {
    ($id:ident, $length:literal) => {
        impl AsRef<[u8]> for $id {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        impl From<$id> for [u8; $length] {
            fn from(id: $id) -> Self {
                id.0
            }
        }

        impl core::fmt::LowerHex for $id {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::hex::write_lower(&self.0, f)
            }
        }

        impl core::fmt::UpperHex for $id {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::hex::write_upper(&self.0, f)
            }
        }
    };
}

pub(crate) use id_traits;
