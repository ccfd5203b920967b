//! Rules that the versions of the npm package normalize-url share.

use super::ada::{self, Behind};
use super::javascript::{is_word_byte, starts_with};
use super::split;
use crate::draft::{Draft, Stage};
use crate::error;
use crate::profile::Rule;
use urlid::reference::Class;
use urlid::{Error, web};

pub(crate) const PARSE: Rule =
    Rule::checked("parse", "Parse as the `URL` of Node 20 does, and drop user and password.", |d| {
        let url = ada::parse(text(d)?)?;
        d.stage = Stage::Parts;
        d.scheme.set(url.scheme.as_bytes());
        d.userinfo.remove();
        d.host.set_option(url.host.as_deref().map(str::as_bytes));
        d.port
            .set_option(url.port.map(|port| itoa::Buffer::new().format(port).as_bytes().to_vec()).as_deref());
        d.path = url.path;
        d.params.remove();
        d.query.set_option(url.query.as_deref());
        d.fragment.set_option(url.fragment.as_deref());
        Ok(())
    });

pub(crate) const WWW: Rule = Rule::new(
    "www",
    "Cut one `www.` before a label of 1 to 63 bytes and a rest of 2 to 63, all of letters, digits and hyphens, unless a `www.` \
         follows it.",
    |d| {
        let host = String::from_utf8_lossy(d.host.bytes()).into_owned();
        if let Some(host) = host.strip_prefix("www.").filter(|host| may_lose_www(host)) {
            set_host(d, host);
        }
    },
);

pub(crate) fn text(draft: &Draft) -> Result<&str, Error> {
    core::str::from_utf8(&draft.text).map_err(|_| error::NOT_UTF8.error())
}

/// Returns whether the text is finished. After `localhost` and a colon, up to `longest_port` digits are a
/// port.
pub(crate) fn has_other_scheme(text: &str, longest_port: usize) -> bool {
    let cleaned = web::clean(text);
    let Some(length) = split::scheme_length(cleaned.as_bytes()) else { return false };
    let scheme = &cleaned[..length];
    if is_own_scheme(scheme) || ada::parse(text).is_err() {
        return false;
    }
    // The package searches for these in the text before tabs and line ends are removed.
    let has_authority = starts_with(text.as_bytes(), &[scheme, "://"].concat());
    let is_port = || has_port(text.as_bytes().get(length + 1..).unwrap_or_default(), longest_port);
    has_authority || !(scheme.contains('.') || scheme.eq_ignore_ascii_case("localhost") && is_port())
}

/// Returns whether the package normalises a scheme.
pub(crate) fn is_own_scheme(scheme: &str) -> bool {
    ["http", "https", "file"].iter().any(|own| scheme.eq_ignore_ascii_case(own))
}

/// Returns whether digits are the whole text, or a delimiter follows them.
pub(crate) fn has_port(text: &[u8], longest: usize) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=longest).contains(&digits) && matches!(text.get(digits), None | Some(b'/' | b'?' | b'#'))
}

/// Finds texts in a path that look like a scheme: a letter at the start of a word, then letters, digits, `+`,
/// `-` and `.`, and `://`.
pub(crate) struct SchemeInPath {
    pub(crate) shortest: usize,
    pub(crate) is_letter: fn(&u8) -> bool,
}

impl SchemeInPath {
    /// Returns the first start, from an offset on, of such a text that ends at a colon.
    pub(crate) fn start(&self, path: &[u8], from: usize, colon: usize) -> Option<usize> {
        const LONGEST: usize = 51;
        let is_scheme_byte =
            |byte: &u8| (self.is_letter)(byte) || byte.is_ascii_digit() || b"+-.".contains(byte);
        // The length is limited, so that a path with many colons is not walked back from each of them.
        let length =
            path[from..colon].iter().rev().take(LONGEST).take_while(|byte| is_scheme_byte(byte)).count();
        let is_start = |&start: &usize| {
            (self.is_letter)(&path[start])
                && start.checked_sub(1).is_none_or(|before| !is_word_byte(path[before]))
        };
        (colon - length..(colon + 1).saturating_sub(self.shortest)).find(is_start)
    }
}

/// Writes one `/` for each run of slashes, except in the `://` of a text that looks like a scheme.
pub(crate) fn collapse_slashes(path: &str, scheme: &SchemeInPath) -> String {
    let mut collapsed = String::with_capacity(path.len());
    let mut rest = 0;
    for (colon, separator) in path.match_indices("://") {
        if colon >= rest
            && let Some(start) = scheme.start(path.as_bytes(), rest, colon)
        {
            push_collapsed(&path[rest..start], &mut collapsed);
            let end = colon + separator.len();
            collapsed.push_str(&path[start..end]);
            rest = end;
        }
    }
    push_collapsed(&path[rest..], &mut collapsed);
    collapsed
}

fn push_collapsed(path: &str, out: &mut String) {
    let mut is_slash = false;
    out.extend(path.chars().filter(|&character| {
        let is_repeated = is_slash && character == '/';
        is_slash = character == '/';
        !is_repeated
    }));
}

pub(crate) fn class(draft: &Draft) -> Class {
    Class::of_scheme(&String::from_utf8_lossy(draft.scheme.bytes()))
}

pub(crate) fn set_path(draft: &mut Draft, path: &str) {
    let is_last = draft.query.get().or(draft.fragment.get()).is_none();
    let behind = if is_last { Behind::Nothing } else { Behind::QueryOrFragment };
    draft.path = ada::set_path(path, class(draft), behind);
}

/// Sets the host, if the new one is valid. The host of a file may be empty, which `localhost` becomes.
pub(crate) fn set_host(draft: &mut Draft, host: &str) {
    let is_file = draft.scheme.bytes() == b"file";
    let host = if is_file && host.is_empty() { Ok(String::new()) } else { ada::host(host) };
    if let Ok(host) = host {
        // URL Standard, file host state: `localhost` is the empty host.
        draft.host.set(if is_file && host == "localhost" { b"" } else { host.as_bytes() });
    }
}

fn may_lose_www(host: &str) -> bool {
    let is_name = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte))
    };
    let lengths = host.split_once('.').map(|(label, rest)| (label.len(), rest.len()));
    !host.starts_with("www.")
        && is_name(host)
        // 63 is the longest label of DNS. The package also applies this limit to the whole text after the
        // first label.
        && lengths.is_some_and(|(label, rest)| (1..=63).contains(&label) && (2..=63).contains(&rest))
}
