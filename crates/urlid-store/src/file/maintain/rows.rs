//! The check of a row by itself, and of its place after the row before it.

use crate::question::{OtherUrl, Table, Value, host_key, rewrite};
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;

use super::finding::{Finding, RowNumber};
use crate::file::row::Ids;

/// Checks the rows of both tables, which come in the order of their tables.
pub(super) struct Rows<'l> {
    list: &'l SuffixList,
    ids: Ids,
    /// The number of rows read from `url` and from `other`.
    pub(super) counted: [u64; 2],
    /// Key and text of the last row of each table.
    last: [Option<(Vec<u8>, Vec<u8>)>; 2],
}

impl<'l> Rows<'l> {
    pub(super) fn new(list: &'l SuffixList, ids: Ids) -> Self {
        Self { list, ids, counted: [0; 2], last: [None, None] }
    }

    /// Checks a row by itself, and that it comes after the one before it: SQLite returns rows in the order of
    /// the tree, which damage can break.
    pub(super) fn check(
        &mut self,
        table: Table,
        [key, text]: [Value<'_>; 2],
        found: &mut dyn FnMut(Finding),
    ) {
        let counted = &mut self.counted[table as usize];
        *counted += 1;
        let row = match table {
            Table::Url => RowNumber::Url(*counted),
            Table::Other => RowNumber::Other(*counted),
        };
        let finding = match table {
            Table::Url => self.url_row(row, key, text),
            Table::Other => self.other_row(row, key, text),
        };
        finding.into_iter().for_each(&mut *found);
        // A row of types that no loader writes has no place in the order.
        let (Value::Blob(key) | Value::Text(key), Value::Text(text)) = (key, text) else { return };
        match &mut self.last[table as usize] {
            Some((last_key, last_text)) => {
                if (key, text) <= (last_key.as_slice(), last_text.as_slice()) {
                    found(Finding::Order { row });
                }
                // `clone_into` reuses the buffers, because this is done for every row.
                key.clone_into(last_key);
                text.clone_into(last_text);
            }
            last @ None => *last = Some((key.to_vec(), text.to_vec())),
        }
    }

    fn url_row(&self, row: RowNumber, key: Value<'_>, text: Value<'_>) -> Option<Finding> {
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

    fn other_row(&self, row: RowNumber, key: Value<'_>, text: Value<'_>) -> Option<Finding> {
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
