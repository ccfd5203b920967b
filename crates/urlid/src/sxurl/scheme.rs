//! The three schemes and their codes.

use core::fmt;

/// A scheme that an SXURL can have.
///
/// ```
/// use urlid::sxurl::Scheme;
///
/// assert_eq!(Scheme::from_name("HTTP").map(Scheme::name), Some("http"));
/// assert_eq!(Scheme::from_name("ws"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// Code 0.
    Https,
    /// Code 1.
    Http,
    /// Code 2.
    Ftp,
}

impl Scheme {
    /// The schemes in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Https, Self::Http, Self::Ftp];

    /// Returns the 3-bit code.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the scheme with a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
            Self::Ftp => "ftp",
        }
    }

    /// Returns the scheme with a name, in any case of letters.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
