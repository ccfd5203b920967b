//! Columns for people: on a terminal, rows with tabs between their fields are aligned and fit its width.
//!
//! Programs get the tabs. Rows wait until the output is flushed, because a column is as wide as its widest
//! field.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::output::color::{BOLD, paint};

/// The least number of columns of a terminal for a text that is broken.
pub(crate) const LEAST_WIDTH: usize = 20;

/// The most bytes of waiting rows. Later rows may have a wider column.
const MOST_WAITING: usize = 1 << 20;

/// The gap between two columns.
const GAP: usize = 2;

/// Rows that are aligned.
pub(crate) struct AlignedRows {
    /// The names of the columns, until they are printed.
    header: Option<Vec<String>>,
    /// The columns of the terminal.
    width: usize,
    /// The widest field of each column so far.
    widths: Vec<usize>,
    /// Whether all fields of a column so far are numbers, which are aligned on the right.
    are_numbers: Vec<bool>,
    /// Rows that are not printed yet.
    waiting: Vec<u8>,
}

impl AlignedRows {
    /// Starts rows with a header, in `width` columns of the terminal.
    pub(crate) fn new(header: Vec<String>, width: usize) -> Self {
        let (widths, are_numbers) = (Vec::new(), Vec::new());
        AlignedRows { header: Some(header), width, widths, are_numbers, waiting: Vec::new() }
    }

    /// Appends rows. Returns whether enough rows wait that they should be printed.
    pub(crate) fn push(&mut self, rows: &[u8]) -> bool {
        self.waiting.extend_from_slice(rows);
        self.waiting.len() >= MOST_WAITING
    }

    /// Returns the rows that wait. The header is before the first row that has a field for each of its names.
    pub(crate) fn take(&mut self) -> String {
        let waiting = std::mem::take(&mut self.waiting);
        let text = String::from_utf8_lossy(&waiting);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        let mut out = String::new();
        let first = rows.iter().find(|row| !matches!(row[..], [""]));
        let header = match (first, &self.header) {
            (Some(row), Some(header)) if row.len() == header.len() => self.header.take(),
            (Some(_), _) => {
                self.header = None;
                None
            }
            (None, _) => None,
        };
        let names: Vec<&str> = header.iter().flatten().map(String::as_str).collect();
        self.measure(&names, false);
        // A row with one field is printed as an unaligned line.
        rows.iter().filter(|row| row.len() > 1).for_each(|row| self.measure(row, true));
        let widths = self.fitting();
        if !names.is_empty() {
            let mut line = String::new();
            self.push_row(&names, &widths, &mut line);
            line.lines().for_each(|line| out.push_str(&format!("{}\n", paint(BOLD, line))));
        }
        for row in &rows {
            match row[..] {
                [line] => out.push_str(&format!("{line}\n")),
                _ => self.push_row(row, &widths, &mut out),
            }
        }
        out
    }

    /// Widens columns for the fields of a row.
    fn measure(&mut self, row: &[&str], is_value: bool) {
        if self.widths.len() < row.len() {
            self.widths.resize(row.len(), 0);
            self.are_numbers.resize(row.len(), true);
        }
        for (place, field) in row.iter().enumerate() {
            self.widths[place] = self.widths[place].max(field.width());
            self.are_numbers[place] &= !is_value || field.bytes().all(|byte| byte.is_ascii_digit());
        }
    }

    /// Returns the widths of columns that fit the terminal together. The widest is narrowed first, but
    /// never below [`LEAST_WIDTH`]. A narrower terminal breaks the rows.
    fn fitting(&self) -> Vec<usize> {
        let mut widths = self.widths.clone();
        loop {
            let used = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
            let widest = widths.iter_mut().max().filter(|widest| **widest > LEAST_WIDTH);
            let (Some(too_wide), Some(widest)) = (used.checked_sub(self.width + 1), widest) else {
                return widths;
            };
            *widest = widest.saturating_sub(too_wide + 1).max(LEAST_WIDTH);
        }
    }

    /// Appends a row. A field that is wider than its column continues below.
    fn push_row(&self, row: &[&str], widths: &[usize], out: &mut String) {
        let mut rests = row.to_vec();
        loop {
            let mut line = String::new();
            for (place, (rest, &width)) in rests.iter_mut().zip(widths).enumerate() {
                let (part, behind) = rest.split_at(end_of_row(rest, width));
                *rest = behind.trim_start();
                let padding = " ".repeat(width.saturating_sub(part.width()));
                line.push_str(&" ".repeat(if place > 0 { GAP } else { 0 }));
                match self.are_numbers[place] {
                    true => line.extend([&*padding, part]),
                    false => line.extend([part, &*padding]),
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
            if rests.iter().all(|rest| rest.is_empty()) {
                return;
            }
        }
    }
}

/// Returns the offset at which a text is broken to fit in `width` columns: its end, a space, or the last
/// column.
pub(crate) fn end_of_row(text: &str, width: usize) -> usize {
    let mut used = 0;
    let too_far = text.char_indices().find(|(_, character)| {
        used += character.width().unwrap_or(0);
        used > width
    });
    match too_far {
        None => text.len(),
        Some((end, _)) => text[..end].rfind(' ').filter(|space| *space > 0).unwrap_or(end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &[&str], width: usize, rows: &str, expected: &str) {
        let mut aligned = AlignedRows::new(header.iter().map(ToString::to_string).collect(), width);
        assert!(!aligned.push(rows.as_bytes()));
        let text = anstream::adapter::strip_str(&aligned.take()).to_string();
        assert_eq!(text, expected);
        assert_eq!(aligned.take(), "", "rows are printed once");
    }

    #[test]
    fn columns_fit_their_widest_field() {
        check(
            &["name", "rows"],
            80,
            "a.example\t10\nb\t9\n\t1\n",
            "name       rows\na.example    10\nb             9\n              1\n",
        );
        // Wide characters take two columns, and marks none.
        check(
            &["n", "k"],
            80,
            "\u{6f22}\u{5b57}\tx\ne\u{301}\ty\n",
            "n     k\n\u{6f22}\u{5b57}  x\ne\u{301}     y\n",
        );
    }

    #[test]
    fn the_widest_field_continues_below_where_a_row_does_not_fit() {
        let long = "https://example.com/".repeat(3);
        let expected = format!("{:25}  n\n{}  1\n{}\n{}\n", "url", &long[..25], &long[25..50], &long[50..]);
        check(&["url", "n"], 28, &format!("{long}\t1\n"), &expected);
        check(
            &["a", "b"],
            40,
            "x\tsome words that are broken at a space here\n",
            "a  b\nx  some words that are broken at a\n   space here\n",
        );
        // Narrower than any row can be: the terminal breaks it.
        check(&["a", "b"], 5, "abcdefgh\tabcdefgh\n", "a         b\nabcdefgh  abcdefgh\n");
    }

    #[test]
    fn lines_of_one_field_stay_and_need_no_header() {
        check(&["url", "stored"], 80, "https://a/\nb\t!ERR\n", "https://a/\nb  !ERR\n");
        check(&["url", "entry"], 80, "\na\t\nbc\tx\n", "url  entry\n\na\nbc   x\n");
        check(&["url", "entry"], 80, "", "");
    }
}
