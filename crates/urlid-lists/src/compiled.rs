//! The compiled form of a list, which is read as a whole, verified by its own digest and ready for look-ups.
//!
//! Its sections are the text of the header, the text of entries by unknown algorithms, a table with a row for
//! each group, and the digests of the groups, each a block of `elias_fano`.

use core::ops::Range;
use std::io;
use std::sync::Arc;

use super::container::{Container, ContainerWriter, FileKind};
use super::digests::Digests;
use super::elias_fano::Shape;
use super::header::HeaderForm;
use super::kind::Store;
use super::reader::ListReader;
use super::value::{EntryGroup, HiddenList};
use crate::error;
use urlid::hashed_uri::{Algorithm, Keep};
use urlid::{Error, ErrorCode};

/// The size of a row of the group table: name of the algorithm, flags, number of digests.
pub(super) const ROW: usize = 32;
const NAME: usize = 16;

impl HiddenList {
    /// Writes the compiled form. Equal lists give equal bytes.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write_compiled(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.container().write(out)
    }

    /// Returns the SHA-256 at the end of the compiled form, by which deltas name the list.
    pub fn checksum(&self) -> [u8; 32] {
        self.container().checksum()
    }

    fn container(&self) -> ContainerWriter<'_> {
        ContainerWriter::new(FileKind::List, 0)
            .section(self.header.compiled_text().into_bytes())
            .section(self.unknown_text().into_bytes())
            .section(group_table(&self.groups))
            .joined(self.groups.iter().map(|group| group.digests.block().into()))
    }

    /// Returns the entries by unknown algorithms, a line each.
    pub(super) fn unknown_text(&self) -> String {
        self.unknown.iter().map(|uri| format!("{uri}\n")).collect()
    }

    /// Reads the compiled form, whose bytes the list keeps unchanged.
    ///
    /// # Errors
    /// [`Error`] if the bytes are not a compiled list, are damaged, or contradict themselves.
    pub fn from_compiled(bytes: Vec<u8>) -> Result<Self, Error> {
        let container = Container::<4>::open(FileKind::List, &bytes)?;
        let [header, unknown, table, blocks] = container.sections;
        let mut list = read_head(HeaderForm::Compiled, &bytes[header], &bytes[unknown])?;
        // Sets of digests share the bytes of the file, so the table is copied before they are moved.
        let rows = bytes[table].to_vec();
        let bytes = Arc::new(bytes);
        let (mut start, content) = (blocks.start, blocks.end);
        let (rows, rest) = rows.as_chunks::<ROW>();
        for row in rows {
            let (algorithm, keep, count) = read_row(row)?;
            let length = algorithm.digest_length().ok_or_else(|| error::TABLE.error())?;
            let (digests, end) = read_block(&bytes, start..content, count, length, list.header.store)?;
            list.groups.push(EntryGroup { algorithm, keep, digests });
            start = end;
        }
        check_agreement(&list, start == content && rest.is_empty())?;
        Ok(list)
    }
}

/// Reads the block at the start of a range, which has this number of digests of this length. Returns the end
/// of the block.
pub(super) fn read_block(
    bytes: &Arc<Vec<u8>>,
    range: Range<usize>,
    count: u64,
    length: usize,
    store: Store,
) -> Result<(Digests, usize), Error> {
    let width = store.width(length);
    // A list is written without empty groups, so one with such a row would have two forms.
    if count == 0 {
        return Err(error::ORDER.error());
    }
    let shape = Shape::new(count, width as u32 * 8).ok_or_else(|| error::TABLE.error())?;
    if shape.bytes() > range.len() as u64 {
        return Err(error::TABLE.error());
    }
    let end = range.start + shape.bytes() as usize;
    let digests = Digests::new(Arc::clone(bytes), range.start..end, count, width);
    Ok((digests.ok_or_else(|| error::ORDER.error())?, end))
}

