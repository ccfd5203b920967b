//! Rows in memory: identifiers and texts, sorted as the table is.
//!
//! One buffer for all texts and one entry a row, so that a batch is two allocations however many rows it has. Knows no file.

use crate::ids::Id;

/// The bytes that an entry takes beside its text.
pub(crate) const ENTRY_LEN: usize = size_of::<Entry>();

#[derive(Clone, Copy, Debug)]
struct Entry {
    id: Id,
    start: u32,
    len: u32,
}

/// A batch of rows.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    entries: Vec<Entry>,
    text: String,
}

impl Rows {
    /// Adds a row.
    ///
    /// # Panics
    /// When the texts together pass 4 GiB, which `bytes` lets the caller see coming.
    pub(crate) fn push(&mut self, id: Id, url: &str) {
        let start = u32::try_from(self.text.len()).expect("batches are handed on long before 4 GiB");
        let len = u32::try_from(url.len()).expect("lines are capped long before 4 GiB");
        self.entries.push(Entry { id, start, len });
        self.text.push_str(url);
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the bytes that the rows take.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * ENTRY_LEN + self.text.len()
    }

    /// Forgets the rows and keeps the buffers.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.text.clear();
    }

    /// Sorts by identifier, then text, and drops rows that are there twice.
    pub(crate) fn sort(&mut self) {
        let Self { entries, text } = self;
        entries.sort_unstable_by(|a, b| {
            a.id.cmp(&b.id).then_with(|| text_of(text, a).as_bytes().cmp(text_of(text, b).as_bytes()))
        });
        entries.dedup_by(|a, b| a.id == b.id && text_of(text, a) == text_of(text, b));
    }

    /// Returns the row numbers in the order of the rows' keys; equal rows stay in the order they came.
    pub(crate) fn order(&self) -> Vec<u32> {
        let count = u32::try_from(self.entries.len()).expect("batches are handed on long before 4 G rows");
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_unstable_by(|&a, &b| self.get(a).cmp(&self.get(b)).then(a.cmp(&b)));
        order
    }

    /// Returns one row by its number.
    pub(crate) fn get(&self, row: u32) -> (&Id, &str) {
        let entry = &self.entries[row as usize];
        (&entry.id, text_of(&self.text, entry))
    }

    /// Iterates over the rows in their present order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Id, &str)> {
        self.entries.iter().map(|entry| (&entry.id, text_of(&self.text, entry)))
    }
}

fn text_of<'t>(text: &'t str, entry: &Entry) -> &'t str {
    let start = entry.start as usize;
    &text[start..start + entry.len as usize]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorting_is_that_of_an_ordered_set(rows in prop::collection::vec((0_u8..4, "[ab]{0,3}"), 0..40)) {
            let mut batch = Rows::default();
            let mut set = std::collections::BTreeSet::new();
            for (first, url) in &rows {
                let id = { let mut id = [7; 32]; id[31] = *first; id };
                batch.push(id, url);
                set.insert((id, url.clone()));
            }
            batch.sort();
            let sorted: Vec<_> = batch.iter().map(|(id, url)| (*id, url.to_owned())).collect();
            prop_assert_eq!(sorted, set.into_iter().collect::<Vec<_>>());
        }
    }
}
