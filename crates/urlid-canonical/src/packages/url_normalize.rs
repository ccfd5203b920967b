//! `url_normalize` of url-normalize 3.1 with its parameters: the rules of `url-normalize-3.1`, changed by the
//! parameters.

use std::collections::HashSet;

use crate::draft::{Draft, Stage};
use crate::error;
use crate::profiles::url_normalize::{PROFILE, add_scheme, map_host, recode_query, recoded_name};
use crate::rules::split;
use urlid::Error;

/// The parameters of the package's function, with their defaults.
///
/// ```
/// use urlid_canonical::packages::{UrlNormalizeOptions, url_normalize};
///
/// let default_domain = Some("example.com");
/// let options = UrlNormalizeOptions { default_domain, ..UrlNormalizeOptions::default() };
/// assert_eq!(url_normalize("/a/../b", &options)?, "https://example.com/b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UrlNormalizeOptions<'o> {
    /// `default_scheme`: the scheme of a text without one. `https` by default.
    pub default_scheme: &'o str,
    /// `default_domain`: the host of a text that starts with one `/`. `None` by default.
    pub default_domain: Option<&'o str>,
    /// `filter_params` and `param_allowlist`: the fields of the query that stay. All by default.
    pub allowed_params: AllowedParams<'o>,
}

impl Default for UrlNormalizeOptions<'_> {
    fn default() -> Self {
        Self { default_scheme: "https", default_domain: None, allowed_params: AllowedParams::All }
    }
}

/// The fields of a query that stay, by their names.
///
/// ```
/// use urlid_canonical::packages::{AllowedParams, UrlNormalizeOptions, url_normalize};
///
/// let allowed_params = AllowedParams::OfPackage;
/// let options = UrlNormalizeOptions { allowed_params, ..UrlNormalizeOptions::default() };
/// let url = url_normalize("https://www.google.com/search?q=a&sca=b", &options)?;
/// assert_eq!(url, "https://www.google.com/search?q=a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum AllowedParams<'o> {
    /// All fields.
    All,
    /// The fields that the package allows for some search engines. On other hosts all fields are dropped.
    OfPackage,
    /// These fields, on all hosts.
    Everywhere(&'o [String]),
    /// These fields of each domain. On other hosts all fields are dropped. The `www.` of hosts and domains
    /// does not count.
    ByDomain(&'o [(String, Vec<String>)]),
}

// `DEFAULT_ALLOWLIST` of the package.
const OF_PACKAGE: [(&str, &[&str]); 4] = [
    ("google.com", &["q", "ie"]),
    ("baidu.com", &["wd", "ie"]),
    ("bing.com", &["q"]),
    ("youtube.com", &["v", "search_query"]),
];

/// Returns the form `url-normalize-3.1` of a text, with parameters that may differ from the defaults.
///
/// ```
/// use urlid_canonical::packages::{UrlNormalizeOptions, url_normalize};
///
/// let options = UrlNormalizeOptions { default_scheme: "http", ..UrlNormalizeOptions::default() };
/// assert_eq!(url_normalize("Example.com", &options)?, "http://example.com/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`] if the text lacks a form.
pub fn url_normalize(text: &str, options: &UrlNormalizeOptions<'_>) -> Result<String, Error> {
    let mut draft = Draft::default();
    draft.begin(text.as_bytes());
    for rule in PROFILE.rules() {
        match rule.name {
            "trim" => {
                rule.apply(&mut draft)?;
                // The domain is trimmed with the text.
                if add_domain(&mut draft.text, options.default_domain.unwrap_or_default()) {
                    rule.apply(&mut draft)?;
                }
            }
            // These two rules have the parameter's default built in, so their functions are called instead.
            "scheme" => add_scheme(&mut draft.text, options.default_scheme),
            "query" => {
                let allowed = allowed_names(draft.host.bytes(), options.allowed_params)?;
                recode_query(&mut draft, |name| {
                    allowed.as_ref().is_none_or(|allowed| allowed.contains(name))
                });
            }
            _ => rule.apply(&mut draft)?,
        }
        if draft.stage == Stage::Finished {
            break;
        }
    }
    String::from_utf8(draft.text).map_err(|_| error::NOT_UTF8.error())
}

/// Puts the domain before a path, and returns whether it did.
fn add_domain(text: &mut Vec<u8>, domain: &str) -> bool {
    let is_path = text.starts_with(b"/") && !text.starts_with(b"//");
    if is_path && !domain.is_empty() {
        text.splice(..0, [b"//", domain.as_bytes()].concat());
    }
    is_path && !domain.is_empty()
}

/// Returns the kept names in the spelling of the form's names, or `None` if all are kept.
fn allowed_names(host: &[u8], allowed: AllowedParams<'_>) -> Result<Option<HashSet<Vec<u8>>>, Error> {
    let names = |names: &[String]| Some(names.iter().map(|name| recoded_name(name.as_bytes())).collect());
    if let AllowedParams::Everywhere(allowed) = allowed {
        return Ok(names(allowed));
    }
    if matches!(allowed, AllowedParams::All) {
        return Ok(None);
    }
    if host.is_empty() {
        return Ok(Some(HashSet::new()));
    }
    let domain = domain_of(host)?;
    Ok(match allowed {
        AllowedParams::ByDomain(allowed) => {
            // A key that equals the domain takes precedence over a key that becomes the domain when
            // normalised.
            let exact = allowed.iter().find(|(key, _)| key.as_bytes() == domain);
            let is_domain = |key: &str| domain_of(key.as_bytes()).is_ok_and(|key| key == domain);
            let found = exact.or_else(|| allowed.iter().find(|(key, _)| is_domain(key)));
            found.map_or(Some(HashSet::new()), |(_, allowed)| names(allowed))
        }
        _ => {
            let found = OF_PACKAGE.iter().find(|(key, _)| key.as_bytes() == domain);
            let allowed = found.map_or(&[][..], |(_, allowed)| allowed);
            Some(allowed.iter().map(|name| name.as_bytes().to_vec()).collect())
        }
    })
}

/// Returns a host as the form has it, without a port and `www.`.
fn domain_of(host: &[u8]) -> Result<Vec<u8>, Error> {
    let end = match host.starts_with(b"[").then(|| memchr::memchr(b']', host)).flatten() {
        Some(offset) => offset + 1,
        None => split::cut(host, b':').0.len(),
    };
    let mut draft = Draft::default();
    draft.host.set(&host[..end]);
    map_host(&mut draft)?;
    let host = draft.host.bytes();
    Ok(host.strip_prefix(b"www.").unwrap_or(host).to_vec())
}