/// Reads the header and the unknown entries. The count is checked later.
pub(super) fn read_head(form: HeaderForm, header: &[u8], unknown: &[u8]) -> Result<HiddenList, Error> {
    let text = |bytes| str::from_utf8(bytes).map_err(|_| error::TEXT.error());
    let mut reader = ListReader::of_form(form);
    // The header and the unknown entries are a text form without digests, so its reader reads them.
    for line in text(header)?.lines().chain(text(unknown)?.lines()) {
        reader.line(line).map_err(|error| match error.code() {
            ErrorCode::ListLine => error::TEXT.error(),
            _ => error,
        })?;
    }
    let body = reader.into_body()?;
    // `sort` counts the entries read so far. The stated count includes the digests of the blocks and is
    // compared with them later.
    let stated = body.header.count;
    let mut list = HiddenList::sort(body.header, body.digests, body.unknown);
    list.header.count = stated;
    // A section of unknown entries is foreign if it contains known entries or differs from the text that
    // would be written.
    let is_as_written = list.groups.is_empty()
        && list.header.compiled_text().as_bytes() == header
        && list.unknown_text().as_bytes() == unknown;
    if is_as_written { Ok(list) } else { Err(error::TEXT.error()) }
}

/// Returns the group table, which has a row for each group.
pub(super) fn group_table(groups: &[EntryGroup]) -> Vec<u8> {
    let row = |group: &EntryGroup| {
        [&write_name(&group.algorithm, group.keep)[..], &group.digests.len().to_le_bytes()].concat()
    };
    groups.iter().flat_map(row).collect()
}

/// Returns the first 24 bytes of a row, which [`read_name`] reads.
pub(super) fn write_name(algorithm: &Algorithm, keep: Keep) -> [u8; 24] {
    let mut row = [0; 24];
    // Groups have known algorithms, whose longest name, `x-hmac-sha256`, has 13 bytes.
    row[..algorithm.name().len()].copy_from_slice(algorithm.name().as_bytes());
    // These are the bits of the format, not the order of `Keep`: 1 is the query, 2 the fragment.
    row[NAME] = u8::from(keep.query) | u8::from(keep.fragment) << 1;
    row
}

/// Reads a row of the group table.
pub(super) fn read_row(row: &[u8]) -> Result<(Algorithm, Keep, u64), Error> {
    let count = row[24..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    match (read_name(row), count) {
        (Some((algorithm, keep)), Some(count)) => Ok((algorithm, keep, count)),
        _ => Err(error::TABLE.error()),
    }
}

/// Reads the first 24 bytes of a row: the name of the algorithm and the flags.
pub(super) fn read_name(row: &[u8]) -> Option<(Algorithm, Keep)> {
    let name = row[..NAME].split(|&byte| byte == 0).next().unwrap_or_default();
    let algorithm = Algorithm::KNOWN.into_iter().find(|algorithm| algorithm.name().as_bytes() == name)?;
    let keep = Keep { query: row[NAME] & 1 != 0, fragment: row[NAME] & 2 != 0 };
    let is_padded = row[name.len()..NAME].iter().chain(&row[NAME + 1..24]).all(|&byte| byte == 0);
    (is_padded && row[NAME] < 4).then_some((algorithm, keep))
}

/// Checks that the digests fill their place, are in order and agree with the header.
fn check_agreement(list: &HiddenList, is_filled: bool) -> Result<(), Error> {
    if !is_filled || !are_of_header(list) {
        return Err(error::TABLE.error());
    }
    match list.header.count == list.len() {
        true => Ok(()),
        false => Err(error::count(list.len(), list.header.count)),
    }
}

/// Returns whether the groups of a list are in order, each once, and the header names the algorithm and the
/// flags of each.
pub(super) fn are_of_header(list: &HiddenList) -> bool {
    let header = &list.header;
    let is_named = |group: &EntryGroup| {
        header.algorithms.binary_search(&group.algorithm).is_ok() && header.rules.keep.includes(group.keep)
    };
    list.groups.is_sorted_by(|a, b| (&a.algorithm, a.keep) < (&b.algorithm, b.keep))
        && list.groups.iter().all(is_named)
}
