//! The rows of a plan: by this connection, or in parts by several that see one state, with results in the order of the rows.

use std::ops::ControlFlow;
use std::thread;

use urlid::Error;
use urlid_io::threads::numbers_in_order;
use urlid_plan::{Id, Plan, Table, Value, read_candidates};

use crate::error::DAMAGED;
use crate::file::open::{IndexFile, View};
use crate::file::siblings::Sibling;
use crate::file::tree::Key;

/// The least rows of a file that several connections read: opening them takes about as long as reading these.
const LEAST_ROWS: u64 = if cfg!(test) { 1 } else { 50_000 };
/// Rows of a part, about.
const PART_ROWS: u64 = if cfg!(test) { 8 } else { 1 << 14 };
/// The most parts of a table.
const MOST_PARTS: u64 = 4_096;
/// Rows after which the only connection passes on what it has. Each next time it is eight times as many, so that a question with few
/// answers, or with a limit, is answered without reading far.
const FIRST: usize = 64;
const FULL: usize = 1 << 14;

/// Called with a row of a part, and the state of that part.
pub(crate) type RowStep<'s, S> = dyn Fn(&View<'_>, &Plan, &mut S, Table, [Value<'_>; 2]) + Sync + 's;

/// Returns a plan with how many more connections read it: one for each core, if there are many rows and several cores.
pub(crate) fn with_connections(view: &View<'_>, plan: Plan) -> (Plan, usize) {
    let threads = if cfg!(test) { 3 } else { thread::available_parallelism().map_or(1, usize::from) };
    let is_large = || view.rows().is_ok_and(|rows| rows.sxurl + rows.other >= LEAST_ROWS);
    let connections = if threads > 1 && plan.is_broad() && is_large() { threads } else { 0 };
    (plan, connections)
}

/// Passes the rows that a plan reads to `step`, with a state for each part, and the states to `take`, in the order of the rows and
/// on this thread, until that returns `Break`.
///
/// # Errors
/// At the end, if there are rows that cannot be read. What was passed to `take` is valid even then.
pub(crate) fn each_part<S: Default + Send>(
    file: &IndexFile,
    view: &View<'_>,
    siblings: Vec<Sibling>,
    plan: &Plan,
    step: &RowStep<'_, S>,
    take: &mut dyn FnMut(S) -> ControlFlow<()>,
) -> Result<(), Error> {
    if siblings.is_empty() {
        return alone(view, plan, step, take);
    }
    let parts = cut(file, view, plan);
    let shared = view.shared();
    let read = |sibling: &mut Sibling, number: usize| {
        let view = sibling.view(&shared);
        let part = &parts[number];
        let (mut state, mut rows) = (S::default(), 0_u64);
        let read = read_candidates(&view, part, &mut |table, row| {
            rows += 1;
            step(&view, part, &mut state, table, row);
            ControlFlow::Continue(())
        });
        (state, rows, read.map_err(|error| view.error(error)))
    };
    let (mut damage, mut rows, mut is_whole) = (None, 0, plan.is_whole());
    // The error is only the end of the work.
    let _ = numbers_in_order(siblings, parts.len(), &read, &mut |(state, read, result)| {
        rows += read;
        damage = damage.take().or(result.err());
        match take(state) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                is_whole = false;
                Err(())
            }
        }
    });
    if let Some(error) = damage {
        return Err(error);
    }
    // A key that damage has changed can hide the rows behind it from those that look for keys of a part.
    let recorded = view.rows()?;
    match is_whole && rows != recorded.sxurl + recorded.other {
        true => Err(DAMAGED.error().with_path(&view.store.path)),
        false => Ok(()),
    }
}

/// Reads a plan by one connection.
fn alone<S: Default>(
    view: &View<'_>,
    plan: &Plan,
    step: &RowStep<'_, S>,
    take: &mut dyn FnMut(S) -> ControlFlow<()>,
) -> Result<(), Error> {
    let (mut state, mut rows, mut full) = (S::default(), 0, FIRST);
    let mut flow = ControlFlow::Continue(());
    let read = read_candidates(view, plan, &mut |table, row| {
        step(view, plan, &mut state, table, row);
        rows += 1;
        if rows == full {
            flow = take(std::mem::take(&mut state));
            (rows, full) = (0, FULL.min(full * 8));
        }
        flow
    });
    if flow.is_continue() && rows > 0 {
        let _ = take(state);
    }
    read.map_err(|error| view.error(error))
}

