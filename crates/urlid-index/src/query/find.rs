//! Answers to questions, row by row in the order of their identifiers.
//!
//! Reads the candidates of a plan and compares each with its own URL: a slice that collides never answers. Rows are
//! handed on as they are read; nothing is collected.

use std::ops::ControlFlow;

use rusqlite::types::ValueRef;
use rusqlite::{Row as SqlRow, params_from_iter};
use urlid::sxurl::{Components, Sxurl};

use crate::file::schema::SliceIndex;
use crate::file::store::StoreError;
use crate::id::{Id, Ids};
use crate::query::index::Index;
use crate::query::plan::{Access, KeyRange, Plan, TLD_DIGITS};
use crate::query::question::Question;

/// One row of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// The identifier of the URL.
    pub id: Sxurl,
    /// The SXURL normal text of the URL.
    pub url: &'a str,
}

/// What became of the candidates of a question.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Rows that answer.
    pub rows: u64,
    /// Candidates whose identifier fits and whose URL does not: collisions of slices.
    pub dropped: u64,
    /// Candidates that are no row a loader wrote; `verify` says more.
    pub damaged: u64,
}

/// The value of one question put to one index.
pub(crate) struct Search<'i> {
    pub(crate) index: &'i Index,
    pub(crate) question: &'i Question,
    pub(crate) ids: Ids,
}

impl Index {
    /// Says how a question will be answered.
    #[must_use]
    pub fn plan(&self, question: &Question) -> Plan {
        Plan::of(question, Ids::default(), &self.opened.indexes)
    }

