//! The answers to a question, row by row: in the order of their identifiers, and those without one behind them in the order of
//! their hosts.
//!
//! Reads the candidates of a plan and compares each with its own URL: a slice that collides never answers. Rows are handed on
//! as they are read; nothing is collected.

use std::ops::ControlFlow;

use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Field, Header, Pattern, Sxurl};

use crate::other::{OtherUrl, host_key};
use crate::other_keys::OtherKeys;
use crate::plan::{Id, KeyRange, Plan, Route};
use crate::question::Question;
use crate::schema::SliceIndex;
use crate::stored::StoredUrl;

/// An index that some build of SQLite has open, in one transaction.
pub trait Reader {
    /// Why SQLite fails.
    type Error;
    /// A statement that is prepared.
    type Statement<'r>: Statement<Error = Self::Error>
    where
        Self: 'r;

    /// Returns the schema that has the tables, as SQL writes it: `main`, unless the index is attached.
    fn schema(&self) -> &str;

    /// Prepares a statement.
    ///
    /// # Errors
    /// Fails when SQLite does.
    fn prepare(&self, sql: &str) -> Result<Self::Statement<'_>, Self::Error>;
}

/// A statement whose rows have two columns.
pub trait Statement {
    /// Why SQLite fails.
    type Error;

    /// Calls `each` with the rows until it breaks.
    ///
    /// # Errors
    /// Fails when SQLite does.
    fn read(&mut self, parameters: &[Value<'_>], each: &mut EachRow<'_>) -> Result<(), Self::Error>;
}

/// Is called with the columns of each row, and returns whether to go on.
pub type EachRow<'e> = dyn FnMut([Value<'_>; 2]) -> ControlFlow<()> + 'e;

/// A value of SQLite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// Bytes.
    Blob(&'v [u8]),
    /// A text, which may not be UTF-8.
    Text(&'v [u8]),
    /// Anything else.
    Other,
}

impl<'v> Value<'v> {
    fn as_str(self) -> Option<&'v str> {
        match self {
            Self::Text(text) => str::from_utf8(text).ok(),
            Self::Blob(_) | Self::Other => None,
        }
    }

    fn as_id(self) -> Option<&'v Id> {
        match self {
            Self::Blob(bytes) => bytes.try_into().ok(),
            Self::Text(_) | Self::Other => None,
        }
    }
}

/// One row of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// The identifier of the URL; nothing if it has none.
    pub id: Option<Sxurl>,
    /// The text of the URL as it is stored: the SXURL normal text if it has an identifier.
    pub url: &'a str,
}

/// What became of the candidates of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Rows that answer.
    pub rows: u64,
    /// Rows whose identifier fits and whose URL does not: collisions of slices.
    pub dropped: u64,
    /// Rows that no loader wrote.
    pub damaged: u64,
}

/// Is called with each answer and its parts, and returns whether to go on.
pub type EachAnswer<'e> = dyn FnMut(Row<'_>, &StoredUrl<'_>) -> ControlFlow<()> + 'e;

/// Calls `each` with every answer; `list` is the suffix list of the index.
///
/// # Errors
/// Fails when SQLite does.
pub fn search<R: Reader>(
    reader: &R,
    plan: &Plan,
    question: &Question,
    list: &SuffixList,
    each: &mut EachAnswer<'_>,
) -> Result<Found, R::Error> {
    let schema = reader.schema();
    let mut search = Search { plan, question, list, each, found: Found::default(), is_over: false };
    match &plan.route {
        Route::All => {
            let sql = format!("SELECT id, url FROM {schema}.url ORDER BY id, url");
            read(reader, &sql, &[], &mut |row| search.candidate(row))?;
        }
        Route::Nothing => {}
        Route::Ranges(ranges) => read_ranges(reader, ranges, None, &mut |row| search.candidate(row))?,
        Route::Indexed(index, ranges) => {
            let bytes = &plan.pattern.as_bytes()[index.bytes()];
            read_ranges(reader, ranges, Some((*index, bytes)), &mut |row| search.candidate(row))?;
        }
        Route::Skip { headers, domain } => skip(reader, headers, *domain, &mut |row| search.candidate(row))?,
    }
    match &plan.other {
        None => {}
        Some(OtherKeys::All) => {
            let sql = format!("SELECT host_key, url FROM {schema}.other ORDER BY host_key, url");
            search.unless_over(|search| read(reader, &sql, &[], &mut |row| search.other(row)))?;
        }
        Some(OtherKeys::Ranges(ranges)) => {
            let sql = format!(
                "SELECT host_key, url FROM {schema}.other WHERE host_key >= ?1 AND host_key < ?2 ORDER BY host_key, url"
            );
            let mut statement = reader.prepare(&sql)?;
            for (first, behind) in ranges {
                let bounds = [Value::Text(first.as_bytes()), Value::Text(behind.as_bytes())];
                search.unless_over(|search| statement.read(&bounds, &mut |row| search.other(row)))?;
            }
        }
    }
    Ok(search.found)
}

/// A search that is under way.
struct Search<'s, 'e> {
    plan: &'s Plan,
    question: &'s Question,
    list: &'s SuffixList,
    each: &'s mut EachAnswer<'e>,
    found: Found,
    /// Whether the caller wants no more answers.
    is_over: bool,
}

