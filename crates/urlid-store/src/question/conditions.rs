//! The conditions of a question: values of parts of a URL, as plain texts.
//!
//! `condition` is the table of the parts. Host parts are mapped like a URL's host, and `matches` decides from
//! a URL's own parts whether it is an answer. The module does not depend on slices and rows.

use urlid::reference::Class;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Flags, HostPart, Scheme, Slice};
use urlid::web::is_scheme;

use crate::question::condition::Condition;
use crate::question::question_error::QuestionError;
use crate::question::stored::StoredUrl;
use crate::question::under::Under;
use crate::question::under::{WantedHost, dns_name};

/// A question. A URL is an answer if it meets all conditions.
///
/// A question does not depend on a suffix list. An index splits hosts by its own list.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_store::question::{Condition, Question};
///
/// let question = Question::new([(Condition::Tld, "co.uk"), (Condition::Domain, "B\u{fc}cher")])?;
/// assert!(question.matches("https://www.xn--bcher-kva.co.uk/", SuffixList::compiled()));
/// assert!(question.matches("wss://xn--bcher-kva.co.uk./", SuffixList::compiled()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Question {
    scheme: Option<String>,
    host: Option<WantedHost>,
    under: Option<Under>,
    registered_domain: Option<String>,
    tld: Option<String>,
    domain: Option<String>,
    sub: Option<String>,
    port: Option<u16>,
    pub(crate) path: Option<String>,
    pub(crate) query: Option<String>,
    pub(crate) fragment: Option<String>,
    pub(crate) path_prefix: Option<String>,
    has: Option<Flags>,
    lacks: Option<Flags>,
}

impl Question {
    /// Makes a question, and maps the values of its conditions.
    ///
    /// # Errors
    /// [`QuestionError`] for values that URLs cannot have, and for a condition that is given twice.
    pub fn new<'v>(
        conditions: impl IntoIterator<Item = (Condition, &'v str)>,
    ) -> Result<Self, QuestionError> {
        let mut question = Self::default();
        for (condition, value) in conditions {
            question.add(condition, value)?;
        }
        let Self { host, registered_domain, tld, domain, sub, .. } = &question;
        if host.is_some() && [registered_domain, tld, domain, sub].into_iter().any(Option::is_some) {
            return Err(QuestionError::Twice { condition: Condition::Host });
        }
        if registered_domain.is_some() && (tld.is_some() || domain.is_some()) {
            return Err(QuestionError::Twice { condition: Condition::RegisteredDomain });
        }
        if question.present() & question.absent() != Flags::NONE {
            return Err(QuestionError::PresentAndAbsent);
        }
        question.check_paths()?;
        Ok(question)
    }

    /// Checks that URLs can have a mapped value in the part that a slice hashes.
    ///
    /// # Errors
    /// [`QuestionError`] if they cannot. An example is a domain with a dot, which [`Question::new`] reads as
    /// a registered domain.
    pub fn check_part(condition: Condition, value: &str) -> Result<(), QuestionError> {
        if condition == Condition::Domain && value.contains('.') {
            let name = dns_name(value).map_err(|source| QuestionError::Host { condition, source })?;
            // This split is only for the message. An index may split the name differently.
            let split = SuffixList::compiled().split_normal(&name);
            let (domain, tld) = (split.domain.to_owned(), split.tld.to_owned());
            return Err(QuestionError::DomainIsHost { domain, tld, host: value.to_owned() });
        }
        Self::new([(condition, value)]).map(drop)
    }

