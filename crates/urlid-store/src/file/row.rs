//! Rows of both tables in one form, for batches and sorts: an identifier and a text.
//!
//! A row of `other` has an identifier that no URL can have, which sorts behind all others. Its text is the host key, a NUL and
//! the URL. No host contains a NUL, the least character, so these texts sort like the table.

use crate::question::{StoredUrl, host_key};

use crate::file::id::{Id, Ids};

/// The identifier of rows of `other`. The first hex digit of an SXURL is its version, 1, so `f` cannot occur there.
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
    /// Returns the key that an identifier and a text stand for.
    pub(crate) fn of(id: &'r Id, text: &'r str) -> Self {
        match text.split_once(SEPARATOR) {
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
pub(crate) fn stored_row(url: &StoredUrl<'_>, ids: Ids) -> (Id, String) {
    match url {
        StoredUrl::Sxurl(url) => (ids.of(url), url.to_normal_text()),
        StoredUrl::Other(url) => (NO_ID, other_text(&host_key(url.host), url.text)),
    }
}

/// Returns the text of a row of `other`.
pub(crate) fn other_text(host_key: &str, url: &str) -> String {
    let mut text = String::with_capacity(host_key.len() + 1 + url.len());
    text.push_str(host_key);
    text.push(SEPARATOR);
    text.push_str(url);
    text
}
