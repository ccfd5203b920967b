//! The statements that read the candidates of a plan, in sequence: first from the table `url`, then from
//! `other`.
//!
//! This module does not run them, so that a caller can stop between two rows and continue later.
//! [`search()`](crate::question::search()) runs them all.

use std::ops::Range;

use urlid::sxurl::{Field, Pattern};

use crate::question::other_keys::OtherKeys;
use crate::question::plan::{KeyRange, Plan, Route};
use crate::question::row::{Id, RowValue, Table};
use crate::question::schema::SliceIndex;

/// A statement with rows of two columns: a key and a URL.
#[derive(Clone, Debug)]
pub struct Step<'s> {
    /// The table of its rows.
    pub table: Table,
    /// The text of the statement, the same in all steps of a table.
    pub sql: &'s str,
    /// The parameters, in the order of their numbers.
    pub parameters: Vec<RowValue<'s>>,
    /// The ranges that it reads completely, in ascending order. Empty if it reads other rows as well, or not
    /// all rows of a range.
    pub(crate) ranges: &'s [KeyRange],
}

/// The most ranges of one statement. Builds of SQLite may allow no more than 999 parameters.
const BATCH_RANGES: usize = 384;

/// An empty range. It fills the last statement of several, because all have the same number of parameters.
const NO_KEYS: (Id, Id) = ([0xff; 32], [0; 32]);

/// The remaining steps of a plan.
#[derive(Clone, Debug)]
pub struct Steps {
    plan: Plan,
    url: TableSteps,
    /// The number of steps of the table `other` that were returned.
    others: usize,
    /// The range of the current step of a skip scan.
    range: KeyRange,
    /// The ranges of the current step, as indexes in the plan.
    ranges: Range<usize>,
    url_sql: String,
    seek_sql: String,
    other_sql: String,
}

/// The part of the table `url` that is not yet read.
#[derive(Clone, Copy, Debug)]
enum TableSteps {
    /// Everything that the plan reads, in one step.
    Whole,
    /// The ranges of the plan from this one on.
    Ranges(usize),
    /// The keys of a skip scan from this header (an index into the plan's headers) and this public suffix on.
    Skip { header: usize, tld: u16 },
    /// The table is finished.
    Done,
}

impl Steps {
    /// Returns the steps of a plan. `schema` is the schema of the tables as an identifier of SQL.
    #[must_use]
    pub fn new(plan: Plan, schema: &str) -> Self {
        let url_sql = match &plan.route {
            Route::All => format!("SELECT id, url FROM {schema}.url ORDER BY id, url"),
            Route::Nothing => String::new(),
            Route::Ranges(ranges) => ranges_sql(schema, ranges.len().min(BATCH_RANGES), None),
            Route::Indexed(index, ranges) => ranges_sql(schema, ranges.len(), Some(*index)),
            Route::Skip { .. } => format!("SELECT id, url FROM {schema}.url WHERE id >= ?1 AND id <= ?2"),
        };
        let keys = match &plan.other {
            Some(OtherKeys::Ranges(_)) => "WHERE host_key >= ?1 AND host_key < ?2 ",
            Some(OtherKeys::All) | None => "",
        };
        let url = match &plan.route {
            Route::Nothing => TableSteps::Done,
            Route::All | Route::Indexed(..) => TableSteps::Whole,
            Route::Ranges(_) => TableSteps::Ranges(0),
            Route::Skip { .. } => TableSteps::Skip { header: 0, tld: 0 },
        };
        Self {
            plan,
            url,
            others: 0,
            range: Pattern::ANY.range(),
            ranges: 0..0,
            url_sql,
            seek_sql: format!("SELECT id, NULL FROM {schema}.url WHERE id >= ?1 ORDER BY id LIMIT 1"),
            other_sql: format!("SELECT host_key, url FROM {schema}.other {keys}ORDER BY host_key, url"),
        }
    }

    /// Returns the plan that the steps carry out.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the next step. A skip scan needs `seek`, which runs a statement with one parameter and returns
    /// the key in its only row, if there is one.
    ///
    /// # Errors
    /// If `seek` fails.
    pub fn next<E>(
        &mut self,
        seek: impl FnMut(&str, RowValue<'_>) -> Result<Option<Id>, E>,
    ) -> Result<Option<Step<'_>>, E> {
        if self.advance(seek)? {
            let parameters = self.url_parameters();
            Ok(Some(Step { table: Table::Url, sql: &self.url_sql, parameters, ranges: self.url_ranges() }))
        } else {
            Ok(self.next_of_other())
        }
    }

