//! The hosts of a question: a whole host, in the spellings of URLs with and without an SXURL, and a name that
//! hosts are at or below, with the public suffixes that such hosts have.

use urlid::reference::Authority;
use urlid::suffix::{SuffixList, SuffixRuleKind};
use urlid::sxurl::{Components, HostPart};
use urlid::web::Url;

use crate::question::condition::Condition;
use crate::question::other::name_of;
use crate::question::question_error::QuestionError;
use crate::question::stored::StoredUrl;

/// The name in a question for a host and everything below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Under {
    host: WantedHost,
    /// The name in lower case, without a final dot. Empty for an address, which has no subdomains.
    name: String,
    /// Whether URLs with an SXURL can have such a host.
    is_dns_name: bool,
}

/// The hosts with one public suffix, or some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    pub(crate) tld: String,
    /// The label left of the suffix, if it is the same for all hosts.
    pub(crate) domain: Option<String>,
}

impl Under {
    /// Maps a value, which may have a leading or a final dot.
    pub(super) fn map(value: &str) -> Result<Self, QuestionError> {
        let bare = value.strip_prefix('.').unwrap_or(value);
        let bare = bare.strip_suffix('.').unwrap_or(bare);
        if bare.is_empty() {
            return Err(QuestionError::Empty { condition: Condition::Under });
        }
        let host = WantedHost::map(bare).map_err(|error| match error {
            QuestionError::Host { source, .. } => QuestionError::Host { condition: Condition::Under, source },
            error => error,
        })?;
        let name = host.texts().next().map(name_of).unwrap_or_default().into_owned();
        let is_dns_name = !name.is_empty() && HostPart::map(&name).is_ok();
        Ok(Self { host, name, is_dns_name })
    }

    /// Returns whether a URL has such a host.
    pub(super) fn has(&self, url: &StoredUrl<'_>) -> bool {
        let is_under = |rest: &str| rest.is_empty() || rest.ends_with('.');
        // An address has an empty name, and matches only itself.
        let has_name = !self.name.is_empty() && url.name().strip_suffix(&*self.name).is_some_and(is_under);
        has_name || self.host.is(url.host())
    }

    /// Returns the required whole host.
    pub(crate) fn host(&self) -> &WantedHost {
        &self.host
    }

    /// Returns the name. Empty for an address.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether URLs with an SXURL can have such a host.
    pub(crate) fn is_dns_name(&self) -> bool {
        self.is_dns_name
    }

    /// Returns the branches that contain all such hosts. Returns `None` if they cannot be listed, because a
    /// rule with `*` represents any number of suffixes.
    ///
    /// The suffix of a host below the name comes from the longest rule that the host ends with. If that rule
    /// is at or below the name, it is in the list. Otherwise it is shorter than the name, and then the host
    /// is split like the name.
    pub(crate) fn branches(&self, list: &SuffixList) -> Option<Vec<Branch>> {
        let is_within = |name: &str| is_under(name, &self.name);
        let is_open = list.rules().filter(|rule| rule.kind != SuffixRuleKind::Plain).any(|rule| {
            let name = HostPart::map(rule.name).map(|name| name.as_str().to_owned());
            // A rule that cannot be mapped may be within the name, so it counts.
            !rule.name.is_empty() && name.map_or(true, |name| is_within(&name))
        });
        if is_open {
            return None;
        }
        let split = list.split_normal(&self.name);
        let domain = (!split.domain.is_empty()).then(|| split.domain.to_owned());
        let own = Branch { tld: split.tld.to_owned(), domain };
        let below = list.names().filter(|name| is_within(name) && *name != own.tld);
        let below: Vec<Branch> = below.map(|tld| Branch { tld, domain: None }).collect();
        Some([vec![own], below].concat())
    }
}

/// Returns whether a name equals a second one or is below it.
pub(crate) fn is_under(name: &str, other: &str) -> bool {
    name.strip_suffix(other).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// The whole host of a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WantedHost {
    /// The host as in web URLs.
    mapped: String,
    /// The given text in lower case. The URL Standard does not map hosts of schemes that are not special.
    opaque: String,
    is_dns_name: bool,
}

impl WantedHost {
    /// Maps a value. An empty value means URLs without a host.
    pub(super) fn map(value: &str) -> Result<Self, QuestionError> {
        let (mapped, is_dns_name) = match dns_name(value) {
            _ if value.is_empty() => (String::new(), false),
            Ok(name) => (name, true),
            Err(source) => {
                // Addresses and names with a final dot are hosts of web URLs. Other values may be hosts of
                // other schemes.
                let host = |prefix| host_of(prefix, value);
                let otherwise = host("http://").or_else(|| host("x://"));
                let rejected = QuestionError::Host { condition: Condition::Host, source };
                (otherwise.ok_or(rejected)?, false)
            }
        };
        Ok(Self { mapped, opaque: value.to_ascii_lowercase(), is_dns_name })
    }