    /// Hands every row that answers to `each`, in the order of identifiers, until it says stop.
    ///
    /// # Errors
    /// Fails when SQLite does. Rows handed on before are answers.
    pub fn find(
        &self,
        question: &Question,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Found, StoreError> {
        let search = Search { index: self, question, ids: Ids::default() };
        search.run(&mut |row, _| each(row))
    }
}

impl Search<'_> {
    /// Hands every answer with its parts to `each`.
    pub(crate) fn run(
        &self,
        each: &mut dyn FnMut(Row<'_>, &Components<'_>) -> ControlFlow<()>,
    ) -> Result<Found, StoreError> {
        let plan = Plan::of(self.question, self.ids, &self.index.opened.indexes);
        let mut found = Found::default();
        let mut candidate = |row: &SqlRow<'_>| -> rusqlite::Result<ControlFlow<()>> {
            let Some(id) = id_of(row.get_ref(0)?) else {
                found.damaged += 1;
                return Ok(ControlFlow::Continue(()));
            };
            if !plan.pattern.matches(id) {
                return Ok(ControlFlow::Continue(()));
            }
            let parsed = self.parse(id, row.get_ref(1)?);
            let Some((row, components)) = parsed else {
                found.damaged += 1;
                return Ok(ControlFlow::Continue(()));
            };
            if !self.question.matches(&components) {
                found.dropped += 1;
                return Ok(ControlFlow::Continue(()));
            }
            found.rows += 1;
            Ok(each(row, &components))
        };
        let read = match &plan.access {
            Access::Ranges(ranges) => self.read_ranges(ranges, None, &mut candidate),
            Access::Indexed(index, ranges) => {
                let (start, len) = index.bytes();
                self.read_ranges(ranges, Some((*index, plan.pattern.bytes(start, len))), &mut candidate)
            }
            Access::Skip { headers, domain } => self.skip(headers, *domain, &mut candidate),
        };
        read.map_err(|e| self.index.error(e))?;
        Ok(found)
    }

    /// Reads a row as the loader wrote it, or nothing if it did not.
    fn parse<'r>(&self, id: &Id, url: ValueRef<'r>) -> Option<(Row<'r>, Components<'r>)> {
        let url = url.as_str().ok()?;
        let components = Components::parse(url, self.index.list()).ok()?;
        let id = Sxurl::from_bytes(*id).ok()?;
        Some((Row { id, url }, components))
    }

    /// Reads all ranges with one statement.
    fn read_ranges(
        &self,
        ranges: &[KeyRange],
        index: Option<(SliceIndex, &[u8])>,
        candidate: &mut dyn FnMut(&SqlRow<'_>) -> rusqlite::Result<ControlFlow<()>>,
    ) -> rusqlite::Result<()> {
        let conn = &self.index.opened.store.conn;
        let mut statement = conn.prepare_cached(&ranges_sql(ranges.len(), index.map(|(index, _)| index)))?;
        let bounds = ranges.iter().flat_map(|range| [range.first.as_slice(), range.last.as_slice()]);
        let values = bounds.chain(index.map(|(_, bytes)| bytes));
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            if candidate(row)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Reads one domain's rows under every header and public suffix that the index has.
    fn skip(
        &self,
        headers: &[u16],
        domain: u64,
        candidate: &mut dyn FnMut(&SqlRow<'_>) -> rusqlite::Result<ControlFlow<()>>,
    ) -> rusqlite::Result<()> {
        let conn = &self.index.opened.store.conn;
        let mut seek = conn.prepare_cached("SELECT id FROM url WHERE id >= ?1 ORDER BY id LIMIT 1")?;
        let mut read = conn.prepare_cached("SELECT id, url FROM url WHERE id >= ?1 AND id <= ?2")?;
        for &header in headers {
            let mut key = Some(Key { header, tld: 0 });
            while let Some(Key { tld, .. }) = key {
                let range = Key { header, tld }.domain_range(domain);
                let next =
                    seek.query_row([range.first.as_slice()], |row| Ok(id_of(row.get_ref(0)?).copied()));
                let next = match next {
                    Ok(Some(next)) => next,
                    // A key of another length is no row of ours; `verify` names it.
                    Ok(None) => {
                        key = Key { header, tld }.next();
                        continue;
                    }
                    Err(rusqlite::Error::QueryReturnedNoRows) => return Ok(()),
                    Err(error) => return Err(error),
                };
                if next <= range.last {
                    let mut rows = read.query([range.first.as_slice(), range.last.as_slice()])?;
                    while let Some(row) = rows.next()? {
                        if candidate(row)?.is_break() {
                            return Ok(());
                        }
                    }
                    key = Key { header, tld }.next();
                    continue;
                }
                let found = Key::of(&next);
                if found.header != header {
                    break;
                }
                // Under the same public suffix only larger domains are left.
                key = if found.tld == tld { found.next() } else { Some(found) };
            }
        }
        Ok(())
    }
}

/// The first seven hex digits of an identifier.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    header: u16,
    tld: u16,
}

impl Key {
    fn of(id: &Id) -> Self {
        const { assert!(TLD_DIGITS == 7) }
        let digits = u32::from_be_bytes([id[0], id[1], id[2], id[3]]) >> 4;
        Self { header: (digits >> 16) as u16, tld: digits as u16 }
    }

    /// Returns the next key under the same header.
    fn next(self) -> Option<Self> {
        Some(Self { header: self.header, tld: self.tld.checked_add(1)? })
    }

    fn domain_range(self, domain: u64) -> KeyRange {
        let (mut first, mut last) = ([0; 32], [0xff; 32]);
        let digits = u128::from(self.header) << 76 | u128::from(self.tld) << 60 | u128::from(domain);
        let bytes = digits.to_be_bytes();
        first[..11].copy_from_slice(&bytes[5..]);
        last[..11].copy_from_slice(&bytes[5..]);
        KeyRange { first, last }
    }
}

/// Returns the statement for a number of ranges; only question marks depend on the question.
fn ranges_sql(count: usize, index: Option<SliceIndex>) -> String {
    let values = vec!["(?,?)"; count].join(",");
    let by = index.map_or(String::new(), |index| format!(" INDEXED BY {}", index.object()));
    let filter = index.map_or(String::new(), |index| {
        let condition = index.condition().map(|condition| format!(" AND {condition}"));
        format!(" AND {} = ?{}", index.expression(), condition.unwrap_or_default())
    });
    format!(
        "WITH r(first, last) AS (VALUES {values}) SELECT u.id, u.url FROM r CROSS JOIN url u{by} \
         WHERE u.id >= r.first AND u.id <= r.last{filter}"
    )
}

/// Reads an identifier of the right length.
pub(crate) fn id_of(value: ValueRef<'_>) -> Option<&Id> {
    value.as_blob().ok()?.try_into().ok()
}
