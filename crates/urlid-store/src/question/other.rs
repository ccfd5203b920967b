//! URLs without an SXURL: their stored text, their key, and their parts (docs/index-format.md, section 2).
//!
//! These are IP addresses, names that end in a dot, other schemes and URLs without a host. The URL Standard
//! defines their syntax.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use urlid::reference::{Class, Context, Reference};
use urlid::suffix::SuffixList;
use urlid::web::{Url, clean, force};

/// The stored text of a URL without an SXURL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// Scheme, host and port in normal form, without user and password, and the rest as written.
    pub text: String,
    /// Whether a user or a password was left out.
    pub has_userinfo: bool,
}

/// Returns the stored text of an absolute URL without an SXURL.
///
/// The scheme is in lower case, the host as the URL Standard serialises it, the port in decimal, and the rest
/// as written. Rewriting is idempotent.
///
/// # Errors
/// [`urlid::Error`] if the text is not an absolute URL.
pub fn rewrite(text: &str) -> Result<Rewritten, urlid::Error> {
    // The text is parsed twice. `Url` has the host in normal form. `forced` has the other parts as written,
    // because normalisation would merge different ones (`/a/../b` with `/b`).
    let url = Url::parse(text)?;
    let cleaned = clean(text);
    let forced = force(&Reference::parse(&cleaned, Context::Whatwg(Class::Generic))?)?;
    let written = forced.as_reference();
    let mut text = [url.scheme(), ":"].concat();
    if let Some(host) = url.host_str() {
        text.extend(["//", host]);
        if let Some(port) = written.authority().and_then(|authority| authority.port_number()) {
            text.extend([":", &port.to_string()]);
        }
    }
    match written.path() {
        "" if written.class() == Class::Web => text.push('/'),
        // A backslash is a slash in URLs that browsers open.
        path if written.class().is_special() => text.push_str(&path.replace('\\', "/")),
        path => text.push_str(path),
    }
    // The standard strips spaces and controls from the end of a URL. Once empty parts are left out, the end
    // may be in a different part. Without this step, rewriting again would strip more.
    let fragment = without_blanks(written.fragment().unwrap_or_default());
    let query = written.query().unwrap_or_default();
    let query = if fragment.is_empty() { without_blanks(query) } else { query };
    for (delimiter, part) in [("?", query), ("#", fragment)] {
        if !part.is_empty() {
            text.extend([delimiter, part]);
        }
    }
    text.truncate(without_blanks(&text).len());
    let has_userinfo = !url.username().is_empty() || url.password().is_some();
    Ok(Rewritten { text, has_userinfo })
}

/// Returns a text without spaces and controls at its end.
fn without_blanks(text: &str) -> &str {
    text.trim_end_matches(|character| character <= ' ')
}

/// Returns the key of a host. For a name, the key has its labels in reverse order, so that a domain with its
/// subdomains is one range. An address is its own key.
pub fn host_key(host: &str) -> String {
    let name = name_of(host);
    if name.is_empty() { host.to_owned() } else { reversed(&name) }
}

/// Returns the labels of a name in reverse order.
pub(crate) fn reversed(name: &str) -> String {
    let mut labels: Vec<&str> = name.split('.').collect();
    labels.reverse();
    labels.join(".")
}

/// Returns a host as a DNS name, in lower case and without a final dot. The name of an address is empty.
pub(crate) fn name_of(host: &str) -> Cow<'_, str> {
    if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() {
        return Cow::Borrowed("");
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// The parts of a URL without an SXURL.
#[derive(Clone, Debug)]
pub struct OtherUrl<'a> {
    /// The stored text.
    pub text: &'a str,
    /// The scheme, in lower case.
    pub scheme: &'a str,
    /// The host as the URL Standard serialises it. Empty if there is none.
    pub host: &'a str,
    /// The port, if one is written.
    pub port: Option<u16>,
    /// The path as written.
    pub path: &'a str,
    /// The query without its `?`. Empty if there is none.
    pub query: &'a str,
    /// The fragment without its `#`. Empty if there is none.
    pub fragment: &'a str,
    /// The host as a DNS name, from `name_of`.
    name: Cow<'a, str>,
    /// The offsets in the name of the label left of the public suffix, and of the suffix.
    domain_start: usize,
    tld_start: usize,
}

impl<'a> OtherUrl<'a> {
    /// Splits a stored text. Returns `None` if it lacks a scheme.
    pub fn parse(text: &'a str, list: &SuffixList) -> Option<Self> {
        let written = Reference::parse(text, Context::Whatwg(Class::Generic)).ok()?;
        let scheme = written.scheme()?;
        let authority = written.authority();
        let host = authority.map_or("", |authority| authority.host);
        let name = name_of(host);
        // Both stay 0 for an address, and are 0 for a name that is itself a suffix. Such hosts have no
        // domain.
        let (mut domain_start, mut tld_start) = (0, 0);
        if !name.is_empty() {
            let split = list.split_normal(&name);
            tld_start = name.len() - split.tld.len();
            // The offset is counted from the right, because the sub of `.example.com` is empty and still has
            // a dot after it.
            domain_start = tld_start.saturating_sub(split.domain.len() + 1);
        }
        Some(Self {
            text,
            scheme,
            host,
            port: authority.and_then(|authority| authority.port_number()),
            path: written.path(),
            query: written.query().unwrap_or_default(),
            fragment: written.fragment().unwrap_or_default(),
            name,
            domain_start,
            tld_start,
        })
    }

