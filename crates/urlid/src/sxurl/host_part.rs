//! A value to compare a slice of the host with, mapped as the host of a URL is.

use alloc::borrow::Cow;

use super::layout::Slice;
use crate::error::Error;
use crate::host::{DomainProfile, domain_to_ascii};
use crate::sxurl::error;

/// A part of a host, mapped as a URL's host is: lower case, ASCII (section 7, "normalize the probe value the
/// same way").
///
/// ```
/// use urlid::sxurl::HostPart;
///
/// assert_eq!(HostPart::map("B\u{fc}cher")?.as_str(), "xn--bcher-kva");
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostPart<'a>(Cow<'a, str>);

impl<'a> HostPart<'a> {
    /// Maps a label, or several joined by dots.
    ///
    /// # Errors
    /// [`Error`] if no host can hold the text, a leading or trailing dot included.
    pub fn map(text: &'a str) -> Result<Self, Error> {
        // An absent subdomain is the empty string (S-f), which mapping would reject.
        if text.is_empty() {
            return Ok(Self(Cow::Borrowed(text)));
        }
        let mapped = domain_to_ascii(text, DomainProfile::CheckedPunycode)?;
        match mapped.split('.').find(|label| label.is_empty() || label.len() > 63) {
            Some(label) => Err(error::label_length(label, text)),
            None => Ok(Self(mapped)),
        }
    }

    /// Returns the mapped text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Slice {
    /// Maps a value to the text that this slice hashes: host parts as a URL's host is, all others as they
    /// are.
    ///
    /// ```
    /// use urlid::Sxurl;
    /// use urlid::sxurl::Slice;
    ///
    /// let id = Sxurl::encode("https://docs.rs/")?;
    /// let domain = Slice::Domain.map_value("Docs")?;
    /// assert_eq!(id.slice(Slice::Domain), Slice::Domain.hash(&domain));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error`] if no host can hold the value.
    pub fn map_value(self, value: &str) -> Result<Cow<'_, str>, Error> {
        match self {
            Slice::Tld | Slice::Domain | Slice::Sub => HostPart::map(value).map(|part| part.0),
            Slice::Path | Slice::Params | Slice::Frag => Ok(Cow::Borrowed(value)),
        }
    }
}
