//! Dates of records in the 14 digits of an index.

/// Returns year, month, day, hour, minute and second of a WARC-Date in 14 digits, or `None` if it is not a
/// date. Everything after the year may be missing, as in WARC 1.1, and then has its first value. Fractions of
/// a second are dropped.
pub(crate) fn digits(date: &[u8]) -> Option<String> {
    let mut parts: Vec<&[u8]> = date.split(|byte| !byte.is_ascii_digit()).collect();
    // The `Z` at the end leaves an empty part. A seventh part is the fraction.
    if parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    let is_year = parts.first().is_some_and(|year| year.len() == 4);
    let least = if is_year { 1 } else { 3 };
    if !(least..=7).contains(&parts.len()) {
        return None;
    }
    let mut numbers = [0, 1, 1, 0, 0, 0_u32];
    for (number, part) in numbers.iter_mut().zip(&parts) {
        *number = str::from_utf8(part).ok()?.parse().ok()?;
    }
    text(numbers)
}

/// Returns the date of a record of ARC in 14 digits, or `None` if it is not a date. The date has 14 digits,
/// and further digits are ignored, as in warcio. It may also have 12 digits without the seconds, for which
/// warcio assumes 59.
pub(crate) fn of_arc(date: &[u8]) -> Option<String> {
    if !matches!(date.len(), 12 | 14..) || !date.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let date = str::from_utf8(date).ok()?;
    let number = |start, end| date.get(start..end).unwrap_or("59").parse().ok();
    text([number(0, 4)?, number(4, 6)?, number(6, 8)?, number(8, 10)?, number(10, 12)?, number(12, 14)?])
}

/// Returns the digits of year, month, day, hour, minute and second, or `None` if they are not a date.
fn text([year, month, day, hour, minute, second]: [u32; 6]) -> Option<String> {
    let is_date = (1..=9999).contains(&year) && (1..=12).contains(&month);
    let is_date =
        is_date && (1..=days_of(year, month)).contains(&day) && hour < 24 && minute < 60 && second < 60;
    is_date.then(|| format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}"))
}

fn days_of(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_digits_or_are_rejected() {
        for (date, expected) in [
            ("2013-12-26T10:11:12Z", Some("20131226101112")),
            ("2013-12-26T10:11:12", Some("20131226101112")),
            ("2013-12-26T10:11:12.456789Z", Some("20131226101112")),
            ("2024-02-29", Some("20240229000000")),
            ("2024", Some("20240101000000")),
            ("2024-02", Some("20240201000000")),
            ("2024-02-29T10Z", Some("20240229100000")),
            ("2024-02-29T10:11Z", Some("20240229101100")),
            ("202", None),
            ("202-1", None),
            ("2024-13", None),
            ("2023-02-29", None),
            ("1900-02-29", None),
            ("2013-13-01T00:00:00Z", None),
            ("2013-12-26T24:00:00Z", None),
            ("20131226101112", None),
            ("2013-12--26", None),
            ("2013-12-99999999999999999999", None),
            ("", None),
        ] {
            assert_eq!(digits(date.as_bytes()).as_deref(), expected, "{date}");
        }
    }

    #[test]
    fn dates_of_arc_are_digits() {
        for (date, expected) in [
            ("20131226101112", Some("20131226101112")),
            ("20131226101112345", Some("20131226101112")),
            ("201312261011", Some("20131226101159")),
            ("2013122610111", None),
            ("20131326101112", None),
            ("2013-12-26T10:11:12Z", None),
            ("", None),
        ] {
            assert_eq!(of_arc(date.as_bytes()).as_deref(), expected, "{date}");
        }
    }
}
