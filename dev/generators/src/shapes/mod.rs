//! Inputs of any length, in shapes that cost a careless reader more than their length: for the budget of
//! work.
//!
//! A shape repeats one thing as often as there is room: labels, escapes, parameters, sections. Work that
//! grows with the square of the input shows when the length is doubled. URLs are in `urls`, everything that
//! is read as a file in `files`.

mod files;
mod urls;

pub use files::{
    ARCHIVES, BODIES, CRAWLS, CSV_TABLES, FILTERS, HIDDEN_LISTS, JSON_TABLES, LINES, RULE_FILES,
    SUFFIX_LISTS, TRACKING_LISTS,
};
pub use urls::{LONG_LABELS, NESTED, URLS};

/// A family of texts of which there is one of every length.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What is repeated, in words.
    pub name: &'static str,
    /// What the text begins with.
    before: &'static str,
    filling: Filling,
    /// What the text ends with.
    after: &'static str,
}

/// What fills the length of a text.
#[derive(Clone, Copy, Debug)]
enum Filling {
    /// One text, again and again.
    Repeated(&'static str),
    /// One text with a number in the place of `{}`, which counts up, so that no two are equal.
    Numbered(&'static str),
    /// One text in the first half, another in the second.
    Halves(&'static str, &'static str),
    /// What a function makes of a length.
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

    /// Returns the text of this shape whose length is nearest below `length` bytes.
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

/// Repeats a text with numbers in the place of `{}`, as often as there is room.
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
