//! Plans that together read what one plan does, for several readers.

use urlid::sxurl::Field;

use crate::other_keys::OtherKeys;
use crate::plan::{Plan, Route};
use crate::ranges::KeyRange;
use crate::row::Id;

impl Plan {
    /// Returns whether so many rows may be read that it is worth while to read them in parts.
    #[must_use]
    pub fn is_broad(&self) -> bool {
        match &self.route {
            Route::All | Route::Between(..) => true,
            // At most the header and the public suffix are known.
            Route::Ranges(_) => self.prefix_digits <= Field::Tld.hex_range().end,
            Route::Nothing | Route::Indexed(..) | Route::Skip { .. } => {
                matches!(self.other, Some(OtherKeys::All))
            }
        }
    }

    /// Returns whether every row is read.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!((&self.route, &self.other), (Route::All, None | Some(OtherKeys::All)))
    }

    /// Returns plans that together read the same rows in the same order: this one, cut at keys of the tables `url` and `other`, which
    /// ascend. A plan that uses an optional index or skips is not cut in `url`.
    #[must_use]
    pub fn cut(&self, ids: &[Id], hosts: &[String]) -> Vec<Self> {
        // A part of `url` reads nothing of `other`, and a part of `other` nothing of `url`: each row is in one plan.
        let part = |route, other| Self { route, other, ..self.clone() };
        let mut plans = Vec::new();
        match &self.route {
            Route::Nothing => {}
            Route::All => {
                plans.extend(between(ids).map(|(from, behind)| part(Route::Between(from, behind), None)));
            }
            Route::Ranges(ranges) => {
                for (from, behind) in between(ids) {
                    let ranges: Vec<_> = ranges
                        .iter()
                        .filter_map(|range| overlap(range, from.as_ref(), behind.as_ref()))
                        .collect();
                    if !ranges.is_empty() {
                        plans.push(part(Route::Ranges(ranges), None));
                    }
                }
            }
            whole @ (Route::Between(..) | Route::Indexed(..) | Route::Skip { .. }) => {
                plans.push(part(whole.clone(), None));
            }
        }
        match &self.other {
            None => {}
            Some(OtherKeys::All) => plans.extend(
                between(hosts)
                    .map(|(from, behind)| part(Route::Nothing, Some(OtherKeys::Between(from, behind)))),
            ),
            Some(whole) => plans.push(part(Route::Nothing, Some(whole.clone()))),
        }
        plans
    }
}

/// Returns the parts between keys, the first without a beginning and the last without an end.
fn between<K: Clone>(keys: &[K]) -> impl Iterator<Item = (Option<K>, Option<K>)> {
    let froms = std::iter::once(None).chain(keys.iter().cloned().map(Some));
    froms.zip(keys.iter().cloned().map(Some).chain([None]))
}

/// Returns the keys of a range that are in a part.
fn overlap(range: &KeyRange, from: Option<&Id>, behind: Option<&Id>) -> Option<KeyRange> {
    let start = from.map_or(*range.start(), |from| *range.start().max(from));
    let end = match behind {
        None => *range.end(),
        Some(behind) => *range.end().min(&before(behind)?),
    };
    (start <= end).then_some(start..=end)
}

/// Returns the greatest identifier before another, if there is one.
fn before(id: &Id) -> Option<Id> {
    let mut before = *id;
    // Subtracts one from a big-endian number: the borrow goes on through the zeros at its end.
    for byte in before.iter_mut().rev() {
        let (less, borrows) = byte.overflowing_sub(1);
        *byte = less;
        if !borrows {
            return Some(before);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(first: u8, last: u8) -> Id {
        let mut id = [0; 32];
        (id[0], id[31]) = (first, last);
        id
    }

    #[test]
    fn parts_of_a_range_are_all_of_it_and_do_not_overlap() {
        let range = id(2, 5)..=id(9, 0);
        for cuts in [
            vec![],
            vec![id(1, 0)],
            vec![id(2, 5)],
            vec![id(2, 6), id(5, 0), id(9, 0)],
            vec![id(9, 1), id(12, 0)],
        ] {
            let parts: Vec<KeyRange> = between(&cuts)
                .filter_map(|(from, behind)| overlap(&range, from.as_ref(), behind.as_ref()))
                .collect();
            assert_eq!(parts.first().map(KeyRange::start), Some(range.start()), "{cuts:?}");
            assert_eq!(parts.last().map(KeyRange::end), Some(range.end()), "{cuts:?}");
            for pair in parts.windows(2) {
                assert_eq!(before(pair[1].start()), Some(*pair[0].end()), "{cuts:?}");
                assert!(cuts.contains(pair[1].start()));
            }
        }
        assert_eq!(
            (before(&id(0, 0)), before(&id(1, 0))),
            (
                None,
                Some({
                    let mut id = [0xff; 32];
                    id[0] = 0;
                    id
                })
            )
        );
    }
}