impl Search<'_, '_> {
    fn unless_over<E>(&mut self, read: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        if self.is_over { Ok(()) } else { read(self) }
    }

    /// Decides on a row of the table `url`.
    fn candidate(&mut self, [id, text]: [Value<'_>; 2]) -> ControlFlow<()> {
        let Some(id) = id.as_id() else { return self.damaged() };
        if !self.plan.pattern.matches(id) {
            return ControlFlow::Continue(());
        }
        let (Some(text), Ok(id)) = (text.as_str(), Sxurl::from_bytes(*id)) else { return self.damaged() };
        let Ok(components) = Components::parse(text, self.list) else { return self.damaged() };
        let url = StoredUrl::Sxurl(components);
        if !self.question.is_met_unhashed(&url) {
            return ControlFlow::Continue(());
        }
        if !self.question.is_met(&url) {
            self.found.dropped += 1;
            return ControlFlow::Continue(());
        }
        self.answer(Row { id: Some(id), url: text }, &url)
    }

    /// Decides on a row of the table `other`.
    fn other(&mut self, [key, text]: [Value<'_>; 2]) -> ControlFlow<()> {
        let (Some(key), Some(text)) = (key.as_str(), text.as_str()) else { return self.damaged() };
        match OtherUrl::parse(text, self.list) {
            Some(url) if host_key(url.host) == key => {
                let url = StoredUrl::Other(url);
                match self.question.is_met(&url) {
                    true => self.answer(Row { id: None, url: text }, &url),
                    false => ControlFlow::Continue(()),
                }
            }
            _ => self.damaged(),
        }
    }

    fn damaged(&mut self) -> ControlFlow<()> {
        self.found.damaged += 1;
        ControlFlow::Continue(())
    }

    fn answer(&mut self, row: Row<'_>, url: &StoredUrl<'_>) -> ControlFlow<()> {
        self.found.rows += 1;
        let flow = (self.each)(row, url);
        self.is_over = flow.is_break();
        flow
    }
}

fn read<R: Reader>(
    reader: &R,
    sql: &str,
    parameters: &[Value<'_>],
    each: &mut EachRow<'_>,
) -> Result<(), R::Error> {
    reader.prepare(sql)?.read(parameters, each)
}

/// Reads all ranges with one statement.
fn read_ranges<R: Reader>(
    reader: &R,
    ranges: &[KeyRange],
    index: Option<(SliceIndex, &[u8])>,
    each: &mut EachRow<'_>,
) -> Result<(), R::Error> {
    let bounds = ranges.iter().flat_map(|range| [range.start().as_slice(), range.end().as_slice()]);
    let parameters: Vec<_> = bounds.chain(index.map(|(_, bytes)| bytes)).map(Value::Blob).collect();
    read(reader, &ranges_sql(reader.schema(), ranges.len(), index.map(|(index, _)| index)), &parameters, each)
}

/// Reads one domain's rows under every header and public suffix that the index has.
fn skip<R: Reader>(
    reader: &R,
    headers: &[Header],
    domain: u64,
    each: &mut EachRow<'_>,
) -> Result<(), R::Error> {
    let schema = reader.schema();
    let mut seek =
        reader.prepare(&format!("SELECT id, NULL FROM {schema}.url WHERE id >= ?1 ORDER BY id LIMIT 1"))?;
    let mut rows =
        reader.prepare(&format!("SELECT id, url FROM {schema}.url WHERE id >= ?1 AND id <= ?2"))?;
    for header in headers {
        let of_header = Pattern::ANY.with_header(*header).with(Field::Domain, domain);
        let mut tld = Some(0_u16);
        while let Some(now) = tld {
            let range = of_header.with(Field::Tld, u64::from(now)).range();
            let [first, last] = [range.start(), range.end()].map(|id| Value::Blob(id));
            let mut next: Option<Id> = None;
            seek.read(&[first], &mut |[key, _]| {
                // In a damaged file a key can have any length and type; it is compared with others as if zeros followed.
                let key = if let Value::Blob(key) = key { key } else { &[] };
                next = Some(std::array::from_fn(|index| key.get(index).copied().unwrap_or(0)));
                ControlFlow::Break(())
            })?;
            let Some(next) = next else { return Ok(()) };
            if next <= *range.end() {
                let mut flow = ControlFlow::Continue(());
                rows.read(&[first, last], &mut |row| {
                    flow = each(row);
                    flow
                })?;
                if flow.is_break() {
                    return Ok(());
                }
                tld = now.checked_add(1);
                continue;
            }
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
fn ranges_sql(schema: &str, count: usize, index: Option<SliceIndex>) -> String {
    let values = vec!["(?,?)"; count].join(",");
    let by = index.map_or(String::new(), |index| format!(" INDEXED BY {}", index.object()));
    let filter = index.map_or(String::new(), |index| {
        let condition = index.condition().map(|condition| format!(" AND {condition}"));
        format!(" AND {} = ?{}", index.expression(), condition.unwrap_or_default())
    });
    format!(
        "WITH r(first, last) AS (VALUES {values}) SELECT u.id, u.url FROM r CROSS JOIN {schema}.url u{by} \
         WHERE u.id >= r.first AND u.id <= r.last{filter}"
    )
}
