//! Splits hosts at their public suffix, in the forms that people have: a bare host, or a host in a URL, with
//! a user, a port or a path.
//!
//! `suffix` splits a name in normal form. This module first reads a text by the table in
//! docs/spec/contract.md. A text that two readers could read as different hosts is an error.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use core::net::Ipv6Addr;
use core::ops::Range;

use memchr::memchr3;

use crate::error::Error;
use crate::host::error::FORBIDDEN_BYTE;
use crate::host::{Host, ends_in_number};
use crate::plain;
use crate::reference::Class;
use crate::suffix::SuffixList;
use crate::sxurl::{PlainName, map_host};
use crate::web::{Url, clean, dns_name, has_scheme};

/// A host in normal form, split at its public suffix.
///
/// An IP address has only a host and a kind. A URL without a host has no parts.
///
/// ```
/// use urlid::suffix::SuffixList;
///
/// let split = SuffixList::compiled().split("me@WWW.Example.co.uk.:8080")?;
/// assert_eq!((split.sub(), split.domain(), split.tld()), (Some("www"), Some("example"), Some("co.uk")));
/// assert_eq!((split.host(), split.kind()), (Some("www.example.co.uk"), Some("domain")));
/// assert_eq!(SuffixList::compiled().split("[::1]:80")?.kind(), Some("ipv6"));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSplit<'t> {
    /// Empty if there is no host. A domain name has no trailing dot.
    host: Cow<'t, str>,
    kind: Option<&'static str>,
    /// The range of the label before the public suffix. Empty if there is none.
    domain: Range<usize>,
    /// The byte offset of the public suffix.
    tld: usize,
}

impl<'t> HostSplit<'t> {
    #[inline]
    fn of_name(host: Cow<'t, str>, list: &SuffixList) -> Self {
        let split = list.split_normal(&host);
        let tld = host.len() - split.tld.len();
        let domain_end = tld.saturating_sub(".".len());
        Self { domain: domain_end - split.domain.len()..domain_end, tld, kind: Some("domain"), host }
    }

    /// Makes the split of a host that is not a domain name.
    fn of_other(host: &str, kind: Option<&'static str>) -> Self {
        Self { host: Cow::Owned(host.to_owned()), kind, domain: 0..0, tld: host.len() }
    }

    /// Returns the host as browsers write it, but without a trailing dot. An IPv6 address is in brackets.
    pub fn host(&self) -> Option<&str> {
        not_empty(&self.host)
    }

    /// Returns the kind of the host: `domain`, `ipv4`, `ipv6` or `opaque`.
    pub fn kind(&self) -> Option<&'static str> {
        self.kind
    }

    /// Returns the labels before the registered domain, if there are any.
    pub fn sub(&self) -> Option<&str> {
        not_empty(&self.host[..self.domain.start.saturating_sub(".".len())])
    }

    /// Returns the label before the public suffix. A host that is a public suffix itself has no such label.
    pub fn domain(&self) -> Option<&str> {
        not_empty(&self.host[self.domain.clone()])
    }

    /// Returns the public suffix.
    pub fn tld(&self) -> Option<&str> {
        not_empty(&self.host[self.tld..])
    }

    /// Returns the public suffix with the label before it.
    pub fn registered_domain(&self) -> Option<&str> {
        (!self.domain.is_empty()).then(|| &self.host[self.domain.start..])
    }

    /// Returns whether the host is a public suffix itself.
    pub fn is_suffix(&self) -> bool {
        self.kind == Some("domain") && self.tld == 0
    }
}

fn not_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

