//! `bench index-query FILE`: queries on an index of generated URLs, compared with the scan of the
//! specification's cookbook.
//!
//! Caches are warm: the best of several times counts. Optional indexes are used if the file has them.

use std::ops::ControlFlow;
use std::path::Path;

use rusqlite::Connection;
use urlid::sxurl::{Components, Slice};
use urlid_store::file::Index;
use urlid_store::question::{Condition, GroupBy, Question};

use super::{Failure, best};
use crate::arguments::Arguments;
use crate::record::{Bound, Fact, Record, Target};

/// A public suffix that the generator seldom gives.
const TLD: &str = "museum";

/// Runs the queries, prints the record and writes it.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let path = Arguments(args).path(0).ok_or("usage: bench index-query FILE [--record [FILE]]")?;
    let mut record = Record::begin("index-query");
    run_all(&path, "", &mut record).map_err(|error| error.to_string())?;
    scan(&path, &mut record).map_err(|error| error.to_string())?;
    record.print();
    record.write(args)
}

/// Names and conditions, and how often each is repeated.
type Table<'a> = Vec<(&'static str, Vec<(Condition, &'a str)>, usize)>;

const SMALL: &str = "tld and domain, small domain";
const ANY_TLD: &str = "domain under any tld";

/// Queries domains of few rows and of many, taken from the file itself, and parts that are not a prefix of
/// the key.
///
/// `state` is a prefix of the facts' names for a special file; targets are recorded only if it is empty.
pub(super) fn run_all(path: &Path, state: &str, record: &mut Record) -> Result<(), Failure> {
    let index = Index::open(path)?;
    let (small, large) = domains(&index)?;
    fn under(domain: &str) -> Vec<(Condition, &str)> {
        vec![(Condition::Tld, TLD), (Condition::Domain, domain)]
    }
    let table: Table<'_> = vec![
        (SMALL, under(&small), 200),
        ("tld and domain, largest domain", under(&large), 20),
        (ANY_TLD, vec![(Condition::Domain, &small)], 5),
        ("tld", vec![(Condition::Tld, TLD)], 5),
        ("path", vec![(Condition::Path, "/robots.txt")], 1),
        ("query", vec![(Condition::Query, "id=1")], 1),
        ("fragment", vec![(Condition::Fragment, "faq")], 1),
        ("sub", vec![(Condition::Sub, "forum")], 1),
        ("port", vec![(Condition::Port, "8443")], 1),
    ];
    if state.is_empty() {
        record.facts.push(Fact::new("rows", index.rows()? as f64, ""));
    }
    for (name, conditions, repeats) in table {
        let question = Question::new(conditions)?;
        // The plan without its remark about candidates.
        let plan = index.plan(&question)?.to_string();
        let plan = plan.split(';').next().unwrap_or_default();
        let (took, found) = best(repeats, || index.count(&question).map(|found| found.rows))?;
        record.facts.push(Fact::new(format!("{state}{name}: {found} rows by {plan}"), took, "ms"));
        let must = match name {
            SMALL if state.is_empty() => 0.5,
            ANY_TLD if state.is_empty() => 150.0,
            _ => continue,
        };
        let what = format!("{name}, ms");
        record.targets.push(Target { what, must: Bound::AtMost(must), reached: took });
    }
    lookups(&index, state, record)
}

/// Returns the domains under `TLD` that have the fewest rows and the most.
fn domains(index: &Index) -> Result<(String, String), Failure> {
    let question = Question::new([(Condition::Tld, TLD)])?;
    let (groups, _) = index.group(&question, GroupBy::RegisteredDomain)?;
    let described = index.about()?;
    let label = |host: &str| -> Result<String, Failure> {
        Ok(Components::parse(&format!("https://{host}/"), &described.suffixes)?.domain().to_owned())
    };
    let (Some(large), Some(small)) = (groups.first(), groups.last()) else {
        return Err(format!("no domain under {TLD}: this is no index of generated URLs").into());
    };
    Ok((label(&small.name)?, label(&large.name)?))
}

/// Looks up URLs that are there and URLs that are not.
fn lookups(index: &Index, state: &str, record: &mut Record) -> Result<(), Failure> {
    let mut urls = Vec::new();
    let question = Question::new([(Condition::Tld, TLD)])?;
    index.find(&question, &mut |row| {
        urls.push(row.url.to_owned());
        if urls.len() < 10_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let absent: Vec<String> = urls.iter().map(|url| format!("{url}absent")).collect();
    for (name, urls) in [("there", &urls), ("absent", &absent)] {
        let stored = |url: &String| index.get_url(url, None).map(|lookup| u64::from(lookup.is_stored));
        let (took, found) = best(3, || urls.iter().try_fold(0, |sum, url| stored(url).map(|one| sum + one)))?;
        let each = took * 1e3 / urls.len() as f64;
        record.facts.push(Fact::new(
            format!("{state}get by URL, {name}: {found} of {} found", urls.len()),
            each,
            "us",
        ));
    }
    Ok(())
}

/// Queries the small domain as the specification's cookbook does, which reads every row.
pub(super) fn scan(path: &Path, record: &mut Record) -> Result<(), Failure> {
    let index = Index::open(path)?;
    let (small, _) = domains(&index)?;
    let question = Question::new([(Condition::Tld, TLD), (Condition::Domain, &small)])?;
    let (ranges, rows) = best(200, || index.count(&question).map(|found| found.rows))?;
    let conn = Connection::open(path)?;
    let hex = |slice: Slice, value: &str| {
        format!("{:0width$x}", slice.hash(value), width = slice.bits() as usize / 4)
    };
    let values = (hex(Slice::Tld, TLD), hex(Slice::Domain, &small));
    let sql =
        "SELECT count(*) FROM url_hex WHERE SUBSTR(id_hex, 3+1, 4) = ?1 AND SUBSTR(id_hex, 7+1, 15) = ?2";
    let (took, found) = best(1, || conn.query_row(sql, (&values.0, &values.1), |row| row.get::<_, i64>(0)))?;
    if (found as u64) < rows {
        return Err(format!("the scan finds {found} rows and the index {rows}").into());
    }
    record.facts.push(Fact::new(
        format!("the cookbook's SUBSTR(id_hex, …) for that: {found} rows"),
        took,
        "ms",
    ));
    let what = "ranges against SUBSTR(id_hex, …), times as fast".to_owned();
    record.targets.push(Target { what, must: Bound::AtLeast(1000.0), reached: took / ranges });
    Ok(())
}
