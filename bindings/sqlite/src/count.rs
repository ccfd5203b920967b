//! `urlid_count_hosts(url)` and `urlid_count_domains(url)`: exact numbers of different hosts and domains in a group.

use std::collections::HashSet;

use rusqlite::functions::{Aggregate, Context};
use rusqlite::{Connection, Result};
use urlid_ops::functions::{Call, Function, Output, Value, function};

use crate::scalar::FLAGS;

/// The aggregates, and the scalar functions whose results they count.
const COUNTS: [(&str, &str); 2] =
    [("urlid_count_hosts", "urlid_host"), ("urlid_count_domains", "urlid_registered_domain")];

pub(crate) fn register(db: &Connection) -> Result<()> {
    COUNTS.iter().try_for_each(|(name, of)| {
        let of = function(of).expect("a function of the table");
        db.create_aggregate_function(*name, 1, FLAGS, CountDistinct { of })
    })
}

/// Counts the different results of a function of URLs.
struct CountDistinct {
    of: &'static Function,
}

/// The results of a group so far.
struct Group {
    call: Call,
    results: HashSet<Box<str>>,
}

// `rusqlite` requires these of every aggregate. A panic in `step` drops the group, so nobody sees it half changed.
impl std::panic::UnwindSafe for Group {}
impl std::panic::RefUnwindSafe for Group {}

impl Aggregate<Group, i64> for CountDistinct {
    fn init(&self, _: &mut Context<'_>) -> Result<Group> {
        Ok(Group { call: self.of.call(), results: HashSet::new() })
    }

    fn step(&self, context: &mut Context<'_>, group: &mut Group) -> Result<()> {
        // A value that is not a text is not a URL, and not counted.
        let Ok(url) = context.get_raw(0).as_str() else { return Ok(()) };
        if let Ok(Output::Text(result)) = group.call.run(&[Value::Text(url)])
            && !result.is_empty()
        {
            group.results.insert(result.into());
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, group: Option<Group>) -> Result<i64> {
        Ok(group.map_or(0, |group| group.results.len() as i64))
    }
}
