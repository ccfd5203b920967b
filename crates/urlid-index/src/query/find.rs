//! Answers to questions, row by row: in the order of their identifiers, and those without one behind them in the order of their hosts.
//!
//! Reads the candidates of a plan and compares each with its own URL: a slice that collides never answers. Rows are
//! handed on as they are read; nothing is collected.

use std::ops::ControlFlow;

use rusqlite::types::ValueRef;
use rusqlite::{Row as SqlRow, params_from_iter};
use urlid::sxurl::{Components, Field, Header, Pattern, Sxurl};

use super::index::Index;
use super::other;
use super::plan::{KeyRange, Plan, Route};
use super::question::Question;
use crate::file::error::IndexError;
use crate::file::open::View;
use crate::file::schema::SliceIndex;
use crate::id::{Id, Ids, id_of};
use crate::url::stored::StoredUrl;

/// One row of an index.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, <&SuffixList>::default(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish(&mut |_| ControlFlow::Continue(()))?;
/// use urlid_index::{Index, Question};
///
/// let mut rows = Vec::new();
/// Index::open(&path)?.find(&Question::default(), &mut |row| {
///     rows.push((row.id.is_some(), row.url.to_owned()));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(rows, [(true, "https://docs.rs/serde?all#top".into()), (false, "http://192.0.2.1/".into())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// The identifier of the URL; nothing if it has none.
    pub id: Option<Sxurl>,
    /// The text of the URL as it is stored: the SXURL normal text if it has an identifier.
    pub url: &'a str,
}

/// What became of the candidates of a question.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, <&SuffixList>::default(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish(&mut |_| ControlFlow::Continue(()))?;
/// use urlid_index::{Index, Question};
///
/// let counted = Index::open(&path)?.count(&Question::default())?;
/// assert_eq!((counted.rows, counted.dropped), (2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Rows that answer.
    pub rows: u64,
    /// Rows whose identifier fits and whose URL does not: collisions of slices.
    pub dropped: u64,
}

impl Index {
    /// Returns how a question will be answered.
    ///
    /// # Errors
    /// Fails when the file cannot be read or is an index no longer.
    pub fn plan(&self, question: &Question) -> Result<Plan, IndexError> {
        self.file.read(|view| Ok(plan(view, question, Ids::default())))
    }

    /// Calls `each` with every row that answers, until it returns to stop: in the order of identifiers, and then those without an
    /// identifier in the order of their hosts, labels reversed.
    ///
    /// All rows are of one state of the index, whatever other processes write meanwhile.
    ///
    /// # Errors
    /// Fails when SQLite does, and at the end if rows were met that no loader wrote. Rows before that are answers.
    pub fn find(
        &self,
        question: &Question,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, IndexError> {
        self.file.read(|view| search(view, question, Ids::default(), &mut |row, _| each(row)))
    }
}

fn plan(view: &View<'_>, question: &Question, ids: Ids) -> Plan {
    Plan::of(question, &view.description, ids)
}

/// Calls `each` with every answer and its parts.
pub(crate) fn search(
    view: &View<'_>,
    question: &Question,
    ids: Ids,
    each: &mut dyn FnMut(Row<'_>, &StoredUrl<'_>) -> ControlFlow<()>,
) -> Result<Candidates, IndexError> {
    let plan = plan(view, question, ids);
    let (mut found, mut damaged, mut is_over) = (Candidates::default(), 0, false);
    let mut candidate = |row: &SqlRow<'_>| -> rusqlite::Result<ControlFlow<()>> {
        let Some(id) = id_of(row.get_ref(0)?) else {
            damaged += 1;
            return Ok(ControlFlow::Continue(()));
        };
        if !plan.pattern.matches(id) {
            return Ok(ControlFlow::Continue(()));
        }
        let Some((row, url)) = parse(view, id, row.get_ref(1)?) else {
            damaged += 1;
            return Ok(ControlFlow::Continue(()));
        };
        if !question.is_met_unhashed(&url) {
            return Ok(ControlFlow::Continue(()));
        }
        if !question.is_met(&url) {
            found.dropped += 1;
            return Ok(ControlFlow::Continue(()));
        }
        found.rows += 1;
        let flow = each(row, &url);
        is_over = flow.is_break();
        Ok(flow)
    };
    let read = match &plan.route {
        Route::All => read_all(view, &mut candidate),
        Route::Nothing => Ok(()),
        Route::Ranges(ranges) => read_ranges(view, ranges, None, &mut candidate),
        Route::Indexed(index, ranges) => {
            read_ranges(view, ranges, Some((*index, &plan.pattern.as_bytes()[index.bytes()])), &mut candidate)
        }
        Route::Skip { headers, domain } => skip(view, headers, *domain, &mut candidate),
    };
    read.map_err(|e| view.error(e))?;
    if let Some(keys) = plan.other.filter(|_| !is_over) {
        let read = other::search(view, question, &keys, &mut |url| {
            found.rows += 1;
            each(Row { id: None, url: url.text }, &StoredUrl::Other(url.clone()))
        });
        damaged += read.map_err(|e| view.error(e))?;
    }
    match damaged {
        0 => Ok(found),
        rows => Err(IndexError::Damaged { path: view.store.path.clone(), rows }),
    }
}

