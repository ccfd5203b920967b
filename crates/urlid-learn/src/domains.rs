//! The captures of one registered domain, from sorted lines; of a very large one a part that keeps contexts
//! whole.

use std::collections::{HashMap, HashSet};

use crate::capture::Capture;
use crate::hash;
use crate::parts::{Parts, decoded};

/// Lines of one registered domain, in order.
#[derive(Debug, Default)]
pub struct DomainLines {
    text: String,
    /// The end of each line in the text.
    ends: Vec<usize>,
    /// The most lines that are kept.
    most: usize,
    /// Of `2^halvings` lines one is kept.
    halvings: u32,
    /// The field by whose value lines are kept.
    field: Option<String>,
}

impl DomainLines {
    /// Begins with room for this many lines.
    #[must_use]
    pub fn new(most: usize) -> Self {
        DomainLines { most: most.max(1), ..DomainLines::default() }
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns whether a line is of the same domain as those before it.
    #[must_use]
    pub fn has_domain_of(&self, line: &str) -> bool {
        let domain = |line: &str| line.find('\t').map(|end| end + 1);
        self.is_empty() || domain(line).is_some_and(|end| self.text.starts_with(&line[..end]))
    }

    /// Adds a line. Where there is no room, half of the lines are removed: those of paths and of values of
    /// the field with the most values, so that URLs that differ in something else stay together, or go
    /// together.
    pub fn push(&mut self, line: &str) {
        if !self.is_kept(line) {
            return;
        }
        self.text.push_str(line);
        self.ends.push(self.text.len());
        // After 64 halvings no bit of the hash is left, and only lines that must stay together are there.
        while self.ends.len() > self.most && self.halvings < 64 {
            self.halve();
        }
    }

    /// Returns the captures that were kept, in the order in which they came.
    #[must_use]
    pub fn captures(&self) -> Vec<Capture<'_>> {
        self.lines().filter_map(Capture::read).collect()
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end])
    }

    fn is_kept(&self, line: &str) -> bool {
        // The highest bits decide, so that each halving keeps a half of the lines that the one before kept.
        self.halvings == 0 || self.run_of(line) >> (64 - self.halvings) == 0
    }

    fn halve(&mut self) {
        // Chosen once: by another field, lines would be kept that earlier halvings have removed.
        if self.field.is_none() {
            self.field = self.field_with_most_values();
        }
        self.halvings += 1;
        let kept: Vec<&str> = self.lines().filter(|line| self.is_kept(line)).collect();
        let (mut text, mut ends) = (String::with_capacity(self.text.len() / 2), Vec::new());
        for line in kept {
            text.push_str(line);
            ends.push(text.len());
        }
        (self.text, self.ends) = (text, ends);
    }

    fn field_with_most_values(&self) -> Option<String> {
        let mut values: HashMap<String, HashSet<u64>> = HashMap::new();
        for capture in self.lines().filter_map(Capture::read) {
            for field in Parts::parse(capture.url).map(|parts| parts.fields).unwrap_or_default() {
                let value = hash::hash(field.value.unwrap_or_default().as_bytes());
                values.entry(decoded(field.name).into_owned()).or_default().insert(value);
            }
        }
        // Ties are decided by name, because the order of a `HashMap` is random.
        let most = values.into_iter().max_by(|(one, of_one), (other, of_other)| {
            of_one.len().cmp(&of_other.len()).then_with(|| other.cmp(one))
        });
        most.map(|(name, _)| name)
    }

    /// Returns the hash that decides whether a line is kept: of the path without the parts that rules may
    /// change, and of the value of the field.
    fn run_of(&self, line: &str) -> u64 {
        let capture = Capture::read(line);
        let Some(parts) = capture.and_then(|capture| Parts::parse(capture.url)) else { return 0 };
        let path = parts.path.to_ascii_lowercase();
        let path = path.split(';').next().unwrap_or_default();
        let path =
            if parts.file().starts_with("index.") { &path[..path.rfind('/').unwrap_or(0)] } else { path };
        let value = parts.fields.iter().find(|field| self.field.as_deref() == Some(&*decoded(field.name)));
        let value = value.map_or(0, |field| hash::hash(field.value.unwrap_or_default().as_bytes()));
        hash::then(hash::hash(path.trim_end_matches('/').as_bytes()), value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_lines_whole_runs_are_kept() {
        let mut lines = DomainLines::new(100);
        for id in 0..400 {
            for sid in 0..3 {
                lines.push(&format!(
                    "a.example\ta.example\thttp://a.example/?id={id:03}&sid={sid}\t\t{:016x}p",
                    1000 + id
                ));
            }
        }
        assert!((30..=100).contains(&lines.len()), "{}", lines.len());
        let captures = lines.captures();
        let runs = captures.chunk_by(|one, other| one.url[..28] == other.url[..28]);
        assert!(runs.clone().count() > 10 && runs.into_iter().all(|run| run.len() == 3));
    }
}
