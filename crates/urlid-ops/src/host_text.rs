//! The host of a URL as people read it, and the scripts of its characters.

use std::collections::BTreeSet;

use unicode_script::{Script, UnicodeScript};
use urlid::Error;
use urlid::host::{Host, to_unicode};
use urlid::web::Url;

/// The Unicode version of [`host_scripts`].
pub const SCRIPTS_UNICODE: (u64, u64, u64) = unicode_script::UNICODE_VERSION;

/// Returns the host of a URL with its labels in Punycode decoded. Returns `None` if a label is not valid, or
/// if the URL does not have a host. An address is returned as written.
///
/// ```
/// use urlid_ops::host_unicode;
///
/// assert_eq!(host_unicode("https://xn--pypal-4ve.com/")?.as_deref(), Some("p\u{430}ypal.com"));
/// assert_eq!(host_unicode("https://xn--a.example/")?, None);
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the text is not an absolute URL.
pub fn host_unicode(text: &str) -> Result<Option<String>, Error> {
    let url = Url::parse(text)?;
    Ok(match url.host() {
        Some(Host::Domain(name)) => to_unicode(name).map(Into::into),
        _ => url.host_str().filter(|host| !host.is_empty()).map(str::to_owned),
    })
}

/// Returns the scripts of the labels of a host. Each label has a set of scripts, written in alphabetical
/// order with `+` between them. Each set is listed once, in the order of the labels, with a space between
/// sets. Characters of all scripts, such as digits and hyphens, are left out. Returns `None` if no script is
/// left, as in an address.
///
/// ```
/// use urlid_ops::host_scripts;
///
/// assert_eq!(host_scripts("https://xn--pypal-4ve.com/")?.as_deref(), Some("Cyrillic+Latin Latin"));
/// assert_eq!(host_scripts("https://127.0.0.1/")?, None);
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the text is not an absolute URL.
pub fn host_scripts(text: &str) -> Result<Option<String>, Error> {
    let url = Url::parse(text)?;
    let Some(Host::Domain(name)) = url.host() else { return Ok(None) };
    let name = to_unicode(name).unwrap_or_default();
    let labels: BTreeSet<Vec<&str>> = name.split('.').map(scripts).filter(|set| !set.is_empty()).collect();
    let labels: Vec<String> = labels.into_iter().map(|set| set.join("+")).collect();
    Ok(Some(labels.join(" ")).filter(|labels| !labels.is_empty()))
}

/// Returns the names of the scripts of a label, in alphabetical order.
fn scripts(label: &str) -> Vec<&'static str> {
    let scripts = label.chars().map(|character| character.script());
    let own = scripts.filter(|script| !matches!(script, Script::Common | Script::Inherited));
    own.map(|script| script.full_name()).collect::<BTreeSet<_>>().into_iter().collect()
}
