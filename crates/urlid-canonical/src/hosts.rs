//! The host of a URL as several specifications and libraries read it.
//!
//! If a filter and a client read different hosts from the same text, the filter can be bypassed
//! ([CWE-436](https://cwe.mitre.org/data/definitions/436.html)). The readings are compared only as texts.
//! Hosts are not mapped, decoded or looked up beyond the reader's own processing.

use urlid::Url;
use urlid::generic::normalise;
use urlid::reference::{Context, Reference};

use super::common_crawl::java_net;
use crate::rules::{go, python};

/// A specification or library that reads the host of a URL.
///
/// ```
/// use urlid_canonical::HostReader;
///
/// let text = r"http://a.example\@b.example/";
/// assert_eq!(HostReader::UrlStandard.host(text).as_deref(), Some("a.example"));
/// assert_eq!(HostReader::Cpython.host(text).as_deref(), Some("b.example"));
/// assert_eq!(HostReader::Java.host(text), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostReader {
    /// The URL Standard, without a base: browsers, Node, and clients built on them.
    UrlStandard,
    /// The grammar of RFC 3986. The text is a URI or a relative reference, and the host is the host of its
    /// authority as written.
    Rfc3986,
    /// CPython 3.11: `urllib.parse.urlsplit(text).hostname`, as in 3.11.7.
    Cpython,
    /// Java 17: `new java.net.URI(text).getHost()`, as in 17.0.15, which follows RFC 2396.
    Java,
    /// Go 1.19: `Hostname()` of the result of `net/url.Parse`, as in 1.19.8.
    Go,
}

impl HostReader {
    /// All readers.
    pub const ALL: [HostReader; 5] =
        [HostReader::UrlStandard, HostReader::Rfc3986, HostReader::Cpython, HostReader::Java, HostReader::Go];

    /// Returns the name, which never changes. A different version would have a different name.
    pub const fn name(self) -> &'static str {
        match self {
            HostReader::UrlStandard => "url-standard",
            HostReader::Rfc3986 => "rfc-3986",
            HostReader::Cpython => "cpython-3.11",
            HostReader::Java => "java-17",
            HostReader::Go => "go-1.19",
        }
    }

    /// Returns the host exactly as the reader returns it. It is empty if the text has none, and `None` if the
    /// reader rejects the text. A byte of Go that is not UTF-8 is U+FFFD.
    pub fn host(self, text: &str) -> Option<String> {
        match self {
            HostReader::UrlStandard => {
                Url::parse(text).ok().map(|url| url.host_str().unwrap_or_default().to_owned())
            }
            HostReader::Rfc3986 => {
                normalise(text).ok()?;
                let reference = Reference::parse(text, Context::Rfc3986).ok()?;
                Some(reference.authority().map(|authority| authority.host).unwrap_or_default().to_owned())
            }
            HostReader::Cpython => python::hostname(text),
            HostReader::Java => java_net::uri_host(text).map(|host| host.unwrap_or_default().to_owned()),
            HostReader::Go => go::hostname(text),
        }
    }

    /// Returns whether the hosts that readers found in one text are all the same, or all empty. Returns
    /// `false` if a reader rejected the text. The comparison is the same as in [`hosts_agree`], which also
    /// reads the hosts.
    pub fn agree<H: AsRef<str>>(hosts: impl IntoIterator<Item = Option<H>>) -> bool {
        let mut hosts = hosts.into_iter();
        let Some(Some(first)) = hosts.next() else { return false };
        let is_first = |host: H| comparable(host.as_ref()).eq_ignore_ascii_case(comparable(first.as_ref()));
        hosts.all(|host| host.is_some_and(is_first))
    }
}

/// Returns whether every [`HostReader`] accepts the text, and all find the same host, or all find no host.
///
/// The case of ASCII letters and the brackets of an address do not count. Everything else does.
/// `http://0x7f.1/`, which is 127.0.0.1 only to the URL Standard, is therefore a difference, and so is a text
/// that one of them rejects.
///
/// ```
/// use urlid_canonical::hosts_agree;
///
/// assert!(hosts_agree("https://Example.com:8443/a?b"));
/// assert!(hosts_agree("mailto:me@example.com"));
/// assert!(!hosts_agree("http:///example.com/"));
/// assert!(!hosts_agree("//example.com/"));
/// ```
pub fn hosts_agree(text: &str) -> bool {
    HostReader::agree(HostReader::ALL.into_iter().map(|reader| reader.host(text)))
}

/// Returns a host without brackets around it.
fn comparable(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}