/// Cuts a plan into parts of about [`PART_ROWS`].
fn cut(file: &IndexFile, view: &View<'_>, plan: &Plan) -> Vec<Plan> {
    let rows = view.rows().unwrap_or_default();
    let keys =
        |table: &str, rows: u64| file.dividing_keys(view, table, (rows / PART_ROWS).min(MOST_PARTS) as usize);
    let ids = keys("url", rows.sxurl).into_iter().filter_map(|key| match key {
        Key::Blob(id) => Id::try_from(id).ok(),
        Key::Text(_) => None,
    });
    let hosts = keys("other", rows.other).into_iter().filter_map(|key| match key {
        Key::Text(host) => Some(host),
        Key::Blob(_) => None,
    });
    plan.cut(&ids.collect::<Vec<_>>(), &hosts.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    use urlid::suffix::SuffixList;
    use urlid_plan::{Condition, Question};

    use super::*;
    use crate::load::pipeline::{Load, LoadOptions};
    use crate::query::index::Index;

    fn add(path: &Path, numbers: std::ops::Range<u32>) {
        let mut load = Load::begin(path, SuffixList::compiled(), LoadOptions::default()).expect("begins");
        for number in numbers {
            let host =
                if number.is_multiple_of(5) { "192.0.2.1".to_owned() } else { format!("h{number}.com") };
            load.push(&format!("https://{host}/{number}")).expect("there is room");
        }
        load.finish().expect("ends");
    }

    #[test]
    fn parts_are_of_one_state_while_another_process_writes() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("urls.db");
        add(&path, 0..1_000);
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut first = 1_000;
                while !is_over.load(Ordering::Relaxed) {
                    // One transaction.
                    add(&path, first..first + 100);
                    first += 100;
                }
            });
            let question = Question::new([(Condition::PathPrefix, "/")]).expect("is possible");
            let mut last = 0;
            for _ in 0..40 {
                let rows = Index::open(&path).expect("opens").count(&question).expect("is whole").rows;
                assert!(rows >= last && rows.is_multiple_of(100), "{rows} after {last}");
                last = rows;
            }
            is_over.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn several_connections_read_a_large_file_and_not_a_question_for_one_host() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("urls.db");
        // Keys divide a table only where its pages do, so it needs more pages than parts.
        add(&path, 0..8_000);
        let index = Index::open(&path).expect("opens");
        let connections_of = |conditions: &[(Condition, &str)]| {
            let question = Question::new(conditions.iter().copied()).expect("is possible");
            let plan =
                |view: &View<'_>| Plan::of(&question, &view.description.layout(), urlid::sxurl::Slice::hash);
            let prepare = |view: &View<'_>| with_connections(view, plan(view));
            index.file.read_with_siblings(prepare, |view, plan, siblings| {
                Ok((siblings.len(), cut(&index.file, view, &plan).len()))
            })
        };
        let (connections, parts) = connections_of(&[]).expect("is read");
        assert!(connections == 3 && parts > 50, "{connections} {parts}");
        let (connections, parts) = connections_of(&[(Condition::Tld, "com")]).expect("is read");
        assert!(connections == 3 && parts > 30, "{connections} {parts}");
        assert_eq!(connections_of(&[(Condition::Host, "h1.com")]).expect("is read").0, 0);
    }

    #[test]
    fn a_key_that_damage_has_changed_hides_no_row_silently() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("urls.db");
        add(&path, 0..600);
        let bytes = std::fs::read(&path).expect("is there");
        let question = Question::default();
        let places: Vec<usize> =
            bytes.windows(8).enumerate().filter(|(_, at)| *at == b"https://").map(|(at, _)| at).collect();
        assert!(places.len() >= 600);
        let mut errors = 0;
        for place in places.iter().step_by(3) {
            // The key of 32 bytes is before the text; of the table `other` it is shorter.
            for value in [0xff, 0x00] {
                let mut changed = bytes.clone();
                changed[place - 32] = value;
                std::fs::write(&path, &changed).expect("there is room");
                let found = Index::open(&path).and_then(|index| index.count(&question));
                match found {
                    Ok(found) => assert_eq!(found.rows, 600, "byte {place}"),
                    Err(_) => errors += 1,
                }
            }
        }
        assert!(errors > 50, "{errors}");
    }
}
