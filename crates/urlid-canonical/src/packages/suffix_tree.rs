//! Splits hosts like tldextract, tld and publicsuffix2.
//!
//! [`SuffixList`](urlid::suffix::SuffixList) splits by the algorithm of publicsuffix.org. Each of these
//! packages deviates from it in its own way and reads lists that it rejects, so they need a separate tree.
//! Hosts are in lower case, as UTF-8 or any bytes. URLs and hosts as written are read if they are plain and
//! in ASCII. The callers read all others like the packages do.

use std::borrow::Cow;
use std::collections::HashMap;
use std::net::Ipv4Addr;

use memchr::memchr3;

const ROOT: usize = 0;

/// The rules that end with the same labels. `is_rule` says that the labels are a rule themselves.
#[derive(Default)]
struct Node {
    /// An exception has its `!`, and a wildcard is a label.
    children: HashMap<Box<[u8]>, usize>,
    wildcard: Option<usize>,
    has_exceptions: bool,
    is_rule: bool,
    is_private: bool,
}

/// The rules of a list as a tree of labels.
///
/// ```
/// use urlid_canonical::packages::SuffixTree;
///
/// let tree = SuffixTree::new([("uk", false), ("co.uk", false)]);
/// assert_eq!(tree.extract("https://www.example.co.uk/").map(|found| found.domain), Some("example"));
/// assert_eq!(tree.publicsuffix2(b"www.example.co.uk", true, false, true), Some(&b"example.co.uk"[..]));
/// ```
pub struct SuffixTree {
    // The nodes are in one list, because a rule may have too many labels for nested nodes on the stack.
    nodes: Vec<Node>,
}

/// A host as written, split by tldextract's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtractedHost<'h> {
    /// The labels before the domain.
    pub sub: &'h str,
    /// The label before the suffix, or the whole host if it is an address.
    pub domain: &'h str,
    /// The suffix by the rules that count, empty if no rule matches.
    pub suffix: &'h str,
    /// Whether that is by a private rule.
    pub is_private: bool,
    /// The suffix by the rules of registries.
    pub registry_suffix: &'h str,
}

impl SuffixTree {
    /// Makes the tree of rules, each of which may be private.
    pub fn new(rules: impl IntoIterator<Item = (impl AsRef<[u8]>, bool)>) -> Self {
        let mut nodes = vec![Node::default()];
        for (rule, is_private) in rules {
            let mut place = ROOT;
            for label in labels(rule.as_ref()) {
                let end = nodes.len();
                let node = &mut nodes[place];
                node.has_exceptions |= label.starts_with(b"!");
                place = *node.children.entry(label.into()).or_insert(end);
                if label == b"*" {
                    node.wildcard = Some(place);
                }
                if place == end {
                    nodes.push(Node::default());
                }
            }
            (nodes[place].is_rule, nodes[place].is_private) = (true, is_private);
        }
        Self { nodes }
    }

    /// Returns how many labels of a host are its suffix by the rules of tldextract, or `None`, whether it is
    /// private, and how many labels the suffix of the registry has.
    pub fn tldextract(&self, host: &[u8]) -> (Option<usize>, bool, usize) {
        let (mut place, mut length, mut is_private, mut registry) = (ROOT, None, false, 0);
        for (count, label) in (1..).zip(labels(host)) {
            let Some(child) = self.child(place, label) else {
                if let Some(wildcard) = self.nodes[place].wildcard {
                    let length = count - usize::from(self.is_exception(place, label));
                    return (Some(length), self.nodes[wildcard].is_private, registry);
                }
                break;
            };
            place = child;
            if self.nodes[child].is_rule {
                (length, is_private) = (Some(count), self.nodes[child].is_private);
                if !is_private {
                    registry = count;
                }
            }
        }
        (length, is_private, registry)
    }