    fn add(&mut self, condition: Condition, value: &str) -> Result<(), QuestionError> {
        let mapped = || {
            let part = HostPart::map(value).map_err(|source| QuestionError::Host { condition, source })?;
            Ok(part.as_str().to_owned())
        };
        let (text, value) = match condition {
            Condition::Scheme => return set(&mut self.scheme, condition, scheme(value)?),
            Condition::Port => return set(&mut self.port, condition, port(value)?),
            Condition::Has => return set(&mut self.has, condition, flags(condition, value)?),
            Condition::Lacks => return set(&mut self.lacks, condition, flags(condition, value)?),
            Condition::Host => return set(&mut self.host, condition, WantedHost::map(value)?),
            Condition::Under => return set(&mut self.under, condition, Under::map(value)?),
            // An empty registered domain is the same condition as an empty domain, because a host has either
            // both or neither.
            Condition::RegisteredDomain => match mapped()? {
                none if none.is_empty() => (&mut self.domain, none),
                name => (&mut self.registered_domain, name),
            },
            Condition::Tld => match mapped()? {
                none if none.is_empty() => return Err(QuestionError::Empty { condition }),
                name => (&mut self.tld, name),
            },
            Condition::Domain => match mapped()? {
                domain if domain.contains('.') => (&mut self.registered_domain, domain),
                label => (&mut self.domain, label),
            },
            Condition::Sub => (&mut self.sub, mapped()?),
            Condition::Path => (&mut self.path, value.to_owned()),
            Condition::PathPrefix => (&mut self.path_prefix, value.to_owned()),
            Condition::Query => (&mut self.query, value.to_owned()),
            Condition::Fragment => (&mut self.fragment, value.to_owned()),
        };
        set(text, condition, value)
    }

    /// Checks that paths start with a slash. Only URLs of some schemes have other paths, and such URLs may
    /// have no host.
    fn check_paths(&mut self) -> Result<(), QuestionError> {
        let may_lack_slash = match &self.scheme {
            Some(scheme) => !Class::of_scheme(scheme).is_special(),
            None => self.host.as_ref().is_some_and(WantedHost::is_none),
        };
        if may_lack_slash {
            return Ok(());
        }
        // An empty path counts as `/`, in questions as in URLs.
        if self.path.as_deref() == Some("") {
            self.path = Some("/".to_owned());
        }
        let paths = [(Condition::Path, &self.path), (Condition::PathPrefix, &self.path_prefix)];
        match paths.into_iter().find(|(_, path)| path.as_ref().is_some_and(|path| !path.starts_with('/'))) {
            Some((condition, path)) => {
                Err(QuestionError::Path { condition, found: path.clone().unwrap_or_default() })
            }
            None => Ok(()),
        }
    }

    /// Returns whether a URL is an answer, from its own parts. A text that is not an absolute URL is not an
    /// answer.
    #[must_use]
    pub fn matches(&self, url: &str, list: &SuffixList) -> bool {
        StoredUrl::read(url, list, |url, _| self.is_met(url)).unwrap_or(false)
    }

    /// Returns whether a URL meets all conditions.
    #[must_use]
    pub fn is_met(&self, url: &StoredUrl<'_>) -> bool {
        fn is(wanted: Option<&String>, found: &str) -> bool {
            wanted.is_none_or(|wanted| wanted == found)
        }
        self.is_met_unhashed(url)
            && self.host.as_ref().is_none_or(|host| host.is(url.host()))
            && is(self.registered_domain.as_ref(), url.registered_domain())
            && is(self.tld.as_ref(), url.tld())
            && is(self.domain.as_ref(), url.domain())
            && is(self.sub.as_ref(), url.sub())
            && self.port.is_none_or(|port| Some(port) == url.port())
            && is(self.path.as_ref(), url.path())
            && is(self.query.as_ref(), url.query())
            && is(self.fragment.as_ref(), url.fragment())
    }

    /// Returns whether a URL meets the conditions on parts that are not hashed into slices. A URL that fails
    /// this test is not a collision.
    pub(crate) fn is_met_unhashed(&self, url: &StoredUrl<'_>) -> bool {
        self.scheme.as_ref().is_none_or(|scheme| scheme == url.scheme())
            && self.can_have(url.optional_parts())
            && self.under.as_ref().is_none_or(|under| under.has(url))
            && self.path_prefix.as_ref().is_none_or(|prefix| url.path().starts_with(prefix))
    }

