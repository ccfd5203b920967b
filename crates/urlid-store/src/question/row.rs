//! A row of an index file: its table, its key and its text, as SQLite returns them.

use urlid::sxurl::Sxurl;

/// The bytes of an identifier.
pub type Id = [u8; 32];

/// A table of an index file that holds URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The URLs with an SXURL.
    Url,
    /// The URLs without an SXURL.
    Other,
}

/// A value of SQLite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// Bytes.
    Blob(&'v [u8]),
    /// A text, which may not be UTF-8.
    Text(&'v [u8]),
    /// NULL or a number.
    Other,
}

impl<'v> Value<'v> {
    /// Returns a text that is UTF-8.
    #[must_use]
    pub fn as_str(self) -> Option<&'v str> {
        match self {
            Self::Text(text) => str::from_utf8(text).ok(),
            Self::Blob(_) | Self::Other => None,
        }
    }

    /// Returns a blob that has the length of an identifier.
    #[must_use]
    pub fn as_id(self) -> Option<&'v Id> {
        match self {
            Self::Blob(bytes) => bytes.try_into().ok(),
            Self::Text(_) | Self::Other => None,
        }
    }

    /// Returns a key for the comparison with identifiers. In a damaged file a key can have any length and type; it is cut or
    /// filled with zeros.
    #[must_use]
    pub fn to_padded_id(self) -> Id {
        let key = if let Self::Blob(key) = self { key } else { &[] };
        std::array::from_fn(|index| key.get(index).copied().unwrap_or(0))
    }
}

/// One row of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// The identifier of the URL; `None` if it lacks an SXURL.
    pub id: Option<Sxurl>,
    /// The stored text of the URL: the SXURL normal text if it has an identifier.
    pub url: &'a str,
}
