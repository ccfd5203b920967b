//! Hints about conditions that no URL meets.

use urlid::suffix::SuffixList;
use urlid::sxurl::HostPart;

use crate::condition::Condition;

/// Returns hints about conditions that no URL meets: about the spelling of a value, and about the public suffix by a suffix
/// list.
/// `name` returns the caller's name of a condition.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_plan::{Condition, hints};
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
    of_values.chain(hint_of_suffix(conditions, list, &name(Condition::Tld))).collect()
}

fn hint_of_value(name: &str, condition: Condition, value: &str) -> Option<String> {
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

fn hint_of_suffix<V: AsRef<str>>(
    conditions: &[(Condition, V)],
    list: &SuffixList,
    name: &str,
) -> Option<String> {
    let mapped = |wanted| {
        let (_, value) = conditions.iter().find(|(condition, _)| *condition == wanted)?;
        Some(HostPart::map(value.as_ref()).ok()?.as_str().to_owned())
    };
    let tld = mapped(Condition::Tld)?;
    let domain = mapped(Condition::Domain).filter(|domain| !domain.is_empty());
    if let Some(host) = domain.map(|domain| format!("{domain}.{tld}")).filter(|host| list.is_suffix(host)) {
        return Some(format!("`{host}` is a public suffix: try {name} {host}"));
    }
    let split = list.split(&tld);
    (split.tld != tld).then(|| format!("`{tld}` is no public suffix: its suffix is `{}`", split.tld))
}
