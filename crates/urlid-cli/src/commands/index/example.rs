//! Queries to try after a load: three that have results.

use std::borrow::Cow;
use std::path::Path;

use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid_canonical::Form;

use crate::output::escape::Escaped;

/// Parts of a URL in the index.
pub(super) struct Example {
    host: String,
    domain: String,
    tld: String,
}

impl Example {
    /// Takes the parts of a URL, in the canonical form of the index.
    pub(super) fn parse(url: &str, form: Option<&Form>, list: &SuffixList) -> Option<Self> {
        // The index has the canonical form, which may have another host than the line.
        let url = match form {
            Some(form) => Cow::Owned(form.canonicalize(url).ok()?),
            None => Cow::Borrowed(url),
        };
        let parts = Components::parse(&url, list).ok()?;
        let owned = str::to_owned;
        Some(Example { host: owned(parts.host()), domain: owned(parts.domain()), tld: owned(parts.tld()) })
    }

    /// Returns three queries that have results in the index.
    pub(super) fn queries(&self, index: &Path) -> [String; 4] {
        let index = quote(&Escaped::path(index).to_string());
        let by_parts = if self.domain.is_empty() {
            format!("--tld {}", quote(&self.tld))
        } else {
            format!("--domain {} --tld {}", quote(&self.domain), quote(&self.tld))
        };
        [
            "three queries to try:".to_owned(),
            format!("  urlid index find {index} {by_parts}"),
            format!("  urlid index find {index} --host {} --format csv", quote(&self.host)),
            format!("  urlid index show {index}"),
        ]
    }
}

/// Quotes a word for a POSIX shell, if necessary.
fn quote(word: &str) -> String {
    // The words are to be pasted into a shell, and hosts come from strangers: `$(x)` must not run.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell_where_they_need_it() {
        for (word, quoted) in [
            ("urls.db", "urls.db"),
            ("my urls", "'my urls'"),
            ("a'b", "'a'\\''b'"),
            ("$(x)", "'$(x)'"),
            ("", "''"),
        ] {
            assert_eq!(quote(word), quoted);
        }
    }
}
