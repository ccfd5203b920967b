//! normalise and print: writes each part of a forced reference in its normal form, into one text.
//!
//! There is one pass and one allocation. The rules for the path are in `path`, and those for hosts in
//! `crate::host`.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use memchr::memchr3;

use super::path;
use super::url::Url;
use super::view::Parts;
use crate::error::Error;
use crate::escape::{FRAGMENT, QUERY, SPECIAL_QUERY, USERINFO};
use crate::host;
use crate::host::HostKind;
use crate::reference::authority::default_port;
use crate::reference::{Authority, Class, Reference, too_long};
use crate::web::error;

/// Returns the normal form of an absolute, forced reference.
pub(super) fn normalise(reference: &Reference<'_>) -> Result<Url, Error> {
    let mut out = String::with_capacity(reference.as_str().len() + 8);
    push_scheme(reference.scheme().unwrap_or_default(), &mut out);
    let scheme_end = out.len();

    let mut parts = Parts { scheme_end, ..Parts::default() };
    if let Some(authority) = reference.authority() {
        out.push_str("//");
        push_authority(&authority, reference.class(), &mut out, &mut parts)?;
    } else {
        parts.set_no_authority(scheme_end);
    }

    parts.path_start = out.len();
    path::push(reference, &mut out);
    let path_would_be_authority = parts.host.is_none() && out[parts.path_start..].starts_with("//");
    if path_would_be_authority {
        // The two bytes are not a part of the path. They ensure that the text parses to the same URL.
        out.insert_str(parts.path_start, "/.");
        parts.path_start += 2;
    }

    parts.path_end = out.len();
    if let Some(query) = reference.query() {
        out.push('?');
        // URL Standard, query state: only queries of special URLs escape `'`.
        let set = if reference.class().is_special() { &SPECIAL_QUERY } else { &QUERY };
        set.encode(query, &mut out);
    }
    parts.query_end = out.len();
    if let Some(fragment) = reference.fragment() {
        out.push('#');
        FRAGMENT.encode(fragment, &mut out);
    }

    // This check is needed although the input was short enough, because escaping can triple a text.
    if out.len() < u32::MAX as usize { Ok(Url::from_parts(out, parts)) } else { Err(too_long(out.len())) }
}

fn push_scheme(scheme: &str, out: &mut String) {
    out.extend(scheme.chars().map(|letter| letter.to_ascii_lowercase()));
    out.push(':');
}

fn push_authority(
    authority: &Authority<'_>,
    class: Class,
    out: &mut String,
    parts: &mut Parts,
) -> Result<(), Error> {
    let has_user_or_port = authority.user.is_some() || authority.port.is_some();
    match (class, authority.host.is_empty()) {
        // URL Standard, file host state: `@` and `:` would be part of the host, which forbids them.
        (Class::File, _) if has_user_or_port => return Err(error::FILE_AUTHORITY.error()),
        (Class::Web, true) => return Err(error::HOST_MISSING.error()),
        (_, true) if has_user_or_port => return Err(error::HOST_MISSING.error()),
        _ => {}
    }

    USERINFO.encode(authority.user.unwrap_or_default(), out);
    parts.user_end = out.len();
    // The URL serializer writes no colon before an empty password.
    if let Some(password) = authority.password.filter(|password| !password.is_empty()) {
        out.push(':');
        USERINFO.encode(password, out);
    }
    // The URL serializer omits an `@` without a user or password: `http://@h/` and `http://:@h/` are
    // `http://h/`.
    if out.len() > parts.scheme_end + 2 {
        out.push('@');
    }

    parts.host_start = out.len();
    parts.host = Some(push_host(authority.host, class, out)?);
    parts.host_end = out.len();

    let scheme = &out[..parts.scheme_end - 1];
    // For other systems, the table also has schemes that are not special. Their ports stay.
    let is_default = |port: &u16| class.is_special() && default_port(scheme) == Some(*port);
    parts.port = port_number(authority)?.filter(|port| !is_default(port));
    if let Some(port) = parts.port {
        out.push(':');
        out.push_str(&port.to_string());
    }
    Ok(())
}

fn push_host(raw: &str, class: Class, out: &mut String) -> Result<HostKind, Error> {
    if raw.is_empty() {
        return Ok(HostKind::Empty);
    }
    if class == Class::Generic {
        return host::push_opaque(raw, out);
    }
    let start = out.len();
    let kind = host::push_special(raw, out)?;
    // The host is compared after mapping, because `LOCALHOST` and `%6cocalhost` are the same ("file host
    // state").
    if class == Class::File && &out[start..] == "localhost" {
        out.truncate(start);
        return Ok(HostKind::Empty);
    }
    Ok(kind)
}

/// Returns the port. An empty text means that there is no port.
fn port_number(authority: &Authority<'_>) -> Result<Option<u16>, Error> {
    match authority.port {
        None | Some("") => Ok(None),
        Some(text) => match authority.port_number() {
            Some(port) => Ok(Some(port)),
            None => Err(error::PORT.found(text)),
        },
    }
}

/// Bytes that are removed everywhere.
const REMOVED: [u8; 3] = *b"\t\n\r";

/// Returns `text` without leading and trailing bytes up to 0x20, and without TAB, LF and CR.
///
/// Only the WHATWG reading removes these bytes. RFC 3986 does not.
pub fn clean(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(|character| character <= ' ');
    let [tab, line_feed, carriage_return] = REMOVED;
    if memchr3(tab, line_feed, carriage_return, text.as_bytes()).is_some() {
        Cow::Owned(text.chars().filter(|&character| !REMOVED.map(char::from).contains(&character)).collect())
    } else {
        Cow::Borrowed(text)
    }
}
