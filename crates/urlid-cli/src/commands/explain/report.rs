//! Explanations for people: the parts of a URL as characters and digits, the rules of a form that change it,
//! and the tokens that goto keeps.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;
use urlid::reference::TokenKind;
use urlid_canonical::DecidedBy;
use urlid_ops::explain::{
    Digits, ExplainedPart, Explanation, Fact, Fate, Goto, Rejection, RuleTrace, TraceOutcome,
};

use crate::output::aligned::{LEAST_WIDTH, end_of_row};
use crate::output::color::{ASIDE, BLUE, BOLD, CYAN, GREEN, MAGENTA, RED, YELLOW, paint};
use crate::output::escape::Escaped;

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
    fn new(part: &ExplainedPart) -> Self {
        let (letter, style) = match part.name {
            "header" => ('h', MAGENTA),
            "tld" => ('t', GREEN),
            "domain" => ('d', YELLOW),
            "sub" => ('s', BLUE),
            "port" => ('o', RED),
            "path" => ('p', CYAN),
            "params" => ('q', MAGENTA),
            "frag" => ('f', BLUE),
            _ => ('u', ASIDE),
        };
        Mark { letter, style }
    }
}

impl Report<'_> {
    /// Returns the report for people, with colours, in rows of at most `width` columns.
    pub(super) fn to_text(&self, width: usize) -> String {
        let mut out = format!("{}\n", paint(BOLD, self.0.kind));
        self.push_marked_text(&mut out, width);
        self.push_digits(&mut out, width);
        self.push_table(&mut out, width);
        self.push_facts(&mut out, width);
        out
    }

    /// Appends the text and below it the letters of its parts.
    fn push_marked_text(&self, out: &mut String, width: usize) {
        let mark_at = |offset: usize| {
            let is_there = |part: &&ExplainedPart| {
                part.place.is_some_and(|place| (place.start..place.end).contains(&offset))
            };
            self.0.parts.iter().find(is_there).map(Mark::new)
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
        for row in rows_of(&cells, width.saturating_sub(2)) {
            let (mut text, mut marks) = (String::new(), String::new());
            // Colours start and end once for each part, not for each character.
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
    fn push_digits(&self, out: &mut String, width: usize) {
        let fields = self.0.parts.iter().filter_map(|part| Some((part.digits.as_ref()?, Mark::new(part))));
        let mut fields: Vec<(&Digits, Mark)> = fields.collect();
        if fields.is_empty() {
            return;
        }
        // Parts are in the order of the text, but digits are in the order of the identifier.
        fields.sort_by_key(|(digits, _)| digits.hex_start);
        out.push('\n');
        let (mut digits, mut letters, mut used) = (String::new(), String::new(), 0);
        for (field, mark) in fields {
            let text = &field.digits;
            if used > 0 && used + 1 + text.len() > width.saturating_sub(2) {
                out.push_str(&format!(" {digits}\n {letters}\n"));
                (digits, letters, used) = (String::new(), String::new(), 0);
            }
            used += usize::from(used > 0) + text.len();
            digits.push_str(&format!(" {}", paint(mark.style, text)));
            letters.push_str(&format!(" {}", paint(mark.style, &mark.letter.to_string().repeat(text.len()))));
        }
        out.push_str(&format!(" {digits}\n {letters}\n"));
    }

    /// Appends a line for each part.
    fn push_table(&self, out: &mut String, width: usize) {
        if self.0.parts.is_empty() {
            return;
        }
        let rows: Vec<[String; 4]> = self.0.parts.iter().map(cells_of).collect();
        let widths: [usize; 4] =
            std::array::from_fn(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
        // The digits are also shown above, so this column may be left out.
        let are_digits_shown = widths.iter().map(|width| width + 2).sum::<usize>() + LEAST_WIDTH <= width;
        let widths = &widths[..if are_digits_shown { 4 } else { 3 }];
        out.push('\n');
        for (row, part) in rows.iter().zip(&self.0.parts) {
            let mark = Mark::new(part);
            let mut line = format!("  {} ", paint(mark.style, &mark.letter.to_string()));
            let mut used = 4;
            // An empty column is left out, such as the digits of a URL without an SXURL.
            for (cell, width) in row.iter().zip(widths).filter(|(_, width)| **width > 0) {
                line.push_str(&format!("{cell:width$}  "));
                used += width + 2;
            }
            let value = part.value.as_deref().map(escaped).unwrap_or_default();
            let note = if part.note.is_empty() { String::new() } else { format!("  ({})", part.note) };
            push_wrapped(out, (&line, used), &[(Style::new(), &value), (ASIDE, &note)], width);
        }
        if !self.0.facts.0.is_empty() {
            out.push('\n');
        }
    }

    /// Appends a line for each fact.
    fn push_facts(&self, out: &mut String, width: usize) {
        let facts = &self.0.facts.0;
        let longest = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, fact) in facts {
            let (style, value) = match fact {
                Fact::Text(text) => (Style::new(), escaped(text)),
                Fact::Rejected(rejection) => (RED, rejection_text(rejection)),
            };
            let head = format!("  {name:longest$}  ");
            push_wrapped(out, (&head, head.len()), &[(style, &value)], width);
        }
    }
}

/// Returns the columns before the value of a part: its name, its place in the text, the place of the digits,
/// the digits.
fn cells_of(part: &ExplainedPart) -> [String; 4] {
    let range = |start: usize, end: usize| format!("{start}..{end}");
    let place = part.place.map(|place| range(place.start, place.end)).unwrap_or_default();
    let (at, digits) = match &part.digits {
        Some(digits) => (range(digits.hex_start, digits.hex_end), digits.digits.clone()),
        None => (String::new(), String::new()),
    };
    [part.name.to_owned(), place, at, digits]
}

/// A displayed character.
struct Cell {
    shown: String,
    width: usize,
    mark: Option<Mark>,
}

/// Splits cells into rows of at most `width` columns.
fn rows_of(cells: &[Cell], width: usize) -> Vec<&[Cell]> {
    // A terminal may be narrower than the indent, which leaves zero columns.
    let width = width.max(LEAST_WIDTH);
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

/// Appends texts after a head that is `used` columns wide. Text that does not fit continues below in the same
/// column, or with an indent of four if the head leaves too little room.
fn push_wrapped(out: &mut String, (head, used): (&str, usize), texts: &[(Style, &str)], width: usize) {
    let is_beside = used.saturating_add(LEAST_WIDTH) <= width;
    let indent = if is_beside { used } else { 4 };
    let room = width.saturating_sub(indent).max(LEAST_WIDTH);
    let (mut line, mut left) = (head.to_owned(), if is_beside { room } else { 0 });
    for (style, text) in texts {
        let mut rest = *text;
        // Every row after the first has at least 20 columns, and a character is at most two wide, so each row
        // consumes a part of the text.
        while !rest.is_empty() {
            let (row, behind) = rest.split_at(end_of_row(rest, left));
            line.push_str(&paint(*style, row));
            // A sequence may be wider than its characters are one by one.
            left = left.saturating_sub(row.width());
            rest = behind;
            if !rest.is_empty() {
                out.push_str(line.trim_end());
                out.push('\n');
                (line, left, rest) = (" ".repeat(indent), room, rest.trim_start());
            }
        }
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Returns an error as displayed in the place of the missing value.
pub(super) fn shown_rejection(rejection: &Rejection) -> String {
    paint(RED, &rejection_text(rejection))
}

pub(in crate::commands) fn rejection_text(rejection: &Rejection) -> String {
    format!("{}: {}", rejection.code, escaped(&rejection.message))
}

/// Returns a text fit to be shown.
pub(in crate::commands) fn escaped(text: &str) -> String {
    Escaped(text.as_bytes()).to_string()
}

/// Returns the changes that the rules of a form made to a text.
pub(super) fn form_to_text(rules: &RuleTrace) -> String {
    let mut lines = vec![format!("{}  {}", paint(BOLD, &rules.form), escaped(&rules.text))];
    for change in &rules.changes {
        lines.push(format!("\n  {}  {}", paint(BOLD, &change.rule), paint(ASIDE, change.clause)));
        lines.extend(change.decided_by.iter().map(rule_line));
        lines.push(format!("    {}", escaped(&change.before)));
        lines.push(format!("    {}", escaped(&change.after)));
    }
    lines.push(match &rules.outcome {
        TraceOutcome::Canonical(form) => format!("\n  {}", paint(GREEN, &escaped(form))),
        TraceOutcome::Rejected(rejection) => format!("\n  {}", shown_rejection(rejection)),
    });
    lines.join("\n") + "\n"
}

/// Shows a line of a file of rules that changed a URL.
pub(in crate::commands) fn rule_line(line: &DecidedBy) -> String {
    format!("    line {}: {}", line.line, escaped(&line.rule))
}

/// Returns two rows with a column for each token. Tokens that do not survive are in parentheses.
pub(super) fn goto_to_text(goto: &Goto) -> String {
    let mut lines = [String::new(), "base".to_owned(), "reference".to_owned()];
    pad(&mut lines);
    for kind in TokenKind::ALL {
        let [base, reference] = [&goto.base, &goto.reference].map(|row| of_kind(row, kind));
        // Goto keeps the directories of both, first of the base and then of the reference.
        let is_shared = kind != TokenKind::Directory;
        let width = if is_shared { base.len().max(reference.len()) } else { base.len() + reference.len() };
        for column in 0..width {
            let in_reference = if is_shared { Some(column) } else { column.checked_sub(base.len()) };
            let cells = [base.get(column), in_reference.and_then(|index| reference.get(index))];
            lines[0] += &paint(BOLD, kind.name());
            for (line, fate) in lines[1..].iter_mut().zip(cells) {
                *line += &fate.map(|fate| cell(fate)).unwrap_or_default();
            }
            pad(&mut lines);
        }
    }
    let target = match &goto.target {
        Fact::Text(target) => escaped(target),
        Fact::Rejected(rejection) => shown_rejection(rejection),
    };
    let rows: String = lines.iter().map(|line| format!("  {}\n", line.trim_end())).collect();
    format!("{}\n{rows}\n  target     {target}\n", paint(BOLD, "goto"))
}

/// Returns a token as a cell. An empty value is shown as two quotes.
fn cell(fate: &Fate) -> String {
    let text = if fate.text.is_empty() { "''".to_owned() } else { escaped(&fate.text) };
    if fate.survives { text } else { paint(ASIDE, &format!("({text})")) }
}

/// Returns the tokens of one type.
fn of_kind(row: &[Fate], kind: TokenKind) -> Vec<&Fate> {
    row.iter().filter(|fate| fate.kind == kind).collect()
}

/// Brings the lines to one width, with a gap of two.
fn pad(lines: &mut [String; 3]) {
    // Colour codes are invisible on a terminal.
    let width = |line: &String| anstream::adapter::strip_str(line).to_string().width();
    let widest = lines.iter().map(width).max().unwrap_or(0);
    for line in lines {
        *line += &" ".repeat(widest + 2 - width(line));
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthChar;

    use super::*;

    #[test]
    fn a_sequence_may_be_wider_than_its_characters() {
        let telephones = "\u{260e}\u{fe0f}".repeat(30);
        assert!(telephones.width() > telephones.chars().filter_map(UnicodeWidthChar::width).sum());
        let mut out = String::new();
        push_wrapped(&mut out, ("  ", 2), &[(Style::new(), &telephones)], 30);
        assert_eq!(out.split_whitespace().collect::<String>(), telephones);
    }
}
