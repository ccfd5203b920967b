//! Dates of records in the 14 digits of an index.

/// Returns year, month, day, hour, minute and second of a WARC-Date in 14 digits, or `None` if it is not a date. The time may
/// be missing; fractions of a second are dropped.
pub(super) fn digits(date: &[u8]) -> Option<String> {
    let mut parts: Vec<&[u8]> = date.split(|byte| !byte.is_ascii_digit()).collect();
    // The `Z` at the end leaves an empty part. A seventh part is the fraction.
    if parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    if !(3..=7).contains(&parts.len()) {
        return None;
    }
    let mut numbers = [0_u32; 6];
    for (number, part) in numbers.iter_mut().zip(&parts) {
        *number = str::from_utf8(part).ok()?.parse().ok()?;
    }
    let [year, month, day, hour, minute, second] = numbers;
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
    fn dates_become_digits_or_are_refused() {
        for (date, expected) in [
            ("2013-12-26T10:11:12Z", Some("20131226101112")),
            ("2013-12-26T10:11:12", Some("20131226101112")),
            ("2013-12-26T10:11:12.456789Z", Some("20131226101112")),
            ("2024-02-29", Some("20240229000000")),
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
}
