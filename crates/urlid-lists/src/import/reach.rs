//! How far the entry of a URL reaches, compared with the meaning of the URL in its source.

use super::super::candidate::MOST_DIRECTORIES;
use super::super::rules::{Covers, ListRules, UserInfo};
use super::Reason;
use super::exceptions::MOST_NAME;
use crate::candidate::web_form;
use urlid::hashed_uri::{Canonical, Keep, Variant};
use urlid::internal::ends_in_number;

/// The meaning of a URL in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// An entry of the list that is made: with what it covers, and with any query if it has none.
    Entry,
    /// That URL, and no other.
    Exact,
    /// A filter `|URL|`: that URL, in any letter case.
    Filter,
    /// A filter `|URL`: every URL that begins so, in any letter case.
    Prefix,
    /// A filter `URL`: every URL that contains it.
    Part,
}

/// The parts of a URL as it is written, before its variant changes them.
struct WrittenUrl {
    has_query: bool,
    has_fragment: bool,
    /// Whether its path ends with a slash.
    is_directory: bool,
}

impl WrittenUrl {
    fn new(text: &str, base: Option<&str>, canonical: &str) -> Self {
        // Most URLs of a long list need no second parse.
        if !text.contains(['?', '#']) && text.ends_with('/') == canonical.ends_with('/') {
            return Self { has_query: false, has_fragment: false, is_directory: text.ends_with('/') };
        }
        // Parsing can move or add delimiters, so the text is judged in the form that is listed.
        let text = web_form(text, base, UserInfo::Drop).unwrap_or(text.into());
        let (start, fragment) =
            text.split_once('#').map_or((&*text, None), |(start, end)| (start, Some(end)));
        let (path, query) = start.split_once('?').map_or((start, None), |(path, query)| (path, Some(query)));
        Self {
            has_query: query.is_some(),
            has_fragment: fragment.is_some(),
            is_directory: path.ends_with('/'),
        }
    }

    /// Returns whether the URL names a directory, with all that is below it.
    fn names_directory(&self) -> bool {
        self.is_directory && !self.has_query && !self.has_fragment
    }
}

/// Returns in what an entry differs from the URL that its source means.
pub(super) fn differences(
    text: &str,
    base: Option<&str>,
    canonical: &Canonical,
    meaning: Meaning,
    rules: ListRules,
) -> Vec<Reason> {
    let written = WrittenUrl::new(text, base, canonical.as_str());
    let kept = canonical.kept();
    let (host, path) = split_host(canonical.as_str());
    let is_exact = matches!(meaning, Meaning::Exact | Meaning::Filter);
    let is_filter = matches!(meaning, Meaning::Filter | Meaning::Prefix | Meaning::Part);
    let covers_more = rules.covers != Covers::Url;
    // Variant P removes the slash of directories from entries and candidates, so every entry is one.
    let is_directory = kept == Keep::NONE && (path.ends_with('/') || rules.variant == Variant::P);
    let reaches_hosts = rules.covers == Covers::Subdomains && has_hosts_below(host);
    let is_too_deep = covers_more && is_directory && path.matches('/').count() > MOST_DIRECTORIES;

    let matches_below = covers_more && is_directory && (is_exact || !written.names_directory());
    let lost_its_name = !covers_more && path.ends_with('/') && !written.is_directory;
    // A filter of a directory means everything below it. Without a slash the host itself may go on:
    // `|http://a.b` is the beginning of `http://a.bc/`, too.
    let has_path = text.split_once("://").is_some_and(|(_, rest)| rest.contains(['/', '\\']));
    let covers_prefix = has_path && covers_more && is_directory && written.names_directory() && !is_too_deep;
    let is_root = matches!(path, "" | "/");
    // Variant `none` compares the letters of scheme and host, too.
    let compared = if rules.variant == Variant::None { text } else { path };
    let compares_letters =
        || rules.variant != Variant::P && compared.bytes().any(|byte| byte.is_ascii_alphabetic());
    [
        (Reason::Query, !kept.includes(Keep::QUERY) && (written.has_query || is_exact)),
        (Reason::Fragment, written.has_fragment && !kept.includes(Keep::FRAGMENT)),
        (Reason::Directory, matches_below || lost_its_name),
        (Reason::Subdomains, is_filter && reaches_hosts),
        (Reason::Spelling, rules.variant == Variant::P && !is_root),
        (Reason::Longer, matches!(meaning, Meaning::Prefix | Meaning::Part) && !covers_prefix),
        (Reason::LetterCase, is_filter && compares_letters()),
        (Reason::Elsewhere, meaning == Meaning::Part),
        (
            Reason::Below,
            meaning == Meaning::Entry
                && (is_too_deep
                    || (rules.covers == Covers::Subdomains && !reaches_hosts && !is_address(host))),
        ),
    ]
    .into_iter()
    .filter_map(|(reason, is_so)| is_so.then_some(reason))
    .collect()
}

/// Returns whether the host of an entry is an address or a name that DNS can have. Other schemes than `http`
/// and `https` may have any host.
pub(super) fn has_dns_host(canonical: &Canonical) -> bool {
    let (host, _) = split_host(canonical.as_str());
    !is_url(canonical.as_str()) || is_address(host) || is_dns_name(host)
}

/// Returns whether a host, as URLs have it, consists of characters that names in DNS have.
pub(super) fn is_dns_name(host: &str) -> bool {
    host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Returns whether a name that is not an address has the lengths of a name of DNS (RFC 1035, 2.3.4). The URL
/// parser also returns others: `a..b`, and `.a` where the dot was U+3002.
pub(super) fn has_dns_lengths(host: &str) -> bool {
    host.len() <= MOST_NAME && host.split('.').all(|label| (1..=63).contains(&label.len()))
}

/// Returns whether a text is a URL of `http` or `https`.
pub(super) fn is_url(text: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start)))
}

/// Returns the host of an entry that consists of a whole host: of a root without query and fragment.
pub(super) fn whole_host(canonical: &Canonical) -> Option<&str> {
    let (host, path) = split_host(canonical.as_str());
    let is_whole = matches!(path, "" | "/") && canonical.kept() == Keep::NONE && !host.is_empty();
    is_whole.then(|| host.strip_suffix('.').unwrap_or(host))
}

/// Returns whether the entry of a host matches more or less than its source means, if it covers something
/// else. `has_below` is whether names below the host can match.
pub(super) fn change(has_below: bool, meant: Covers, covers: Covers) -> Option<Reason> {
    match (meant, covers) {
        _ if meant == covers => None,
        (Covers::Directory | Covers::Subdomains, Covers::Url) => Some(Reason::Narrowed),
        _ if !has_below => None,
        (_, Covers::Subdomains) => Some(Reason::Widened),
        _ => Some(Reason::Narrowed),
    }
}

/// Returns whether the hosts below a host climb to it: the last five, four, three and two
/// labels of a candidate.
pub(super) fn has_hosts_below(host: &str) -> bool {
    let labels = host.strip_suffix('.').unwrap_or(host).split('.').count();
    !is_address(host) && (2..=5).contains(&labels)
}

/// Returns whether a host, as URLs have it, is an address.
pub(super) fn is_address(host: &str) -> bool {
    host.starts_with('[') || ends_in_number(host)
}

/// Splits a canonical text into its host, without user and port, and what follows the authority.
fn split_host(text: &str) -> (&str, &str) {
    let Some((_, rest)) = text.split_once("://") else { return ("", text) };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let end = match host.find(']') {
        Some(offset) => offset + 1,
        None => host.find(':').unwrap_or(host.len()),
    };
    (&host[..end], path)
}
