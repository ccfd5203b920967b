//! Prints tables as Rust.

use std::fmt::Write as _;

use super::facts::{END, Mapping};

/// Generated source.
pub(super) struct Source(pub(super) String);

impl Source {
    /// Adds an array, with as many items on a line as fit.
    pub(super) fn array(&mut self, about: &str, name: &str, item: &str, items: &[String]) {
        self.line(&format!(
            "\n/// {about}\n#[rustfmt::skip]\npub(super) static {name}: [{item}; {}] = [",
            items.len()
        ));
        let mut width = 0;
        for item in items {
            if width + item.len() > 120 {
                self.0.push('\n');
                width = 0;
            }
            self.0.push_str(item);
            self.0.push(',');
            width += item.len() + 1;
        }
        self.line("\n];");
    }

    /// Adds a property by ranges, as the start of each range, shifted by 8 bits, and the index of its value
    /// among `values`. Omitted code points can have any value.
    pub(super) fn ranges<'v>(
        &mut self,
        about: &str,
        name: &str,
        values: &[&str],
        of: impl Iterator<Item = (u32, &'v str)>,
    ) -> Result<(), String> {
        let mut items = Vec::new();
        let mut last = None;
        // Surrogates are not a `char` and are never looked up, so ranges include them.
        for (code, value) in of.filter(|(code, _)| char::from_u32(*code).is_some()) {
            let place = values.iter().position(|other| *other == value);
            let place = place.ok_or_else(|| format!("{name}: {value:?} is not a value"))?;
            if last != Some(place) {
                items.push(format!("{:#x}", if last.is_none() { 0 } else { code } << 8 | place as u32));
                last = Some(place);
            }
        }
        self.array(about, name, "u32", &items);
        Ok(())
    }

    /// Adds ranges of code points by their first and last ones, with a value if they have one, which is a
    /// variant of `kind`.
    pub(super) fn spans<'v>(
        &mut self,
        about: &str,
        name: &str,
        kind: &str,
        of: impl Iterator<Item = (u32, &'v str)>,
    ) {
        let mut spans: Vec<(u32, u32, &str)> = Vec::new();
        for (code, value) in of {
            match spans.last_mut() {
                Some((_, last, other)) if *last + 1 == code && *other == value => *last = code,
                _ => spans.push((code, code, value)),
            }
        }
        let value = |value: &str| if kind.is_empty() { String::new() } else { format!(",{kind}::{value}") };
        let span = |(first, last, of): &(u32, u32, &str)| {
            format!("({},{}{})", character(*first), character(*last), value(of))
        };
        let item = if kind.is_empty() { "(char, char)".to_owned() } else { format!("(char, char, {kind})") };
        self.array(about, name, &item, &spans.iter().map(span).collect::<Vec<_>>());
    }

    /// Adds a mapping to single code points, as runs of code points with equal distances from each other and
    /// from their targets.
    pub(super) fn runs(&mut self, about: &str, name: &str, of: &Mapping) {
        let mut runs: Vec<MappedRange> = Vec::new();
        for (&code, text) in of {
            let target = text.chars().next().map_or(0, u32::from);
            let delta = i64::from(target) - i64::from(code);
            match runs.last_mut() {
                Some(run) if run.takes(code, delta) => {
                    run.step = code - run.last();
                    run.count += 1;
                }
                _ => runs.push(MappedRange { start: code, count: 1, step: 1, delta }),
            }
        }
        let items: Vec<String> = runs.iter().map(MappedRange::to_rust).collect();
        self.array(about, name, "MappedRange", &items);
    }

    /// Adds a mapping to texts, each with a number with further information, and returns its code points in
    /// order.
    pub(super) fn texts(&mut self, about: &str, name: &str, of: &[(u32, u8, &str)]) {
        let (mut ranges, mut offsets, mut pool) = (Vec::new(), Vec::new(), String::new());
        let mut next = None;
        for (index, (code, kind, text)) in of.iter().enumerate() {
            if next != Some((*code, *kind)) {
                ranges.push(format!("({:#x},{index})", code << 8 | u32::from(*kind)));
            }
            next = Some((code + 1, *kind));
            offsets.push(pool.len().to_string());
            pool.push_str(text);
        }
        // One more of each, so that every range and every text ends at the start of the next.
        ranges.push(format!("({:#x},{})", END << 8, of.len()));
        offsets.push(pool.len().to_string());
        self.array(&format!("{about}: ranges."), &format!("{name}_RANGES"), "(u32, u16)", &ranges);
        self.array(&format!("{about}: offsets into the text."), &format!("{name}_OFFSETS"), "u16", &offsets);
        let table =
            format!("Texts {{ ranges: &{name}_RANGES, offsets: &{name}_OFFSETS, text: {name}_TEXT }}");
        self.line(&format!("\n/// {about}.\n#[rustfmt::skip]\npub(super) static {name}: Texts = {table};"));
        self.line(&format!("\n#[rustfmt::skip]\nstatic {name}_TEXT: &str = \"{}\";", wrapped(&pool)));
    }

    pub(super) fn line(&mut self, line: &str) {
        writeln!(self.0, "{line}").expect("a String takes any text");
    }
}

/// Returns the literal of a code point, which is the literal of a `char`.
pub(super) fn character(code: impl Into<u32>) -> String {
    format!("'\\u{{{:x}}}'", code.into())
}

/// Escapes a text, and breaks it into lines.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for character in text.chars() {
        let escaped = match character {
            ' ' => "\\x20".to_owned(),
            '"' | '\\' => format!("\\{character}"),
            '!'..='~' => character.to_string(),
            _ => character.escape_unicode().to_string(),
        };
        if width + escaped.len() > 120 {
            out.push_str("\\\n");
            width = 0;
        }
        width += escaped.len();
        out.push_str(&escaped);
    }
    out
}

/// Code points `start`, `start + step` and so on, each mapped to the code point at distance `delta`.
struct MappedRange {
    start: u32,
    count: u32,
    step: u32,
    delta: i64,
}

impl MappedRange {
    fn last(&self) -> u32 {
        self.start + (self.count - 1) * self.step
    }

    fn takes(&self, code: u32, delta: i64) -> bool {
        // In many blocks upper and lower case alternate, so that every second code point is mapped.
        let gap = code - self.last();
        delta == self.delta && gap <= 2 && (self.count == 1 || gap == self.step)
    }

    fn to_rust(&self) -> String {
        format!("run({:#x},{},{},{})", self.start, self.count, self.step, self.delta)
    }
}
