//! Applies the conditions of a question to stored texts, for stores that are ordered by hosts and keep no
//! identifiers.

use memchr::{memchr, memchr3};
use urlid::suffix::SuffixList;

use crate::question::conditions::Question;
use crate::question::other_keys::OtherKeys;

impl Question {
    /// Returns the ranges of host keys ([`host_key`](crate::question::host_key)) that contain the hosts of
    /// all answers, in ascending order. A range is its first text and its exclusive end. `None` means all
    /// hosts.
    #[must_use]
    pub fn host_keys(&self, list: &SuffixList) -> Option<Vec<(String, String)>> {
        match OtherKeys::new(self, list) {
            OtherKeys::All => None,
            OtherKeys::Ranges(ranges) => Some(ranges),
        }
    }

    /// Returns whether the stored text of a URL may be an answer. It examines only the parts after the host,
    /// and is much faster than parsing the URL. The text may be invalid UTF-8.
    #[must_use]
    pub fn may_be_met_by(&self, text: &[u8]) -> bool {
        let texts = [&self.path, &self.query, &self.fragment, &self.path_prefix];
        let [path, query, fragment, prefix] = texts.map(|text| text.as_deref().map(str::as_bytes));
        if [path, query, fragment, prefix] == [None; 4] {
            return true;
        }
        let rest = behind_host(text);
        if [path, query, fragment] == [None; 3] {
            // The path is at the start of the rest. A prefix lacks `?` and `#`, so it cannot match the text
            // after the path.
            return prefix.is_none_or(|prefix| rest.starts_with(prefix));
        }
        // The fragment is split off first. It may contain a `?`, but a query cannot contain a `#`.
        let (rest, found_fragment) = cut(rest, b'#');
        let (found_path, found_query) = cut(rest, b'?');
        path.is_none_or(|path| path == found_path)
            && prefix.is_none_or(|prefix| found_path.starts_with(prefix))
            && query.is_none_or(|query| query == found_query)
            && fragment.is_none_or(|fragment| fragment == found_fragment)
    }
}

/// Returns the stored text of a URL after the host and the port, or after the scheme if there is no host.
fn behind_host(text: &[u8]) -> &[u8] {
    let Some(colon) = memchr(b':', text) else { return text };
    let rest = &text[colon + 1..];
    match rest.strip_prefix(b"//") {
        Some(rest) => &rest[memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len())..],
        None => rest,
    }
}

/// Returns the text before and after the first delimiter. The second one is empty if the delimiter is
/// missing.
fn cut(text: &[u8], delimiter: u8) -> (&[u8], &[u8]) {
    match memchr(delimiter, text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[]),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::question::condition::Condition;
    use crate::question::stored::StoredUrl;

    proptest! {
        #![proptest_config(urlid_testing::proptest_config())]

        #[test]
        fn no_answer_is_passed_over(
            text in "(https?|foo|file|mailto)://?(a\\.b|1\\.2\\.3\\.4|c\\.)?(:[0-9])?[/?#ab:]{0,6}",
            other in "(/[/?#ab:]{0,3}|)",
        ) {
            let list = SuffixList::compiled();
            let Ok((url, parts)) = StoredUrl::read(&text, list, |url, _| {
                let parts = [Condition::Path, Condition::Query, Condition::Fragment]
                    .map(|part| (part, url.part(part).unwrap_or_default().into_owned()));
                (url.to_text(), parts)
            }) else { return Ok(()) };
            let own = parts.iter().map(|(condition, value)| (*condition, value.as_str()));
            let prefix = parts[0].1.get(..2).map(|prefix| (Condition::PathPrefix, prefix));
            for condition in own.chain(prefix).chain([(Condition::Path, other.as_str()), (Condition::PathPrefix, &other)]) {
                let scheme = text.split(':').next().unwrap_or_default();
                let Ok(question) = Question::new([(Condition::Scheme, scheme), condition]) else { continue };
                let is_met = question.matches(&url, list);
                prop_assert!(question.may_be_met_by(url.as_bytes()) || !is_met, "{} {:?}", url, condition);
            }
        }

        #[test]
        fn answers_are_in_the_ranges_of_hosts(
            host in "([ab]{1,2}\\.){0,2}(com|co\\.uk|github\\.io|1\\.2\\.3\\.4)\\.?",
            wanted in "([ab]{1,2}\\.){0,2}(com|co\\.uk|github\\.io|1\\.2\\.3\\.4)",
        ) {
            let list = SuffixList::compiled();
            let text = format!("https://{host}/");
            let Ok(key) = StoredUrl::read(&text, list, |url, _| crate::question::host_key(url.host())) else { return Ok(()) };
            for condition in [Condition::Host, Condition::Under, Condition::RegisteredDomain, Condition::Tld, Condition::Domain] {
                let Ok(question) = Question::new([(condition, wanted.as_str())]) else { continue };
                let ranges = question.host_keys(list);
                let is_in = ranges.is_none_or(|ranges| ranges.iter().any(|(first, behind)| *first <= key && key < *behind));
                prop_assert!(is_in || !question.matches(&text, list), "{} {:?} {}", text, condition, wanted);
            }
        }
    }
}
