//! `--assume` and `--trailing-text`: how lines of URLs are read that have no scheme, or more than a URL.

use clap::Args;
use urlid::Url;
use urlid::suffix::{Sections, SuffixList};
use urlid::web::{assume_scheme, is_port, is_scheme};
use urlid_io::lines::TrailingText;

use crate::args::choice;

/// How lines of URLs are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct UrlLineArgs {
    /// Read lines and arguments without a scheme with this one: https makes docs.rs https://docs.rs
    #[arg(long, value_name = "SCHEME", value_parser = parse_scheme)]
    pub(crate) assume: Option<String>,

    /// What to do about a line with text after its URL: a TAB, or a blank and only numbers, `-` and URLs
    /// after it
    #[arg(
        long,
        value_name = "HOW",
        default_value = "reject",
        hide_short_help = true,
        value_parser = choice([
            ("reject", TrailingText::Reject, "Reject the line: it may be a row of a table"),
            ("keep", TrailingText::Keep, "Read the whole line as the URL, as a browser does"),
        ])
    )]
    trailing_text: TrailingText,

    /// Read only lines with one of these schemes, such as http,https; the others are counted and left blank
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',', value_parser = parse_scheme, hide_short_help = true)]
    pub(crate) schemes: Vec<String>,
}

impl UrlLineArgs {
    /// Returns whether lines with text after a URL are read whole.
    pub(crate) fn keeps_text(&self) -> bool {
        self.trailing_text == TrailingText::Keep
    }

    /// Returns what is done about text after a URL, which `may_lack_scheme`.
    pub(crate) fn trailing_text(&self, may_lack_scheme: bool) -> TrailingText {
        match self.trailing_text {
            TrailingText::Reject if may_lack_scheme => TrailingText::RejectWithoutScheme,
            how => how,
        }
    }
}

fn parse_scheme(text: &str) -> Result<String, String> {
    if is_scheme(text) { Ok(text.to_owned()) } else { Err("expected a scheme, for example https".to_owned()) }
}

/// Returns whether a text can be the URL of a web page without its scheme: before the first `/`, `?` or `#`
/// there is no colon, or only digits follow it. `//h`, `/p`, `./p`, `C:\` and texts with spaces in the host
/// cannot.
pub(crate) fn lacks_scheme(text: &str) -> bool {
    let head = text.split(['/', '?', '#']).next().unwrap_or_default();
    let is_host =
        !head.is_empty() && !head.starts_with(['.', '\\', '-']) && !head.contains(char::is_whitespace);
    // The colons of an IPv6 address are those of a host.
    let after_brackets = head.strip_prefix('[').and_then(|head| head.split_once(']'));
    let (host, rest) = after_brackets.map_or(("", head), |(host, rest)| (host, rest));
    is_host
        && match rest.split_once(':') {
            None => true,
            Some((name, port)) => is_port(if host.is_empty() { name } else { host }, port),
        }
}

/// Returns the URL that a text without a scheme may mean: one with a host below a known public suffix.
pub(crate) fn meant_url(text: &str) -> Option<String> {
    let url = assume_scheme(text, "https").into_owned();
    let parsed = Url::parse(&url).ok()?;
    let name = parsed.dns_name()?;
    let list = SuffixList::compiled_with(Sections::Icann);
    let tld = list.split_normal(name).tld;
    // Below no rule the last label counts as the suffix, so that a split alone does not show a known one. A
    // text with a scheme stays as it is, and is no longer than before.
    let is_known = list.rules().any(|rule| rule.name == tld);
    (is_known && tld.len() < name.len() && url.len() > text.len()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_a_scheme_are_completed() {
        for (text, expected) in [
            ("docs.rs", "https://docs.rs"),
            ("docs.rs:443", "https://docs.rs:443"),
            ("localhost:8080/a", "https://localhost:8080/a"),
            ("//docs.rs/a", "https://docs.rs/a"),
            ("docs.rs/a:b", "https://docs.rs/a:b"),
            ("1.2.3.4", "https://1.2.3.4"),
            ("[::1]/", "https://[::1]/"),
            ("http://h", "http://h"),
            ("a.b://h", "a.b://h"),
            ("mailto:a@b", "mailto:a@b"),
            ("data:,x", "data:,x"),
            ("tel:911", "tel:911"),
            ("", ""),
        ] {
            assert_eq!(assume_scheme(text, "https"), expected);
        }
    }

    #[test]
    fn some_texts_lack_only_the_scheme() {
        for text in [
            "docs.rs",
            "localhost",
            "localhost:3000",
            "localhost:3000/a:b",
            "a@b/c",
            "h?a:b",
            "[::1]:80/",
            "1.2.3.4",
        ] {
            assert!(lacks_scheme(text), "{text}");
        }
        for text in [
            "",
            "//h",
            "/p",
            "./p",
            "../p",
            r"C:\",
            r"\\h",
            "?q",
            "#f",
            "https://h",
            "mailto:a@b",
            "tel:911",
            "SMS:1",
            "a b",
            "localhost:",
            "h:80a",
            "u:p@h",
        ] {
            assert!(!lacks_scheme(text), "{text}");
        }
    }

    #[test]
    fn a_url_is_meant_where_the_host_is_below_a_suffix() {
        assert_eq!(meant_url("docs.rs").as_deref(), Some("https://docs.rs"));
        assert_eq!(meant_url("www.bbc.co.uk/news").as_deref(), Some("https://www.bbc.co.uk/news"));
        for text in ["urls.txt", "com", "/tmp/urls", "https://docs.rs", "", "crawl.parquet"] {
            assert_eq!(meant_url(text), None, "{text}");
        }
    }
}
