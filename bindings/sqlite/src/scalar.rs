//! Scalar functions: the table of `urlid_ops::functions`.

use std::cell::RefCell;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Value as Owned, ValueRef};
use rusqlite::{Connection, Error, Result};
use urlid::Coded;
use urlid_ops::functions::{ArgumentError, Call, FUNCTIONS, MOST_ARGUMENTS, Output, Type, Value};

/// The properties of every function: deterministic and without side effects.
pub(crate) const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_DETERMINISTIC)
    .union(FunctionFlags::SQLITE_INNOCUOUS);

pub(crate) fn register(db: &Connection) -> Result<()> {
    FUNCTIONS.iter().try_for_each(|function| {
        let call = RefCell::new(function.call());
        let arguments = function.arguments.len() as i32;
        // Never borrowed twice: SQLite evaluates arguments before the call, so no call runs inside another.
        db.create_scalar_function(function.name, arguments, FLAGS, move |context| {
            evaluate(&mut call.borrow_mut(), context)
        })
    })
}

fn evaluate(call: &mut Call, context: &Context<'_>) -> Result<ToSqlOutput<'static>> {
    let mut values = [Value::Null; MOST_ARGUMENTS];
    // SQLite passes as many arguments as were registered, and no function has more than `MOST_ARGUMENTS`.
    let values = &mut values[..context.len()];
    for (index, (place, argument)) in values.iter_mut().zip(call.function().arguments).enumerate() {
        *place = value(context.get_raw(index), argument.of);
    }
    let output = call.run(values).map_err(refused)?;
    Ok(ToSqlOutput::Owned(match output {
        Output::Null => Owned::Null,
        Output::Text(text) => Owned::Text(text.into_owned()),
        Output::Id(id) => Owned::Blob(id.to_vec()),
        Output::Integer(number) => Owned::Integer(number),
        Output::Boolean(flag) => Owned::Integer(flag.into()),
    }))
}

/// Returns a value of SQLite as an argument. Columns of SQLite hold values of any type; one of a wrong type becomes NULL
/// instead of an error, which would end the statement for all other rows.
fn value(value: ValueRef<'_>, of: Type) -> Value<'_> {
    match (of, value) {
        (Type::Text, ValueRef::Text(text)) => str::from_utf8(text).map_or(Value::Null, Value::Text),
        (Type::Bytes, ValueRef::Blob(bytes)) => Value::Bytes(bytes),
        _ => Value::Null,
    }
}

fn refused(error: ArgumentError) -> Error {
    Error::UserFunctionError(format!("{}: {error}", error.code()).into())
}
