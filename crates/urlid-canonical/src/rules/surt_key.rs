//! The options of surt, the key that it prints from a URL's parts, and the rules that its keys share with the
//! keys of Java's webarchive-commons.

use super::{authority, query, session};
use crate::draft::Draft;
use crate::profile::Rule;

/// The options of the package's function, with their defaults.
///
/// ```
/// use urlid_canonical::packages::{SurtOptions, surt};
///
/// let options = SurtOptions { trailing_comma: true, ..SurtOptions::default() };
/// assert_eq!(surt("http://archive.org/", options)?, "org,archive,)/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurtOptions {
    /// `surt`: the host is reversed. Yes by default.
    pub reverse_host: bool,
    /// `with_scheme`: the scheme comes before the host. No by default.
    pub with_scheme: bool,
    /// `trailing_comma`: a comma ends the host. No by default.
    pub trailing_comma: bool,
    /// `reverse_ipaddr`: IPv4 addresses are reversed like names. Yes by default.
    pub reverse_addresses: bool,
    /// `host_lowercase`: the escapes of the host are lower-cased like the host. Yes by default.
    pub lower_case_host: bool,
    /// `host_massage`: `www.` is stripped. Yes by default.
    pub strip_www: bool,
    /// `auth_strip_user`: user and password of a [`HandyUrl`](crate::packages::HandyUrl) are dropped. Yes by
    /// default.
    pub strip_user: bool,
    /// `port_strip_default`: the default port of the scheme is dropped. Yes by default.
    pub strip_default_port: bool,
    /// `path_lowercase`. Yes by default.
    pub lower_case_path: bool,
    /// `path_strip_session_id`. Yes by default.
    pub strip_path_session: bool,
    /// `path_strip_empty`: a path that is `/` is dropped. No by default.
    pub strip_empty_path: bool,
    /// `path_strip_trailing_slash_unless_empty`. Yes by default.
    pub strip_trailing_slash: bool,
    /// `query_lowercase`. Yes by default.
    pub lower_case_query: bool,
    /// `query_strip_session_id`. Yes by default.
    pub strip_query_session: bool,
    /// `query_strip_empty`: the `?` of an empty query is dropped. Yes by default.
    pub strip_empty_query: bool,
    /// `query_alpha_reorder`: the fields of the query are sorted. Yes by default.
    pub sort_query: bool,
}

impl Default for SurtOptions {
    fn default() -> Self {
        Self {
            reverse_host: true,
            with_scheme: false,
            trailing_comma: false,
            reverse_addresses: true,
            lower_case_host: true,
            strip_www: true,
            strip_user: true,
            strip_default_port: true,
            lower_case_path: true,
            strip_path_session: true,
            strip_empty_path: false,
            strip_trailing_slash: true,
            lower_case_query: true,
            strip_query_session: true,
            strip_empty_query: true,
            sort_query: true,
        }
    }
}

/// Whether the options keep a rule of the profile, by its name.
pub(crate) fn is_wanted(rule: &str, options: SurtOptions) -> bool {
    match rule {
        "default-port" => options.strip_default_port,
        "path-case" => options.lower_case_path,
        "path-session" => options.strip_path_session,
        "trailing-slash" => options.strip_trailing_slash,
        "query-session" => options.strip_query_session,
        "query-case" => options.lower_case_query,
        "query-sort" => options.sort_query,
        _ => true,
    }
}

/// Appends the key of the parts, as the function of the package returns it.
pub(crate) fn push(draft: &Draft, options: SurtOptions, out: &mut Vec<u8>) {
    push_before_path(draft, [b"", b""], options, out);
    push_from_path(draft, out);
}

pub(crate) fn push_before_path(
    draft: &Draft,
    [user, password]: [&[u8]; 2],
    options: SurtOptions,
    out: &mut Vec<u8>,
) {
    let Draft { scheme, host, port, .. } = draft;
    if options.with_scheme || host.is_empty() {
        out.extend_from_slice(scheme.bytes());
        out.push(b':');
    }
    if host.is_empty() {
        return;
    }
    if options.with_scheme {
        if scheme.bytes() != b"dns" {
            out.extend_from_slice(b"//");
        }
        if options.reverse_host {
            out.push(b'(');
        }
    }
    if !user.is_empty() {
        out.extend_from_slice(user);
        out.extend_from_slice(password);
        out.push(b'@');
    }
    if options.reverse_host && (options.reverse_addresses || !looks_like_ipv4(host.bytes())) {
        authority::push_reversed(host.bytes(), out);
    } else {
        out.extend_from_slice(host.bytes());
    }
    if let Some(port) = port.get() {
        out.push(b':');
        out.extend_from_slice(port);
    }
    if options.reverse_host {
        if options.trailing_comma {
            out.push(b',');
        }
        out.push(b')');
    }
}

pub(crate) fn push_from_path(draft: &Draft, out: &mut Vec<u8>) {
    let Draft { path, query, fragment, .. } = draft;
    let has_more = query.get().is_some() || fragment.get().is_some();
    if path.is_empty() && has_more {
        out.push(b'/');
    } else {
        out.extend_from_slice(path);
    }
    for (delimiter, part) in [(b'?', query), (b'#', fragment)] {
        if let Some(bytes) = part.get() {
            out.push(delimiter);
            out.extend_from_slice(bytes);
        }
    }
}

/// Four runs of one to three digits, whatever their values.
fn looks_like_ipv4(host: &[u8]) -> bool {
    let is_run = |run: &[u8]| (1..=3).contains(&run.len()) && run.iter().all(u8::is_ascii_digit);
    let mut runs = host.split(|&byte| byte == b'.');
    runs.by_ref().take(4).filter(|run| is_run(run)).count() == 4 && runs.next().is_none()
}

/// The further rules of archives for a URL that is already canonical. They give more captures the same key.
// In the order of `IAURLCanonicalizer`, a class of both packages.
pub(crate) const MASSAGE: &[Rule] = &[
    Rule::new("default-port", "Drop port 80 of `http` and 443 of `https`.", |d| {
        authority::drop_default_port(d, &["http", "https"]);
    }),
    Rule::new("path-case", "Lower-case the path.", |d| d.path.make_ascii_lowercase()),
    Rule::new("path-session", "Remove a session directory of ASP.NET from the path.", |d| {
        session::strip_from_path(&mut d.path);
    }),
    Rule::new("trailing-slash", "Remove one `/` at the end of the path, unless the path is `/`.", |d| {
        if d.path.len() > 1 && d.path.ends_with(b"/") {
            d.path.pop();
        }
    }),
    Rule::new("query-session", "Remove the last match of each session pattern from the query.", |d| {
        session::strip_from_query(d.query.bytes_mut());
    }),
    Rule::new("query-case", "Lower-case the query.", |d| d.query.bytes_mut().make_ascii_lowercase()),
    Rule::new("query-sort", "Sort the fields of the query by name and value; an empty query goes.", |d| {
        query::sort(&mut d.query, &mut d.spare);
    }),
];

/// Finishes texts to which no other rule applies.
pub(crate) fn pass_through(draft: &mut Draft, prefixes: &[&[u8]]) {
    if draft.text.is_empty() {
        draft.finish_with(b"-");
    } else if prefixes.iter().any(|prefix| draft.text.starts_with(prefix)) {
        draft.finish();
    }
}
