//! Every surface has every function as the table has it: vectors, the page, DuckDB's tests, and the methods
//! of Python and Spark.
//!
//! ```sh
//! URLID_WRITE_DOCS=1 cargo test --package urlid-ops --test surfaces
//! ```
//!
//! Databases register the table itself, at run time. `urlid_ops::vectors` runs the vectors; the examples are
//! run here, as a database would run them.

use std::collections::BTreeSet;
use std::fmt::Write;

use urlid::suffix::SuffixList;
use urlid::web::Part;
use urlid::{ErrorCode, hex};
use urlid_ops::functions::{Argument, FUNCTIONS, Function, Output, SqlValue, Type, function};
use urlid_testing::{check_part, root};

#[test]
fn every_function_has_vectors() {
    let text = std::fs::read_to_string(root().join("vectors/functions.json")).expect("the file of vectors");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let vectors = file["vectors"].as_array().expect("a list of vectors");
    let called: BTreeSet<&str> =
        vectors.iter().filter_map(|vector| vector["input"]["name"].as_str()).collect();
    assert_eq!(called, FUNCTIONS.iter().map(|function| function.name).collect());
}

/// The functions by their use, in the order of the page.
const USES: [(&str, &[&str]); 6] = [
    (
        "Sites and hosts",
        &[
            "urlid_registered_domain",
            "urlid_split",
            "urlid_tld",
            "urlid_sub",
            "urlid_host",
            "urlid_host_unicode",
        ],
    ),
    ("Parts and templates", &["urlid_part", "urlid_query_param", "urlid_assume", "urlid_template"]),
    ("One value for equal URLs", &["urlid_canon", "urlid_url_hash", "urlid_url_very_short_hash_int64"]),
    ("Secrets and deceptive hosts", &["urlid_redact", "urlid_hosts_agree", "urlid_host_scripts"]),
    ("Identifiers with slices", &["urlid_sxurl", "urlid_slice", "urlid_probe", "urlid_decode"]),
    ("Hashed URIs", &["urlid_hashed", "urlid_match"]),
];

#[test]
fn the_page_has_every_function() {
    let mut page = String::new();
    let mut listed: BTreeSet<&str> = BTreeSet::new();
    for (use_of, names) in USES {
        line(&mut page, &format!("\n### {use_of}\n\n| function | returns |\n| --- | --- |"));
        let functions: Vec<&Function> =
            names.iter().map(|name| function(name).expect("a function")).collect();
        for function in &functions {
            line(&mut page, &format!("| `{function}` | {} |", function.about));
        }
        line(&mut page, "\n```sql");
        for Function { example, .. } in functions {
            line(&mut page, &format!("SELECT {};  -- {}", example.call, example.result));
        }
        line(&mut page, "```");
        listed.extend(names.iter().copied());
    }
    line(&mut page, "");
    assert_eq!(listed, FUNCTIONS.iter().map(|function| function.name).collect());
    check_part("docs/sql.md", "## Functions", "## Rules", &page);
}

#[test]
fn the_page_has_every_part() {
    let page = std::fs::read_to_string(root().join("docs/sql.md")).expect("the page");
    let page: Vec<&str> = page.split_whitespace().collect();
    let [first @ .., last] = Part::ALL.map(|part| format!("`{}`", part.name()));
    let sentence = format!("The parts of `urlid_part` are {} and {last}.", first.join(", "));
    assert!(page.join(" ").contains(&sentence), "docs/sql.md lacks: {sentence}");
}

/// The examples of the tables are in the last column but one, what they give in the last; in the table of
/// errors they are in the last.
#[test]
fn hosts_are_read_as_the_page_says() {
    let page = std::fs::read_to_string(root().join("docs/spec/contract.md")).expect("the page");
    let (_, hosts) = page.split_once("\n## Hosts\n").expect("the page has hosts");
    let list = SuffixList::compiled();
    let (mut checked, mut is_of_errors) = (0, false);
    for line in hosts.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let [.., examples, last] = cells[..] else { panic!("{line}") };
        is_of_errors = if last == "examples" { true } else { is_of_errors && last != "registered domain" };
        let (examples, expected) = if is_of_errors { (last, None) } else { (examples, Some(last)) };
        for text in examples.split('`').skip(1).step_by(2) {
            let found = list.registered_domain(text).ok();
            let found = found.map(|domain| domain.map_or("none".to_owned(), |domain| format!("`{domain}`")));
            assert_eq!(found.as_deref(), expected, "{text}");
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked} examples");
}

