//! The data of an edition of a list: its publisher, its number, and its dates.

use core::fmt;
use core::str::FromStr;

use super::date::Date;
use crate::error;
use urlid::Error;

/// The publisher's data of an edition of a list. Each may be left out.
///
/// ```
/// use urlid_lists::Edition;
///
/// let edition = Edition { sequence: Some(7), expires: Some("2026-11-25T12:00:00Z".parse()?), ..Edition::default() };
/// assert_eq!(edition.publisher, None);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edition {
    /// Who publishes the list.
    pub publisher: Option<Publisher>,
    /// The number of the edition; a later edition has a greater one.
    pub sequence: Option<u64>,
    /// When the edition was made.
    pub made: Option<Date>,
    /// From when on the edition holds no longer.
    pub expires: Option<Date>,
}

/// The name of a publisher, or its address: 1 to 200 bytes of text without control characters, without a
/// space at either end.
///
/// ```
/// use urlid_lists::Publisher;
///
/// assert_eq!("Example, https://example.org/".parse::<Publisher>()?.to_string(), "Example, https://example.org/");
/// assert!("a\tb".parse::<Publisher>().is_err());
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Publisher(String);

impl FromStr for Publisher {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let is_name =
            // The name is a line of the header, where a line end would begin another key.
            (1..=200).contains(&text.len()) && text.trim() == text && !text.contains(char::is_control);
        match is_name {
            true => Ok(Self(text.to_owned())),
            false => Err(error::setting(text, "a name of 1 to 200 bytes without control characters")),
        }
    }
}

impl fmt::Display for Publisher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
