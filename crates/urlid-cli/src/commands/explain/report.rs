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
    /// Where it stands in the text, in bytes.
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

    /// Returns the report for people, with colours.
    pub(super) fn to_text(&self) -> String {
        let mut out = format!("{}\n", paint(BOLD, self.kind));
        self.push_marked_text(&mut out);
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

    /// Appends the text and below it the letters of its parts.
    fn push_marked_text(&self, out: &mut String) {
        let mut places: Vec<_> =
            self.parts.iter().filter_map(|part| Some((part.place.clone()?, part.mark))).collect();
        places.sort_by_key(|(place, _)| place.start);
        let (mut text, mut marks, mut end) = (String::new(), String::new(), 0);
        for (place, mark) in places.into_iter().filter(|(place, _)| !place.is_empty()) {
            let between = escaped(&self.text[end..place.start]);
            let within = escaped(&self.text[place.clone()]);
            text.push_str(&between);
            text.push_str(&paint(mark.style, &within));
            marks.push_str(&" ".repeat(between.width()));
            let letters = mark.letter.to_string().repeat(within.width());
            marks.push_str(&paint(mark.style, &letters));
            end = place.end;
        }
        text.push_str(&escaped(&self.text[end..]));
        out.push_str(&format!("  {text}\n"));
        if !marks.is_empty() {
            out.push_str(&format!("  {marks}\n"));
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

fn escaped(text: &str) -> String {
    Escaped(text.as_bytes()).to_string()
}
