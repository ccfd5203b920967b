//! What was meant by a part of URLs that no URL has.

use urlid::reference::{Context, Reference};
use urlid::suffix::SuffixList;
use urlid::sxurl::HostPart;
use urlid_index::Condition;

/// Returns what may be wrong with how a value is written. `name` is what the command calls the part.
pub(crate) fn of_value(name: &str, condition: Condition, value: &str) -> Option<String> {
    let without = |delimiter: char| {
        let rest = value.strip_prefix(delimiter)?;
        Some(format!("{name} is written without its `{delimiter}`: try {name} '{rest}'"))
    };
    let hint = match condition {
        Condition::Query => without('?'),
        Condition::Fragment => without('#'),
        _ => None,
    };
    let has_star = || value.contains('*').then(|| format!("`*` in {name} stands for itself alone"));
    hint.or_else(has_star)
}

/// Returns what may be wrong with a public suffix and a domain, both mapped, by a suffix list.
pub(crate) fn of_suffix(tld: &str, domain: Option<&str>, list: &SuffixList) -> Option<String> {
    if let Some(host) = domain.map(|domain| format!("{domain}.{tld}")).filter(|host| list.is_suffix(host)) {
        return Some(format!("`{host}` is a public suffix: try --tld {host}"));
    }
    let split = list.split(tld);
    (split.tld != tld).then(|| format!("`{tld}` is no public suffix: its suffix is `{}`", split.tld))
}

/// Returns what may be meant by a value that is not part of a host: a suffix with its dot, or a URL in the place of its host.
pub(crate) fn of_host(name: &str, condition: Condition, value: &str) -> Option<String> {
    let is_host = |text: &str| !text.is_empty() && HostPart::map(text).is_ok();
    if condition != Condition::Host {
        let rest = value.strip_prefix('.').filter(|rest| is_host(rest))?;
        return Some(format!("try {name} {rest}"));
    }
    let text = if value.contains("://") { value.to_owned() } else { format!("https://{value}") };
    let authority =
        Reference::parse(&text, Context::Rfc3986).ok()?.authority().filter(|it| is_host(it.host))?;
    let port = authority.port_number().map_or_else(String::new, |port| format!(" --port {port}"));
    (authority.host != value).then(|| format!("try {name} {}{port}", authority.host))
}
