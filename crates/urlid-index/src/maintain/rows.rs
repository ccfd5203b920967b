//! The check of a row by itself, and of its place after the row before it in a batch.

use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid_plan::{OtherUrl, Table, Value, host_key, rewrite};

use super::finding::{Finding, RowNumber};
use crate::id::Ids;
use crate::query::batches::Batch;

/// What rows are checked by.
#[derive(Clone, Copy)]
pub(super) struct Rows<'l> {
    pub(super) list: &'l SuffixList,
    pub(super) ids: Ids,
}

impl Rows<'_> {
    /// Returns the findings in a batch, in the order of its rows.
    pub(super) fn check(self, batch: &Batch) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut last: Option<(&[u8], &[u8])> = None;
        for (index, [key, text]) in batch.rows().enumerate() {
            let row = number_of(batch, index);
            findings.extend(match batch.table() {
                Table::Url => self.url_row(row, key, text),
                Table::Other => self.other_row(row, key, text),
            });
            if let Some(place) = place_of([key, text]) {
                if last.is_some_and(|last| place <= last) {
                    findings.push(Finding::Order { row });
                }
                last = Some(place);
            }
        }
        findings
    }

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

/// Returns the number of a row of a batch.
pub(super) fn number_of(batch: &Batch, index: usize) -> RowNumber {
    let number = batch.before() + index as u64 + 1;
    match batch.table() {
        Table::Url => RowNumber::Url(number),
        Table::Other => RowNumber::Other(number),
    }
}

/// Returns what rows are sorted by, unless it is of a type that no loader writes.
pub(super) fn place_of<'v>([key, text]: [Value<'v>; 2]) -> Option<(&'v [u8], &'v [u8])> {
    match (key, text) {
        (Value::Blob(key) | Value::Text(key), Value::Text(text)) => Some((key, text)),
        _ => None,
    }
}
