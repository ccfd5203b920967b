//! The columns of Common Crawl's index that are made of a URL, as its converter makes them since May 2026.
//!
//! `java_net` takes a URL apart, `effective_tld` finds suffixes; the rules for the host are the profile
//! `cc-host-2026-05`.

mod effective_tld;
mod ipv6;
pub(super) mod java_net;

use std::borrow::Cow;

use super::draft::{Draft, Stage};
use super::profiles::CC_HOST;
use crate::error;
use effective_tld::EffectiveTlds;
use urlid::Error;
use urlid::suffix::SuffixList;

/// Makes the columns of Common Crawl's index that are about the parts of a URL.
///
/// ```
/// use urlid_canonical::CrawlColumns;
/// use urlid::suffix::SuffixList;
///
/// let columns = CrawlColumns::new(SuffixList::compiled());
/// let row = columns.row("https://WWW.Example.co.uk:443/a?q")?;
/// let named = |name| row[CrawlColumns::NAMES.iter().position(|other| *other == name).unwrap()].as_deref();
/// assert_eq!(named("url_host_name"), Some("www.example.co.uk"));
/// assert_eq!(named("url_host_2nd_last_part"), Some("co"));
/// assert_eq!(named("url_host_registered_domain"), Some("example.co.uk"));
/// assert_eq!(named("url_port"), Some("443"));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CrawlColumns {
    tlds: EffectiveTlds,
}

impl CrawlColumns {
    /// The names of the columns, in their order. All are texts but `url_port`, which is a number.
    pub const NAMES: [&'static str; 15] = [
        "url_host_name",
        "url_host_tld",
        "url_host_2nd_last_part",
        "url_host_3rd_last_part",
        "url_host_4th_last_part",
        "url_host_5th_last_part",
        "url_host_registry_suffix",
        "url_host_registered_domain",
        "url_host_private_suffix",
        "url_host_private_domain",
        "url_host_name_reversed",
        "url_protocol",
        "url_port",
        "url_path",
        "url_query",
    ];

    /// Takes a suffix list, whose private section counts for the columns of private suffixes and domains.
    pub fn new(list: &SuffixList) -> Self {
        Self { tlds: EffectiveTlds::new(list) }
    }

    /// Returns the values of a URL; `None` is null.
    ///
    /// # Errors
    /// [`Error`] if Common Crawl's index has no row for the text.
    pub fn row(&self, url: &str) -> Result<[Option<String>; Self::NAMES.len()], Error> {
        let mut repaired = String::new();
        let target = java_net::read(url, &mut repaired)?;
        let host = target.host().map(|host| named_host(&host)).and_then(Result::ok);
        let name = host.as_ref().filter(|host| host.is_name).map(|host| host.text.as_str());
        let labels = name.map(java_labels);
        let label = |index: usize| labels.as_ref()?.iter().nth_back(index).map(|label| (*label).to_owned());
        let reversed =
            labels.as_ref().map(|labels| labels.iter().rev().copied().collect::<Vec<_>>().join("."));
        let suffixes = name.map(|name| self.tlds.suffixes(name)).unwrap_or_default();
        let texts = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
        Ok([
            host.as_ref().map(|host| host.text.clone()),
            label(0),
            label(1),
            label(2),
            label(3),
            label(4),
            texts(suffixes.registry),
            texts(suffixes.registered_domain),
            texts(suffixes.private),
            texts(suffixes.private_domain),
            reversed,
            texts(target.scheme),
            target.port.map(|port| port.to_string()),
            texts(target.path),
            texts(target.query),
        ])
    }
}

/// The host of a row.
struct Host {
    text: String,
    /// Whether it has labels. An address has none.
    is_name: bool,
}

/// Applies the rules of the profile for hosts.
fn named_host(host: &str) -> Result<Host, Error> {
    let mut draft = Draft::default();
    draft.begin(host.as_bytes());
    // The first rule is the one that reads the URL.
    for rule in CC_HOST.rules().skip(1) {
        rule.apply(&mut draft)?;
        if draft.stage == Stage::Finished {
            break;
        }
    }
    let is_name = draft.stage != Stage::Finished;
    let text = String::from_utf8(draft.text).map_err(|_| error::NOT_UTF8.error())?;
    Ok(Host { text, is_name })
}

/// Returns the labels as Java's `split` does: without empty ones at the end, except that of an empty name.
fn java_labels(name: &str) -> Vec<&str> {
    let mut labels: Vec<&str> = name.split('.').collect();
    while !name.is_empty() && labels.last().is_some_and(|label| label.is_empty()) {
        labels.pop();
    }
    labels
}