impl SuffixList {
    /// Reads a host in the forms that people have, and splits it at its public suffix.
    ///
    /// The text is a URL, a host, or a host with a user or mailbox before it and a port or a path after it. A
    /// URL is read as in browsers. A host is mapped as in URLs, and its trailing dot is dropped.
    ///
    /// ```
    /// use urlid::suffix::SuffixList;
    ///
    /// let list = SuffixList::compiled();
    /// let domain = |text| list.split(text).map(|split| split.registered_domain().map(str::to_owned));
    /// for text in ["https://www.example.co.uk/a", "WWW.Example.co.uk.", "example.co.uk:80", "me@example.co.uk"] {
    ///     assert_eq!(domain(text)?.as_deref(), Some("example.co.uk"));
    /// }
    /// assert_eq!(domain("1.2.3.4")?, None);
    /// assert!(domain("example.co.uk\\@example.com").is_err());
    /// # Ok::<(), urlid::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error`] if the text has a different form, or could be read as different hosts.
    #[inline]
    pub fn split<'t>(&self, text: &'t str) -> Result<HostSplit<'t>, Error> {
        match plain_name(text) {
            Some(name) => Ok(HostSplit::of_name(Cow::Borrowed(name), self)),
            None => self.split_any(text),
        }
    }

    /// Returns the registered domain of a host, that is, its public suffix and the label before it. A host
    /// that is a public suffix, an IP address and a URL without a host have no registered domain.
    ///
    /// The text is read as in [`split`](SuffixList::split).
    ///
    /// ```
    /// use urlid::suffix::{Sections, SuffixList};
    ///
    /// let list = SuffixList::compiled_with(Sections::Icann);
    /// assert_eq!(list.registered_domain("WWW.Example.CO.UK.")?.as_deref(), Some("example.co.uk"));
    /// assert_eq!(list.registered_domain("co.uk")?, None);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`split`](SuffixList::split).
    #[inline]
    pub fn registered_domain<'t>(&self, text: &'t str) -> Result<Option<Cow<'t, str>>, Error> {
        match plain_name(text) {
            Some(name) => Ok(self.split_normal(name).registered_domain(name).map(Cow::Borrowed)),
            None => Ok(self.split_any(text)?.registered_domain().map(|domain| Cow::Owned(domain.to_owned()))),
        }
    }

    // A separate function, so that only the short path is inlined.
    #[inline(never)]
    fn split_any(&self, text: &str) -> Result<HostSplit<'static>, Error> {
        let url = clean(text);
        if is_url(&url) {
            return self.split_url(without_path(&url));
        }
        // Outer blanks are dropped, as in URLs. Inner tabs and line ends are errors, although URLs may have
        // them.
        let text = text.trim_matches(|character: char| character <= ' ');
        // Columns of hosts may have addresses without the brackets that a URL needs.
        if text.parse::<Ipv6Addr>().is_ok() {
            return self.split_host(&format!("[{text}]"));
        }
        let (authority, may_have_password) = match text.strip_prefix("//") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let end = memchr3(b'/', b'?', b'#', authority.as_bytes()).unwrap_or(authority.len());
        self.split_host(without_port(without_user(&authority[..end], may_have_password)))
    }

    fn split_url(&self, url: &str) -> Result<HostSplit<'static>, Error> {
        let url = Url::parse(url)?;
        let kind = match url.host() {
            Some(Host::Domain(name)) => match url.dns_name() {
                Some(name) => return Ok(HostSplit::of_name(Cow::Owned(name.to_owned()), self)),
                // A name with an empty label is a valid host in the URL Standard, but cannot be split.
                None => return map_host(name).map(|name| HostSplit::of_other(&name, Some("domain"))),
            },
            Some(Host::Ipv4(_)) => Some("ipv4"),
            Some(Host::Ipv6(_)) => Some("ipv6"),
            Some(Host::Opaque(_)) => Some("opaque"),
            Some(Host::Empty) | None => None,
        };
        Ok(HostSplit::of_other(url.host_str().unwrap_or_default(), kind))
    }

    /// Splits a text that is only a host.
    fn split_host(&self, host: &str) -> Result<HostSplit<'static>, Error> {
        let is_address = host.starts_with('[') && host.ends_with(']')
            || host.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.') && ends_in_number(host);
        if is_address {
            return self.split_url(&format!("https://{host}/"));
        }
        let name = map_host(host.strip_suffix(FULL_STOPS).unwrap_or(host))?;
        // The URL Standard allows more bytes in hosts: `a.com,b.com` would be a host of the domain
        // `com,b.com`.
        if plain::host::plain_len(name.as_bytes()) < name.len() {
            return Err(FORBIDDEN_BYTE.found(host));
        }
        Ok(HostSplit::of_name(Cow::Owned(name.into_owned()), self))
    }
}

/// The characters that end a label in a text that is not mapped yet (UTS 46).
const FULL_STOPS: [char; 4] = ['.', '\u{3002}', '\u{ff0e}', '\u{ff61}'];

/// Returns the host of a text that is a bare name or a URL, if the text is recognised to be in normal form.
#[inline]
fn plain_name(text: &str) -> Option<&str> {
    match plain::host_of(text) {
        Some(host) => dns_name(host),
        None => PlainName::parse(text).map(PlainName::as_str),
    }
}

/// Returns whether a text is an absolute URL and not a host with its port. Browsers check for a special
/// scheme first.
fn is_url(text: &str) -> bool {
    has_scheme(text) || text.split_once(':').is_some_and(|(scheme, _)| Class::of_scheme(scheme).is_special())
}

