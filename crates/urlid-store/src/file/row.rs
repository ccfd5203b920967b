//! Rows of both tables in one form, for batches and sorts: an identifier and a text.
//!
//! A row of `other` has an identifier that a URL can never have, which sorts after all others. Its text is
//! the host key, a NUL and the URL. Hosts cannot contain a NUL, the least character, so these texts sort like
//! the table.

use rusqlite::types::ValueRef;
use urlid::sxurl::Components;

use crate::question::{StoredUrl, host_key};

pub(crate) use crate::question::Id;

/// The identifier of rows of `other`. The first hex digit of an SXURL is its version, 1, so it cannot be `f`.
pub(crate) const NO_ID: Id = [0xff; 32];

const SEPARATOR: char = '\0';

/// The key of a row in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKey<'r> {
    /// In `url`.
    Sxurl { id: &'r Id, url: &'r str },
    /// In `other`.
    Other { host_key: &'r str, url: &'r str },
}

impl<'r> RowKey<'r> {
    /// Returns the key that an identifier and a text represent.
    pub(crate) fn new(id: &'r Id, text: &'r str) -> Self {
        match text.split_once(SEPARATOR) {
            // In a damaged file, a text of `url` may also contain a NUL, so the identifier decides.
            Some((host_key, url)) if *id == NO_ID => Self::Other { host_key, url },
            _ => Self::Sxurl { id, url: text },
        }
    }

    /// Returns the stored text of the URL.
    pub(crate) fn url(self) -> &'r str {
        match self {
            Self::Sxurl { url, .. } | Self::Other { url, .. } => url,
        }
    }
}

/// Returns the row of a URL.
pub(crate) fn stored_row(url: &StoredUrl<'_>) -> (Id, String) {
    match url {
        StoredUrl::Sxurl(url) => (url_id(url), url.to_normal_text()),
        StoredUrl::Other(url) => (NO_ID, other_text(&host_key(url.host), url.text)),
    }
}

/// Returns the identifier of a parsed URL.
pub(crate) fn url_id(components: &Components<'_>) -> Id {
    stored_id(components.encode().to_bytes())
}

/// Returns the identifier that is stored. It is the given one, except in tests of collisions.
pub(crate) fn stored_id(id: Id) -> Id {
    #[cfg(test)]
    let id = if crate::question::slice_value::weak::is_on() { weaken(id) } else { id };
    id
}

/// Keeps the low four bits of each hash.
#[cfg(test)]
fn weaken(mut id: Id) -> Id {
    for slice in urlid::sxurl::Slice::ALL {
        let digits = slice.hex_range();
        for digit in digits.start..digits.end - 1 {
            // An even digit is the high half of its byte. All digits of a slice except the last become 0.
            id[digit / 2] &= if digit.is_multiple_of(2) { 0x0f } else { 0xf0 };
        }
    }
    id
}

/// Returns the text of a row of `other`.
pub(crate) fn other_text(host_key: &str, url: &str) -> String {
    let mut text = String::with_capacity(host_key.len() + 1 + url.len());
    text.push_str(host_key);
    text.push(SEPARATOR);
    text.push_str(url);
    text
}

/// Returns a value as an identifier, if it is a blob of 32 bytes.
pub(crate) fn id_of(value: ValueRef<'_>) -> Option<&Id> {
    value.as_blob().ok()?.try_into().ok()
}
