//! A URL as an index stores it, with or without an SXURL, by its parts.

use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Flags};
use urlid::web::ParseError;

use super::other::{OtherUrl, host_key, rewrite};
use super::row::{NO_ID, other_text};
use crate::id::{Id, Ids};

/// A URL by its parts.
#[derive(Clone, Debug)]
pub(crate) enum StoredUrl<'a> {
    /// One with an SXURL.
    Sxurl(Components<'a>),
    /// Any other absolute URL.
    Other(OtherUrl<'a>),
}

impl StoredUrl<'_> {
    /// Reads any text and calls `then` with the URL, and with whether credentials were written in it.
    ///
    /// A text without an SXURL is written as the URL Standard reads it; the result may have one.
    pub(crate) fn read<T>(
        text: &str,
        list: &SuffixList,
        then: impl FnOnce(&StoredUrl<'_>, bool) -> T,
    ) -> Result<T, ParseError> {
        if let Ok(components) = Components::parse(text, list) {
            let has_userinfo = components.has_userinfo();
            return Ok(then(&StoredUrl::Sxurl(components), has_userinfo));
        }
        let rewritten = rewrite(text)?;
        let url = match Components::parse(&rewritten.text, list) {
            Ok(components) => StoredUrl::Sxurl(components),
            Err(_) => StoredUrl::Other(
                OtherUrl::parse(&rewritten.text, list).expect("a text that was rewritten has a scheme"),
            ),
        };
        Ok(then(&url, rewritten.has_userinfo))
    }

    /// Returns the text that is stored.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Sxurl(url) => url.to_normal_text(),
            Self::Other(url) => url.text.to_owned(),
        }
    }

    /// Returns the row, as batches and sorts hold it.
    pub(crate) fn to_row(&self, ids: Ids) -> (Id, String) {
        match self {
            Self::Sxurl(url) => (ids.of(url), url.to_normal_text()),
            Self::Other(url) => (NO_ID, other_text(&host_key(url.host), url.text)),
        }
    }

    pub(crate) fn scheme(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.scheme().name(),
            Self::Other(url) => url.scheme,
        }
    }

    pub(crate) fn host(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.host(),
            Self::Other(url) => url.host,
        }
    }

    pub(crate) fn tld(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.tld(),
            Self::Other(url) => url.tld(),
        }
    }

    pub(crate) fn domain(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.domain(),
            Self::Other(url) => url.domain(),
        }
    }

    pub(crate) fn sub(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.sub(),
            Self::Other(url) => url.sub(),
        }
    }

    /// Returns domain and public suffix as one text; the host itself if it has no domain.
    pub(crate) fn registered_domain(&self) -> &str {
        match self {
            Self::Sxurl(url) if url.sub().is_empty() => url.host(),
            Self::Sxurl(url) => &url.host()[url.sub().len() + 1..],
            Self::Other(url) => url.registered_domain(),
        }
    }

    pub(crate) fn port(&self) -> Option<u16> {
        match self {
            Self::Sxurl(url) => url.port(),
            Self::Other(url) => url.port,
        }
    }

    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.path(),
            Self::Other(url) => url.path,
        }
    }

    pub(crate) fn query(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.query(),
            Self::Other(url) => url.query,
        }
    }

    pub(crate) fn fragment(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.fragment(),
            Self::Other(url) => url.fragment,
        }
    }

    /// Returns which of the parts that may be absent are present.
    pub(crate) fn optional_parts(&self) -> Flags {
        Flags::SUB.when(!self.sub().is_empty())
            | Flags::PARAMS.when(!self.query().is_empty())
            | Flags::FRAG.when(!self.fragment().is_empty())
            | Flags::PORT.when(self.port().is_some())
    }
}
