//! The operations, by system. Operation 0 returns the names of all others.

#[cfg(feature = "core")]
mod batch;
#[cfg(feature = "vectors")]
mod cpu_paths;
#[cfg(feature = "forms")]
mod forms;
#[cfg(feature = "core")]
mod identifiers;
#[cfg(feature = "forms")]
mod lists;
#[cfg(feature = "search")]
mod search;
#[cfg(feature = "forms")]
mod shards;
#[cfg(feature = "core")]
mod urls;
#[cfg(feature = "vectors")]
mod vectors;

use crate::arguments::Arguments;
use crate::output::{Fault, Output, json};
use crate::session::{Op, Session};

/// The operations of the file.
const OPS: &[&[Op]] = &[
    #[cfg(feature = "core")]
    batch::OPS,
    #[cfg(feature = "core")]
    identifiers::OPS,
    #[cfg(feature = "core")]
    urls::OPS,
    #[cfg(feature = "forms")]
    forms::OPS,
    #[cfg(feature = "forms")]
    lists::OPS,
    #[cfg(feature = "search")]
    search::OPS,
    #[cfg(feature = "forms")]
    shards::OPS,
    #[cfg(feature = "vectors")]
    cpu_paths::OPS,
    #[cfg(feature = "vectors")]
    vectors::OPS,
];

/// Runs an operation. The names are in the order of their numbers, from 1.
pub(crate) fn run(
    number: usize,
    session: &mut Session,
    arguments: &mut Arguments<'_>,
) -> Result<Output, Fault> {
    let mut ops = OPS.iter().copied().flatten();
    match number.checked_sub(1) {
        None => Ok(json(&ops.map(|(name, _)| name).collect::<Vec<_>>())),
        Some(index) => match ops.nth(index) {
            Some((_, run)) => run(session, arguments),
            None => Err(Fault::Wrong(format!("no operation has the number {number}"))),
        },
    }
}