    /// Splits a URL or a host in ASCII as tldextract does. Returns `None` for an address in brackets.
    pub fn extract<'u>(&self, url: &'u str) -> Option<ExtractedHost<'u>> {
        let rest = match url.as_bytes().windows(2).position(|pair| pair == b"//") {
            Some(0) => &url[2..],
            Some(start) if url[..start].strip_suffix(':').is_some_and(is_scheme) => &url[start + 2..],
            _ => url,
        };
        let host = before_end(rest).rsplit('@').next().unwrap_or_default();
        if host.starts_with('[') {
            return None;
        }
        let is_blank = |character: char| matches!(character, '\t'..='\r' | '\x1c'..='\x20');
        let host = host.split(':').next().unwrap_or_default().trim_matches(is_blank).trim_end_matches('.');
        let (length, is_private, registry) = self.tldextract(lowercase(host).as_bytes());
        if length.is_none() && host.parse::<Ipv4Addr>().is_ok() {
            return Some(ExtractedHost {
                sub: "",
                domain: host,
                suffix: "",
                is_private,
                registry_suffix: "",
            });
        }
        let (sub, domain, suffix) = split(host, length.unwrap_or(0));
        let registry_suffix = if is_private { split(host, registry).2 } else { suffix };
        Some(ExtractedHost { sub, domain: domain.unwrap_or_default(), suffix, is_private, registry_suffix })
    }

    /// Returns how many labels of a host are its suffix by the rules of tld, and whether it is private.
    pub fn tld(&self, host: &[u8]) -> Option<(usize, bool)> {
        let (mut place, mut found) = (ROOT, None);
        for (count, label) in (1..).zip(labels(host)) {
            if self.is_exception(place, label) {
                break;
            }
            let Some(child) = self.child(place, label).or(self.nodes[place].wildcard) else { break };
            place = child;
            if self.nodes[child].is_rule {
                found = Some((count, self.nodes[child].is_private));
            }
        }
        found
    }

    /// Splits the host of a URL in ASCII into subdomain, domain and suffix, like tld. A host that is a suffix
    /// lacks a domain. Returns `None` for a URL that is not plain, or if no rule of the sections matches.
    pub fn split_url(
        &self,
        url: &str,
        fix_protocol: bool,
        search_public: bool,
        search_private: bool,
    ) -> Option<(String, Option<String>, String)> {
        let rest = match url.split_once("//") {
            Some((scheme, rest)) => {
                let scheme = scheme.strip_suffix(':').filter(|scheme| is_scheme(scheme))?;
                scheme.starts_with(|first: char| first.is_ascii_alphabetic()).then_some(rest)?
            }
            None if fix_protocol => url,
            None => return None,
        };
        // Python's `urlsplit` drops white space, and looks into brackets.
        if url.bytes().any(|byte| byte <= b' ' || matches!(byte, b'[' | b']')) {
            return None;
        }
        let written = before_end(rest).rsplit('@').next().and_then(|host| host.split(':').next())?;
        if written.is_empty() || written.contains('%') {
            return None;
        }
        let written = lowercase(written);
        let host = written.trim_end_matches('.');
        let (length, is_private) = self.tld(host.as_bytes())?;
        if !(if is_private { search_private } else { search_public }) {
            return None;
        }
        Some(match split(host, length) {
            // A host that is itself a suffix is kept as written, including its last dot.
            (_, None, _) => (String::new(), None, written.into_owned()),
            (sub, Some(domain), suffix) => (sub.to_owned(), Some(domain.to_owned()), suffix.to_owned()),
        })
    }

    /// Returns the public suffix of a domain by the rules of publicsuffix2, or with `is_sld` its registered
    /// domain. `strict` rejects a last label that the list lacks.
    pub fn publicsuffix2<'h>(
        &self,
        domain: &'h [u8],
        wildcard: bool,
        strict: bool,
        is_sld: bool,
    ) -> Option<&'h [u8]> {
        let mut host = domain;
        while let [b'.', rest @ ..] | [rest @ .., b'.'] = host {
            host = rest;
        }
        // The registered domain is found by the strict suffix in any case.
        let length = self.longest(host, wildcard, strict || is_sld);
        if length == 0 && (strict || !is_sld) {
            return None;
        }
        let dots = host.iter().enumerate().rev().filter(|(_, byte)| **byte == b'.');
        let start = dots.map(|(dot, _)| dot + 1).nth((length + usize::from(is_sld)).saturating_sub(1));
        Some(&host[start.unwrap_or(0)..])
    }

    fn child(&self, place: usize, label: &[u8]) -> Option<usize> {
        self.nodes[place].children.get(label).copied()
    }

    fn is_exception(&self, place: usize, label: &[u8]) -> bool {
        self.nodes[place].has_exceptions && self.child(place, &[b"!", label].concat()).is_some()
    }

    /// Returns the number of labels of the suffix by the rules of publicsuffix2. The suffix may start at any
    /// label of a rule, not only at the first.
    fn longest(&self, host: &[u8], wildcard: bool, strict: bool) -> usize {
        if strict && labels(host).next().is_none_or(|last| self.child(ROOT, last).is_none()) {
            return 0;
        }
        // By default the last label is a suffix.
        let mut hits = Vec::from_iter(wildcard.then_some(1));
        // If a host matches a wildcard and a name, the wildcard is walked first, so that an exception below
        // it removes only the labels that the wildcard has added.
        let mut later = Vec::new();
        let mut next = Some((ROOT, 1, labels(host)));
        while let Some((place, count, mut labels)) = next.take().or_else(|| later.pop()) {
            let Some(label) = labels.next() else { continue };
            let named = if wildcard || label != b"*" { self.child(place, label) } else { None };
            let star = self.nodes[place].wildcard.filter(|_| wildcard);
            if named.or(star).is_some() {
                hits.push(count);
            }
            if self.is_exception(place, label) {
                hits.retain(|hit| *hit != count);
            }
            if let (Some(named), Some(_)) = (named, star) {
                later.push((named, count + 1, labels.clone()));
            }
            next = star.or(named).map(|child| (child, count + 1, labels));
        }
        hits.into_iter().max().unwrap_or(0)
    }
}

/// Returns the labels, the last one first.
fn labels(host: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    host.rsplit(|byte| *byte == b'.')
}

/// Returns an authority without the text that follows it in a URL.
fn before_end(text: &str) -> &str {
    &text[..memchr3(b'/', b'?', b'#', text.as_bytes()).unwrap_or(text.len())]
}

fn lowercase(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        text.to_ascii_lowercase().into()
    } else {
        text.into()
    }
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Splits a host before its last `length` labels, and before the preceding label, if it has one.
fn split(host: &str, length: usize) -> (&str, Option<&str>, &str) {
    let (rest, suffix) = match length.checked_sub(1) {
        None => (Some(host), ""),
        Some(dots) => match host.rmatch_indices('.').nth(dots) {
            Some((dot, _)) => (Some(&host[..dot]), &host[dot + 1..]),
            None => (None, host),
        },
    };
    match rest.map(|rest| rest.rsplit_once('.').unwrap_or(("", rest))) {
        Some((sub, domain)) => (sub, Some(domain), suffix),
        None => ("", None, suffix),
    }
}
