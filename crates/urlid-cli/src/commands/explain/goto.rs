//! `urlid explain --goto`: which tokens of a base and of a reference survive in the URL that goto leads to.

use unicode_width::UnicodeWidthStr;
use urlid::reference::{Class, Context, NoUrl, Reference, ReferenceBuf, Token, TokenKind};

use crate::color::{BOLD, DIM, RED, paint};
use crate::escape::Escaped;
use crate::json::{self, Object};
use crate::message;
use crate::refusals::Refusal;
use crate::theory::GotoMode;

/// The tokens of a base and a reference, and where the reference leads.
pub(super) struct Survival<'a> {
    base: Vec<Fate<'a>>,
    reference: Vec<Fate<'a>>,
    target: Result<ReferenceBuf, NoUrl>,
}

/// A token, and whether it is part of the target.
struct Fate<'a> {
    token: Token<'a>,
    survives: bool,
}

impl<'a> Survival<'a> {
    /// Goes from `base` to `reference`, which is parsed as beside the base.
    pub(super) fn new(base: &'a str, reference: &'a str, mode: GotoMode) -> Result<Self, Refusal> {
        let base = Reference::parse(base, Context::Whatwg(Class::Web))?;
        let reference = Reference::parse(reference, base.context())?;
        let has_equal_scheme = base.scheme().zip(reference.scheme());
        let has_equal_scheme = has_equal_scheme.is_some_and(|(a, b)| a.eq_ignore_ascii_case(b));
        let skipped = usize::from(mode == GotoMode::Nonstrict && has_equal_scheme);
        let order = reference.tokens().nth(skipped).map_or(TokenKind::Fragment, |token| token.kind);
        let kept = base.upto(order).tokens().count();
        let fates = |reference: &Reference<'a>, survives: &dyn Fn(usize) -> bool| {
            let tokens = reference.tokens().enumerate();
            tokens.map(|(index, token)| Fate { token, survives: survives(index) }).collect()
        };
        Ok(Survival {
            base: fates(&base, &|index| index < kept),
            reference: fates(&reference, &|index| index >= skipped),
            target: mode.goto(&base, &reference),
        })
    }

    /// Returns the two rows for people: a column for each token, those that do not survive in parentheses.
    pub(super) fn to_text(&self) -> String {
        let mut lines = [String::new(), "base".to_owned(), "reference".to_owned()];
        pad(&mut lines);
        for kind in TokenKind::ALL {
            let [base, reference] = [&self.base, &self.reference].map(|row| of_kind(row, kind));
            // Directories of the base stand before those of the reference, and both survive.
            let is_shared = kind != TokenKind::Directory;
            let width =
                if is_shared { base.len().max(reference.len()) } else { base.len() + reference.len() };
            for column in 0..width {
                let in_reference = if is_shared { Some(column) } else { column.checked_sub(base.len()) };
                let cells = [base.get(column), in_reference.and_then(|index| reference.get(index))];
                lines[0] += &paint(BOLD, kind.name());
                for (line, fate) in lines[1..].iter_mut().zip(cells) {
                    *line += &fate.map(|fate| fate.cell()).unwrap_or_default();
                }
                pad(&mut lines);
            }
        }
        let target = match &self.target {
            Ok(target) => Escaped(target.as_str().as_bytes()).to_string(),
            Err(error) => paint(RED, &message::describe(error)),
        };
        let rows: String = lines.iter().map(|line| format!("  {}\n", line.trim_end())).collect();
        format!("{}\n{rows}\n  target     {target}\n", paint(BOLD, "goto"))
    }

    /// Returns a line of JSON.
    pub(super) fn to_json(&self) -> String {
        let row = |row: &[Fate<'_>]| json::list(row.iter().map(Fate::to_json));
        let object = Object::new().json("base", &row(&self.base)).json("reference", &row(&self.reference));
        let object = match &self.target {
            Ok(target) => object.text("target", target.as_str()),
            Err(error) => {
                let refusal = Refusal::from(*error);
                let error = Object::new().text("error", refusal.code().as_str());
                object.json("target", &error.text("message", &refusal.message()).finish())
            }
        };
        object.finish() + "\n"
    }
}

impl Fate<'_> {
    /// Returns the token as a cell; an empty value is shown as two quotes.
    fn cell(&self) -> String {
        let text = match self.token.text {
            "" => "''".to_owned(),
            text => Escaped(text.as_bytes()).to_string(),
        };
        if self.survives { text } else { paint(DIM, &format!("({text})")) }
    }

    fn to_json(&self) -> String {
        let object = Object::new().text("kind", self.token.kind.name()).text("text", self.token.text);
        object.json("survives", if self.survives { "true" } else { "false" }).finish()
    }
}

/// Returns the tokens of one type.
fn of_kind<'r, 'a>(row: &'r [Fate<'a>], kind: TokenKind) -> Vec<&'r Fate<'a>> {
    row.iter().filter(|fate| fate.token.kind == kind).collect()
}

/// Brings the lines to one width, with a gap of two.
fn pad(lines: &mut [String; 3]) {
    let width = |line: &String| anstream::adapter::strip_str(line).to_string().width();
    let widest = lines.iter().map(width).max().unwrap_or(0);
    for line in lines {
        *line += &" ".repeat(widest + 2 - width(line));
    }
}
