//! The host of a URL as several specifications and libraries read it.
//!
//! Where a filter and a client read another host in one text, the filter can be passed by
//! ([CWE-436](https://cwe.mitre.org/data/definitions/436.html)). Whether the readings are the same is
//! compared on texts alone: no host is mapped, decoded or looked up beyond what its reader does.

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
    /// The grammar of RFC 3986: the text is a URI or a relative reference, and the host is that of its
    /// authority, as it is written.
    Rfc3986,
    /// CPython 3.11: `urllib.parse.urlsplit(text).hostname`, as 3.11.7 has it.
    Cpython,
    /// Java 17: `new java.net.URI(text).getHost()`, as 17.0.15 has it, which follows RFC 2396.
    Java,
    /// Go 1.19: `Hostname()` of what `net/url.Parse` returns, as 1.19.8 has it.
    Go,
}

impl HostReader {
    /// All readers.
    pub const ALL: [HostReader; 5] =
        [HostReader::UrlStandard, HostReader::Rfc3986, HostReader::Cpython, HostReader::Java, HostReader::Go];

    /// Returns the name, which never changes: that of another version is another name.
    pub const fn name(self) -> &'static str {
        match self {
            HostReader::UrlStandard => "url-standard",
            HostReader::Rfc3986 => "rfc-3986",
            HostReader::Cpython => "cpython-3.11",
            HostReader::Java => "java-17",
            HostReader::Go => "go-1.19",
        }
    }

    /// Returns the host exactly as the reader gives it, empty if the text has none; `None` if the reader
    /// rejects the text. A byte of Go that is not UTF-8 is U+FFFD.
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

    /// Returns whether hosts that readers gave for one text are the same one, or all empty; `false` if a
    /// reader rejected the text. Compares as [`hosts_agree`], which reads them too.
    pub fn agree<H: AsRef<str>>(hosts: impl IntoIterator<Item = Option<H>>) -> bool {
        let mut hosts = hosts.into_iter();
        let Some(Some(first)) = hosts.next() else { return false };
        let is_first = |host: H| comparable(host.as_ref()).eq_ignore_ascii_case(comparable(first.as_ref()));
        hosts.all(|host| host.is_some_and(is_first))
    }
}

/// Returns whether every [`HostReader`] reads the text, and all see the same host, or all see none.
///
/// Case of ASCII letters and the brackets of an address do not count; everything else does, so
/// `http://0x7f.1/`, which is 127.0.0.1 to the URL Standard alone, is a difference, and so is a text that one
/// of them rejects.
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
