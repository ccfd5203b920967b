//! Intake: the step from the text of an entry or a candidate to the text that the rules of a variant are
//! applied to.
//!
//! The intake `web` passes the WHATWG normal form to the canonical form of The Hashed URI. It is the only
//! such combination of two systems, for lists that block what browsers open; the header of a list names its
//! intake, and whether hosts are made plain after it.

use std::borrow::Cow;

use super::rules::HostForm;
use urlid::Error;
use urlid::internal::escape_forbidden;
use urlid::web::Url;

/// Returns the WHATWG normal form of a text, its host in a form, with the characters percent-encoded that the
/// URL Standard allows in it and the generic syntax of URIs does not.
pub(super) fn web_form<'t>(
    text: &'t str,
    base: Option<&'t str>,
    host: HostForm,
) -> Result<Cow<'t, str>, Error> {
    let url = match base {
        None => Url::parse(text)?,
        Some(base) => Url::parse(base)?.join(text)?,
    };
    let text = match host {
        HostForm::Plain => with_plain_host(url),
        HostForm::Written => url.into_string(),
    };
    Ok(Cow::Owned(escape_forbidden(text)))
}

/// Returns the text of a URL without user information, and without one dot at the end of its host. A host
/// that is only a dot stays: without it there would be another host, or none.
fn with_plain_host(url: Url) -> String {
    let (user, host) = url.user_and_host();
    let has_dot = url.as_str()[host.clone()].ends_with('.') && host.len() > 1;
    let mut text = url.into_string();
    // The dot goes first: the user is before it, and removing that would move it.
    if has_dot {
        text.remove(host.end - 1);
    }
    if !user.is_empty() {
        text.replace_range(user, "");
    }
    text
}
