//! The examples of the table, run as a database would run them.

use urlid::hex;
use urlid_ops::functions::{FUNCTIONS, Output, Value, function};

#[test]
fn every_example_has_its_result() {
    for function in FUNCTIONS {
        let (result, rest) = run(function.example.call);
        assert_eq!((shown(&result).as_str(), rest), (function.example.result, ""), "{function}");
    }
}

/// Evaluates the call that a text begins with: a name, and between parentheses texts and other calls. Returns the rest too.
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
    let output = function(name).expect(name).call().run(&values).expect(call).into_owned();
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
