//! Hints for values that are not part of a host.

use urlid::reference::{Context, Reference};
use urlid::sxurl::HostPart;
use urlid_index::Condition;

/// Returns a hint for a value that is not part of a host: it may be a suffix with its dot, or a URL instead of its host.
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
