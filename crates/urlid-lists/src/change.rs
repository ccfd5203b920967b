//! The change of one group of digests, between two lists or when a delta is applied.

use core::cmp::Ordering;

use super::digests::{Bytes, Digests};

/// The digests of a group that go, as their ranks in the old list, and those that come, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    /// How many digests the old list has in the group.
    pub(super) before: u64,
    /// Ascending.
    pub(super) removed: Vec<u64>,
    /// Ascending records.
    pub(super) added: Vec<u8>,
}

impl Change {
    /// Compares a group of two lists, each of which may lack it.
    pub(super) fn between(old: Option<&Digests>, new: Option<&Digests>) -> Self {
        let mut change = Self { before: old.map_or(0, Digests::len), ..Self::default() };
        let (mut old, mut new) = (old.map(Digests::cursor), new.map(Digests::cursor));
        let mut rank = 0;
        let mut next_old = old.as_mut().and_then(|old| old.advance());
        let mut next_new = new.as_mut().and_then(|new| new.advance());
        loop {
            // A merge of two ascending sequences: what only the old one has goes, what only the new one has
            // comes.
            let order = match (&next_old, &next_new) {
                (Some(old), Some(new)) => old.cmp(new),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return change,
            };
            match (order, &next_new) {
                (Ordering::Less, _) => change.removed.push(rank),
                (Ordering::Greater, Some(digest)) => change.added.extend_from_slice(digest.as_bytes()),
                _ => {}
            }
            if order != Ordering::Greater {
                rank += 1;
                next_old = old.as_mut().and_then(|old| old.advance());
            }
            if order != Ordering::Less {
                next_new = new.as_mut().and_then(|new| new.advance());
            }
        }
    }

    /// Returns the digests of a group after the change, one after the other; nothing if it does not fit the
    /// group.
    pub(super) fn apply(&self, old: Option<&Digests>, width: usize) -> Option<Vec<u8>> {
        let is_of_width = |digests: &Digests| digests.width() == Some(width) && digests.len() == self.before;
        if !old.map_or(self.before == 0, is_of_width) {
            return None;
        }
        // A hostile delta may remove more than there is. All sizes below are those of data in memory.
        let left = (self.before as usize).checked_sub(self.removed.len())?;
        let mut records = Vec::with_capacity(left * width + self.added.len());
        let mut added = self.added.chunks_exact(width).peekable();
        let mut removed = self.removed.iter().copied().peekable();
        let mut cursor = old.map(Digests::cursor);
        // The same merge the other way round. It needs no sort, and what it makes ascends if what is added
        // does.
        for rank in 0..self.before {
            let digest: Bytes<'_> = cursor.as_mut()?.advance()?;
            while let Some(record) = added.next_if(|record| *record < digest.as_bytes()) {
                records.extend_from_slice(record);
            }
            let is_removed = removed.next_if_eq(&rank).is_some();
            // A digest that stays is not added again, and one that goes does not come back.
            if added.peek() == Some(&digest.as_bytes()) {
                return None;
            }
            if !is_removed {
                records.extend_from_slice(digest.as_bytes());
            }
        }
        added.for_each(|record| records.extend_from_slice(record));
        Some(records)
    }
}