/// The files in DuckDB's own format of tests; `run-tests` of the extension runs them.
#[test]
fn duckdb_tests_every_example() {
    let mut tests = String::new();
    for Function { example, result, .. } in FUNCTIONS {
        // DuckDB's runner compares texts. It writes bytes in more than one way, and hexadecimal digits in
        // upper case.
        let (of, call, expected) = match result {
            Type::Integer => ("I", example.call.to_owned(), example.result.to_owned()),
            Type::Bytes => {
                let digits = example.result.trim_matches(['x', '\'']);
                ("T", format!("hex({})", example.call), digits.to_ascii_uppercase())
            }
            _ => ("T", example.call.to_owned(), example.result.trim_matches('\'').to_owned()),
        };
        line(&mut tests, &format!("\nquery {of}\nSELECT {call}\n----\n{expected}"));
    }
    line(&mut tests, "");
    let file = "bindings/duckdb/test/sql/functions.test";
    check_part(file, "# Generated from the table:", "# The table ends here.", &tests);
}

/// Series and expressions have those functions as methods that begin with a column.
#[test]
fn type_checkers_see_every_method_of_frames() {
    let mut methods = String::new();
    for function in FUNCTIONS.iter().filter(|function| !function.arguments[0].is_constant) {
        let others: String = function.arguments[1..]
            .iter()
            .map(|argument| {
                format!(", {}: {}", argument.name, if argument.of == Type::Bytes { "bytes" } else { "str" })
            })
            .collect();
        let positional = if others.is_empty() { "" } else { ", /" };
        line(&mut methods, &format!("    def {}(self{others}{positional}) -> Column: ...", short(function)));
    }
    check_part(
        "bindings/python/python/urlid/_types.pyi",
        r#""""The methods that series and expressions have from the table of functions, `urlid.functions()`.""""#,
        "# The table ends here.",
        &format!("\n{methods}"),
    );
}

#[test]
fn spark_has_every_function_of_columns() {
    let mut methods = String::new();
    for function in FUNCTIONS {
        let parameter = |argument: &Argument| {
            format!(
                "{} {}",
                if argument.is_constant { "String" } else { "Column" },
                camel_case(argument.name)
            )
        };
        let passed = |argument: &Argument| {
            if argument.is_constant {
                format!(", lit({})", camel_case(argument.name))
            } else {
                format!(", {}", camel_case(argument.name))
            }
        };
        let parameters: Vec<String> = function.arguments.iter().map(parameter).collect();
        let passed: String = function.arguments.iter().map(passed).collect();
        let name = camel_case(short(function));
        line(&mut methods, &format!("\n    public static Column {name}({}) {{", parameters.join(", ")));
        line(&mut methods, &format!("        return call_function(\"{}\"{passed});\n    }}", function.name));
    }
    check_part(
        "bindings/spark/java/urlid/spark/Functions.java",
        "// By the table of functions:",
        "// The table ends here.",
        &methods,
    );
}

/// ClickHouse runs the program, a function for each way to call it: of one column, with a name in which
/// constants follow.
#[test]
fn the_recipe_for_clickhouse_has_functions_of_the_table() {
    let page = std::fs::read_to_string(root().join("docs/sql.md")).expect("the page");
    let (_, section) = page.split_once("\n## ClickHouse\n").expect("the section");
    let name = |line: &str| {
        let line = line.trim();
        let rest = line.strip_prefix("<name>").or_else(|| line.strip_prefix("| `"))?;
        rest.starts_with("urlid_").then(|| rest.split(['<', '`']).next().unwrap_or_default().to_owned())
    };
    let names: Vec<_> = section.lines().filter_map(name).collect();
    assert_eq!(names.len(), 4);
    for name in names {
        let is_called = |function: &Function| {
            let rest = name.strip_prefix(function.name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
                && ["url", "text"].contains(&function.arguments[0].name)
        };
        assert!(FUNCTIONS.iter().any(is_called), "{name}");
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a String does not fail");
}

/// Returns the name without that of the library.
fn short(function: &Function) -> &'static str {
    function.name.strip_prefix("urlid_").expect("every function begins so")
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
}

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
fn check_arguments(function: &'static Function, values: &[SqlValue<'_>]) {
    let mut call = function.call();
    assert_eq!(coded(call.run(&values[1..])), Err(ErrorCode::Argument), "{function}");
    for index in 0..values.len() {
        let mut changed = values.to_vec();
        changed[index] = SqlValue::Null;
        assert_eq!(coded(call.run(&changed)), Ok(Output::Null), "{function}");
        let others = [SqlValue::Text("x"), SqlValue::Bytes(b"x"), SqlValue::Other];
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
    let values: Vec<SqlValue<'_>> = arguments.iter().map(value).collect();
    let function = function(name).expect(name);
    check_arguments(function, &values);
    let output = function.call().run(&values).expect(call).into_owned();
    (output, &rest[1..])
}

fn value<'v>(output: &'v Output<'_>) -> SqlValue<'v> {
    match output {
        Output::Text(text) => SqlValue::Text(text),
        Output::Id(id) => SqlValue::Bytes(id),
        Output::Null => SqlValue::Null,
        Output::Integer(_) | Output::Boolean(_) => SqlValue::Other,
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
