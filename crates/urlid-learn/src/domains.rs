//! The captures of one registered domain, from sorted lines. A very large domain is sampled in a way that
//! keeps contexts whole.

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
    /// The sample keeps one of `2^halvings` lines.
    halvings: u32,
    /// The field with the values that decide which lines are kept.
    field: Option<String>,
}

impl DomainLines {
    /// Makes an empty sample with room for `most` lines.
    #[must_use]
    pub fn new(most: usize) -> Self {
        DomainLines { most: most.max(1), ..DomainLines::default() }
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns whether a line has the domain of the earlier lines.
    #[must_use]
    pub fn has_domain_of(&self, line: &str) -> bool {
        let domain = |line: &str| line.find('\t').map(|end| end + 1);
        self.is_empty() || domain(line).is_some_and(|end| self.text.starts_with(&line[..end]))
    }

    /// Adds a line. If there is no room, half of the lines are removed. Lines are kept or removed by their
    /// path and by their value of the field with the most values, so URLs that differ in anything else stay
    /// together.
    pub fn push(&mut self, line: &str) {
        if !self.is_kept(line) {
            return;
        }
        self.text.push_str(line);
        self.ends.push(self.text.len());
        // After 64 halvings every bit of the hash is used, and only lines that must stay together are left.
        while self.ends.len() > self.most && self.halvings < 64 {
            self.halve();
        }
    }

    /// Returns the kept captures, in their original order.
    #[must_use]
    pub fn captures(&self) -> Vec<Capture<'_>> {
        self.lines().filter_map(Capture::read).collect()
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end])
    }

    fn is_kept(&self, line: &str) -> bool {
        // The highest bits decide, so that each halving keeps a part of the lines of the previous one.
        self.halvings == 0 || self.run_of(line) >> (64 - self.halvings) == 0
    }

    /// Removes about half of the lines, and halves the rate at which new lines are kept.
    ///
    /// Evidence comes from contexts, which are URLs with a single difference. A random half of the lines
    /// would break up most contexts. Lines are therefore kept by `run_of`, a hash of the path and of the
    /// value of one field, and URLs that differ in anything else share this hash. The field is the one with
    /// the most values, because all pages of a domain may have the same path and differ only in an `id`. A
    /// field with few values could not divide them.
    fn halve(&mut self) {
        // The field is chosen once. With a different field, lines would be kept that earlier halvings
        // removed.
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

    /// Returns the hash that decides whether a line is kept. It covers the path, without the parts that rules
    /// may change, and the value of the field.
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
