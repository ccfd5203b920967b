//! The facts about a text, and how they are shown to people and to programs.
//!
//! Parts have names, places in the text and digits of an identifier; that the text is a URL does not matter here.

use std::ops::Range;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::color::{BOLD, DIM, RED, paint};
use crate::escape::Escaped;
use crate::json::{self, Object};
use crate::refusals::Refusal;

/// The facts about a text.
pub(super) struct Report {
    /// What the text is.
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) parts: Vec<Part>,
    /// Names and values; a value that cannot be had is an error's code and message.
    pub(super) facts: Vec<(&'static str, Fact)>,
}

/// A fact about a text as a whole.
pub(super) enum Fact {
    Text(String),
    Refused(Refusal),
}

/// A part of a text and what became of it.
pub(super) struct Part {
    pub(super) name: &'static str,
    /// The letter and the colour that mark it.
    pub(super) mark: Mark,
    /// The value that was hashed, or read.
    pub(super) value: Option<String>,
    /// Where it is in the text, in bytes.
    pub(super) place: Option<Range<usize>>,
    /// Where its digits stand in the identifier, and the digits.
    pub(super) digits: Option<(Range<usize>, String)>,
    pub(super) note: String,
}

/// How a part is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) letter: char,
    pub(super) style: Style,
}

impl Report {
    /// Returns the report as a line of JSON.
    pub(super) fn to_json(&self) -> String {
        let parts = self.parts.iter().map(|part| {
            let mut object = Object::new().text("name", part.name).optional("value", part.value.as_deref());
            if let Some(place) = &part.place {
                object = object.number("start", place.start as u64).number("end", place.end as u64);
            }
            if let Some((range, digits)) = &part.digits {
                object = object
                    .text("digits", digits)
                    .number("hex_start", range.start as u64)
                    .number("hex_end", range.end as u64);
            }
            object.text("note", &part.note).finish()
        });
        let report =
            Object::new().text("text", &self.text).text("kind", self.kind).json("parts", &json::list(parts));
        let report = self.facts.iter().fold(report, |report, (name, fact)| match fact {
            Fact::Text(text) => report.text(name, text),
            Fact::Refused(refusal) => {
                let object = Object::new().text("error", refusal.code().as_str());
                report.json(name, &object.text("message", &refusal.message()).finish())
            }
        });
        report.finish() + "\n"
    }

    /// Returns the report for people, with colours. The text is wrapped at `width` columns.
    pub(super) fn to_text(&self, width: usize) -> String {
        let mut out = format!("{}\n", paint(BOLD, self.kind));
        self.push_marked_text(&mut out, width);
        self.push_digits(&mut out);
        self.push_table(&mut out);
        let width = self.facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, fact) in &self.facts {
            let value = match fact {
                Fact::Text(text) => escaped(text),
                Fact::Refused(refusal) => paint(RED, &format!("{}: {}", refusal.code(), refusal.message())),
            };
            out.push_str(&format!("  {name:width$}  {value}\n"));
        }
        out
    }

    /// Appends the text and below it the letters of its parts, in as many rows as `width` needs.
    fn push_marked_text(&self, out: &mut String, width: usize) {
        let mark_at = |offset: usize| {
            let is_there = |part: &&Part| part.place.as_ref().is_some_and(|place| place.contains(&offset));
            self.parts.iter().find(is_there).map(|part| part.mark)
        };
        let cells: Vec<Cell> = self
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
        let mut fields: Vec<_> =
            self.parts.iter().filter_map(|part| Some((part.digits.as_ref()?, part.mark))).collect();
        if fields.is_empty() {
            return;
        }
        fields.sort_by_key(|((range, _), _)| range.start);
        let line = |piece: &dyn Fn(&str, Mark) -> String| {
            let pieces: Vec<_> = fields.iter().map(|((_, digits), mark)| piece(digits, *mark)).collect();
            pieces.join(" ")
        };
        let digits = line(&|digits, mark| paint(mark.style, digits));
        let letters = line(&|digits, mark| paint(mark.style, &mark.letter.to_string().repeat(digits.len())));
        out.push_str(&format!("\n  {digits}\n  {letters}\n"));
    }

    /// Appends a line for each part.
    fn push_table(&self, out: &mut String) {
        if self.parts.is_empty() {
            return;
        }
        let rows: Vec<[String; 5]> = self
            .parts
            .iter()
            .map(|part| {
                let range = |range: &Range<usize>| format!("{}..{}", range.start, range.end);
                let (at, digits) = match &part.digits {
                    Some((at, digits)) => (range(at), digits.clone()),
                    None => (String::new(), String::new()),
                };
                let value = part.value.as_deref().map(escaped).unwrap_or_default();
                let place = part.place.as_ref().map(range).unwrap_or_default();
                [part.name.to_owned(), place, at, digits, value]
            })
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths: [usize; 4] = std::array::from_fn(width);
        out.push('\n');
        for (row, part) in rows.iter().zip(&self.parts) {
            let mut cells = String::new();
            for (column, width) in widths.into_iter().enumerate().filter(|(_, width)| *width > 0) {
                cells.push_str(&format!("{:width$}  ", row[column]));
            }
            let letter = paint(part.mark.style, &part.mark.letter.to_string());
            let note = if part.note.is_empty() { String::new() } else { format!("  ({})", part.note) };
            let line = format!("  {letter} {cells}{}{}", row[4], paint(DIM, &note));
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if !self.facts.is_empty() {
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

fn escaped(text: &str) -> String {
    Escaped(text.as_bytes()).to_string()
}
