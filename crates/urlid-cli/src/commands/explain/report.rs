//! An explanation for people: the text with its parts marked, the digits of the identifier, a line for each part, and
//! the facts.

use std::ops::Range;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;
use urlid_explain::{Digits, Explanation, Fact, Part, Refusal};

use crate::color::{BLUE, BOLD, CYAN, DIM, GREEN, MAGENTA, RED, YELLOW, paint};
use crate::escape::Escaped;

/// An explanation that is going to be shown.
pub(super) struct Report<'a>(pub(super) &'a Explanation);

/// How a part is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    letter: char,
    style: Style,
}

impl Mark {
    /// Returns the letter and the colour that mark a part.
    fn of(part: &Part) -> Self {
        let (letter, style) = match part.name {
            "header" => ('h', MAGENTA),
            "tld" => ('t', GREEN),
            "domain" => ('d', YELLOW),
            "sub" => ('s', BLUE),
            "port" => ('o', RED),
            "path" => ('p', CYAN),
            "params" => ('q', MAGENTA),
            "frag" => ('f', BLUE),
            _ => ('u', DIM),
        };
        Mark { letter, style }
    }
}

impl Report<'_> {
    /// Returns the report for people, with colours. The text is wrapped at `width` columns.
    pub(super) fn to_text(&self, width: usize) -> String {
        let mut out = format!("{}\n", paint(BOLD, self.0.kind));
        self.push_marked_text(&mut out, width);
        self.push_digits(&mut out);
        self.push_table(&mut out);
        let facts = &self.0.facts.0;
        let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, fact) in facts {
            let value = match fact {
                Fact::Text(text) => escaped(text),
                Fact::Refused(refusal) => shown_refusal(refusal),
            };
            out.push_str(&format!("  {name:width$}  {value}\n"));
        }
        out
    }

    /// Appends the text and below it the letters of its parts, in as many rows as `width` needs.
    fn push_marked_text(&self, out: &mut String, width: usize) {
        let mark_at = |offset: usize| {
            let is_there =
                |part: &&Part| part.place.is_some_and(|place| (place.start..place.end).contains(&offset));
            self.0.parts.iter().find(is_there).map(Mark::of)
        };
        let cells: Vec<Cell> = self
            .0
            .text
            .char_indices()
            .map(|(offset, character)| {
                let shown = escaped(character.encode_utf8(&mut [0; 4]));
                Cell { width: shown.width(), shown, mark: mark_at(offset) }
            })
            .collect();
        for row in rows_of(&cells, width) {
            let (mut text, mut marks) = (String::new(), String::new());
            for run in row.chunk_by(|one, other| one.mark == other.mark) {
                let shown: String = run.iter().map(|cell| cell.shown.as_str()).collect();
                let width = run.iter().map(|cell| cell.width).sum();
                match run[0].mark {
                    Some(Mark { letter, style }) => {
                        text.push_str(&paint(style, &shown));
                        marks.push_str(&paint(style, &letter.to_string().repeat(width)));
                    }
                    None => {
                        text.push_str(&shown);
                        marks.push_str(&" ".repeat(width));
                    }
                }
            }
            out.push_str(&format!("  {text}\n"));
            if row.iter().any(|cell| cell.mark.is_some()) {
                out.push_str(&format!("  {}\n", marks.trim_end()));
            }
        }
    }

    /// Appends the digits of the identifier, field by field, and below them the letters of the parts.
    fn push_digits(&self, out: &mut String) {
        let fields = self.0.parts.iter().filter_map(|part| Some((part.digits.as_ref()?, Mark::of(part))));
        let mut fields: Vec<(&Digits, Mark)> = fields.collect();
        if fields.is_empty() {
            return;
        }
        fields.sort_by_key(|(digits, _)| digits.hex_start);
        let line = |piece: &dyn Fn(&str, Mark) -> String| {
            let pieces: Vec<_> = fields.iter().map(|(digits, mark)| piece(&digits.digits, *mark)).collect();
            pieces.join(" ")
        };
        let digits = line(&|digits, mark| paint(mark.style, digits));
        let letters = line(&|digits, mark| paint(mark.style, &mark.letter.to_string().repeat(digits.len())));
        out.push_str(&format!("\n  {digits}\n  {letters}\n"));
    }

    /// Appends a line for each part.
    fn push_table(&self, out: &mut String) {
        if self.0.parts.is_empty() {
            return;
        }
        let rows: Vec<[String; 5]> = self
            .0
            .parts
            .iter()
            .map(|part| {
                let range = |range: Range<usize>| format!("{}..{}", range.start, range.end);
                let (at, digits) = match &part.digits {
                    Some(digits) => (range(digits.hex_start..digits.hex_end), digits.digits.clone()),
                    None => (String::new(), String::new()),
                };
                let value = part.value.as_deref().map(escaped).unwrap_or_default();
                let place = part.place.map(|place| range(place.start..place.end)).unwrap_or_default();
                [part.name.to_owned(), place, at, digits, value]
            })
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths: [usize; 4] = std::array::from_fn(width);
        out.push('\n');
        for (row, part) in rows.iter().zip(&self.0.parts) {
            let mut cells = String::new();
            for (column, width) in widths.into_iter().enumerate().filter(|(_, width)| *width > 0) {
                cells.push_str(&format!("{:width$}  ", row[column]));
            }
            let mark = Mark::of(part);
            let letter = paint(mark.style, &mark.letter.to_string());
            let note = if part.note.is_empty() { String::new() } else { format!("  ({})", part.note) };
            let line = format!("  {letter} {cells}{}{}", row[4], paint(DIM, &note));
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if !self.0.facts.0.is_empty() {
            out.push('\n');
        }
    }
}

/// A character as it is shown.
struct Cell {
    shown: String,
    width: usize,
    mark: Option<Mark>,
}

/// Splits cells into rows of at most `width` columns, two of which are the margin.
fn rows_of(cells: &[Cell], width: usize) -> Vec<&[Cell]> {
    let width = width.saturating_sub(2).max(20);
    let (mut rows, mut start, mut used) = (Vec::new(), 0, 0);
    for (index, cell) in cells.iter().enumerate() {
        if used + cell.width > width && index > start {
            rows.push(&cells[start..index]);
            (start, used) = (index, 0);
        }
        used += cell.width;
    }
    rows.push(&cells[start..]);
    rows
}

/// Returns a refusal as it is shown in the place of what it refuses.
pub(super) fn shown_refusal(refusal: &Refusal) -> String {
    paint(RED, &format!("{}: {}", refusal.code, escaped(&refusal.message)))
}

/// Returns a text fit to be shown.
pub(super) fn escaped(text: &str) -> String {
    Escaped(text.as_bytes()).to_string()
}