/// Reads a row as the loader wrote it, or nothing if it did not.
fn parse<'r>(view: &View<'_>, id: &Id, url: ValueRef<'r>) -> Option<(Row<'r>, StoredUrl<'r>)> {
    let url = url.as_str().ok()?;
    let components = Components::parse(url, view.suffixes()).ok()?;
    let id = Sxurl::from_bytes(*id).ok()?;
    Some((Row { id: Some(id), url }, StoredUrl::Sxurl(components)))
}

/// Is called with each row of the ranges, and returns whether to go on.
type EachRow<'e> = dyn FnMut(&SqlRow<'_>) -> rusqlite::Result<ControlFlow<()>> + 'e;

/// Reads every row, whatever its key is.
fn read_all(view: &View<'_>, each: &mut EachRow<'_>) -> rusqlite::Result<()> {
    let mut statement = view.conn().prepare_cached("SELECT id, url FROM url ORDER BY id, url")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if each(row)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Reads all ranges with one statement.
fn read_ranges(
    view: &View<'_>,
    ranges: &[KeyRange],
    index: Option<(SliceIndex, &[u8])>,
    each: &mut EachRow<'_>,
) -> rusqlite::Result<()> {
    let mut statement =
        view.conn().prepare_cached(&ranges_sql(ranges.len(), index.map(|(index, _)| index)))?;
    let bounds = ranges.iter().flat_map(|range| [range.start().as_slice(), range.end().as_slice()]);
    let values = bounds.chain(index.map(|(_, bytes)| bytes));
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        if each(row)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Reads one domain's rows under every header and public suffix that the index has.
fn skip(view: &View<'_>, headers: &[Header], domain: u64, each: &mut EachRow<'_>) -> rusqlite::Result<()> {
    let mut seek = view.conn().prepare_cached("SELECT id FROM url WHERE id >= ?1 ORDER BY id LIMIT 1")?;
    let mut read = view.conn().prepare_cached("SELECT id, url FROM url WHERE id >= ?1 AND id <= ?2")?;
    for header in headers {
        let of_header = Pattern::ANY.with_header(*header).with(Field::Domain, domain);
        let mut tld = Some(0_u16);
        while let Some(now) = tld {
            let range = of_header.with(Field::Tld, u64::from(now)).range();
            let mut keys = seek.query([range.start().as_slice()])?;
            let Some(key) = keys.next()? else { return Ok(()) };
            let key = key.get_ref(0)?.as_blob()?;
            if key <= range.end().as_slice() {
                let mut rows = read.query([range.start().as_slice(), range.end().as_slice()])?;
                while let Some(row) = rows.next()? {
                    if each(row)?.is_break() {
                        return Ok(());
                    }
                }
                tld = now.checked_add(1);
                continue;
            }
            // In a damaged file a key can have any length; it is compared with others as if zeros followed.
            let next: Id = std::array::from_fn(|index| key.get(index).copied().unwrap_or(0));
            if Field::Header.get(&next) != u64::from(header.bits()) {
                break;
            }
            let found = Field::Tld.get(&next) as u16;
            // Under the same public suffix only larger domains are left.
            tld = if found == now { now.checked_add(1) } else { Some(found) };
        }
    }
    Ok(())
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