    /// Returns whether a URL with an SXURL can be an answer.
    pub(crate) fn can_have_sxurl(&self) -> bool {
        // An SXURL has port 0 if its URL has no port.
        self.port != Some(0)
            && (self.scheme.is_none() || self.sxurl_scheme().is_some())
            && self.host.as_ref().is_none_or(|host| host.dns_name().is_some())
            && self.under.as_ref().is_none_or(Under::is_dns_name)
    }

    /// Returns whether URLs with these optional parts can be answers.
    pub(crate) fn can_have(&self, flags: Flags) -> bool {
        flags.contains(self.present()) && flags & self.absent() == Flags::NONE
    }

    /// Returns the parts that must be present.
    fn present(&self) -> Flags {
        self.has.unwrap_or(Flags::NONE)
    }

    /// Returns the parts that must be absent.
    fn absent(&self) -> Flags {
        self.lacks.unwrap_or(Flags::NONE)
    }

    /// Returns the required scheme.
    #[must_use]
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// Returns the required scheme, if SXURLs can have it.
    pub(crate) fn sxurl_scheme(&self) -> Option<Scheme> {
        self.scheme.as_deref().and_then(Scheme::from_name)
    }

    /// Returns the required whole host.
    pub(crate) fn host(&self) -> Option<&WantedHost> {
        self.host.as_ref()
    }

    /// Returns the name that hosts must be at or below.
    pub(crate) fn under(&self) -> Option<&Under> {
        self.under.as_ref()
    }

    /// Returns the required port.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the mapped value that is required of the part of a slice. `list` splits a required whole host.
    #[must_use]
    pub fn part(&self, slice: Slice, list: &SuffixList) -> Option<&str> {
        if let Some(host) = self.host.as_ref().and_then(WantedHost::dns_name) {
            let split = list.split_normal(host);
            match slice {
                Slice::Tld => return Some(split.tld),
                Slice::Domain => return Some(split.domain),
                Slice::Sub => return Some(split.sub),
                Slice::Path | Slice::Params | Slice::Frag => {}
            }
        }
        if let Some(name) = &self.registered_domain {
            let split = list.split_normal(name);
            match slice {
                Slice::Tld => return Some(split.tld),
                Slice::Domain => return Some(split.domain),
                _ => {}
            }
        }
        match slice {
            Slice::Tld => self.tld.as_deref(),
            Slice::Domain => self.domain.as_deref(),
            Slice::Sub => self.sub.as_deref(),
            Slice::Path => self.path.as_deref(),
            Slice::Params => self.query.as_deref(),
            Slice::Frag => self.fragment.as_deref(),
        }
    }

    /// Returns whether every URL is an answer.
    #[must_use]
    pub fn is_unconditional(&self) -> bool {
        *self == Self::default()
    }
}

/// Sets the value of a condition, which may be given only once.
pub(crate) fn set<T>(place: &mut Option<T>, condition: Condition, value: T) -> Result<(), QuestionError> {
    if place.is_some() {
        return Err(QuestionError::Twice { condition });
    }
    *place = Some(value);
    Ok(())
}

pub(crate) fn scheme(value: &str) -> Result<String, QuestionError> {
    if is_scheme(value) {
        Ok(value.to_ascii_lowercase())
    } else {
        Err(QuestionError::Scheme { found: value.to_owned() })
    }
}

pub(crate) fn port(value: &str) -> Result<u16, QuestionError> {
    // `parse` would accept a plus sign.
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let port = value.parse().ok().filter(|_| is_number);
    port.ok_or_else(|| QuestionError::Port { found: value.to_owned() })
}

