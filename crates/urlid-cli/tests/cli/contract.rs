//! The program gives what the library and the wheel give where options are left out (docs/spec/contract.md):
//! its verbs, run over the vectors of `vectors/contract.json`.

use serde_json::{Value, json};
use urlid_ops::vectors::{Surface, Values, VectorFault};
use urlid_testing::root;

use crate::support::urlid_on;

#[test]
fn the_program_keeps_the_contract() {
    let text = std::fs::read_to_string(root().join("vectors/contract.json")).expect("the vectors are there");
    let file: Value = serde_json::from_str(&text).expect("the file is JSON");
    let count = file["vectors"].as_array().expect("the file has vectors").len();
    let report = urlid_ops::vectors::run_over(&Program, &text);
    assert_eq!((report.failures(), report.passed()), (&[][..], count));
}

/// The program as a surface: each operation is a verb on one line, with its result as JSON.
struct Program;

impl Surface for Program {
    fn run(&self, op: &str, input: &Values) -> Result<Values, VectorFault> {
        let given = |key: &str| input.get(key).and_then(Value::as_str);
        let option =
            |name: &'static str, key: &str| given(key).map(|value| [name, value]).into_iter().flatten();
        if op == "hashed.match" {
            let [hashed, uri] = ["hashed", "uri"].map(|key| given(key).unwrap_or_default());
            let ran = urlid_on(uri.as_bytes(), ["list", "match", "--urls", hashed, "-"]);
            return match ran.code {
                Some(code @ (0 | 1)) => Ok([("match".to_owned(), json!(code == 0))].into_iter().collect()),
                _ => Err(VectorFault::Failed(format!("{ran:?}"))),
            };
        }
        let (text, verb): (&str, Vec<&str>) = match op {
            "resolve" => {
                let base = given("base").unwrap_or_default();
                ("reference", ["resolve", base].into_iter().chain(option("--mode", "mode")).collect())
            }
            "theory.parse" => {
                ("text", ["ref", "parse"].into_iter().chain(option("--context", "context")).collect())
            }
            "canon" => ("text", ["canon"].into_iter().chain(option("--as", "form")).collect()),
            "detect" => ("text", vec!["parts", "--of", "text"]),
            "hashed.make" => ("uri", vec!["id", "--kind", "hashed-uri"]),
            "sxurl.encode" => ("url", vec!["id", "--kind", "sxurl"]),
            _ => return Err(VectorFault::Failed(format!("the program has no verb for {op}"))),
        };
        let text = given(text).unwrap_or_default();
        // An empty line is not a reference; an empty argument is one.
        let argument = if text.is_empty() { "" } else { "-" };
        let ran = urlid_on(text.as_bytes(), verb.iter().copied().chain(["--format", "ndjson", argument]));
        let row: Value = serde_json::from_str(&ran.out)
            .map_err(|error| VectorFault::Failed(format!("{ran:?}: {error}")))?;
        if let Some(code) = row["error"].as_str() {
            return Err(VectorFault::Rejected(code.to_owned()));
        }
        let names = [
            ("target", "url"),
            ("url", "tokens"),
            ("valid", "valid"),
            ("canonical", "canonical"),
            ("formats", "formats"),
            ("hashed", "hashed-uri"),
            ("id", "sxurl"),
        ];
        let values = names.into_iter().filter(|(_, column)| !row[column].is_null());
        Ok(values.map(|(name, column)| (name.to_owned(), json!(row[column]))).collect())
    }
}
