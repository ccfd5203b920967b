//! `--assume` and `--trailing-text`: the treatment of lines that lack a scheme, or that have more than a URL.

use std::borrow::Cow;

use clap::Args;
use urlid::Url;
use urlid::suffix::{Sections, SuffixList};
use urlid::web::{assume_scheme, is_port, is_scheme};
use urlid_io::lines::{Sitemaps, TrailingText};

use crate::args::choice;

/// How lines of URLs are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct UrlLineArgs {
    /// Add this scheme to lines and arguments without one
    ///
    /// https makes docs.rs https://docs.rs.
    #[arg(long, value_name = "SCHEME", value_parser = parse_scheme)]
    pub(crate) assume: Option<String>,

    /// Read defanged URLs: hxxps://bad[.]example is https://bad.example
    ///
    /// Reports use such spellings to make URLs harmless.
    #[arg(long, hide_short_help = true)]
    pub(crate) refang: bool,

    /// Reject or keep a line with text after its URL
    ///
    /// Such text follows a TAB, or follows a blank and has only numbers, `-` and URLs.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "reject",
        hide_short_help = true,
        value_parser = choice([
            ("reject", TrailingText::Reject, "Reject the line, because it may be a row of a table"),
            ("keep", TrailingText::Keep, "Read the whole line as the URL, as a browser does"),
        ])
    )]
    trailing_text: TrailingText,

    /// Read only lines with one of these schemes, such as http,https
    ///
    /// Lines with other schemes are treated as blank lines, and their number is printed.
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',', value_parser = parse_scheme, hide_short_help = true)]
    pub(crate) schemes: Vec<String>,

    #[command(flatten)]
    pub(crate) sitemaps: SitemapsArg,
}

impl UrlLineArgs {
    /// Returns whether lines with text after a URL are read whole.
    pub(crate) fn keeps_text(&self) -> bool {
        self.trailing_text == TrailingText::Keep
    }

    /// Returns the treatment of text after a URL, which `may_lack_scheme`.
    pub(crate) fn trailing_text(&self, may_lack_scheme: bool) -> TrailingText {
        match self.trailing_text {
            TrailingText::Reject if may_lack_scheme => TrailingText::RejectWithoutScheme,
            how => how,
        }
    }
}

/// Which entries of sitemaps are read.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SitemapsArg {
    /// Read only these entries of sitemaps; by default, both kinds are read
    #[arg(
        long,
        value_name = "WHICH",
        value_parser = choice([
            ("index", Sitemaps::Index, "The sitemaps that an index of sitemaps or robots.txt names"),
            ("pages", Sitemaps::Pages, "The pages of sitemaps, and the links of RSS and Atom"),
        ]),
        hide_short_help = true
    )]
    pub(crate) sitemaps: Option<Sitemaps>,
}

impl SitemapsArg {
    pub(crate) fn get(self) -> Sitemaps {
        self.sitemaps.unwrap_or_default()
    }
}

/// How texts are completed before they are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Completion {
    /// The scheme of texts without one.
    pub(crate) assumed_scheme: Option<String>,
    /// Whether defanged texts are refanged.
    pub(crate) refangs: bool,
}

impl Completion {
    pub(crate) fn new(lines: &UrlLineArgs) -> Self {
        Self { assumed_scheme: lines.assume.clone(), refangs: lines.refang }
    }

    /// Returns whether every text is read unchanged.
    pub(crate) fn is_none(&self) -> bool {
        self.assumed_scheme.is_none() && !self.refangs
    }

    /// Returns a text in the form in which it is read.
    #[inline]
    pub(crate) fn of<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_none() { Cow::Borrowed(text) } else { self.completed(text) }
    }

    fn completed<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = if self.refangs { refang(text) } else { Cow::Borrowed(text) };
        match (&self.assumed_scheme, text) {
            (None, text) => text,
            (Some(scheme), Cow::Borrowed(text)) => assume_scheme(text, scheme),
            (Some(scheme), Cow::Owned(text)) => assume_scheme(&text, scheme).into_owned().into(),
        }
    }
}

/// The bracketed spellings of reports, in lower case, and their meanings.
const DEFANGED: [(&str, &str); 12] = [
    ("[.]", "."),
    ("(.)", "."),
    ("{.}", "."),
    ("[dot]", "."),
    ("(dot)", "."),
    ("{dot}", "."),
    ("[://]", "://"),
    ("[:]", ":"),
    ("[/]", "/"),
    ("[@]", "@"),
    ("[at]", "@"),
    ("(at)", "@"),
];

