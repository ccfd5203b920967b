//! The examples of the table, run as a database would run them, and the types of the table.

use urlid::{ErrorCode, hex};
use urlid_ops::functions::{FUNCTIONS, Function, Output, Type, Value, function};

#[test]
fn every_example_has_its_result() {
    for function in FUNCTIONS {
        let (result, rest) = run(function.example.call);
        assert_eq!((shown(&result).as_str(), rest), (function.example.result, ""), "{function}");
    }
}

#[test]
fn every_function_has_the_types_of_its_row() {
    for function in FUNCTIONS {
        let (result, _) = run(function.example.call);
        let of = match result {
            Output::Null => panic!("{function}: the example shows no result"),
            Output::Text(_) => Type::Text,
            Output::Id(_) => Type::Bytes,
            Output::Integer(_) => Type::Integer,
            Output::Boolean(_) => Type::Boolean,
        };
        assert_eq!(of, function.result, "{function}");
    }
}

/// Checks the arguments of an example: no value of another type, no other number of them, and NULL for NULL.
fn check_arguments(function: &'static Function, values: &[Value<'_>]) {
    let mut call = function.call();
    assert_eq!(coded(call.run(&values[1..])), Err(ErrorCode::Argument), "{function}");
    for index in 0..values.len() {
        let mut changed = values.to_vec();
        changed[index] = Value::Null;
        assert_eq!(coded(call.run(&changed)), Ok(Output::Null), "{function}");
        let others = [Value::Text("x"), Value::Bytes(b"x"), Value::Other];
        for other in others
            .into_iter()
            .filter(|other| std::mem::discriminant(other) != std::mem::discriminant(&values[index]))
        {
            changed[index] = other;
            assert_eq!(coded(call.run(&changed)), Err(ErrorCode::Argument), "{function}");
        }
    }
}

fn coded(found: Result<Output<'_>, urlid::Error>) -> Result<Output<'_>, ErrorCode> {
    found.map_err(|error| error.code())
}

/// Evaluates the call that a text begins with: a name, and between parentheses texts and other calls. Returns
/// the rest too.
fn run(call: &str) -> (Output<'static>, &str) {
    let (name, mut rest) = call.split_once('(').expect("a call");
    let mut arguments = Vec::new();
    while !rest.starts_with(')') {
        rest = rest.trim_start_matches([',', ' ']);
        let (argument, after) =
            match rest.strip_prefix('\'').map(|text| text.split_once('\'').expect("a quote")) {
                Some((text, after)) => (Output::Text(text.to_owned().into()), after),
                None => run(rest),
            };
        arguments.push(argument);
        rest = after;
    }
    let values: Vec<Value<'_>> = arguments.iter().map(value).collect();
    let function = function(name).expect(name);
    check_arguments(function, &values);
    let output = function.call().run(&values).expect(call).into_owned();
    (output, &rest[1..])
}

fn value<'v>(output: &'v Output<'_>) -> Value<'v> {
    match output {
        Output::Text(text) => Value::Text(text),
        Output::Id(id) => Value::Bytes(id),
        Output::Null => Value::Null,
        Output::Integer(_) | Output::Boolean(_) => Value::Other,
    }
}

fn shown(output: &Output<'_>) -> String {
    match output {
        Output::Text(text) => format!("'{text}'"),
        Output::Id(id) => format!("x'{}'", hex::encode(id)),
        Output::Null => "NULL".to_owned(),
        Output::Integer(number) => number.to_string(),
        Output::Boolean(flag) => flag.to_string(),
    }
}