/// Returns a URL up to the slash after its authority, or longer. The rest can be long and does not affect the
/// host.
fn without_path(url: &str) -> &str {
    let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| !scheme.contains(':')) else {
        return url;
    };
    // Web URLs may have more slashes before the host.
    let authority = rest.trim_start_matches(['/', '\\']);
    let start = scheme.len() + "://".len() + rest.len() - authority.len();
    let end = memchr3(b'/', b'?', b'#', authority.as_bytes()).map_or(url.len(), |len| start + len);
    // With its slash, the URL is usually in normal form, so it need not be copied.
    &url[..end + usize::from(url[end..].starts_with('/'))]
}

/// Returns the host and port of an authority. If its user is ambiguous, the authority stays whole and is
/// rejected later, because a host cannot contain `@`.
///
/// Without `//`, a user cannot have a password: `me:secret@example.com` looks like `mailto:me@example.com`.
/// Some readers end the user at a second `@` or a backslash, and others do not.
fn without_user(authority: &str, may_have_password: bool) -> &str {
    let is_in_doubt = |character: char| {
        character.is_whitespace()
            || character.is_control()
            || matches!(character, '\\' | '"' | '<' | '>' | '[' | ']')
            || character == ':' && !may_have_password
    };
    match authority.split_once('@') {
        Some((user, host)) if !user.is_empty() && !user.contains(is_in_doubt) => host,
        _ => authority,
    }
}

/// Returns a host without its port. If the port is not a number up to 65535, the text stays whole and is
/// rejected later, because a host cannot contain a colon.
fn without_port(text: &str) -> &str {
    match text.rsplit_once(':') {
        Some((host, port))
            if port.bytes().all(|byte| byte.is_ascii_digit())
                && port.parse::<u16>().is_ok()
                && (!host.contains(':') || host.ends_with(']')) =>
        {
            host
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use urlid_generators::Seeded;

    use super::*;

    #[test]
    fn the_domain_of_any_text_is_the_one_that_browsers_open() {
        const PIECES: [&str; 34] = [
            "a", "B.", "example", ".com", "co.uk", "www.", "1", "0x7f", "1.2.3.4", "[::1]", "::", "@", "me@",
            ":", ":80", ":99999", "/", "//", "\\", "?", "#", ".", "..", "%2e", "%40", "é", "。", "Ａ", " ",
            "\t", ",", "http:", "https://", "x:",
        ];
        let (mut random, list, mut domains) = (Seeded::new(3), SuffixList::compiled(), 0);
        for _ in 0..200_000 {
            let text: String = (0..1 + random.below(7)).map(|_| random.one(&PIECES)).collect();
            let Ok(Some(domain)) = list.registered_domain(&text) else { continue };
            let opens =
                |url: &str| Url::parse(url).is_ok_and(|url| url.registered_domain(list) == Some(&domain));
            let trimmed = text.trim_matches(|character: char| character <= ' ');
            let scheme = if trimmed.starts_with("//") { "https:" } else { "https://" };
            assert!(opens(&text) || opens(&[scheme, trimmed].concat()), "{text:?} {domain}");
            let split = list.split(&text).expect("the domain is that of the split");
            assert_eq!(split.registered_domain(), Some(&*domain), "{text:?}");
            domains += 1;
        }
        assert!(domains > 1_000, "the pieces make too few hosts: {domains}");
    }

    #[test]
    fn the_host_of_a_url_does_not_depend_on_the_text_after_it() {
        let schemes = ["http", "https", "FTP", "file", "foo", "blob:https", "mailto:a", ""];
        let slashes = ["://", ":///", "://\\", ":\\://", ":"];
        let authorities =
            ["www.Example.co.uk", "u:p@h.:8", "u@x:y@h", "[::1]:1", "1.2.3", "", "a b", ":80", "é.com", "C:"];
        let rests = ["", "/", "/a@b:c", "?a://b", "#/x", "\\a/b", "/\t", "/../x y%"];
        let host = |url: &str| Url::parse(url).ok().map(|url| url.host_str().map(str::to_owned));
        for (scheme, slashes) in schemes.iter().flat_map(|scheme| slashes.map(|slashes| (scheme, slashes))) {
            for (authority, rest) in authorities.iter().flat_map(|host| rests.map(|rest| (host, rest))) {
                let text = [scheme, slashes, authority, rest].concat();
                assert_eq!(host(without_path(&text)), host(&text), "{text:?}");
            }
        }
    }
}
