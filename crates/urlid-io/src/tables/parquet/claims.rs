//! The claims of a footer, an index of pages or the header of a filter, field by field.
//!
//! Every field is as it is in the file: the `parquet` crate skips some that other readers use, such as the
//! paths of columns.

use super::shapes::FOOTER;
use super::thrift::{Seen, Shape, walk};

/// The values of a structure that are read, in its order, each with the path of its field.
#[derive(Debug, Default)]
pub(super) struct Fields<'b>(Vec<(Vec<i16>, Seen<'b>)>);

impl<'b> Fields<'b> {
    /// Reads a structure, and returns its length too.
    pub(super) fn read(bytes: &'b [u8], fields: &'static [(i16, Shape)]) -> Result<(Self, usize), String> {
        let mut found = Self::default();
        let len = walk(bytes, fields, &mut |path, seen| found.push(path, seen))?;
        Ok((found, len))
    }

    fn push(&mut self, path: &[i16], seen: Seen<'b>) {
        self.0.push((path.to_vec(), seen));
    }

    /// Returns the values of a field; of a list, `path` ends in 0 for its elements.
    fn all(&self, path: &[i16]) -> impl Iterator<Item = Seen<'b>> {
        self.0.iter().filter(move |(found, _)| found == path).map(|(_, seen)| *seen)
    }

    /// Returns whether a structure is there.
    pub(super) fn has(&self, path: &[i16]) -> bool {
        self.all(path).next().is_some()
    }

    /// Returns all numbers of a field; truth values are 0 or 1.
    pub(super) fn numbers(&self, path: &[i16]) -> Vec<i64> {
        let number = |seen| match seen {
            Seen::Integer(number) => Some(number),
            Seen::Bool(is_true) => Some(i64::from(is_true)),
            _ => None,
        };
        self.all(path).filter_map(number).collect()
    }

    /// Returns the number of a field.
    pub(super) fn number(&self, path: &[i16]) -> Option<i64> {
        self.numbers(path).first().copied()
    }

    /// Returns all texts of a field.
    pub(super) fn texts(&self, path: &[i16]) -> Vec<&'b [u8]> {
        let text = |seen| if let Seen::Binary(bytes) = seen { Some(bytes) } else { None };
        self.all(path).filter_map(text).collect()
    }

    /// Returns the text of a field.
    pub(super) fn text(&self, path: &[i16]) -> Option<&'b [u8]> {
        self.texts(path).first().copied()
    }
}

/// A row group: its own fields, and those of its columns.
#[derive(Debug, Default)]
pub(super) struct GroupClaims<'b> {
    pub(super) own: Fields<'b>,
    pub(super) columns: Vec<Fields<'b>>,
}

/// The claims of a footer about its file.
#[derive(Debug, Default)]
pub(super) struct FooterClaims<'b> {
    pub(super) groups: Vec<GroupClaims<'b>>,
    /// The number of columns whose order is named, and of those whose order is that of their type.
    pub(super) orders: usize,
    pub(super) typed_orders: usize,
}

impl<'b> FooterClaims<'b> {
    /// Reads the bytes of a footer.
    pub(super) fn read(footer: &'b [u8]) -> Result<Self, String> {
        let (mut claims, mut group, mut column) =
            (Self::default(), GroupClaims::default(), Fields::default());
        // Field 4 has the row groups, 1 in each its columns; 7 has the orders of columns, of which 1 is that
        // of the type.
        walk(footer, FOOTER, &mut |path, seen| match (path, seen) {
            ([4, 0, 1, 0], Seen::End) => group.columns.push(std::mem::take(&mut column)),
            ([4, 0, 1, 0, rest @ ..], seen) => column.push(rest, seen),
            ([4, 0], Seen::End) => claims.groups.push(std::mem::take(&mut group)),
            ([4, 0, rest @ ..], seen) => group.own.push(rest, seen),
            ([7, 0], Seen::End) => claims.orders += 1,
            ([7, 0, 1], Seen::End) => claims.typed_orders += 1,
            _ => {}
        })?;
        Ok(claims)
    }
}