    /// Returns whether the question is for URLs without a host.
    pub(super) fn is_none(&self) -> bool {
        self.mapped.is_empty()
    }

    /// Returns the host, if URLs with an SXURL can have it.
    pub(crate) fn dns_name(&self) -> Option<&str> {
        self.is_dns_name.then_some(self.mapped.as_str())
    }

    /// Returns whether the host of a URL is this one.
    pub(super) fn is(&self, host: &str) -> bool {
        self.texts().any(|text| host.eq_ignore_ascii_case(text))
    }

    /// Returns the texts that the host can have in URLs, in lower case.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let opaque = (self.opaque != self.mapped).then_some(self.opaque.as_str());
        std::iter::once(self.mapped.as_str()).chain(opaque)
    }
}

/// Maps a host that an SXURL can have.
pub(crate) fn dns_name(value: &str) -> Result<String, urlid::Error> {
    let name = HostPart::map(value)?.as_str().to_owned();
    // Rejects addresses, for which there are no identifiers.
    Components::parse(&format!("http://{name}/"), SuffixList::compiled())?;
    Ok(name)
}

/// Returns the host of the URL `prefix` and `value`, in lower case, if `value` is exactly a host.
fn host_of(prefix: &str, value: &str) -> Option<String> {
    let url = Url::parse(&[prefix, value].concat()).ok()?;
    let authority = Authority::split(value);
    // The parser would drop blanks and line ends, and then the value would differ from the name that it seems
    // to be.
    let is_host_alone = (authority.user, authority.port) == (None, None)
        && !value.contains(|character| character <= ' ' || "/\\?#".contains(character));
    url.host_str().filter(|_| is_host_alone).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use urlid::suffix::Sections;

    use super::*;

    #[test]
    fn a_name_with_more_dots_is_still_a_name() {
        for value in [
            "example.com",
            "Example.com.",
            ".example.com",
            "example.com..",
            "example.com\u{3002}",
            "example%2Ecom",
        ] {
            let under = Under::map(value).expect(value);
            assert!(under.is_dns_name() && under.name() == "example.com", "{value}");
        }
        for value in ["1.2.3.4", "[::1]"] {
            let under = Under::map(value).expect(value);
            assert!(!under.is_dns_name() && under.name().is_empty(), "{value}");
        }
        for value in ["example.com ", "example.com\r", "a b"] {
            assert!(Under::map(value).is_err(), "{value:?}");
        }
    }

    #[test]
    fn branches_are_the_suffixes_at_and_below_a_name() {
        let list = "com\nuk\nco.uk\nx.example.com\n*.ck\njp\n*.kobe.jp\n!city.kobe.jp\n";
        let list = SuffixList::parse(list, Sections::All).expect("it is a list");
        let branches = |name: &str| -> Option<Vec<String>> {
            let branches = Under::map(name).expect(name).branches(&list)?;
            let text = |branch: &Branch| match &branch.domain {
                Some(domain) => format!("{domain}|{}", branch.tld),
                None => branch.tld.clone(),
            };
            Some(branches.iter().map(text).collect())
        };
        let table: [(&str, Option<&[&str]>); 11] = [
            ("com", Some(&["com", "x.example.com"])),
            ("example.com", Some(&["example|com", "x.example.com"])),
            ("a.example.com", Some(&["example|com"])),
            ("x.example.com", Some(&["x.example.com"])),
            (".UK.", Some(&["uk", "co.uk"])),
            ("a.co.uk", Some(&["a|co.uk"])),
            ("unlisted", Some(&["unlisted"])),
            ("ck", None),
            ("b.ck", Some(&["b.ck"])),
            ("jp", None),
            ("city.kobe.jp", None),
        ];
        for (name, expected) in table {
            let expected = expected.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
            assert_eq!(branches(name), expected, "{name}");
        }
    }

    #[test]
    fn hosts_are_mapped_as_urls_have_them() {
        let table = [
            ("WWW.B\u{fc}cher.de", "www.xn--bcher-kva.de", true),
            ("0x7f.1", "127.0.0.1", false),
            ("[0::1]", "[::1]", false),
            ("Example.com.", "example.com.", false),
            ("", "", false),
        ];
        for (value, mapped, is_dns_name) in table {
            let host = WantedHost::map(value).expect(value);
            assert_eq!((host.mapped.as_str(), host.dns_name().is_some()), (mapped, is_dns_name), "{value}");
            assert!(host.is(mapped) && !host.is("x"));
        }
        for value in ["a b", "h ", " h", "h\r", "h\t.x", "h/x", "h/", "h\\", "h:80", "u@h", "h?", "[::1"] {
            assert!(WantedHost::map(value).is_err(), "{value}");
        }
    }
}
