//! Suffixes and domains as the `EffectiveTldFinder` of crawler-commons 1.6 finds them.
//!
//! It differs from the algorithm of the list: a top-level name that no rule names is not a suffix, an
//! exception is its own suffix, and of two rules with one name, `x` and `*.x`, the later one counts.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::rules::idna2003::{self, Codec};
use urlid::suffix::{RuleKind, Section, SuffixList};

/// The longest label of a domain.
const LONGEST_LABEL: usize = 63;

/// The rules by their names.
#[derive(Clone, Debug)]
pub(super) struct EffectiveTlds {
    rules: HashMap<Box<str>, (RuleKind, Section)>,
    /// The most labels that the name of a rule has.
    most_labels: usize,
}

/// The suffixes and domains at the end of a host.
#[derive(Debug, Default)]
pub(super) struct Suffixes<'h> {
    pub(super) registry: Option<Cow<'h, str>>,
    pub(super) registered_domain: Option<Cow<'h, str>>,
    pub(super) private: Option<Cow<'h, str>>,
    pub(super) private_domain: Option<Cow<'h, str>>,
}

/// Which rules count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    All,
    Registry,
}

/// Where a suffix begins.
struct Suffix {
    start: usize,
    is_exception: bool,
}

impl EffectiveTlds {
    pub(super) fn new(list: &SuffixList) -> Self {
        let rule = |rule: urlid::suffix::Rule<'_>| {
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
    pub(super) fn suffixes<'h>(&self, host: &'h str) -> Suffixes<'h> {
        let Some(private) = self.find(host, Rules::All) else { return Suffixes::default() };
        let private = &host[private.start..];
        let private_domain = self.domain(host, Rules::All);
        let is_registry = |registry: &str| registry == private;
        let registry = if private.contains('.') {
            self.find(host, Rules::Registry).map(|suffix| &host[suffix.start..])
        } else {
            Some(private)
        };
        let registered_domain = match registry {
            Some(registry) if !is_registry(registry) => self.domain(host, Rules::Registry),
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
    fn find(&self, host: &str, counted: Rules) -> Option<Suffix> {
        let after_dots = host.rmatch_indices('.').map(|(dot, _)| dot + 1);
        // No rule has more labels, so a hostile name is not looked up from each of its dots. The longest
        // comes first.
        let starts: Vec<usize> = after_dots.chain([0]).take(self.most_labels).collect();
        for start in starts.into_iter().rev() {
            let Some((kind, section)) = self.rules.get(&host[start..]) else { continue };
            let is_counted = counted == Rules::All || *section == Section::Icann;
            match kind {
                _ if !is_counted => {}
                RuleKind::Exception => return Some(Suffix { start, is_exception: true }),
                RuleKind::Plain => return Some(Suffix { start, is_exception: false }),
                // A label stands for the `*`.
                RuleKind::Wildcard if start == 0 => {}
                RuleKind::Wildcard => {
                    // The byte before `start` is a dot; the suffix begins at the label before that.
                    let start = host[..start - 1].rfind('.').map_or(0, |dot| dot + 1);
                    return Some(Suffix { start, is_exception: false });
                }
            }
        }
        None
    }

    /// Returns the suffix and the label before it, in lower case.
    fn domain<'h>(&self, host: &'h str, counted: Rules) -> Option<Cow<'h, str>> {
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
        // An empty label anywhere to the left makes the name invalid, not only one beside the suffix.
        let has_empty = before.split('.').any(str::is_empty);
        (!has_empty && before.len() - start <= LONGEST_LABEL).then(|| from(start))
    }
}
