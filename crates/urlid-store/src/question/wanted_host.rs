//! The whole host of a question, in the spellings of URLs with and without an SXURL.

use urlid::reference::Authority;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, HostPart};
use urlid::web::Url;

use crate::question::condition::Condition;
use crate::question::question_error::QuestionError;

/// The whole host of a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WantedHost {
    /// The host as in web URLs.
    mapped: String,
    /// The given text in lower case: the URL Standard does not map hosts of schemes that are not special.
    opaque: String,
    is_dns_name: bool,
}

impl WantedHost {
    /// Maps a value. An empty one stands for URLs without a host.
    pub(super) fn map(value: &str) -> Result<Self, QuestionError> {
        let (mapped, is_dns_name) = match dns_name(value) {
            _ if value.is_empty() => (String::new(), false),
            Ok(name) => (name, true),
            Err(source) => {
                // Addresses and names with a final dot are hosts of web URLs; anything else may be the host
                // of another scheme.
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

/// Returns the host of the URL `prefix` and `value`, in lower case, if `value` is a host and nothing else.
fn host_of(prefix: &str, value: &str) -> Option<String> {
    let url = Url::parse(&[prefix, value].concat()).ok()?;
    let authority = Authority::split(value);
    // The parser would drop blanks and line ends, with which the value is not the name that it seems to be.
    let is_host_alone = (authority.user, authority.port) == (None, None)
        && !value.contains(|character| character <= ' ' || "/\\?#".contains(character));
    url.host_str().filter(|_| is_host_alone).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

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
