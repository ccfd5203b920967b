//! The data of an edition of a list: its publisher, its number, and its dates, which are days or seconds of a
//! day.

use core::fmt;
use core::str::FromStr;

use urlid::Error;

use crate::error;

/// The publisher's data of an edition of a list. Each field is optional.
///
/// ```
/// use urlid_lists::Edition;
///
/// let expires = Some("2026-11-25T12:00:00Z".parse()?);
/// let edition = Edition { sequence: Some(7), expires, ..Edition::default() };
/// assert_eq!(edition.publisher, None);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edition {
    /// The publisher of the list.
    pub publisher: Option<Publisher>,
    /// The number of the edition. A later edition has a greater number.
    pub sequence: Option<u64>,
    /// When the edition was made.
    pub made: Option<Date>,
    /// The date from which the edition is no longer valid.
    pub expires: Option<Date>,
}

/// The name of a publisher, or its address: 1 to 200 bytes of text without control characters and without a
/// space at either end.
///
/// ```
/// use urlid_lists::Publisher;
///
/// let publisher: Publisher = "Example, https://example.org/".parse()?;
/// assert_eq!(publisher.to_string(), "Example, https://example.org/");
/// assert!("a\tb".parse::<Publisher>().is_err());
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Publisher(String);

impl FromStr for Publisher {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let is_name =
            // The name is a line of the header, in which a line end would start the next key.
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

/// A date as `YYYY-MM-DD`, or a time as `YYYY-MM-DDThh:mm:ssZ`. A date stands for its first second.
///
/// ```
/// use urlid_lists::Date;
///
/// assert_eq!("2026-11-22".parse::<Date>().map(|date| date.to_string()).as_deref(), Ok("2026-11-22"));
/// assert_eq!("1970-01-02T00:00:01Z".parse::<Date>().map(|date| date.seconds()), Ok(86_401));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
    /// The second of the day, if a time was given.
    second: Option<u32>,
}

impl Date {
    /// Returns the seconds since the start of 1970, without leap seconds. Earlier dates are negative.
    pub fn seconds(self) -> i64 {
        // Years start in March here, so that the leap day is the last day of a year.
        let (year, month) =
            (i64::from(self.year) - i64::from(self.month < 3), (i64::from(self.month) + 9) % 12);
        // January and February of year 0 belong to year -1, so the divisions round down.
        let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        // From March on, months have 31, 30, 31, 30 and 31 days, which is 153 in five, and the pattern
        // repeats. The quotient is the number of days in the preceding months.
        let days = days + (153 * month + 2) / 5 + i64::from(self.day) - 1 - DAYS_TO_1970;
        days * 86_400 + i64::from(self.second.unwrap_or(0))
    }
}

/// The days from the first of March of the year 0 to the start of 1970.
const DAYS_TO_1970: i64 = 719_468;

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = format!("{:04}-{:02}-{:02}", self.year, self.month, self.day);
        match self.second {
            None => f.pad(&day),
            Some(second) => {
                let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
                f.pad(&format!("{day}T{hour:02}:{minute:02}:{second:02}Z"))
            }
        }
    }
}

impl FromStr for Date {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let date = match text.split_once('T') {
            None => parse_day(text),
            Some((day, time)) => {
                parse_day(day).and_then(|date| Some(Self { second: Some(parse_time(time)?), ..date }))
            }
        };
        date.ok_or_else(|| error::setting(text, "a date as 2026-01-31, or a time as 2026-01-31T12:00:00Z"))
    }
}

/// Returns whether a text consists of digits, except for the character at these offsets.
fn is_shaped(text: &str, length: usize, offsets: [usize; 2], character: u8) -> bool {
    let is_right = |(offset, byte): (usize, u8)| match offsets.contains(&offset) {
        true => byte == character,
        false => byte.is_ascii_digit(),
    };
    text.len() == length && text.bytes().enumerate().all(is_right)
}

fn parse_day(text: &str) -> Option<Date> {
    if !is_shaped(text, 10, [4, 7], b'-') {
        return None;
    }
    let (year, month, day): (u16, u8, u8) =
        (text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(Date { year, month, day, second: None })
}

/// Reads a time of a day, and returns its second.
fn parse_time(text: &str) -> Option<u32> {
    let text = text.strip_suffix('Z').filter(|text| is_shaped(text, 8, [2, 5], b':'))?;
    let (hour, minute, second): (u32, u32, u32) =
        (text[..2].parse().ok()?, text[3..5].parse().ok()?, text[6..].parse().ok()?);
    (hour < 24 && minute < 60 && second < 60).then_some(hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_calendar() {
        for text in
            ["2026-11-21", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2026-11-21T23:59:59Z"]
        {
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
            "2026-01-01T",
            "2026-01-01T00:00:00",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:60Z",
            "2026-01-01t00:00:00Z",
            "2026-01-01T00:00:00+00:00",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert!("2026-01-+1".parse::<Date>().is_err());
        assert!("2026‐01‐1".parse::<Date>().is_err());
    }

    /// The values are those of `date --utc --date=… +%s`.
    #[test]
    fn seconds_are_counted_from_1970() {
        for (text, seconds) in [
            ("1970-01-01", 0),
            ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29", 951_782_400),
            ("2000-03-01", 951_868_800),
            ("2026-11-25T06:25:00Z", 1_795_587_900),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("0001-01-01", -62_135_596_800),
        ] {
            assert_eq!(text.parse::<Date>().map(Date::seconds), Ok(seconds), "{text}");
        }
    }
}