    /// Returns the host as a DNS name, in lower case and without a final dot. The name of an address is
    /// empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the public suffix of the host, or an empty text if the host is not a name.
    pub fn tld(&self) -> &str {
        &self.name[self.tld_start..]
    }

    /// Returns the label left of the public suffix. Empty if there is none.
    pub fn domain(&self) -> &str {
        if self.tld_start > self.domain_start {
            &self.name[self.domain_start..self.tld_start - 1]
        } else {
            ""
        }
    }

    /// Returns the labels left of the domain. Empty if there are none.
    pub fn sub(&self) -> &str {
        &self.name[..self.domain_start.saturating_sub(1)]
    }

    /// Returns the domain and the public suffix. Empty if there is no domain.
    pub fn registered_domain(&self) -> &str {
        if self.domain().is_empty() { "" } else { &self.name[self.domain_start..] }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rewritten(text: &str) -> String {
        rewrite(text).expect(text).text
    }

    #[test]
    fn the_host_follows_the_standard_and_the_rest_is_as_written() {
        let table = [
            ("HTTP://u:p@0x7f.1:080/a b/../%41?q|#f g", "http://127.0.0.1:80/a b/../%41?q|#f g"),
            (" http://1.2.3.4\\a\\b?\\ ", "http://1.2.3.4/a/b?\\"),
            ("http:1.2.3.4", "http://1.2.3.4/"),
            ("http://1.2.3.4/?#", "http://1.2.3.4/"),
            ("http://1.2.3.4/ ?", "http://1.2.3.4/"),
            ("http://1.2.3.4/? #", "http://1.2.3.4/"),
            ("http://1.2.3.4/?a? # ", "http://1.2.3.4/?a?"),
            ("http://1.2.3.4/ ? #x", "http://1.2.3.4/ ? #x"),
            ("https://Example.com./x", "https://example.com./x"),
            ("http://%65xample.com/", "http://example.com/"),
            ("http://[0:0::1]:/", "http://[::1]/"),
            ("wss://B\u{fc}cher.de", "wss://xn--bcher-kva.de/"),
            ("ssh://git@GitHub.com:22/x", "ssh://GitHub.com:22/x"),
            ("foo://h", "foo://h"),
            ("mailto:a@b?subject=x", "mailto:a@b?subject=x"),
            ("DATA:text/plain,\u{fc}", "data:text/plain,\u{fc}"),
            ("file:c:/x", "file:///c:/x"),
            ("file:", "file:///"),
            ("file:a", "file:///a"),
            ("file://", "file://"),
            ("file://host", "file://host"),
            ("C: #", "c:"),
            ("foo:/.//p", "foo:/.//p"),
            ("ht\ntp://1.2.3.4/\t", "http://1.2.3.4/"),
        ];
        for (text, expected) in table {
            assert_eq!(rewritten(text), expected, "{text}");
        }
        for text in ["", "x", "//h/", "http://", "http://1.2.3.4:65536/", "http://a b/", "http://[::1"] {
            assert!(rewrite(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_split_and_addresses_are_not() {
        let list = SuffixList::compiled();
        let table = [
            ("ws://www.Example.co.uk/", "uk.co.example.www", ["co.uk", "example", "www", "example.co.uk"]),
            ("http://example.com./", "com.example", ["com", "example", "", "example.com"]),
            ("ssh://A.GitHub.io/", "io.github.a", ["github.io", "a", "", "a.github.io"]),
            ("ws://com/", "com", ["com", "", "", ""]),
            ("http://1.2.3.4/", "1.2.3.4", ["", "", "", ""]),
            ("foo://1.2.3.4/", "1.2.3.4", ["", "", "", ""]),
            ("http://[::1]/", "[::1]", ["", "", "", ""]),
            ("mailto:x", "", ["", "", "", ""]),
            ("http://.example.com/", "com.example.", ["com", "example", "", "example.com"]),
            ("http://a..example.com/", "com.example..a", ["com", "example", "a.", "example.com"]),
            ("http://a..com/", "com..a", ["com", "", "a", ""]),
        ];
        for (text, key, parts) in table {
            let text = rewritten(text);
            let url = OtherUrl::parse(&text, list).expect("has a scheme");
            assert_eq!(host_key(url.host), key);
            assert_eq!([url.tld(), url.domain(), url.sub(), url.registered_domain()], parts, "{text}");
        }
    }

    proptest! {
        #![proptest_config(urlid_testing::proptest_config())]

        #[test]
        fn rewriting_again_changes_nothing(
            text in "(http|wss|file|foo|mailto|HTTP|ftp)?:?[/\\\\]{0,4}([a-zA-Z0-9.%@:-]{0,8}|1\\.2\\.3\\.4|\\[::1\\]|C\\|)(:[0-9]{0,3})?[/?#a-z. \\\\|\u{1}\u{fc}]{0,10}"
        ) {
            if let Ok(Rewritten { text: once, .. }) = rewrite(&text) {
                let twice = rewrite(&once);
                prop_assert_eq!(twice.map(|twice| (twice.text, twice.has_userinfo)), Ok((once.clone(), false)), "{}", text);
                let url = OtherUrl::parse(&once, SuffixList::compiled()).expect("has a scheme");
                prop_assert_eq!(Url::parse(&once).map(|url| url.host_str().unwrap_or_default().to_owned()), Ok(url.host.to_owned()));
                let parts = [url.sub(), url.domain(), url.tld()];
                let joined: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                prop_assert!(url.name.is_empty() || url.name.contains("..") || url.name.starts_with('.') || url.name.ends_with('.') || joined.join(".") == url.name, "{}", once);
            }
        }
    }
}
