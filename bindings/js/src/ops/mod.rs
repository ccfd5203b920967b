//! The operations, by system. Operation 0 returns the names of all others.

mod batch;
#[cfg(feature = "vectors")]
mod cpu_paths;
#[cfg(feature = "forms")]
mod forms;
mod identifiers;
#[cfg(feature = "forms")]
mod lists;
#[cfg(feature = "forms")]
mod search;
#[cfg(feature = "forms")]
mod shards;
mod urls;
#[cfg(feature = "vectors")]
mod vectors;

use crate::arguments::Arguments;
use crate::output::{Fault, Output, json};
use crate::session::{Op, Session};

/// The operations of every file.
const OPS: &[&[Op]] = &[
    batch::OPS,
    identifiers::OPS,
    urls::OPS,
    #[cfg(feature = "forms")]
    forms::OPS,
    #[cfg(feature = "forms")]
    lists::OPS,
    #[cfg(feature = "forms")]
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
