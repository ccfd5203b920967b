//! The expressions of Safe Browsing: host suffixes and path prefixes of a canonical URL, and their hashes.

use core::net::Ipv4Addr;

use memchr::memchr_iter;

use super::draft::Draft;
use super::profile::Profile;
use super::profiles::{SAFE_BROWSING_V4, SAFE_BROWSING_V5};
use super::rules::{go, split};
use crate::error;
use urlid::Error;
use urlid::internal::digest;
use urlid::suffix::SuffixList;

/// The hosts of expressions.
///
/// ```
/// use urlid_canonical::{HostSuffixes, expressions};
/// use urlid::suffix::SuffixList;
///
/// let url = "http://a.b.example.co.uk/";
/// assert_eq!(expressions(url, HostSuffixes::LastSevenLabels)?.last().map(|e| e.as_str()), Some("co.uk/"));
/// let version_5 = HostSuffixes::FromDomain(SuffixList::compiled());
/// assert_eq!(expressions(url, version_5)?.last().map(|e| e.as_str()), Some("b.example.co.uk/"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum HostSuffixes<'l> {
    /// Version 4, as in Google's client `webrisk`: the host, and its suffixes of two to seven labels.
    LastSevenLabels,
    /// Version 5: the host, and up to four names. The first is the registrable domain, and each further one
    /// has an additional label.
    FromDomain(&'l SuffixList),
}

/// A host suffix and a path prefix.
///
/// ```
/// use urlid_canonical::{HostSuffixes, expressions};
///
/// let found = expressions("http://example.com", HostSuffixes::LastSevenLabels)?;
/// assert_eq!(found[0].as_str(), "example.com/");
/// assert_eq!(found[0].prefix(), found[0].hash()[..4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression(String);

impl Expression {
    // `concat` accepts any number of texts, which costs a call that is not inlined.
    #[inline]
    fn new(host: &str, path: &str) -> Self {
        let mut text = String::with_capacity(host.len() + path.len());
        text.push_str(host);
        text.push_str(path);
        Self(text)
    }

    /// Returns the text, which is host, path and an optional query, without a scheme.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 of the text.
    #[inline]
    pub fn hash(&self) -> [u8; 32] {
        digest::sha256(&[self.0.as_bytes()])
    }

    /// Returns the first four bytes of the hash. The lists of Safe Browsing contain these bytes.
    pub fn prefix(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.hash();
        [a, b, c, d]
    }
}

/// Returns the expressions of a URL, which are all paths for each host. There are at most 7 × 6 in version 4,
/// and 5 × 6 in version 5.
///
/// ```
/// use urlid_canonical::{HostSuffixes, expressions};
///
/// let found = expressions("http://a.b.com/1/2.html?param=1", HostSuffixes::LastSevenLabels)?;
/// let texts: Vec<&str> = found.iter().map(|expression| expression.as_str()).collect();
/// assert_eq!(texts[..5], [
///     "a.b.com/1/2.html?param=1", "a.b.com/1/2.html", "a.b.com/", "a.b.com/1/", "b.com/1/2.html?param=1",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`] if the URL lacks a canonical form.
pub fn expressions(url: &str, suffixes: HostSuffixes<'_>) -> Result<Vec<Expression>, Error> {
    let profile = match suffixes {
        HostSuffixes::LastSevenLabels => &SAFE_BROWSING_V4,
        HostSuffixes::FromDomain(_) => &SAFE_BROWSING_V5,
    };
    let (host, path) = host_and_path(profile, url)?;
    let (hosts, paths) = (hosts(&host, suffixes), paths(&path));
    let mut expressions = Vec::with_capacity(hosts.len() * paths.len());
    for host in hosts {
        expressions.extend(paths.iter().map(|path| Expression::new(host, path)));
    }
    Ok(expressions)
}

fn host_and_path(profile: &Profile, url: &str) -> Result<(String, String), Error> {
    let mut canonical = String::with_capacity(url.len());
    if profile.plain.is_some_and(|plain| plain(url, &mut canonical)) {
        let start = canonical.find("://").map_or(0, |end| end + "://".len());
        let path = canonical.split_off(start + split::authority_end(&canonical.as_bytes()[start..]));
        canonical.drain(..start);
        return Ok((canonical, path));
    }
    // A host that became Punycode may hold a `/` or a `?`, so the text of the form is not split again.
    let mut draft = Draft::default();
    draft.begin(url.as_bytes());
    profile.rules().try_for_each(|rule| rule.apply(&mut draft))?;
    let Draft { host, mut path, query, .. } = draft;
    if let Some(query) = query.get() {
        path.push(b'?');
        path.extend_from_slice(query);
    }
    let text = |bytes| String::from_utf8(bytes).map_err(|_| error::NOT_UTF8.error());
    Ok((text(host.bytes().to_vec())?, text(path)?))
}

/// Returns the host, then its suffixes. An address does not have suffixes.
fn hosts<'h>(host: &'h str, suffixes: HostSuffixes<'_>) -> Vec<&'h str> {
    let mut hosts = vec![host];
    let starts: Vec<usize> =
        std::iter::once(0).chain(memchr_iter(b'.', host.as_bytes()).map(|dot| dot + 1)).collect();
    match suffixes {
        HostSuffixes::LastSevenLabels if go::is_ip(host.trim_matches(['[', ']'])) => {}
        HostSuffixes::LastSevenLabels => {
            // The host itself comes first, however many labels it has, and is not repeated. A single label is
            // not a suffix.
            let from = starts.len().saturating_sub(7).max(1);
            let suffixes = starts.iter().take(starts.len() - 1).skip(from);
            hosts.extend(suffixes.map(|&start| &host[start..]));
        }
        HostSuffixes::FromDomain(_) if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() => {}
        HostSuffixes::FromDomain(list) => {
            let split = list.split_normal(host);
            let domain = split.sub.len() + usize::from(!split.sub.is_empty());
            // From the registrable domain to the left. The whole host (start 0) is already included.
            let growing = starts.iter().rev().filter(|&&start| start <= domain && start > 0);
            if !split.domain.is_empty() {
                // Four in addition to the whole host, which is the bound of the protocol.
                hosts.extend(growing.take(4).map(|&start| &host[start..]));
            }
        }
    }
    hosts
}

/// The path with its query, without it, then the root and up to three more directories.
fn paths(path: &str) -> Vec<&str> {
    let mut paths = vec![path];
    let exact = path.split_once('?').map_or(path, |(path, _)| path);
    // Four directories from the root on. With the exact paths they are the six that the protocol allows.
    let directories = memchr_iter(b'/', exact.as_bytes()).map(|slash| &exact[..=slash]).take(4);
    for path in std::iter::once(exact).chain(directories) {
        // The exact path is the first one if there is no query, and a directory may equal it, so repeats are
        // left out.
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}
