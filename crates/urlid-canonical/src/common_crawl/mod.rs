//! The columns of Common Crawl's index that are computed from a URL, as its converter computes them since May
//! 2026.
//!
//! `java_net` splits a URL. The rules for the host are the profile `cc-host-2026-05`. Suffixes and domains
//! are the ones that the `EffectiveTldFinder` of crawler-commons 1.6 finds. It differs from the algorithm of
//! the list in three ways. A top-level name without a rule is not a suffix. An exception is its own suffix.
//! If two rules have the same name, `x` and `*.x`, the later one counts.

pub(super) mod java_net;

use std::borrow::Cow;
use std::collections::HashMap;

use urlid::Error;
use urlid::suffix::{Section, SuffixList, SuffixRuleKind};

use crate::draft::{Draft, Stage};
use crate::error;
use crate::profiles::CC_HOST;
use crate::rules::idna2003::{self, Codec};

/// Computes the columns of Common Crawl's index that are about the parts of a URL.
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
    /// The names of the columns, in their order. All columns are texts except `url_port`, which is a number.
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

    /// Uses a suffix list. Its private section counts for the columns of private suffixes and domains.
    pub fn new(list: &SuffixList) -> Self {
        Self { tlds: EffectiveTlds::new(list) }
    }

    /// Returns the values of a URL. `None` is null.
    ///
    /// # Errors
    /// [`Error`] if Common Crawl's index lacks a row for the text.
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
    /// Whether it has labels. An address does not have labels.
    is_name: bool,
}

/// Applies the rules of the profile for hosts.
fn named_host(host: &str) -> Result<Host, Error> {
    let mut draft = Draft::default();
    draft.begin(host.as_bytes());
    // The first rule reads the URL.
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

/// Returns the labels like Java's `split`, without empty ones at the end. An empty name has one empty label.
fn java_labels(name: &str) -> Vec<&str> {
    let mut labels: Vec<&str> = name.split('.').collect();
    while !name.is_empty() && labels.last().is_some_and(|label| label.is_empty()) {
        labels.pop();
    }
    labels
}

const LONGEST_LABEL: usize = 63;

/// The rules by their names.
#[derive(Clone, Debug)]
struct EffectiveTlds {
    rules: HashMap<Box<str>, (SuffixRuleKind, Section)>,
    /// The most labels that the name of a rule has.
    most_labels: usize,
}

/// The suffixes and domains at the end of a host.
#[derive(Debug, Default)]
struct Suffixes<'h> {
    registry: Option<Cow<'h, str>>,
    registered_domain: Option<Cow<'h, str>>,
    private: Option<Cow<'h, str>>,
    private_domain: Option<Cow<'h, str>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CountedRules {
    All,
    Registry,
}

/// The place of a suffix.
struct Suffix {
    start: usize,
    is_exception: bool,
}

impl EffectiveTlds {
    fn new(list: &SuffixList) -> Self {
        let rule = |rule: urlid::suffix::SuffixRule<'_>| {
            let name = if rule.name.is_ascii() {
                rule.name.to_ascii_lowercase()
            } else {
                idna2003::to_ascii(rule.name, Codec::JavaAllowUnassigned)?
            };
            Some((name.into(), (rule.kind, rule.section)))
        };
        let rules: HashMap<Box<str>, _> = list.rules().filter_map(rule).collect();
        let most_labels = rules.keys().map(|name| name.split('.').count()).max().unwrap_or_default();
        Self { rules, most_labels }
    }

    /// Returns the suffixes and domains of a name.
    fn suffixes<'h>(&self, host: &'h str) -> Suffixes<'h> {
        let Some(private) = self.find(host, CountedRules::All) else { return Suffixes::default() };
        let private = &host[private.start..];
        let private_domain = self.domain(host, CountedRules::All);
        let is_registry = |registry: &str| registry == private;
        let registry = if private.contains('.') {
            self.find(host, CountedRules::Registry).map(|suffix| &host[suffix.start..])
        } else {
            Some(private)
        };
        let registered_domain = match registry {
            Some(registry) if !is_registry(registry) => self.domain(host, CountedRules::Registry),
            Some(_) => private_domain.clone(),
            None => None,
        };
        Suffixes {
            registry: registry.map(Cow::Borrowed),
            registered_domain,
            private: Some(Cow::Borrowed(private)),
            private_domain,
        }
    }

    /// Returns the longest suffix that a rule names.
    fn find(&self, host: &str, counted: CountedRules) -> Option<Suffix> {
        let after_dots = host.rmatch_indices('.').map(|(dot, _)| dot + 1);
        // A rule never has more labels, so a hostile name is not looked up from each of its dots. The longest
        // name comes first.
        let starts: Vec<usize> = after_dots.chain([0]).take(self.most_labels).collect();
        for start in starts.into_iter().rev() {
            let Some((kind, section)) = self.rules.get(&host[start..]) else { continue };
            let is_counted = counted == CountedRules::All || *section == Section::Icann;
            match kind {
                _ if !is_counted => {}
                SuffixRuleKind::Exception => return Some(Suffix { start, is_exception: true }),
                SuffixRuleKind::Plain => return Some(Suffix { start, is_exception: false }),
                // The `*` needs a label.
                SuffixRuleKind::Wildcard if start == 0 => {}
                SuffixRuleKind::Wildcard => {
                    // The byte before `start` is a dot. The suffix starts at the label before this dot.
                    let start = host[..start - 1].rfind('.').map_or(0, |dot| dot + 1);
                    return Some(Suffix { start, is_exception: false });
                }
            }
        }
        None
    }

    /// Returns the suffix and the label before it, in lower case.
    fn domain<'h>(&self, host: &'h str, counted: CountedRules) -> Option<Cow<'h, str>> {
        let host = if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(host.to_ascii_lowercase())
        } else {
            Cow::Borrowed(host)
        };
        let suffix = self.find(&host, counted)?;
        let from = |start: usize| match &host {
            Cow::Borrowed(host) => Cow::Borrowed(&host[start..]),
            Cow::Owned(host) => Cow::Owned(host[start..].to_owned()),
        };
        if suffix.is_exception {
            return Some(from(suffix.start));
        }
        let before = host[..suffix.start].strip_suffix('.')?;
        let start = before.rfind('.').map_or(0, |dot| dot + 1);
        // An empty label anywhere to the left makes the name invalid, even if it is not next to the suffix.
        let has_empty = before.split('.').any(str::is_empty);
        (!has_empty && before.len() - start <= LONGEST_LABEL).then(|| from(start))
    }
}
