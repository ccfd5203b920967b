//! The parts of a URL in an index, with or without an SXURL.

use std::borrow::Cow;

use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Flags, Sxurl};

use crate::question::condition::Condition;
use crate::question::other::{OtherUrl, rewrite};
use crate::question::row::Table;

/// The parts of a stored URL.
#[derive(Clone, Debug)]
pub enum StoredUrl<'a> {
    /// A URL with an SXURL.
    Sxurl(Components<'a>),
    /// Any other absolute URL.
    Other(OtherUrl<'a>),
}

impl<'a> StoredUrl<'a> {
    /// Parses any text and calls `then` with the URL and whether the text had credentials.
    ///
    /// A text without an SXURL is first rewritten by the URL Standard ([`rewrite`]). The result may have an
    /// SXURL.
    ///
    /// # Errors
    /// [`urlid::Error`] if the text is not an absolute URL.
    pub fn read<T>(
        text: &str,
        list: &SuffixList,
        then: impl FnOnce(&StoredUrl<'_>, bool) -> T,
    ) -> Result<T, urlid::Error> {
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

    /// Parses the text of a row of an index. Returns `None` if no loader wrote it.
    #[must_use]
    pub fn of_row(table: Table, text: &'a str, list: &SuffixList) -> Option<Self> {
        match table {
            Table::Url => Components::parse(text, list).ok().map(Self::Sxurl),
            Table::Other => OtherUrl::parse(text, list).map(Self::Other),
        }
    }

    /// Parses a stored text. Returns `None` for texts that an index never stores.
    #[must_use]
    pub fn of_text(text: &'a str, list: &SuffixList) -> Option<Self> {
        Self::of_row(Table::Url, text, list).or_else(|| Self::of_row(Table::Other, text, list))
    }

    /// Returns the text by which the URL is stored.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Sxurl(url) => url.to_normal_text(),
            Self::Other(url) => url.text.to_owned(),
        }
    }

    /// Returns the identifier, or `None` without an SXURL.
    #[must_use]
    pub fn id(&self) -> Option<Sxurl> {
        match self {
            Self::Sxurl(url) => Some(url.encode()),
            Self::Other(_) => None,
        }
    }

    /// Returns the scheme without its colon, in lower case.
    #[must_use]
    pub fn scheme(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.scheme().name(),
            Self::Other(url) => url.scheme,
        }
    }

    /// Returns the host. Empty if there is none.
    #[must_use]
    pub fn host(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.host(),
            Self::Other(url) => url.host,
        }
    }

    /// Returns the host as a DNS name, in lower case and without a final dot. Empty if the host is not a
    /// name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.host(),
            Self::Other(url) => url.name(),
        }
    }

    /// Returns the public suffix of the host. Empty if the host is not a name.
    #[must_use]
    pub fn tld(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.tld(),
            Self::Other(url) => url.tld(),
        }
    }

    /// Returns the label left of the public suffix. Empty if there is none.
    #[must_use]
    pub fn domain(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.domain(),
            Self::Other(url) => url.domain(),
        }
    }

    /// Returns the labels left of the domain. Empty if there are none.
    #[must_use]
    pub fn sub(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.sub(),
            Self::Other(url) => url.sub(),
        }
    }

    /// Returns the domain and the public suffix as one text. Empty if there is no domain, as in addresses and
    /// public suffixes.
    #[must_use]
    pub fn registered_domain(&self) -> &str {
        match self {
            Self::Sxurl(url) if url.domain().is_empty() => "",
            Self::Sxurl(url) if url.sub().is_empty() => url.host(),
            Self::Sxurl(url) => &url.host()[url.sub().len() + 1..],
            Self::Other(url) => url.registered_domain(),
        }
    }

    /// Returns the port, if one is written.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        match self {
            Self::Sxurl(url) => url.port(),
            Self::Other(url) => url.port,
        }
    }

    /// Returns the path as stored, with its leading slash if it has one.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.path(),
            Self::Other(url) => url.path,
        }
    }

    /// Returns the query without its `?`. Empty if there is none.
    #[must_use]
    pub fn query(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.query(),
            Self::Other(url) => url.query,
        }
    }

    /// Returns the fragment without its `#`. Empty if there is none.
    #[must_use]
    pub fn fragment(&self) -> &str {
        match self {
            Self::Sxurl(url) => url.fragment(),
            Self::Other(url) => url.fragment,
        }
    }

    /// Returns the part that a condition compares, as a text. Returns `None` if the URL lacks the part, or if
    /// the condition does not compare a part.
    #[must_use]
    pub fn part(&self, condition: Condition) -> Option<Cow<'_, str>> {
        let text = match condition {
            Condition::Scheme => self.scheme(),
            Condition::Host => self.host(),
            Condition::RegisteredDomain => self.registered_domain(),
            Condition::Tld => self.tld(),
            Condition::Domain => self.domain(),
            // A name without labels before the domain gives an empty text. An address does not have a domain.
            Condition::Sub => return (!self.tld().is_empty()).then(|| self.sub().into()),
            Condition::Port => return self.port().map(|port| port.to_string().into()),
            Condition::Path => return Some(self.path().into()),
            Condition::Query => self.query(),
            Condition::Fragment => self.fragment(),
            Condition::Under | Condition::PathPrefix | Condition::Has | Condition::Lacks => "",
        };
        (!text.is_empty()).then_some(text.into())
    }

    /// Returns which of the parts that may be absent are present.
    #[must_use]
    pub fn optional_parts(&self) -> Flags {
        Flags::SUB.when(!self.sub().is_empty())
            | Flags::PARAMS.when(!self.query().is_empty())
            | Flags::FRAG.when(!self.fragment().is_empty())
            | Flags::PORT.when(self.port().is_some())
    }
}
