//! Inputs of any length, in shapes that cost a careless reader more than their length, for the budget of
//! work.
//!
//! A shape repeats one unit as often as it fits: labels, escapes, parameters, sections. Work that grows with
//! the square of the input shows when the length is doubled. URLs are in `urls`, and files in `files`.

mod files;
mod urls;

pub use files::{
    ARCHIVES, BODIES, CRAWLS, CSV_TABLES, FILTERS, HIDDEN_LISTS, JSON_TABLES, LINES, RULE_FILES,
    SUFFIX_LISTS, TRACKING_LISTS,
};
pub use urls::{LONG_LABELS, NESTED, URLS};

/// A family of texts, one for each length.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// A description of the repeated unit.
    pub name: &'static str,
    /// The prefix of the text.
    before: &'static str,
    filling: Filling,
    /// The suffix of the text.
    after: &'static str,
}

/// The content that fills the length of a text.
#[derive(Clone, Copy, Debug)]
enum Filling {
    /// One repeated text.
    Repeated(&'static str),
    /// One repeated text with a number in place of `{}`, which counts up, so that all are different.
    Numbered(&'static str),
    /// One text in the first half, and a second one in the second half.
    Halves(&'static str, &'static str),
    /// The result of a function of the length.
    Made(fn(usize) -> String),
}

impl Shape {
    const fn numbered(
        name: &'static str,
        before: &'static str,
        unit: &'static str,
        after: &'static str,
    ) -> Self {
        Self { name, before, filling: Filling::Numbered(unit), after }
    }

    const fn made(name: &'static str, make: fn(usize) -> String) -> Self {
        Self { name, before: "", filling: Filling::Made(make), after: "" }
    }

    /// Returns the longest text of this shape with at most `length` bytes, if its prefix and suffix fit.
    pub fn text(&self, length: usize) -> String {
        let room = length.saturating_sub(self.before.len() + self.after.len());
        let filling = match self.filling {
            Filling::Repeated(unit) => unit.repeat(room / unit.len()),
            Filling::Numbered(unit) => numbered(unit, room),
            Filling::Halves(first, second) => {
                let times = room / (first.len() + second.len());
                [first.repeat(times), second.repeat(times)].concat()
            }
            Filling::Made(make) => make(room),
        };
        [self.before, &filling, self.after].concat()
    }
}

/// A shape that repeats one text.
const fn shape(name: &'static str, before: &'static str, unit: &'static str, after: &'static str) -> Shape {
    Shape { name, before, filling: Filling::Repeated(unit), after }
}

/// Repeats a text with numbers in place of `{}`, as often as it fits.
fn numbered(unit: &str, room: usize) -> String {
    let mut text = String::with_capacity(room);
    for number in 0.. {
        let next = unit.replace("{}", &format!("{number:04}"));
        if text.len() + next.len() > room {
            break;
        }
        text.push_str(&next);
    }
    text
}