/// Returns a text with the spellings of [`DEFANGED`] undone, and with the schemes `hxxp`, `hxxps` and `fxp`
/// restored, in any letter case. The brackets of an IPv6 address stay.
fn refang(text: &str) -> Cow<'_, str> {
    let starts =
        |rest: &str, from: &str| rest.get(..from.len()).is_some_and(|start| start.eq_ignore_ascii_case(from));
    let after = |(from, _): &&(&str, &str)| {
        // The scheme must end here, so a host such as `hxxp.example` is unchanged.
        starts(text, from) && [":", "[:"].iter().any(|end| text[from.len()..].starts_with(end))
    };
    let scheme = [("hxxps", "https"), ("hxxp", "http"), ("fxp", "ftp")].iter().find(after).copied();
    if scheme.is_none() && !text.contains(['[', '(', '{']) {
        return text.into();
    }
    let (from, to) = scheme.unwrap_or_default();
    let (mut refanged, mut rest) = (to.to_owned(), &text[from.len()..]);
    while let Some(bracket) = rest.find(['[', '(', '{']) {
        refanged.push_str(&rest[..bracket]);
        rest = &rest[bracket..];
        let found = DEFANGED.iter().find(|(from, _)| starts(rest, from));
        let (from, to) = found.copied().unwrap_or((&rest[..1], &rest[..1]));
        refanged.push_str(to);
        rest = &rest[from.len()..];
    }
    (refanged + rest).into()
}

fn parse_scheme(text: &str) -> Result<String, String> {
    if is_scheme(text) { Ok(text.to_owned()) } else { Err("expected a scheme, for example https".to_owned()) }
}

/// Returns whether a text can be the URL of a web page without its scheme. It can if a colon before the first
/// `/`, `?` or `#` is missing or followed only by digits. `//h`, `/p`, `./p`, `C:\` and texts with spaces in
/// the host cannot.
pub(crate) fn lacks_scheme(text: &str) -> bool {
    let head = text.split(['/', '?', '#']).next().unwrap_or_default();
    let is_host =
        !head.is_empty() && !head.starts_with(['.', '\\', '-']) && !head.contains(char::is_whitespace);
    // The colons of an IPv6 address belong to the host.
    let after_brackets = head.strip_prefix('[').and_then(|head| head.split_once(']'));
    let (host, rest) = after_brackets.map_or(("", head), |(host, rest)| (host, rest));
    is_host
        && match rest.split_once(':') {
            None => true,
            Some((name, port)) => is_port(if host.is_empty() { name } else { host }, port),
        }
}

/// Returns the URL that a text without a scheme may mean, if its host is below a known public suffix.
pub(crate) fn meant_url(text: &str) -> Option<String> {
    let url = assume_scheme(text, "https").into_owned();
    let parsed = Url::parse(&url).ok()?;
    let name = parsed.dns_name()?;
    let list = SuffixList::compiled_with(Sections::Icann);
    let tld = list.split_normal(name).tld;
    // If no rule matches, the last label counts as the suffix, so a successful split does not prove that the
    // suffix is known. A text with a scheme is returned unchanged by the assumption, so its length does not
    // grow.
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
    fn spellings_of_reports_are_undone() {
        for (text, expected) in [
            ("hxxps://bad[.]example/a", "https://bad.example/a"),
            ("HXXP://bad(dot)example", "http://bad.example"),
            ("hxxp[:]//a{.}b[DOT]c(.)d", "http://a.b.c.d"),
            ("http[://]a.example[/]b", "http://a.example/b"),
            ("fxp://me[@]h.example", "ftp://me@h.example"),
            ("me[at]h[.]example(at)x", "me@h.example@x"),
            ("bad[.]example", "bad.example"),
            ("hxxp[.]example", "hxxp.example"),
            ("http://[::1]:80/(a)[b]{c}?[]", "http://[::1]:80/(a)[b]{c}?[]"),
            ("https://h.example/", "https://h.example/"),
            ("[", "["),
            ("[\u{e9}.](", "[\u{e9}.]("),
            ("", ""),
        ] {
            assert_eq!(refang(text), expected, "{text}");
        }
        let completion = Completion { assumed_scheme: Some("https".to_owned()), refangs: true };
        assert_eq!(completion.of("bad[.]example"), "https://bad.example");
        assert_eq!(completion.of("hxxp://bad.example"), "http://bad.example");
        assert_eq!(completion.of("docs.rs"), "https://docs.rs");
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
