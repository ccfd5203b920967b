//! The check of a row by itself, and of its place after the row before it.

use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid_plan::{OtherUrl, Table, Value, host_key, rewrite};

use super::finding::{Finding, RowNumber};
use crate::id::Ids;

/// What rows are checked by.
#[derive(Clone, Copy)]
pub(super) struct Rows<'l> {
    pub(super) list: &'l SuffixList,
    pub(super) ids: Ids,
}

/// What was seen of the rows of a part, in each of the two tables.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) of: [OfTable; 2],
    /// In the order of the rows, which are numbered from 1 on in this part.
    pub(super) findings: Vec<Finding>,
}

/// The rows of a table in a part.
#[derive(Default)]
pub(super) struct OfTable {
    pub(super) rows: u64,
    /// The first place, and the number of its row.
    pub(super) first: Option<(u64, Place)>,
    pub(super) last: Option<Place>,
}

/// What rows are sorted by: key and text.
pub(super) type Place = (Vec<u8>, Vec<u8>);

impl Checked {
    /// Checks a row by itself, and that it comes after the one before it.
    pub(super) fn row(&mut self, rows: Rows<'_>, table: Table, [key, text]: [Value<'_>; 2]) {
        let of = &mut self.of[table as usize];
        of.rows += 1;
        let row = number(table, of.rows);
        self.findings.extend(match table {
            Table::Url => rows.url_row(row, key, text),
            Table::Other => rows.other_row(row, key, text),
        });
        let Some((key, text)) = place_of([key, text]) else { return };
        match &mut of.last {
            Some(last) => {
                if (key, text) <= (last.0.as_slice(), last.1.as_slice()) {
                    self.findings.push(Finding::Order { row });
                }
                // Buffers are used again.
                last.0.clear();
                last.0.extend_from_slice(key);
                last.1.clear();
                last.1.extend_from_slice(text);
            }
            None => {
                let place = (key.to_vec(), text.to_vec());
                of.first = Some((of.rows, place.clone()));
                of.last = Some(place);
            }
        }
    }
}

impl Rows<'_> {
    fn url_row(self, row: RowNumber, key: Value<'_>, text: Value<'_>) -> Option<Finding> {
        let Some(id) = key.as_id() else { return Some(Finding::Key { row }) };
        let Some(url) = text.as_str() else { return Some(Finding::Text { row }) };
        let components = match Components::parse(url, self.list) {
            Ok(components) => components,
            Err(source) => return Some(Finding::Url { row, url: url.to_owned(), source }),
        };
        if components.to_normal_text() != url {
            return Some(Finding::NotNormal { row, url: url.to_owned() });
        }
        let is_own = self.ids.of(&components) == *id;
        (!is_own).then(|| Finding::Id { row, url: url.to_owned() })
    }

    fn other_row(self, row: RowNumber, key: Value<'_>, text: Value<'_>) -> Option<Finding> {
        let (Some(key), Some(url)) = (key.as_str(), text.as_str()) else {
            return Some(Finding::Text { row });
        };
        let owned = || url.to_owned();
        let rewritten = match rewrite(url) {
            Ok(rewritten) => rewritten,
            Err(source) => return Some(Finding::OtherUrl { row, url: owned(), source }),
        };
        if rewritten.text != url {
            return Some(Finding::NotNormal { row, url: owned() });
        }
        if Components::parse(url, self.list).is_ok() {
            return Some(Finding::OtherTable { row, url: owned() });
        }
        let is_own = OtherUrl::parse(url, self.list).is_some_and(|url| host_key(url.host) == key);
        (!is_own).then(|| Finding::Id { row, url: owned() })
    }
}

/// Returns the number of a row of a table.
pub(super) fn number(table: Table, row: u64) -> RowNumber {
    match table {
        Table::Url => RowNumber::Url(row),
        Table::Other => RowNumber::Other(row),
    }
}

/// Returns what rows are sorted by, unless it is of a type that no loader writes.
fn place_of<'v>([key, text]: [Value<'v>; 2]) -> Option<(&'v [u8], &'v [u8])> {
    match (key, text) {
        (Value::Blob(key) | Value::Text(key), Value::Text(text)) => Some((key, text)),
        _ => None,
    }
}
