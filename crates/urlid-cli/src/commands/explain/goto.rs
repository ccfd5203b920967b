//! `urlid explain --goto` for people: which tokens of a base and of a reference survive in the URL that goto
//! leads to.

use unicode_width::UnicodeWidthStr;
use urlid::reference::TokenKind;
use urlid_ops::explain::{Fact, Fate, Goto};

use super::report::{escaped, shown_refusal};
use crate::output::color::{ASIDE, BOLD, paint};

/// Returns two rows: a column for each token, those that do not survive in parentheses.
pub(super) fn to_text(goto: &Goto) -> String {
    let mut lines = [String::new(), "base".to_owned(), "reference".to_owned()];
    pad(&mut lines);
    for kind in TokenKind::ALL {
        let [base, reference] = [&goto.base, &goto.reference].map(|row| of_kind(row, kind));
        // Goto keeps the directories of both: those of the base come before those of the reference.
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
        Fact::Refused(refusal) => shown_refusal(refusal),
    };
    let rows: String = lines.iter().map(|line| format!("  {}\n", line.trim_end())).collect();
    format!("{}\n{rows}\n  target     {target}\n", paint(BOLD, "goto"))
}

/// Returns a token as a cell; an empty value is shown as two quotes.
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
    // Codes of colours take no columns on a terminal.
    let width = |line: &String| anstream::adapter::strip_str(line).to_string().width();
    let widest = lines.iter().map(width).max().unwrap_or(0);
    for line in lines {
        *line += &" ".repeat(widest + 2 - width(line));
    }
}
