//! Texts without a scheme, as people write them: `docs.rs/serde`, `localhost:8080`.

use alloc::borrow::Cow;

/// Returns a URL with its own scheme, or with the one that is assumed. An empty text stays empty.
///
/// The URL Standard resolves a text without a scheme against a base. Lists of hosts and pages have none; there this is what is meant.
/// `docs.rs:443` and `localhost:8080/a` begin with a host and its port, `tel:911` with a scheme.
///
/// ```
/// use urlid::web::assume_scheme;
///
/// assert_eq!(assume_scheme("docs.rs/serde", "https"), "https://docs.rs/serde");
/// assert_eq!(assume_scheme("//docs.rs", "https"), "https://docs.rs");
/// assert_eq!(assume_scheme("localhost:8080", "http"), "http://localhost:8080");
/// assert_eq!(assume_scheme("mailto:a@docs.rs", "https"), "mailto:a@docs.rs");
/// ```
pub fn assume_scheme<'t>(text: &'t str, scheme: &str) -> Cow<'t, str> {
    if text.is_empty() || has_scheme(text) {
        return Cow::Borrowed(text);
    }
    let slashes = if text.starts_with("//") { ":" } else { "://" };
    Cow::Owned([scheme, slashes, text].concat())
}

/// Returns whether a text has the syntax of a scheme.
pub fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Schemes whose URLs may be digits alone, as in `tel:911`.
const OF_NUMBERS: [&str; 8] = ["callto", "fax", "mms", "modem", "sip", "sips", "sms", "tel"];

/// Returns whether digits after a colon are the port of a host.
pub fn is_port(host: &str, port: &str) -> bool {
    let are_digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    are_digits && !OF_NUMBERS.iter().any(|scheme| scheme.eq_ignore_ascii_case(host))
}

/// Returns whether a text begins with a scheme, and not with a host and its port.
fn has_scheme(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    if !is_scheme(scheme) || rest.starts_with("//") {
        return is_scheme(scheme);
    }
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    !is_port(scheme, port) && !scheme.contains('.')
}
