//! The scalar functions, which are the table of `urlid_ops::functions`, and two aggregates over them.
//! `urlid_count_hosts(url)` and `urlid_count_domains(url)` are the exact numbers of different hosts and
//! domains in a group.

use std::cell::RefCell;
use std::collections::HashSet;

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Value as Owned, ValueRef};
use rusqlite::{Connection, Error, Result};
use urlid_ops::functions::{Call, FUNCTIONS, Function, MOST_ARGUMENTS, Output, SqlValue, Type, function};

/// The properties of every function: deterministic and without side effects.
const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_DETERMINISTIC)
    .union(FunctionFlags::SQLITE_INNOCUOUS);

/// The aggregates, and the scalar functions whose results they count.
const COUNTS: [(&str, &str); 2] =
    [("urlid_count_hosts", "urlid_host"), ("urlid_count_domains", "urlid_registered_domain")];

pub(crate) fn register(db: &Connection) -> Result<()> {
    FUNCTIONS.iter().try_for_each(|function| {
        let call = RefCell::new(function.call());
        let arguments = function.arguments.len() as i32;
        // Never borrowed twice, because SQLite evaluates arguments before the call, so no call runs inside
        // another.
        db.create_scalar_function(function.name, arguments, FLAGS, move |context| {
            evaluate(&mut call.borrow_mut(), context)
        })
    })?;
    COUNTS.iter().try_for_each(|(name, of)| {
        let of = function(of).expect("a function of the table");
        db.create_aggregate_function(*name, 1, FLAGS, CountDistinct { of })
    })
}

fn evaluate(call: &mut Call, context: &Context<'_>) -> Result<ToSqlOutput<'static>> {
    let mut values = [SqlValue::Null; MOST_ARGUMENTS];
    // SQLite passes as many arguments as were registered, at most `MOST_ARGUMENTS`.
    let values = &mut values[..context.len()];
    for (index, (place, argument)) in values.iter_mut().zip(call.function().arguments).enumerate() {
        *place = value(context.get_raw(index), argument.of);
    }
    let output = call.run(values).map_err(rejected)?;
    Ok(ToSqlOutput::Owned(match output {
        Output::Null => Owned::Null,
        Output::Text(text) => Owned::Text(text.into_owned()),
        Output::Id(id) => Owned::Blob(id.to_vec()),
        Output::Integer(number) => Owned::Integer(number),
        Output::Boolean(flag) => Owned::Integer(flag.into()),
    }))
}

/// Returns a value of SQLite as an argument. Columns of SQLite contain values of any type. A value of a
/// wrong type becomes NULL instead of an error, which would end the statement for all other rows.
fn value(value: ValueRef<'_>, of: Type) -> SqlValue<'_> {
    match (of, value) {
        (Type::Text, ValueRef::Text(text)) => str::from_utf8(text).map_or(SqlValue::Null, SqlValue::Text),
        (Type::Bytes, ValueRef::Blob(bytes)) => SqlValue::Bytes(bytes),
        _ => SqlValue::Null,
    }
}

fn rejected(error: urlid::Error) -> Error {
    Error::UserFunctionError(format!("{}: {error}", error.code()).into())
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

// `rusqlite` requires these traits of every aggregate. A panic in `step` drops the group, so a half-changed
// group is never used.
impl std::panic::UnwindSafe for Group {}
impl std::panic::RefUnwindSafe for Group {}

impl Aggregate<Group, i64> for CountDistinct {
    fn init(&self, _: &mut Context<'_>) -> Result<Group> {
        Ok(Group { call: self.of.call(), results: HashSet::new() })
    }

    fn step(&self, context: &mut Context<'_>, group: &mut Group) -> Result<()> {
        // A value that is not a text is not a URL, and is not counted.
        let Ok(url) = context.get_raw(0).as_str() else { return Ok(()) };
        if let Ok(Output::Text(result)) = group.call.run(&[SqlValue::Text(url)])
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
