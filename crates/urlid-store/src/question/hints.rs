//! Hints about conditions that URLs cannot meet.

use urlid::ErrorCode;
use urlid::suffix::{Section, SuffixList, SuffixRule};
use urlid::sxurl::HostPart;

use crate::question::condition::Condition;
use crate::question::under::{dns_name, is_under};

/// Returns notes about the interpretation of conditions and about the URLs that they exclude, whether there
/// are answers or not.
///
/// `found` is whether there were any answers. If so, suffixes submitted by owners of domains are not worth a
/// note (`com` has hundreds of them). `name` returns the caller's name of a condition.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_store::question::{Condition, notes};
///
/// let name = |condition| format!("--{condition}");
/// let notes = |condition, value| notes(&[(condition, value)], SuffixList::compiled(), true, name);
/// let [note] = &notes(Condition::Domain, "google.com")[..] else { panic!("a note") };
/// assert_eq!(note, "--domain google.com is read as --registered-domain google.com");
/// let [note] = &notes(Condition::Tld, "uk")[..] else { panic!("a note") };
/// assert!(note.starts_with("--tld uk excludes hosts under "), "{note}");
/// assert!(notes(Condition::Tld, "com").is_empty());
/// ```
pub fn notes<V: AsRef<str>>(
    conditions: &[(Condition, V)],
    list: &SuffixList,
    found: bool,
    name: impl Fn(Condition) -> String,
) -> Vec<String> {
    let mut notes = Vec::new();
    let domain = value_of(conditions, Condition::Domain);
    if let Some(domain) = domain.as_ref().filter(|domain| domain.contains('.')) {
        let (read, meant) = (name(Condition::Domain), name(Condition::RegisteredDomain));
        notes.push(format!("{read} {domain} is read as {meant} {domain}"));
    }
    if let (Some(tld), None) = (value_of(conditions, Condition::Tld), domain) {
        let counts = |rule: &SuffixRule<'_>| !found || rule.section == Section::Icann;
        let suffix = |rule: SuffixRule<'_>| Some(HostPart::map(rule.name).ok()?.as_str().to_owned());
        let mut below: Vec<String> = list.rules().filter(counts).filter_map(suffix).collect();
        below.retain(|suffix| *suffix != tld && is_under(suffix, &tld));
        below.sort_unstable_by_key(|suffix| (suffix.len(), suffix.clone()));
        if let Some(first) = below.first() {
            let more = match below.len() {
                1 => String::new(),
                count => format!(" and {} more suffixes", count - 1),
            };
            let (read, under) = (name(Condition::Tld), name(Condition::Under));
            notes.push(format!(
                "{read} {tld} excludes hosts under {first}{more}: {under} {tld} also finds them"
            ));
        }
    }
    notes
}

/// Returns hints about conditions that URLs cannot meet. They are about the spelling of a value, and about
/// the public suffix by a suffix list. `name` returns the caller's name of a condition.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_store::question::{Condition, hints};
///
/// let conditions = [(Condition::Tld, "uk"), (Condition::Domain, "co"), (Condition::Query, "?q")];
/// let hints = hints(&conditions, SuffixList::compiled(), |condition| format!("--{condition}"));
/// assert_eq!(hints[0], "--query is written without its `?`: try --query 'q'");
/// assert_eq!(hints[1], "`co.uk` is a public suffix: try --tld co.uk");
/// ```
pub fn hints<V: AsRef<str>>(
    conditions: &[(Condition, V)],
    list: &SuffixList,
    name: impl Fn(Condition) -> String,
) -> Vec<String> {
    let of_values = conditions
        .iter()
        .filter_map(|(condition, value)| hint_of_value(&name(*condition), *condition, value.as_ref()));
    let of_suffix = hint_of_suffix(conditions, list, &name(Condition::Tld));
    of_values.chain(of_suffix).chain(hint_of_domain(conditions, list, &name)).collect()
}

fn hint_of_value(name: &str, condition: Condition, value: &str) -> Option<String> {
    let cut = |ends: &[char]| {
        let end = value.find(ends)?;
        Some(format!("`{}` ends the part of {name}: try {name} '{}'", &value[end..=end], &value[..end]))
    };
    let without = |delimiter: char| {
        let rest = value.strip_prefix(delimiter)?;
        Some(format!("{name} is written without its `{delimiter}`: try {name} '{rest}'"))
    };
    let hint = match condition {
        Condition::Path | Condition::PathPrefix => cut(&['?', '#']),
        Condition::Query => without('?').or_else(|| cut(&['#'])),
        Condition::Fragment => without('#'),
        _ => None,
    };
    let has_star =
        || value.contains('*').then(|| format!("`*` in {name} is an ordinary character, not a wildcard"));
    hint.or_else(has_star)
}

fn hint_of_suffix<V: AsRef<str>>(
    conditions: &[(Condition, V)],
    list: &SuffixList,
    name: &str,
) -> Option<String> {
    let tld = value_of(conditions, Condition::Tld)?;
    if is_address(&tld) {
        return Some(format!("`{tld}` is an address, which has no public suffix"));
    }
    let domain = value_of(conditions, Condition::Domain).filter(|domain| !domain.is_empty());
    if let Some(host) =
        domain.map(|domain| format!("{domain}.{tld}")).filter(|host| list.is_normal_suffix(host))
    {
        return Some(format!("`{host}` is a public suffix: try {name} {host}"));
    }
    let split = list.split_normal(&tld);
    (split.tld != tld).then(|| format!("`{tld}` is not a public suffix: its suffix is `{}`", split.tld))
}

/// Returns a hint about a value that is not a registered domain.
fn hint_of_domain<V: AsRef<str>>(
    conditions: &[(Condition, V)],
    list: &SuffixList,
    name: impl Fn(Condition) -> String,
) -> Option<String> {
    let found = value_of(conditions, Condition::RegisteredDomain)
        .or_else(|| value_of(conditions, Condition::Domain).filter(|domain| domain.contains('.')))?;
    if is_address(&found) {
        let host = name(Condition::Host);
        return Some(format!("`{found}` is an address, which has no registered domain: try {host} {found}"));
    }
    let split = list.split_normal(&found);
    match (split.domain, split.sub) {
        // An empty text is a valid condition, for hosts without a registered domain.
        ("", _) if found.is_empty() => None,
        ("", _) => Some(format!("`{found}` is a public suffix: try {} {found}", name(Condition::Under))),
        (_, "") => None,
        (domain, _) => Some(format!(
            "`{found}` is not a registered domain: try {} {found}, or {} {domain}.{}",
            name(Condition::Under),
            name(Condition::RegisteredDomain),
            split.tld
        )),
    }
}

/// Returns whether a mapped value is an address, as the host of a web URL.
fn is_address(host: &str) -> bool {
    dns_name(host).is_err_and(|error| error.code() == ErrorCode::HostNotDns)
}

/// Returns the value of a condition, mapped like a host.
fn value_of<V: AsRef<str>>(conditions: &[(Condition, V)], wanted: Condition) -> Option<String> {
    let (_, value) = conditions.iter().find(|(condition, _)| *condition == wanted)?;
    Some(HostPart::map(value.as_ref()).ok()?.as_str().to_owned())
}
