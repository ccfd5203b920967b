//! What a question asks: values in clear for parts of a URL.
//!
//! Host parts are mapped as a URL's host is, and `matches` decides from a URL's own parts whether it is an answer. Knows nothing of
//! slices and rows.

use std::fmt;

use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, EncodeError, HostPart, Scheme, Slice};
use urlid::{Coded, ErrorCode};

/// A question as it is put: every value that is given must be that of the URL.
///
/// The empty string asks for URLs without that part; `port` asks for a port that is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask<'a> {
    /// The scheme.
    pub scheme: Option<Scheme>,
    /// The public suffix, without a leading dot.
    pub tld: Option<&'a str>,
    /// The one label left of the public suffix.
    pub domain: Option<&'a str>,
    /// Everything left of the domain.
    pub sub: Option<&'a str>,
    /// The whole host; not together with `tld`, `domain` or `sub`.
    pub host: Option<&'a str>,
    /// The port as written.
    pub port: Option<u16>,
    /// The path with its leading slash.
    pub path: Option<&'a str>,
    /// The query without its `?`.
    pub query: Option<&'a str>,
    /// The fragment without its `#`.
    pub fragment: Option<&'a str>,
}

/// Why nothing can be asked so.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionError {
    /// A value cannot be part of a host.
    Host {
        /// Which one: `tld`, `domain`, `sub` or `host`.
        part: &'static str,
        /// Why not.
        source: EncodeError,
    },
    /// The domain is more than one label.
    DomainIsHost {
        /// What was given.
        host: String,
        /// Its label left of the public suffix.
        domain: String,
        /// Its public suffix.
        tld: String,
    },
    /// The value of a part that every URL has is empty.
    Empty {
        /// Which one: `tld` or `host`.
        part: &'static str,
    },
    /// The host is given whole and in parts.
    HostTwice,
}

impl Coded for QuestionError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Host { source, .. } => source.code(),
            Self::DomainIsHost { .. } | Self::Empty { .. } | Self::HostTwice => ErrorCode::HostNotDns,
        }
    }
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host { part, source } => write!(f, "{part} is no part of a host: {source}"),
            Self::DomainIsHost { host, domain, tld } => write!(
                f,
                "domain is one label: found `{host}`, expected `{domain}` with tld `{tld}`, or `{host}` as host"
            ),
            Self::Empty { part } => write!(f, "{part} is empty: found no text, expected a name"),
            Self::HostTwice => {
                f.write_str("host is given twice: found it whole and in parts, expected one of them")
            }
        }
    }
}

impl std::error::Error for QuestionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Host { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A question whose values are mapped and possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    pub(crate) scheme: Option<Scheme>,
    pub(crate) tld: Option<String>,
    pub(crate) domain: Option<String>,
    pub(crate) sub: Option<String>,
    pub(crate) port: Option<u16>,
    pub(crate) path: Option<String>,
    pub(crate) query: Option<String>,
    pub(crate) fragment: Option<String>,
}

impl Question {
    /// Maps the values of a question; `list` is the list of the index.
    ///
    /// # Errors
    /// [`QuestionError`] for values that no URL can have.
    pub fn of(ask: &Ask<'_>, list: &SuffixList) -> Result<Self, QuestionError> {
        let mut question = Self {
            scheme: ask.scheme,
            port: ask.port,
            path: ask.path.map(path_or_root),
            query: ask.query.map(str::to_owned),
            fragment: ask.fragment.map(str::to_owned),
            ..Self::default()
        };
        if let Some(host) = ask.host {
            if ask.tld.is_some() || ask.domain.is_some() || ask.sub.is_some() {
                return Err(QuestionError::HostTwice);
            }
            let host = not_empty("host", map("host", host)?)?;
            let split = list.split(&host);
            question.tld = Some(split.tld.to_owned());
            question.domain = Some(split.domain.to_owned());
            question.sub = Some(split.sub.to_owned());
            return Ok(question);
        }
        question.tld = ask.tld.map(|tld| not_empty("tld", map("tld", tld)?)).transpose()?;
        question.domain = ask.domain.map(|domain| one_label(map("domain", domain)?, list)).transpose()?;
        question.sub = ask.sub.map(|sub| map("sub", sub)).transpose()?;
        Ok(question)
    }

    /// Tells whether a URL is an answer, from its own parts.
    #[must_use]
    pub fn matches(&self, url: &Components<'_>) -> bool {
        fn is(asked: Option<&String>, found: &str) -> bool {
            asked.is_none_or(|asked| asked == found)
        }
        self.scheme.is_none_or(|scheme| scheme == url.scheme())
            && is(self.tld.as_ref(), url.tld())
            && is(self.domain.as_ref(), url.domain())
            && is(self.sub.as_ref(), url.sub())
            && self.port.is_none_or(|port| Some(port) == url.port())
            && is(self.path.as_ref(), url.path())
            && is(self.query.as_ref(), url.query())
            && is(self.fragment.as_ref(), url.fragment())
    }

    /// Returns the scheme that is asked for.
    #[must_use]
    pub fn scheme(&self) -> Option<Scheme> {
        self.scheme
    }

