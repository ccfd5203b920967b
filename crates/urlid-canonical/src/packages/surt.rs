//! The package surt in its stages: its function with all options, and its `handyurl`, a URL that the stages
//! change in sequence.
//!
//! The rules of the stages are the rules of `surt-0.3.1`. An option leaves some of them out.

use crate::draft::{Draft, Part};
use crate::error;
use crate::plain;
use crate::profile::Rule;
use crate::profiles::surt::{ESCAPED, GOOGLE, HOST_CASE, PARSE, STRIP_WWW};
use crate::rules::escapes;
use crate::rules::surt_key::MASSAGE;
use crate::rules::surt_key::{SurtOptions, is_wanted, push_before_path, push_from_path};
use urlid::Error;

/// Returns the key of `surt-0.3.1`, with options that may differ from the defaults.
///
/// ```
/// use urlid_canonical::packages::{SurtOptions, surt};
///
/// let options = SurtOptions { with_scheme: true, strip_www: false, ..SurtOptions::default() };
/// assert_eq!(surt("http://www.Example.com/A", options)?, "http://(com,example,www)/a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`] if the text lacks a key.
pub fn surt(text: &str, options: SurtOptions) -> Result<String, Error> {
    let mut key = String::new();
    if options == SurtOptions::default() && plain::surt(text, &mut key) {
        return Ok(key);
    }
    String::from_utf8(surt_bytes(text.as_bytes(), options)?).map_err(|_| error::NOT_UTF8.error())
}

/// Returns the key of a URL in any bytes, with options. Bytes that are not UTF-8 are percent-encoded, like
/// all bytes that are not ASCII.
///
/// ```
/// use urlid_canonical::packages::{SurtOptions, surt_bytes};
///
/// assert_eq!(surt_bytes(b"http://a.b/\xff", SurtOptions::default())?, b"b,a)/%ff");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`] if the URL lacks a key.
pub fn surt_bytes(url: &[u8], options: SurtOptions) -> Result<Vec<u8>, Error> {
    match url {
        // The package returns these two before it makes a `handyurl`, so they have no stages.
        b"" => return Ok(b"-".to_vec()),
        url if url.starts_with(b"filedesc") => return Ok(url.to_vec()),
        _ => {}
    }
    let mut url = HandyUrl::parse(url)?;
    url.canonicalize_as_google();
    url.canonicalize_as_archive(options);
    url.to_bytes(options)
}

/// A part of a [`HandyUrl`].
///
/// ```
/// use urlid_canonical::packages::{HandyPart, HandyUrl};
///
/// let url = HandyUrl::parse(b"http://archive.org/?")?;
/// assert_eq!(url.part(HandyPart::LastDelimiter), Some(&b"?"[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandyPart {
    /// `scheme`.
    Scheme,
    /// `authUser`. Parsing never sets it.
    User,
    /// `authPass`. Parsing never sets it.
    Password,
    /// `host`.
    Host,
    /// `port`, its decimal digits.
    Port,
    /// `path`.
    Path,
    /// `query`.
    Query,
    /// `hash`: the fragment.
    Hash,
    /// `last_delimiter`: a `?` at the end of a URL without a query.
    LastDelimiter,
}

/// A URL like the class `handyurl` of the package surt, with parts that its canonicalizers change.
///
/// ```
/// use urlid_canonical::packages::{HandyUrl, SurtOptions};
///
/// let mut url = HandyUrl::parse(b"http://www.Example.com:80/a/../b")?;
/// url.canonicalize_as_google();
/// let as_url = SurtOptions { reverse_host: false, with_scheme: true, ..SurtOptions::default() };
/// assert_eq!(url.to_bytes(as_url)?, b"http://www.example.com:80/b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HandyUrl {
    draft: Draft,
    user: Part,
    password: Part,
    last_delimiter: Part,
}

impl HandyUrl {
    /// Splits a text, like `handyurl.parse`.
    ///
    /// # Errors
    /// [`Error`] if the text is blank or has a bad port.
    pub fn parse(url: &[u8]) -> Result<Self, Error> {
        let mut draft = Draft::default();
        draft.begin(url);
        for rule in PARSE {
            rule.apply(&mut draft)?;
            // A host that is found in the path is kept as written.
            if rule.name == "authority" {
                lower_case_host(&mut draft);
            }
        }
        for part in [&mut draft.query, &mut draft.fragment] {
            if part.is_empty() {
                part.remove();
            }
        }
        let mut last_delimiter = Part::default();
        if draft.query.get().is_none() && draft.text.ends_with(b"?") {
            last_delimiter.set(b"?");
        }
        Ok(Self { draft, last_delimiter, ..Self::default() })
    }

    /// Returns a part, if it is present. A path that is present is not empty.
    pub fn part(&self, part: HandyPart) -> Option<&[u8]> {
        match part {
            HandyPart::Scheme => self.draft.scheme.get(),
            HandyPart::User => self.user.get(),
            HandyPart::Password => self.password.get(),
            HandyPart::Host => self.draft.host.get(),
            HandyPart::Port => self.draft.port.get(),
            HandyPart::Path => Some(self.draft.path.as_slice()).filter(|path| !path.is_empty()),
            HandyPart::Query => self.draft.query.get(),
            HandyPart::Hash => self.draft.fragment.get(),
            HandyPart::LastDelimiter => self.last_delimiter.get(),
        }
    }

