//! What the maker of a list and its readers agree on: the rules by which entries and candidates are hashed, and the
//! small values of the header.

use std::fmt;
use std::str::FromStr;

use crate::excerpt::Excerpt;
use crate::hashed_uri::{Keep, Variant};

/// How entries and candidates become canonical, and which parents of a candidate are looked up too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The variant of the canonical form.
    pub variant: Variant,
    /// What entries may keep; an entry is flagged with what its URI really had of it.
    pub keep: Keep,
    /// Which parents of a candidate an entry matches.
    pub ladder: Ladder,
}

/// Which parents of a candidate are looked up (docs/lists.md, "The ladder").
///
/// Displays as `none`, `path` or `hosts`; [`FromStr`] takes these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ladder {
    /// None: an entry matches its own URI.
    #[default]
    None,
    /// The directories above it: an entry that ends with `/` matches what is below it.
    Path,
    /// Those, and the same below the domains above its host, down to the registrable one.
    Hosts,
}

impl fmt::Display for Ladder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::Path => "path",
            Self::Hosts => "hosts",
        })
    }
}

impl FromStr for Ladder {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Self, TermError> {
        match text {
            "none" => Ok(Self::None),
            "path" => Ok(Self::Path),
            "hosts" => Ok(Self::Hosts),
            _ => Err(TermError { found: Excerpt::of(text), expected: "none, path or hosts" }),
        }
    }
}

/// The date that a publisher gives a list, as `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Self, TermError> {
        parse_date(text).ok_or(TermError { found: Excerpt::of(text), expected: "a date as 2026-01-31" })
    }
}

fn parse_date(text: &str) -> Option<Date> {
    let is_shaped = text.bytes().enumerate().all(|(offset, byte)| match offset {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    if text.len() != 10 || !is_shaped {
        return None;
    }
    let date =
        Date { year: text[..4].parse().ok()?, month: text[5..7].parse().ok()?, day: text[8..].parse().ok()? };
    let leap =
        date.year.is_multiple_of(4) && (!date.year.is_multiple_of(100) || date.year.is_multiple_of(400));
    let days = match date.month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&date.day).then_some(date)
}

/// A text is none of the values that a setting of a list can have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TermError {
    /// The text.
    pub found: Excerpt,
    /// What it should have been.
    pub expected: &'static str,
}

impl fmt::Display for TermError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {}, expected {}", self.found, self.expected)
    }
}

impl std::error::Error for TermError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_calendar() {
        for text in ["2026-11-21", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(text.parse::<Date>().map(|date| date.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "2026-1-1",
            "2026-13-01",
            "2026-00-01",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-01-00",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert!("2026-01-+1".parse::<Date>().is_err());
        assert!("2026‐01‐1".parse::<Date>().is_err());
    }
}
