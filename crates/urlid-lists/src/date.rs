//! The date that a publisher gives a list.

use crate::error;
use core::fmt;
use core::str::FromStr;
use urlid::Error;

/// The date that a publisher gives a list, as `YYYY-MM-DD`.
///
/// ```
/// use urlid_lists::Date;
///
/// assert_eq!("2026-11-22".parse::<Date>().map(|date| date.to_string()).as_deref(), Ok("2026-11-22"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:04}-{:02}-{:02}", self.year, self.month, self.day))
    }
}

impl FromStr for Date {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse_date(text).ok_or_else(|| error::setting(text, "a date as 2026-01-31"))
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
