//! A capture records that a URL had a content at a time. Captures are kept as lines, which sort by registered
//! domain, host and URL.

use urlid::Url;
use urlid::suffix::SuffixList;
use urlid_canonical::{Canonicalizer, Form};

use crate::hash;
use crate::parts::Parts;

/// The outcome of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A content with this digest.
    Content(u64),
    /// A redirect to a different URL.
    Redirect,
    /// The page does not exist: 404, 410 and similar codes.
    Gone,
}

/// One capture, as a reader found it in an input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found<'f> {
    /// The URL as the crawl has it, which may be invalid.
    pub url: &'f str,
    /// The content, if there is one.
    pub content: Option<PageContent>,
    /// The HTTP status, if it is known. A capture without a status has a content.
    pub status: Option<u16>,
    /// The target of a redirect, absolute or relative.
    pub redirect: Option<&'f str>,
    /// The value of the field `No-Vary-Search`.
    pub no_vary_search: Option<&'f str>,
    /// The time, ordered by its text. Empty if it is unknown.
    pub time: &'f str,
}

/// The identity of a content, which is a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageContent {
    digest: u64,
    is_text: bool,
}

impl PageContent {
    /// Makes a content from a digest of an index or a table. Returns `None` if it is empty or `-`.
    #[must_use]
    pub fn of_digest(digest: &str) -> Option<Self> {
        let is_there = !matches!(digest, "" | "-");
        is_there
            .then(|| PageContent { digest: hash::hash(digest.as_bytes()).max(FIRST_CONTENT), is_text: false })
    }

    /// Makes a content from a digest that was computed here, of the visible text of a page or of other bytes.
    #[must_use]
    pub fn of_text(digest: u64) -> Self {
        PageContent { digest: digest.max(FIRST_CONTENT), is_text: true }
    }
}

/// Captures as lines of text, which sort by host and then by URL.
#[derive(Debug)]
pub struct CaptureLines<'f> {
    web: Canonicalizer<'f>,
    list: &'f SuffixList,
    url: String,
    target: String,
}

impl<'f> CaptureLines<'f> {
    /// Makes a writer of lines with URLs in the form `web`, which the caller provides, split by `list`.
    pub fn new(web: &'f Form, list: &'f SuffixList) -> Self {
        CaptureLines { web: web.canonicalizer(), list, url: String::new(), target: String::new() }
    }

    /// Appends the line of a capture, without its line end. A capture that is not evidence about its URL
    /// gives no line: a different scheme, a user name, no digest, or a status that depends on the visitor or
    /// the hour (401, 403, 408, 429, 5xx).
    ///
    /// # Errors
    /// If the URL lacks a `web` form.
    pub fn push(&mut self, found: &Found<'_>, out: &mut String) -> Result<(), urlid::Error> {
        self.url.clear();
        self.web.canonicalize_into(found.url, &mut self.url)?;
        // A fragment is not sent to the server, so it cannot change the content.
        let url = self.url.split('#').next().unwrap_or_default();
        let Some(parts) = Parts::parse(url) else { return Ok(()) };
        let answer = match found.status.unwrap_or(200) {
            401 | 403 | 408 | 429 | 500.. | 0..=199 => return Ok(()),
            300..=399 if found.redirect.is_some() => Answer::Redirect,
            // 304 is left out because it is not a redirect. Its content is the content of an earlier visit.
            300..=303 | 305..=399 => return Ok(()),
            400..=499 => Answer::Gone,
            _ => match found.content {
                Some(content) => Answer::Content(content.digest),
                None => return Ok(()),
            },
        };
        self.target.clear();
        if let (Answer::Redirect, Some(target)) = (answer, found.redirect) {
            let Ok(absolute) = Url::parse(url).and_then(|url| url.join(target)) else { return Ok(()) };
            self.web.canonicalize_into(absolute.as_str(), &mut self.target)?;
            self.target.truncate(self.target.find('#').unwrap_or(self.target.len()));
        }
        let domain = self.list.registered_domain(parts.host).ok().flatten();
        let domain = domain.as_deref().unwrap_or(parts.host);
        // Characters that would end the field or the line are removed.
        let time: String = found.time.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
        let kind = if found.content.is_some_and(|content| content.is_text) { 't' } else { 'p' };
        let host = group_of(parts.host);
        out.extend([domain, "\t", host, "\t", url, "\t", &time, "\t"]);
        match answer {
            Answer::Content(content) => out.extend([format!("{content:016x}{kind}")]),
            Answer::Redirect => out.extend(["r", &self.target]),
            Answer::Gone => out.push('g'),
        }
        if let Some(field) = found.no_vary_search {
            // A valid field has no control characters and is shorter than this.
            let field = if field.len() > LONGEST_FIELD { "too long" } else { field };
            out.push('\t');
            out.extend(
                field.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }),
            );
        }
        Ok(())
    }
}

/// The most bytes of a field `No-Vary-Search` that is read.
const LONGEST_FIELD: usize = 4096;

/// The least digest of a content. Smaller numbers have special meanings.
pub(crate) const FIRST_CONTENT: u64 = 16;

/// Returns the common name of a host and its `www`.
pub(crate) fn group_of(host: &str) -> &str {
    // `www.com` is a separate domain, and not the `www` of `com`.
    host.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(host)
}

/// A capture, read from its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture<'l> {
    /// The registered domain, or the host if it has none.
    pub domain: &'l str,
    /// The URL in `web` form, without a fragment.
    pub url: &'l str,
    /// The time as given.
    pub time: &'l str,
    /// The outcome.
    pub answer: Answer,
    /// The target of a redirect in `web` form. Empty without one.
    pub target: &'l str,
    /// Whether the digest was computed here, from the visible text.
    pub is_text: bool,
    /// The value of the field `No-Vary-Search`. Empty without one.
    pub no_vary_search: &'l str,
}

impl<'l> Capture<'l> {
    /// Reads a line that [`CaptureLines`] made, and returns `None` for other lines.
    #[must_use]
    pub fn read(line: &'l str) -> Option<Self> {
        let mut fields = line.splitn(6, '\t');
        let (domain, _, url, time, answer) =
            (fields.next()?, fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let no_vary_search = fields.next().unwrap_or_default();
        let capture =
            Capture { domain, url, time, answer: Answer::Gone, target: "", is_text: false, no_vary_search };
        Some(match answer.as_bytes() {
            b"g" => capture,
            [b'r', ..] => Capture { answer: Answer::Redirect, target: &answer[1..], ..capture },
            _ => {
                let (digits, kind) = answer.split_at_checked(16)?;
                let content = u64::from_str_radix(digits, 16).ok()?;
                Capture { answer: Answer::Content(content), is_text: kind == "t", ..capture }
            }
        })
    }
}
