//! The expressions of Safe Browsing: host suffixes and path prefixes of a canonical URL, and their hashes.

use super::error::ProfileError;
use super::form::Form;
use super::profiles::{SAFE_BROWSING_V4, SAFE_BROWSING_V5};
use super::rules::split;
use crate::digest;
use crate::suffix::SuffixList;

/// How the hosts of expressions are made.
///
/// ```
/// use urlid::canonical::{HostSuffixes, expressions};
/// use urlid::suffix::SuffixList;
///
/// let url = "http://a.b.example.co.uk/";
/// assert_eq!(expressions(url, HostSuffixes::LastFiveLabels)?.last().map(|e| e.as_str()), Some("co.uk/"));
/// let version_5 = HostSuffixes::FromDomain(<&SuffixList>::default());
/// assert_eq!(expressions(url, version_5)?.last().map(|e| e.as_str()), Some("b.example.co.uk/"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum HostSuffixes<'l> {
    /// Version 4: the host, and up to four suffixes of its last five labels, two labels at least.
    LastFiveLabels,
    /// Version 5: the host, and up to four names that begin with the registrable domain and grow by a label.
    FromDomain(&'l SuffixList),
}

/// A host suffix and a path prefix.
///
/// ```
/// use urlid::canonical::{HostSuffixes, expressions};
///
/// let found = expressions("http://example.com", HostSuffixes::LastFiveLabels)?;
/// assert_eq!(found[0].as_str(), "example.com/");
/// assert_eq!(found[0].prefix(), found[0].hash()[..4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression(String);

impl Expression {
    /// Returns the text: host, path and perhaps a query, without a scheme.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 of the text.
    pub fn hash(&self) -> [u8; 32] {
        digest::sha256(&[self.0.as_bytes()])
    }

    /// Returns the first four bytes of the hash, which the lists of Safe Browsing hold.
    pub fn prefix(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.hash();
        [a, b, c, d]
    }
}

/// Returns the expressions of a URL, at most 5 × 6: for each host all paths.
///
/// ```
/// use urlid::canonical::{HostSuffixes, expressions};
///
/// let found = expressions("http://a.b.com/1/2.html?param=1", HostSuffixes::LastFiveLabels)?;
/// let texts: Vec<&str> = found.iter().map(|expression| expression.as_str()).collect();
/// assert_eq!(texts[..5], [
///     "a.b.com/1/2.html?param=1", "a.b.com/1/2.html", "a.b.com/", "a.b.com/1/", "b.com/1/2.html?param=1",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ProfileError`] if the URL has no canonical form.
pub fn expressions(url: &str, suffixes: HostSuffixes<'_>) -> Result<Vec<Expression>, ProfileError> {
    let profile = match suffixes {
        HostSuffixes::LastFiveLabels => &SAFE_BROWSING_V4,
        HostSuffixes::FromDomain(_) => &SAFE_BROWSING_V5,
    };
    let canonical = Form::from(profile).canonicalize(url)?;
    let rest = canonical.split_once("://").map_or("", |(_, rest)| rest);
    let (host, path) = rest.split_at(split::authority_end(rest.as_bytes()));
    let paths = paths(path);
    let hosts = hosts(host, suffixes);
    let pairs =
        hosts.iter().flat_map(|host| paths.iter().map(move |path| Expression([*host, *path].concat())));
    Ok(pairs.collect())
}

/// The host, then its suffixes. An address has none.
fn hosts<'h>(host: &'h str, suffixes: HostSuffixes<'_>) -> Vec<&'h str> {
    let mut hosts = vec![host];
    if host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok() {
        return hosts;
    }
    let starts: Vec<usize> =
        std::iter::once(0).chain(host.match_indices('.').map(|(dot, _)| dot + 1)).collect();
    match suffixes {
        HostSuffixes::LastFiveLabels => {
            let from = starts.len().saturating_sub(5);
            let last = starts.len().saturating_sub(1);
            hosts.extend(
                starts[from..last]
                    .iter()
                    .map(|&start| &host[start..])
                    .filter(|suffix| *suffix != host)
                    .take(4),
            );
        }
        HostSuffixes::FromDomain(list) => {
            let split = list.split(host);
            let domain = split.sub.len() + usize::from(!split.sub.is_empty());
            let growing = starts.iter().rev().filter(|&&start| start <= domain && start > 0);
            if !split.domain.is_empty() {
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
    let directories = exact.match_indices('/').map(|(slash, _)| &exact[..=slash]).take(4);
    for path in std::iter::once(exact).chain(directories) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}