    /// Returns the port that is asked for.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the mapped value that is asked for in the part of a slice, for those who look for its hash elsewhere.
    #[must_use]
    pub fn part(&self, slice: Slice) -> Option<&str> {
        match slice {
            Slice::Tld => self.tld.as_deref(),
            Slice::Domain => self.domain.as_deref(),
            Slice::Sub => self.sub.as_deref(),
            Slice::Path => self.path.as_deref(),
            Slice::Params => self.query.as_deref(),
            Slice::Frag => self.fragment.as_deref(),
        }
    }

    /// Tells whether every URL is an answer.
    #[must_use]
    pub fn is_unconditional(&self) -> bool {
        *self == Self::default()
    }
}

/// An empty path counts as `/`, in questions as in URLs.
fn path_or_root(path: &str) -> String {
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

fn map(part: &'static str, value: &str) -> Result<String, QuestionError> {
    let mapped = HostPart::map(value).map_err(|source| QuestionError::Host { part, source })?;
    Ok(mapped.as_str().to_owned())
}

fn not_empty(part: &'static str, value: String) -> Result<String, QuestionError> {
    if value.is_empty() { Err(QuestionError::Empty { part }) } else { Ok(value) }
}

fn one_label(domain: String, list: &SuffixList) -> Result<String, QuestionError> {
    if !domain.contains('.') {
        return Ok(domain);
    }
    let split = list.split(&domain);
    let (label, tld) = (split.domain.to_owned(), split.tld.to_owned());
    Err(QuestionError::DomainIsHost { domain: label, tld, host: domain })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ask: Ask<'_>) -> Result<Question, QuestionError> {
        Question::of(&ask, <&SuffixList>::default())
    }

    #[test]
    fn host_parts_are_mapped_like_hosts() {
        let question =
            of(Ask { tld: Some("CO.UK"), domain: Some("BÜCHER"), sub: Some(""), ..Ask::default() });
        let question = question.expect("is possible");
        assert_eq!(question.tld.as_deref(), Some("co.uk"));
        assert_eq!(question.domain.as_deref(), Some("xn--bcher-kva"));
        assert_eq!(question.sub.as_deref(), Some(""));
        let whole = of(Ask { host: Some("www.Example.co.uk"), ..Ask::default() }).expect("is possible");
        let parts = Ask { tld: Some("co.uk"), domain: Some("example"), sub: Some("www"), ..Ask::default() };
        assert_eq!(Ok(whole), of(parts));
    }

    #[test]
    fn the_mapped_values_can_be_read() {
        let ask = Ask {
            scheme: Some(Scheme::Http),
            host: Some("WWW.Example.co.uk"),
            port: Some(80),
            ..Ask::default()
        };
        let question = of(ask).expect("is possible");
        assert_eq!((question.scheme(), question.port()), (Some(Scheme::Http), Some(80)));
        let parts = Slice::ALL.map(|slice| question.part(slice));
        assert_eq!(parts, [Some("co.uk"), Some("example"), Some("www"), None, None, None]);
    }

    #[test]
    fn what_no_url_can_have_is_refused() {
        let table = [
            (
                Ask { domain: Some("www.google.com"), ..Ask::default() },
                "domain is one label: found `www.google.com`, expected `google` with tld `com`, or `www.google.com` as host",
            ),
            (Ask { tld: Some(""), ..Ask::default() }, "tld is empty: found no text, expected a name"),
            (
                Ask { host: Some("a.com"), sub: Some(""), ..Ask::default() },
                "host is given twice: found it whole and in parts, expected one of them",
            ),
        ];
        for (ask, message) in table {
            assert_eq!(of(ask).expect_err(message).to_string(), message);
        }
        assert_eq!(
            of(Ask { tld: Some(".ai"), ..Ask::default() }).expect_err("has a dot").code(),
            ErrorCode::HostLen
        );
        assert_eq!(
            of(Ask { sub: Some("a b"), ..Ask::default() }).expect_err("a space").code(),
            ErrorCode::HostNotDns
        );
    }

    #[test]
    fn a_url_answers_by_its_own_parts() {
        let url =
            Components::parse("http://a.b.example.com:80/p?q#f", <&SuffixList>::default()).expect("is a URL");
        let yes = [
            Ask::default(),
            Ask { scheme: Some(Scheme::Http), ..Ask::default() },
            Ask { sub: Some("a.b"), port: Some(80), ..Ask::default() },
            Ask { path: Some("/p"), query: Some("q"), fragment: Some("f"), ..Ask::default() },
            Ask { host: Some("a.b.example.com"), ..Ask::default() },
        ];
        let no = [
            Ask { scheme: Some(Scheme::Https), ..Ask::default() },
            Ask { sub: Some(""), ..Ask::default() },
            Ask { port: Some(81), ..Ask::default() },
            Ask { path: Some("/p/"), ..Ask::default() },
            Ask { query: Some(""), ..Ask::default() },
            Ask { fragment: Some("F"), ..Ask::default() },
            Ask { host: Some("example.com"), ..Ask::default() },
        ];
        assert!(yes.into_iter().all(|ask| of(ask).expect("is possible").matches(&url)));
        assert!(!no.into_iter().any(|ask| of(ask).expect("is possible").matches(&url)));
    }
}