    /// Moves to the next step of the table `url`. Returns false after the last one.
    fn advance<E>(
        &mut self,
        seek: impl FnMut(&str, RowValue<'_>) -> Result<Option<Id>, E>,
    ) -> Result<bool, E> {
        // The table counts as finished unless a further step is set below, even if a seek fails.
        match std::mem::replace(&mut self.url, TableSteps::Done) {
            TableSteps::Whole => Ok(true),
            TableSteps::Ranges(first) => {
                let Route::Ranges(ranges) = &self.plan.route else { return Ok(false) };
                self.ranges = first..ranges.len().min(first + BATCH_RANGES);
                self.url = TableSteps::Ranges(self.ranges.end);
                Ok(!self.ranges.is_empty())
            }
            TableSteps::Skip { header, tld } => self.skip(header, tld, seek),
            TableSteps::Done => Ok(false),
        }
    }

    /// Finds the next range of a skip scan that has rows. It is the domain under one header and one public
    /// suffix in use.
    fn skip<E>(
        &mut self,
        mut header: usize,
        mut tld: u16,
        mut seek: impl FnMut(&str, RowValue<'_>) -> Result<Option<Id>, E>,
    ) -> Result<bool, E> {
        let Route::Skip { headers, domain } = &self.plan.route else { return Ok(false) };
        // Each iteration seeks once and continues from the key that it found, so suffixes without rows are
        // skipped together.
        while let Some(now) = headers.get(header) {
            let pattern = Pattern::ANY.with_header(*now).with(Field::Domain, *domain);
            let range = pattern.with(Field::Tld, u64::from(tld)).range();
            let Some(next) = seek(&self.seek_sql, RowValue::Blob(range.start()))? else { return Ok(false) };
            let is_found = next <= *range.end();
            // The first key at or after the range determines where to continue: at its public suffix, if it
            // differs.
            let found = Field::Tld.get(&next) as u16;
            (header, tld) = match Field::Header.get(&next) == u64::from(now.bits()) {
                // Under the same public suffix, only keys after the range are left, so the next suffix is
                // tried.
                true if is_found || found == tld => {
                    tld.checked_add(1).map_or((header + 1, 0), |tld| (header, tld))
                }
                true => (header, found),
                false => (header + 1, 0),
            };
            if is_found {
                self.url = TableSteps::Skip { header, tld };
                self.range = range;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn url_parameters(&self) -> Vec<RowValue<'_>> {
        match &self.plan.route {
            Route::All | Route::Nothing => Vec::new(),
            Route::Ranges(ranges) => {
                let mut parameters = ids(self.url_ranges());
                let missing = ranges.len().min(BATCH_RANGES) - self.ranges.len();
                let (first, last) = &NO_KEYS;
                parameters.extend([RowValue::Blob(first), RowValue::Blob(last)].repeat(missing));
                parameters
            }
            Route::Indexed(index, ranges) => {
                // An index is used only without branches, so there is at most one range for each of the 48
                // headers, and one statement is enough.
                [ids(ranges), vec![RowValue::Blob(&self.plan.pattern.as_bytes()[index.bytes()])]].concat()
            }
            Route::Skip { .. } => ids(self.url_ranges()),
        }
    }

    /// Returns the ranges of the current step.
    fn url_ranges(&self) -> &[KeyRange] {
        match &self.plan.route {
            Route::Ranges(ranges) => ranges.get(self.ranges.clone()).unwrap_or_default(),
            Route::Skip { .. } => std::slice::from_ref(&self.range),
            Route::All | Route::Nothing | Route::Indexed(..) => &[],
        }
    }

    fn next_of_other(&mut self) -> Option<Step<'_>> {
        let parameters = match self.plan.other.as_ref()? {
            OtherKeys::All if self.others == 0 => Vec::new(),
            OtherKeys::All => return None,
            OtherKeys::Ranges(ranges) => {
                let (first, behind) = ranges.get(self.others)?;
                vec![RowValue::Text(first.as_bytes()), RowValue::Text(behind.as_bytes())]
            }
        };
        self.others += 1;
        Some(Step { table: Table::Other, sql: &self.other_sql, parameters, ranges: &[] })
    }
}

/// Returns the first and the last id of each range.
fn ids(ranges: &[KeyRange]) -> Vec<RowValue<'_>> {
    ranges.iter().flat_map(|range| [range.start(), range.end()]).map(|id| RowValue::Blob(id)).collect()
}

/// Returns the statement for a number of ranges. Values of the question are parameters and never part of the
/// text.
fn ranges_sql(schema: &str, count: usize, index: Option<SliceIndex>) -> String {
    let values = vec!["(?,?)"; count].join(",");
    // `CROSS JOIN` keeps SQLite from making the table the outer loop, which would read every row. `INDEXED
    // BY` makes a missing index an error instead of a scan.
    let by = index.map_or(String::new(), |index| format!(" INDEXED BY {}", index.object()));
    // SQLite uses a partial index only if the query contains the index's condition. A `?` without a number is
    // the parameter after the last one.
    let filter = index.map_or(String::new(), |index| {
        let condition = index.condition().map(|condition| format!(" AND {condition}"));
        format!(" AND {} = ?{}", index.expression(), condition.unwrap_or_default())
    });
    format!(
        "WITH r(first, last) AS (VALUES {values}) SELECT u.id, u.url FROM r CROSS JOIN {schema}.url u{by} \
         WHERE u.id >= r.first AND u.id <= r.last{filter}"
    )
}