    /// Sets or removes a part.
    pub fn set_part(&mut self, part: HandyPart, bytes: Option<&[u8]>) {
        let part = match part {
            HandyPart::Scheme => &mut self.draft.scheme,
            HandyPart::User => &mut self.user,
            HandyPart::Password => &mut self.password,
            HandyPart::Host => &mut self.draft.host,
            HandyPart::Port => &mut self.draft.port,
            HandyPart::Path => {
                self.draft.path = bytes.unwrap_or_default().to_vec();
                return;
            }
            HandyPart::Query => &mut self.draft.query,
            HandyPart::Hash => &mut self.draft.fragment,
            HandyPart::LastDelimiter => &mut self.last_delimiter,
        };
        part.set_option(bytes);
    }

    /// Applies `GoogleURLCanonicalizer.canonicalize`.
    pub fn canonicalize_as_google(&mut self) {
        for part in [&mut self.user, &mut self.password] {
            // `parse` never finds a user, but callers of `handyurl` set these parts by hand.
            escapes::decode_to_fixpoint(part.bytes_mut());
            escapes::encode(part.bytes_mut(), &ESCAPED, &mut self.draft.spare);
        }
        let draft = &mut self.draft;
        for rule in GOOGLE {
            // Only a part that was set by hand can have a host and a path without a slash. Such a path loses
            // its first segment.
            if rule.name == "path-dots" && !draft.host.is_empty() && !draft.path.starts_with(b"/") {
                let end = memchr::memchr(b'/', &draft.path).unwrap_or(draft.path.len());
                draft.path.drain(..end);
            }
            apply(rule, draft);
        }
    }

    /// Applies `IAURLCanonicalizer.canonicalize`.
    pub fn canonicalize_as_archive(&mut self, options: SurtOptions) {
        let draft = &mut self.draft;
        if options.lower_case_host {
            apply(&HOST_CASE, draft);
        }
        if options.strip_www {
            apply(&STRIP_WWW, draft);
        }
        if options.strip_user {
            self.user.remove();
            self.password.remove();
        }
        let had_query = !draft.query.is_empty();
        for rule in MASSAGE {
            // A path that is only a slash is removed before the slash at the end of a path, so `//` becomes
            // `/`, which is kept.
            if rule.name == "trailing-slash" && options.strip_empty_path && draft.path == b"/" {
                draft.path.clear();
            }
            if is_wanted(rule.name, options) {
                apply(rule, draft);
            }
        }
        if options.strip_empty_query {
            match had_query {
                true if draft.query.is_empty() => draft.query.remove(),
                true => {}
                false => self.last_delimiter.remove(),
            }
        }
    }

    /// Joins the parts, like `handyurl.geturl_bytes`. Its own defaults differ from the defaults of the
    /// function.
    ///
    /// # Errors
    /// [`Error`] if the scheme is missing.
    pub fn to_bytes(&self, options: SurtOptions) -> Result<Vec<u8>, Error> {
        let draft = &self.draft;
        if draft.scheme.get().is_none() && (options.with_scheme || draft.host.is_empty()) {
            return Err(error::text(draft.host.bytes(), "a scheme"));
        }
        let mut out = Vec::new();
        let user = [&self.user, &self.password].map(Part::bytes);
        push_before_path(draft, user, options, &mut out);
        push_from_path(draft, &mut out);
        out.extend_from_slice(self.last_delimiter.bytes());
        Ok(out)
    }
}

/// Lower-cases the host, except for a zone. An empty host becomes absent.
fn lower_case_host(draft: &mut Draft) {
    let host = draft.host.bytes_mut();
    let end = memchr::memchr(b'%', host).unwrap_or(host.len());
    host[..end].make_ascii_lowercase();
    if host.is_empty() {
        draft.host.remove();
    }
}

/// Applies a rule that cannot reject a text.
fn apply(rule: &Rule, draft: &mut Draft) {
    let applied = rule.apply(draft);
    debug_assert!(applied.is_ok(), "{} rejects nothing", rule.name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_options_match_the_profile() {
        let form: crate::Form = "surt-0.3.1".parse().expect("the profile is in the list");
        for url in [
            "https://u:p@WWW.a.b:443/%7E/C/jsessionid=0/?B&a;sid=0#f",
            "http://10.0.0.1/?",
            "dns://a.b/",
            "ftp:////",
        ] {
            assert_eq!(surt(url, SurtOptions::default()), form.canonicalize(url), "{url}");
        }
    }

    #[test]
    fn options_change_what_they_change_in_the_package() {
        let default = SurtOptions::default();
        let keep_addresses = SurtOptions { reverse_addresses: false, ..default };
        let strip_empty = SurtOptions { strip_empty_path: true, ..default };
        let keep_empty_query = SurtOptions { strip_empty_query: false, ..default };
        for (url, options, expected) in [
            ("http://990.991.992.993/", keep_addresses, "990.991.992.993)/"),
            ("http://10.162.1024.3/", keep_addresses, "3,1024,162,10)/"),
            ("dns://a.b/", SurtOptions { with_scheme: true, ..default }, "dns:(b,a)/"),
            ("http://a.b/", strip_empty, "b,a)"),
            ("http://a.b/?x", strip_empty, "b,a)/?x"),
            ("ftp:////", strip_empty, "ftp:/"),
            ("http://a.b/?", keep_empty_query, "b,a)/?"),
            ("http://a.b/#x?", keep_empty_query, "b,a)/?"),
            ("http://a.b/?B&a", SurtOptions { sort_query: false, ..default }, "b,a)/?b&a"),
            ("http://a.b/?B&a", SurtOptions { lower_case_query: false, ..default }, "b,a)/?B&a"),
            ("http://www.a.b:80/C/", SurtOptions { reverse_host: false, ..default }, "a.b/c"),
        ] {
            assert_eq!(surt(url, options).as_deref(), Ok(expected), "{url}");
        }
    }
}
