//! The rows of a plan: by this connection, or in parts by several that see one state, with results in the order of the rows.

use std::ops::ControlFlow;
use std::thread;

use urlid::Error;
use urlid_io::threads::in_order;
use urlid_plan::{Id, Plan, Table, Value, read_candidates};

use crate::error::DAMAGED;
use crate::file::open::{IndexFile, View};
use crate::file::siblings::Sibling;
use crate::file::tree::Key;

/// The least rows of a file that several connections read: opening them takes about as long as reading these.
const LEAST_ROWS: u64 = if cfg!(test) { 0 } else { 50_000 };
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

/// Returns how many more connections read a plan: one for each core, if there are many rows and several cores.
pub(crate) fn connections(view: &View<'_>, plan: &Plan) -> usize {
    let threads = if cfg!(test) { 3 } else { thread::available_parallelism().map_or(1, usize::from) };
    let is_large = || view.rows().is_ok_and(|rows| rows.sxurl + rows.other >= LEAST_ROWS);
    if threads > 1 && plan.is_broad() && is_large() { threads } else { 0 }
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
    let _ = in_order(siblings, parts.len(), &read, &mut |(state, read, result)| {
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
