//! Hosts, alone or in URLs, split at their public suffix.
//!
//! The split itself is in `suffix`; here a text is read as a URL or as a host.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::net::Ipv6Addr;

use memchr::{memchr_iter, memchr3};

use crate::error::Error;
use crate::host::Host;
use crate::reference::Class;
use crate::suffix::SuffixList;
use crate::sxurl::HostPart;
use crate::web::{Part, Url, UrlParts};

/// Passes the parts of a URL, or of a host alone, to `take`: subdomain, domain, suffix, registered domain and
/// kind of host.
///
/// A text with `://` is a URL, and so is one that begins with the scheme of a special URL and a colon. A host
/// is mapped as in URLs, and a dot at its end is dropped. An IP address has a kind and no other part.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid::web::Part;
///
/// let split = |text, part| {
///     urlid::split_host(text, SuffixList::compiled(), |parts| parts.get(part).map(str::to_owned))
/// };
/// assert_eq!(split("www.Example.co.uk", Part::RegisteredDomain)?.as_deref(), Some("example.co.uk"));
/// assert_eq!(split("http://github.io/a", Part::Tld)?.as_deref(), Some("github.io"));
/// assert_eq!(split("1.2.3.4", Part::Domain)?, None);
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the text is neither.
pub fn split_host<R>(
    text: &str,
    list: &SuffixList,
    take: impl FnOnce(&UrlParts<'_>) -> R,
) -> Result<R, Error> {
    let url = url_of(text)?;
    let mut parsed = None;
    let parts = UrlParts::parse(&url, list, &mut parsed)?;
    if let (Some("domain"), None) = (parts.get(Part::HostKind), parts.get(Part::Tld)) {
        // A name with an empty label is a host of the URL Standard, but cannot be split.
        if let Some(Err(error)) = parts.get(Part::Host).map(HostPart::map) {
            return Err(error);
        }
    }
    Ok(take(&parts))
}

/// Returns a URL with the host that the text is, or has.
fn url_of(text: &str) -> Result<Cow<'_, str>, Error> {
    match without_path(text) {
        Some(url) => Ok(Cow::Borrowed(url)),
        None if is_special(text) => Ok(Cow::Borrowed(text)),
        None => url_of_host(text).map(Cow::Owned),
    }
}

/// Returns a URL up to the slash after its authority, or further: the rest can be long and does not affect
/// the host. `None` if the text has no `://`.
fn without_path(text: &str) -> Option<&str> {
    let colon = memchr_iter(b':', text.as_bytes()).find(|colon| text[*colon..].starts_with("://"))?;
    // Web URLs may have more slashes before the host.
    let authority = text[colon..].trim_start_matches([':', '/', '\\', '\t', '\n', '\r']);
    let start = text.len() - authority.len();
    let end = memchr3(b'/', b'?', b'#', authority.as_bytes()).map_or(text.len(), |len| start + len);
    // With its slash, most often, the URL is in normal form, and no other text is made of it.
    Some(&text[..end + usize::from(text[end..].starts_with('/'))])
}

/// Whether a text begins with a special scheme: a host needs no slashes after it.
fn is_special(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| Class::of_scheme(scheme).is_special())
}

fn url_of_host(host: &str) -> Result<String, Error> {
    // Columns of hosts may have addresses without the brackets that a URL needs.
    if host.parse::<Ipv6Addr>().is_ok() {
        return Ok(format!("https://[{host}]/"));
    }
    let url = format!("https://{host}/");
    if is_ip(host, &url) {
        return Ok(url);
    }
    // Mapping rejects the delimiters of a host in a URL, so the URL has this host and nothing else.
    let name = HostPart::map(host.strip_suffix('.').unwrap_or(host))?;
    Ok(format!("https://{}/", name.as_str()))
}

/// Whether a host is an IP address, and `url` has it as its host and nothing else.
fn is_ip(host: &str, url: &str) -> bool {
    let is_plain = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    (is_plain || is_bracketed)
        && Url::parse(url).is_ok_and(|url| matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_a_url_does_not_depend_on_what_is_behind_it() {
        let schemes = ["http", "https", "FTP", "file", "foo", "blob:https", "mailto:a", "ht\ttp", ""];
        let slashes = ["://", ":///", "://\\", "://\t/", ":\\://"];
        let authorities = [
            "www.Example.co.uk",
            "u:p@h.:8",
            "u@x:y@h",
            "[::1]:1",
            "1.2.3",
            "",
            "a b",
            ":80",
            "é.com",
            "a\nb",
            "C:",
        ];
        let rests = ["", "/", "/a@b:c", "?a://b", "#/x", "\\a/b", "/\t", "/../x y%"];
        let host = |url: &str| Url::parse(url).ok().map(|url| url.host_str().map(str::to_owned));
        for (scheme, slashes) in schemes.iter().flat_map(|scheme| slashes.map(|slashes| (scheme, slashes))) {
            for (authority, rest) in authorities.iter().flat_map(|host| rests.map(|rest| (host, rest))) {
                let text = [scheme, slashes, authority, rest].concat();
                let url = without_path(&text).expect("it has ://");
                assert_eq!(host(url), host(&text), "{text:?}");
            }
        }
    }
}