/// Reads names of optional parts, separated by commas.
pub(crate) fn flags(condition: Condition, value: &str) -> Result<Flags, QuestionError> {
    value.split(',').try_fold(Flags::NONE, |flags, name| {
        let flag = match name {
            "sub" => Flags::SUB,
            "query" => Flags::PARAMS,
            "fragment" => Flags::FRAG,
            "port" => Flags::PORT,
            _ => return Err(QuestionError::Part { condition, found: name.to_owned() }),
        };
        Ok(flags | flag)
    })
}

#[cfg(test)]
mod tests {
    use urlid::{Coded, ErrorCode};

    use super::*;

    type Conditions = &'static [(Condition, &'static str)];

    fn of(conditions: Conditions) -> Result<Question, QuestionError> {
        Question::new(conditions.iter().copied())
    }

    #[test]
    fn host_parts_are_mapped_like_hosts() {
        let question = of(&[(Condition::Tld, "CO.UK"), (Condition::Domain, "BÜCHER"), (Condition::Sub, "")]);
        let question = question.expect("is possible");
        assert_eq!(question.tld.as_deref(), Some("co.uk"));
        assert_eq!(question.domain.as_deref(), Some("xn--bcher-kva"));
        assert_eq!(question.sub.as_deref(), Some(""));
        let whole = of(&[(Condition::Host, "www.Example.CO.UK")]).expect("is possible");
        assert_eq!(whole.host().and_then(WantedHost::dns_name), Some("www.example.co.uk"));
    }

    #[test]
    fn the_mapped_values_can_be_read() {
        let conditions: Conditions =
            &[(Condition::Scheme, "http"), (Condition::Host, "WWW.Example.co.uk"), (Condition::Port, "80")];
        let question = of(conditions).expect("is possible");
        assert_eq!((question.scheme(), question.port()), (Some("http"), Some(80)));
        let parts = Slice::ALL.map(|slice| question.part(slice, SuffixList::compiled()));
        assert_eq!(parts, [Some("co.uk"), Some("example"), Some("www"), None, None, None]);
    }

    #[test]
    fn impossible_conditions_are_rejected() {
        let table: [(Conditions, &str); 13] = [
            (
                &[(Condition::Scheme, "file"), (Condition::PathPrefix, "c:")],
                "path-prefix is not a path: found `c:`, expected a slash at the start",
            ),
            (
                &[(Condition::Path, "search")],
                "path is not a path: found `search`, expected a slash at the start",
            ),
            (
                &[(Condition::Has, "sub,path")],
                "has names an unknown part: found `path`, expected sub, query, fragment or port",
            ),
            (
                &[(Condition::Has, "sub,port"), (Condition::Lacks, "port")],
                "has and lacks name the same part: expected it in only one of them",
            ),
            (&[(Condition::Under, ".")], "under is empty: expected a name"),
            (
                &[(Condition::RegisteredDomain, "a.com"), (Condition::Domain, "a")],
                "registered-domain is given twice: found it whole and in parts, expected one of them",
            ),
            (
                &[(Condition::RegisteredDomain, "a.com"), (Condition::Domain, "a.com")],
                "domain is given twice: expected it once",
            ),
            (&[(Condition::Tld, "")], "tld is empty: expected a name"),
            (
                &[(Condition::Host, "a.com"), (Condition::Sub, "")],
                "host is given twice: found it whole and in parts, expected one of them",
            ),
            (&[(Condition::Path, "/"), (Condition::Path, "/")], "path is given twice: expected it once"),
            (
                &[(Condition::Scheme, "http:")],
                "scheme is not valid: found `http:`, expected a letter, then letters, digits, `+`, `-` and `.`",
            ),
            (&[(Condition::Port, "65536")], "port is out of range: found `65536`, expected 0 to 65535"),
            (&[(Condition::Port, "+80")], "port is out of range: found `+80`, expected 0 to 65535"),
        ];
        for (conditions, message) in table {
            assert_eq!(of(conditions).expect_err(message).to_string(), message);
        }
        assert_eq!(of(&[(Condition::Tld, ".ai")]).expect_err("has a dot").code(), ErrorCode::HostLen);
        assert_eq!(of(&[(Condition::Host, "a b")]).expect_err("a space").code(), ErrorCode::HostNotDns);
        assert_eq!(of(&[(Condition::Sub, "a b")]).expect_err("a space").code(), ErrorCode::HostNotDns);
    }

    #[test]
    fn urls_without_an_sxurl_answer_by_their_own_parts() {
        let table: [(&str, Conditions, bool); 17] = [
            ("http://b.foo.com:0/", &[(Condition::Port, "0"), (Condition::Tld, "com")], true),
            ("http://b.foo.com/", &[(Condition::Port, "0")], false),
            ("http://1.2.3.4:80/a", &[(Condition::Host, "0x1020304"), (Condition::Port, "80")], true),
            ("http://1.2.3.4/a", &[(Condition::Sub, ""), (Condition::Domain, "")], true),
            ("http://1.2.3.4/a", &[(Condition::Tld, "4")], false),
            ("http://[0::1]/", &[(Condition::Host, "[::1]"), (Condition::Path, "/")], true),
            (
                "wss://www.B\u{fc}cher.co.uk/",
                &[(Condition::Domain, "b\u{fc}cher"), (Condition::Tld, "co.uk")],
                true,
            ),
            ("https://www.example.com./", &[(Condition::Tld, "com"), (Condition::Has, "sub")], true),
            ("https://example.com./", &[(Condition::Host, "example.com")], false),
            ("https://example.com./", &[(Condition::Host, "EXAMPLE.com.")], true),
            ("ssh://git@GitHub.com/x", &[(Condition::Host, "github.com"), (Condition::Scheme, "SSH")], true),
            ("mailto:a@b", &[(Condition::Scheme, "mailto"), (Condition::Path, "a@b")], true),
            ("mailto:a@b", &[(Condition::Host, ""), (Condition::Lacks, "query")], true),
            ("mailto:a@b", &[(Condition::Host, ""), (Condition::PathPrefix, "a@")], true),
            ("foo://h", &[(Condition::Scheme, "foo"), (Condition::Path, "")], true),
            ("wss://h", &[(Condition::Scheme, "wss"), (Condition::Path, "")], true),
            ("no url", &[], false),
        ];
        for (url, conditions, expected) in table {
            assert_eq!(of(conditions).expect(url).matches(url, SuffixList::compiled()), expected, "{url}");
        }
    }

    #[test]
    fn a_url_answers_by_its_own_parts() {
        let (url, list) = ("http://a.b.example.com:80/p?q#f", SuffixList::compiled());
        let yes: [Conditions; 8] = [
            &[(Condition::PathPrefix, "/")],
            &[(Condition::PathPrefix, "/p"), (Condition::Path, "/p")],
            &[(Condition::Has, "sub,query,fragment,port")],
            &[],
            &[(Condition::Scheme, "http")],
            &[(Condition::Sub, "a.b"), (Condition::Port, "80")],
            &[(Condition::Path, "/p"), (Condition::Query, "q"), (Condition::Fragment, "f")],
            &[(Condition::Host, "a.b.example.com")],
        ];
        let no: [Conditions; 10] = [
            &[(Condition::PathPrefix, "/p/")],
            &[(Condition::Lacks, "fragment")],
            &[(Condition::Lacks, "sub,port")],
            &[(Condition::Scheme, "https")],
            &[(Condition::Sub, "")],
            &[(Condition::Port, "81")],
            &[(Condition::Path, "/p/")],
            &[(Condition::Query, "")],
            &[(Condition::Fragment, "F")],
            &[(Condition::Host, "example.com")],
        ];
        assert!(yes.into_iter().all(|conditions| of(conditions).expect("is possible").matches(url, list)));
        assert!(!no.into_iter().any(|conditions| of(conditions).expect("is possible").matches(url, list)));
    }
}
